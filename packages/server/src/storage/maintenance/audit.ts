import { OTHER_VALUE, PRIORITIES } from '@bugle/contract/vocabulary'
import type { Dialect } from '../dialects.ts'
import type { Audit, OnProgress, StoredCounts } from '../inspection.ts'
import { LANE_CODES } from '../issues/lane-codes.ts'

/** The database-specific parts of the recount. Conditions are about `issues i`. */
export interface AuditDialect extends AuditedProjects {
  /** The project of an issue. */
  readonly projectOfIssue: string
  readonly current: Dialect['current']
  /** The issue's id in hexadecimal. */
  readonly hexId: string
  /** Columns that name the issue of a report. */
  readonly issueKey: string
  /** Whether a row `x` that names an issue belongs to this one. */
  readonly isIssueOfX: string
  /** The project of a row `x` that names an issue. */
  readonly projectOfX: string
  /** Whether `deleted_issues g` is the issue that a row `x` names. */
  readonly isDeletedIssueOfX: string
  /** Whether `events e` is the first event of the issue. */
  readonly isFirstEvent: string
  /** Whether there are issues, or events, beyond the last number of `projects p`. */
  readonly hasIssuesBeyond: string
  readonly hasEventsBeyond: string
  /** The same for positions in the open lane. */
  readonly hasOpenEventsBeyond: string
  /** The number of issues of these projects that are missing from the full-text index. */
  countUnsearchable(projects: AuditedProjects): string
  /** The day of a time, `YYYY-MM-DD` in UTC. */
  day(column: string): string
}

/** The projects that a recount is about. */
export interface AuditedProjects {
  /** A table with the columns of `projects`. */
  readonly projects: string
  /** Whether a project is one of those in service. */
  isLive(project: string): string
}

/** One that is being imported, or deleted, has no slug. */
const IS_IN_SERVICE = 'slug IS NOT NULL'

/** All projects, except those that are being imported or deleted. */
export const PROJECTS_IN_SERVICE: AuditedProjects = {
  projects: 'projects',
  isLive: (project) => `${project} IN (SELECT seq FROM projects WHERE ${IS_IN_SERVICE})`,
}

/** Runs a query that counts. */
type Count = (text: string) => Promise<number>

/** Recounts everything about the projects of each dialect. */
export async function auditDatabase(
  dialects: readonly AuditDialect[],
  count: Count,
  onProgress: OnProgress = ignore,
): Promise<Audit> {
  const faults = new Map<string, number>()
  const counts = { projects: 0, issues: 0, reports: 0 }
  const checks = dialects.flatMap(checksFor)
  // The last step counts what is stored.
  const total = checks.length + 1
  for (const [done, { query, says }] of checks.entries()) {
    onProgress(done, total)
    faults.set(says, (faults.get(says) ?? 0) + (await count(query)))
  }
  onProgress(checks.length, total)
  for (const dialect of dialects) {
    const more = await countStored(dialect, count)
    counts.projects += more.projects
    counts.issues += more.issues
    counts.reports += more.reports
  }
  const events = await count('SELECT count(*) AS count FROM events')
  onProgress(total, total)
  const found = [...faults].filter(([, wrong]) => wrong > 0)
  return {
    counts: { ...counts, events },
    faults: found.map(([says, wrong]) => `${says}: ${wrong.toLocaleString('en')}`),
  }
}

function ignore(): void {}

async function countStored(
  { projects, projectOfIssue, isLive }: AuditDialect,
  count: Count,
): Promise<Omit<StoredCounts, 'events'>> {
  return {
    projects: await count(`SELECT count(*) AS count FROM ${projects} p WHERE ${IS_IN_SERVICE}`),
    issues: await count(`SELECT count(*) AS count FROM issues i WHERE ${isLive(projectOfIssue)}`),
    reports: await count(
      `SELECT CAST(coalesce(sum(${OWN_REPORTS}), 0) AS bigint) AS count FROM issues i WHERE ${isLive(projectOfIssue)}`,
    ),
  }
}

