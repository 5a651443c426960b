import { PRIORITIES } from '@bugle/contract/vocabulary'
import type { Audit, StoredCounts } from '../inspection.ts'

/** How a database says what the recount asks for. Conditions are about `issues i`. */
export interface AuditDialect {
  /** The project of an issue. */
  readonly projectOfIssue: string
  /** Columns that name the issue of a report. */
  readonly issueKey: string
  /** Whether a row `x` that names an issue belongs to this one. */
  readonly isIssueOfX: string
  /** Whether `deleted_issues g` is the issue that a row `x` names. */
  readonly isDeletedIssueOfX: string
  /** Whether `events e` is where the issue says that its first event is. */
  readonly isFirstEvent: string
  /** Whether there are issues, or events, beyond the last number of `projects p`. */
  readonly hasIssuesBeyond: string
  readonly hasEventsBeyond: string
  /** The same for positions in the open lane. */
  readonly hasOpenEventsBeyond: string
  /** How many issues ought to be in the full-text index and are not. */
  readonly countUnsearchable: string
  /** The day of a time, `YYYY-MM-DD` in UTC. */
  day(column: string): string
}

/** Runs a query that counts. */
type Count = (text: string) => Promise<number>

/** Recounts everything, but for projects that are on their way in or out. */
export async function auditDatabase(dialect: AuditDialect, count: Count): Promise<Audit> {
  const faults: string[] = []
  for (const { query, says } of checksFor(dialect)) {
    const wrong = await count(query)
    if (wrong > 0) faults.push(`${says}: ${wrong.toLocaleString('en')}`)
  }
  return { counts: await countStored(dialect, count), faults }
}

async function countStored({ projectOfIssue }: AuditDialect, count: Count): Promise<StoredCounts> {
  return {
    projects: await count(`SELECT count(*) AS count FROM projects WHERE ${IS_IN_SERVICE}`),
    issues: await count(`SELECT count(*) AS count FROM issues i WHERE ${isLive(projectOfIssue)}`),
    reports: await count(
      `SELECT CAST(coalesce(sum(report_count), 0) AS bigint) AS count FROM issues i WHERE ${isLive(projectOfIssue)}`,
    ),
    events: await count('SELECT count(*) AS count FROM events'),
  }
}

/** Each query counts what is wrong. */
function checksFor(dialect: AuditDialect) {
  const { projectOfIssue, issueKey, isIssueOfX } = dialect
  const ofIssues = `FROM issues i LEFT JOIN`
  return [
    { says: 'counters that differ from a recount', query: countersQuery(dialect) },
    {
      says: 'issues without their first event',
      query: `SELECT count(*) AS count ${ofIssues} events e ON ${dialect.isFirstEvent} AND e.type = 'issue.created'
        WHERE e.at IS NULL AND ${isLive(projectOfIssue)}`,
    },
    {
      says: 'issues with another number of reports than they say',
      query: `SELECT count(*) AS count ${ofIssues}
          (SELECT ${issueKey}, count(*) AS joined FROM reports GROUP BY ${issueKey}) x ON ${isIssueOfX}
        WHERE i.report_count <> 1 + coalesce(x.joined, 0) AND ${isLive(projectOfIssue)}`,
    },
    {
      says: 'submission ids that lead to no issue',
      query: `SELECT count(*) AS count FROM submissions x LEFT JOIN issues i ON ${isIssueOfX}
        WHERE i.lane IS NULL AND ${isLive('x.project')}
          AND NOT EXISTS (SELECT 1 FROM deleted_issues g WHERE ${dialect.isDeletedIssueOfX})`,
    },
    {
      says: 'issues whose submission id is free again',
      query: `SELECT count(*) AS count ${ofIssues} submissions x
          ON x.project = ${projectOfIssue} AND x.id = i.submission_id
        WHERE i.submission_id IS NOT NULL AND x.id IS NULL AND ${isLive(projectOfIssue)}`,
    },
    {
      says: 'projects that would give out issue numbers again',
      query: `SELECT count(*) AS count FROM projects p WHERE ${IS_IN_SERVICE} AND ${dialect.hasIssuesBeyond}`,
    },
    {
      says: 'projects that would give out event positions again',
      query: `SELECT count(*) AS count FROM projects p WHERE ${IS_IN_SERVICE}
        AND (${dialect.hasEventsBeyond} OR ${dialect.hasOpenEventsBeyond})`,
    },
    { says: 'issues that are missing from the full-text index', query: dialect.countUnsearchable },
  ]
}

/** One that is being imported, or deleted, has no slug. */
const IS_IN_SERVICE = 'slug IS NOT NULL'

function isLive(project: string): string {
  return `${project} IN (SELECT seq FROM projects WHERE ${IS_IN_SERVICE})`
}

/** Of these only the sum is compared: strangers make the values up, so some are counted as others, and durations are rounded. */
const SUMMED = "('platform', 'app_version', 'time_to_acknowledge', 'time_to_resolve')"
/** What is counted but does not follow from the issues. */
const LEDGER = "dimension <> 'intake' AND dimension NOT LIKE 'sdk:%'"
const PRIORITY_NAME = `CASE priority ${PRIORITIES.map((name, code) => `WHEN ${code} THEN '${name}'`).join(' ')} END`

/** What is counted, taken away from what there is to count: what is left is wrong. */
function countersQuery({ projectOfIssue, isIssueOfX, day }: AuditDialect): string {
  const from = (dimension: string, value: string, count: string) =>
    `SELECT project, lane, '${dimension}' AS dimension, ${value} AS value, ${count} AS count FROM tally`
  return `
    WITH tally AS MATERIALIZED (
      SELECT ${projectOfIssue} AS project, lane, status, category, priority, ${day('created_at')} AS created,
        ${day('first_resolved_at')} AS resolved, count(*) AS issues, sum(report_count) AS reports,
        count(platform) AS platforms, count(app_version) AS versions, count(first_left_open_at) AS leavings
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
        from('app_version', "''", 'versions'),
        `SELECT ${projectOfIssue}, i.lane, 'reports_day', x.day, x.count
          FROM report_days x JOIN issues i ON ${isIssueOfX} WHERE ${isLive(projectOfIssue)}`,
        `SELECT project, lane, dimension, CASE WHEN dimension IN ${SUMMED} THEN '' ELSE value END, -count
          FROM counters WHERE ${isLive('project')} AND ${LEDGER}`,
      ].join('\n UNION ALL ')})
    SELECT count(*) AS count FROM (
      SELECT 1 AS one FROM compared GROUP BY project, lane, dimension, value HAVING sum(count) <> 0) wrong`
}