/** Each query counts faults. */
function checksFor(dialect: AuditDialect) {
  const { projects, isLive, projectOfIssue, issueKey, isIssueOfX } = dialect
  const ofIssues = `FROM issues i LEFT JOIN`
  return [
    { says: 'counters that differ from a recount', query: countersQuery(dialect) },
    {
      says: 'issues without their first event',
      query: `SELECT count(*) AS count ${ofIssues} events e ON ${dialect.isFirstEvent} AND e.type = 'issue.created'
        WHERE e.at IS NULL AND ${isLive(projectOfIssue)}`,
    },
    {
      says: 'issues whose report count is wrong',
      query: `SELECT count(*) AS count ${ofIssues}
          (SELECT ${issueKey}, count(*) AS joined FROM reports GROUP BY ${issueKey}) x ON ${isIssueOfX}
        WHERE ${OWN_REPORTS} <> 1 + coalesce(x.joined, 0) AND ${isLive(projectOfIssue)}`,
    },
    {
      says: 'issues whose sources do not match their reports',
      query: `SELECT count(*) AS count ${ofIssues}
          (SELECT ${issueKey}, sum(count) AS counted FROM report_sources GROUP BY ${issueKey}) x ON ${isIssueOfX}
        WHERE ${OWN_REPORTS} <> 1 + coalesce(x.counted, 0) AND ${isLive(projectOfIssue)}`,
    },
    {
      says: 'issues whose duplicates are counted wrongly',
      query: `SELECT count(*) AS count ${ofIssues}
          (SELECT duplicate_of, count(*) AS duplicates, sum(report_count) AS reports FROM issues i
           WHERE duplicate_of IS NOT NULL AND ${isLive(projectOfIssue)} GROUP BY duplicate_of) x ON x.duplicate_of = ${dialect.hexId}
        WHERE (coalesce(i.duplicate_count, 0) <> coalesce(x.duplicates, 0)
          OR coalesce(i.duplicate_reports, 0) <> coalesce(x.reports, 0)) AND ${isLive(projectOfIssue)}`,
    },
    {
      says: 'issues whose comment count is wrong',
      query: `SELECT count(*) AS count ${ofIssues}
          (SELECT ${issueKey}, count(text) AS written FROM comments GROUP BY ${issueKey}) x ON ${isIssueOfX}
        WHERE coalesce(i.comment_count, 0) <> coalesce(x.written, 0) AND ${isLive(projectOfIssue)}`,
    },
    {
      says: 'sources of reports in a different lane than their issue',
      query: `SELECT count(*) AS count FROM report_sources x JOIN issues i ON ${isIssueOfX}
        WHERE x.lane <> i.lane AND ${isLive(projectOfIssue)}`,
    },
    {
      says: 'issues whose number of reporters is wrong',
      query: `SELECT count(*) AS count ${ofIssues}
          (SELECT ${issueKey}, count(*) AS people FROM issue_reporters GROUP BY ${issueKey}) x ON ${isIssueOfX}
        WHERE coalesce(i.reporter_count, 0) <> coalesce(x.people, 0) AND ${isLive(projectOfIssue)}`,
    },
    {
      says: 'reporters in a different lane than their issue',
      query: `SELECT count(*) AS count FROM issue_reporters x JOIN issues i ON ${isIssueOfX}
        WHERE x.lane <> i.lane AND ${isLive(projectOfIssue)}`,
    },
    {
      says: 'published issues that are hidden or spam',
      query: `SELECT count(*) AS count FROM issues i
        WHERE i.known_title IS NOT NULL AND i.lane <> ${LANE_CODES.open} AND ${isLive(projectOfIssue)}`,
    },
    { says: 'versions or branches that differ from a recount', query: seenQuery(dialect) },
    {
      says: 'submission ids without an issue',
      query: `SELECT count(*) AS count FROM submissions x LEFT JOIN issues i ON ${isIssueOfX}
        WHERE i.lane IS NULL AND ${isLive('x.project')}
          AND NOT EXISTS (SELECT 1 FROM deleted_issues g WHERE ${dialect.isDeletedIssueOfX})`,
    },
    {
      says: 'issues whose submission id is not stored',
      query: `SELECT count(*) AS count ${ofIssues} submissions x
          ON x.project = ${projectOfIssue} AND x.id = i.submission_id
        WHERE i.submission_id IS NOT NULL AND x.id IS NULL AND ${isLive(projectOfIssue)}`,
    },
    {
      says: 'projects that would reuse issue numbers',
      query: `SELECT count(*) AS count FROM ${projects} p WHERE ${IS_IN_SERVICE} AND ${dialect.hasIssuesBeyond}`,
    },
    {
      says: 'projects that would reuse event positions',
      query: `SELECT count(*) AS count FROM ${projects} p WHERE ${IS_IN_SERVICE}
        AND (${dialect.hasEventsBeyond} OR ${dialect.hasOpenEventsBeyond})`,
    },
    {
      says: 'projects whose files have another size than recorded',
      query: `SELECT count(*) AS count FROM ${projects} p
          LEFT JOIN (SELECT project, sum(size) AS bytes FROM files GROUP BY project) f ON f.project = p.seq
        WHERE ${IS_IN_SERVICE} AND p.file_bytes <> coalesce(f.bytes, 0)`,
    },
    {
      says: 'received attachments without a file',
      query: `SELECT count(*) AS count FROM attachments x JOIN issues i ON ${isIssueOfX}
          LEFT JOIN files f ON f.project = ${projectOfIssue} AND f.digest = x.digest
        WHERE x.received_at IS NOT NULL AND f.size IS NULL AND ${isLive(projectOfIssue)}`,
    },
    {
      says: 'files that no report refers to and that are not to be removed',
      query: `SELECT count(*) AS count FROM files f WHERE f.is_suspect = 0 AND ${isLive('f.project')}
        AND NOT EXISTS (SELECT 1 FROM attachments x
          WHERE ${dialect.projectOfX} = f.project AND x.digest = f.digest AND x.received_at IS NOT NULL)`,
    },
    { says: 'issues that are missing from the full-text index', query: dialect.countUnsearchable(dialect) },
  ]
}

/** The reports of an issue, without those of its duplicates. */
const OWN_REPORTS = '(i.report_count - coalesce(i.duplicate_reports, 0))'

/** Only the sums of these are compared: some untrusted values are counted as `other`, and durations are rounded. */
const SUMMED = "('platform', 'os_version', 'device_model', 'time_to_acknowledge', 'time_to_resolve')"
/** Counters that are not derived from issues. */
const LEDGER = "dimension NOT IN ('intake', 'refused_key') AND dimension NOT LIKE 'sdk:%'"
const PRIORITY_NAME = `CASE priority ${PRIORITIES.map((name, code) => `WHEN ${code} THEN '${name}'`).join(' ')} END`

/** The expected counts minus the stored ones: any remainder is a fault. */
function countersQuery({ isLive, projectOfIssue, isIssueOfX, day, current }: AuditDialect): string {
  const from = (dimension: string, value: string, count: string) =>
    `SELECT project, lane, '${dimension}' AS dimension, ${value} AS value, ${count} AS count FROM tally`
  return `
    WITH tally AS MATERIALIZED (
      SELECT ${projectOfIssue} AS project, lane, status, category, priority, ${day('created_at')} AS created,
        ${day('first_resolved_at')} AS resolved, count(*) AS issues, sum(${OWN_REPORTS}) AS reports,
        count(platform) AS platforms, count(os_version) AS systems,
        count(device_model) AS models, count(first_left_open_at) AS leavings
      FROM issues i WHERE ${isLive(projectOfIssue)} GROUP BY 1, 2, 3, 4, 5, 6, 7),
    compared AS (
      ${[
        from('status', 'status', 'issues'),
        from('category', 'category', 'issues'),
        from('priority', PRIORITY_NAME, 'issues'),
        from('reports', "''", 'reports'),
        from('created_day', 'created', 'issues'),
        from('reports_day', 'created', 'issues'),
        `${from('resolved_day', 'resolved', 'issues')} WHERE resolved IS NOT NULL`,
        `${from('time_to_resolve', "''", 'issues')} WHERE resolved IS NOT NULL`,
        from('time_to_acknowledge', "''", 'leavings'),
        from('platform', "''", 'platforms'),
        from('os_version', "''", 'systems'),
        from('device_model', "''", 'models'),
        `SELECT ${projectOfIssue}, lane, 'assignee', assignee_id, 1 FROM issues i
          WHERE assignee_id IS NOT NULL AND ${isLive(projectOfIssue)}`,
        `SELECT ${projectOfIssue}, x.lane, 'label', CAST(x.label AS text), 1
          FROM issue_labels x JOIN issues i ON ${isIssueOfX} WHERE ${isLive(projectOfIssue)}`,
        `SELECT ${projectOfIssue}, i.lane, 'reports_day', x.day, x.count
          FROM report_sources x JOIN issues i ON ${isIssueOfX} WHERE ${isLive(projectOfIssue)}`,
        `SELECT project, lane, dimension, CASE WHEN dimension IN ${SUMMED} THEN '' ELSE value END, -count
          FROM ${current('counters')} WHERE ${isLive('project')} AND ${LEDGER}`,
      ].join('\n UNION ALL ')})
    SELECT count(*) AS count FROM (
      SELECT 1 AS one FROM compared GROUP BY project, lane, dimension, value HAVING sum(count) <> 0) wrong`
}

/**
 * Versions with their builds, and branches, as stored and as recounted from issues and reports. Compared one by one or, if builds of a
 * version were folded, by the version; if versions were folded into `other`, by their sum.
 */
function seenQuery({ isLive, projectOfIssue, isIssueOfX, current }: AuditDialect): string {
  const both = (dimension: string, column: string, build: (row: string) => string) => [
    `SELECT ${projectOfIssue} AS project, i.lane AS lane, '${dimension}' AS dimension, i.${column} AS value, ${build('i')} AS build_number,
       1 AS reports, 1 AS new_issues, 0 AS fixed_issues, 0 AS regressions
     FROM issues i WHERE i.${column} <> '' AND ${isLive(projectOfIssue)}`,
    `SELECT ${projectOfIssue}, i.lane, '${dimension}', x.${column}, ${build('x')}, x.count, 0, 0, x.regressions
     FROM report_sources x JOIN issues i ON ${isIssueOfX} WHERE x.${column} <> '' AND ${isLive(projectOfIssue)}`,
  ]
  return `
    WITH compared AS (${[
      ...both('version', 'app_version', (row) => `coalesce(${row}.build_number, '')`),
      ...both('branch', 'branch', () => "''"),
      `SELECT ${projectOfIssue}, i.lane, 'version', i.fixed_in_version, '', 0, 0, 1, 0
       FROM issues i WHERE i.fixed_in_version IS NOT NULL AND ${isLive(projectOfIssue)}`,
      `SELECT project, lane, dimension, value, build_number, -reports, -new_issues, -fixed_issues, -regressions
       FROM ${current('seen_values')} WHERE ${isLive('project')}`,
    ].join('\n UNION ALL ')}),
    folded AS MATERIALIZED (SELECT project, lane, dimension, value FROM seen_values
      WHERE includes_rest = 1 AND ${isLive('project')})
    SELECT count(*) AS count FROM (
      SELECT 1 AS one FROM compared c
        LEFT JOIN folded f ON f.project = c.project AND f.lane = c.lane AND f.dimension = c.dimension AND f.value = '${OTHER_VALUE}'
        LEFT JOIN folded b ON b.project = c.project AND b.lane = c.lane AND b.dimension = c.dimension AND b.value = c.value
      GROUP BY c.project, c.lane, c.dimension, CASE WHEN f.project IS NULL THEN c.value ELSE '' END,
        CASE WHEN f.project IS NULL AND b.project IS NULL THEN c.build_number ELSE '' END
      HAVING sum(c.reports) <> 0 OR sum(c.new_issues) <> 0 OR sum(c.fixed_issues) <> 0 OR sum(c.regressions) <> 0) wrong`
}
