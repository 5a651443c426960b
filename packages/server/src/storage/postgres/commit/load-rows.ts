import type { IssueStatus } from '@bugle/contract/vocabulary'
import type { IssueId, ProjectId } from '../../../model/ids.ts'
import type { StoredIssue } from '../../../model/issues.ts'
import type { GroupCall } from '../../issues/group-writes.ts'
import type { ProjectCounters, ReportDay, Submission } from '../../issues/issue-tables.ts'
import { prepared, type Transaction } from '../driver/connection.ts'
import { idOf, uuidOf } from '../driver/uuids.ts'
import { type IssueRow, toIssue } from '../issues/issue-rows.ts'

/** What the calls of a batch may ask for, read before they run. */
export interface LoadedRows {
  readonly issues: readonly StoredIssue[]
  readonly submissions: ReadonlyMap<string, Submission>
  /** Of versions that may turn out to be regressions: whether any report came from them. */
  readonly versions: ReadonlyMap<string, KnownVersion>
  /** By issue number. */
  readonly reportDays: ReadonlyMap<number, readonly ReportDay[]>
  /** How many events an issue has that may leave its lane, by its number. */
  readonly eventCounts: ReadonlyMap<number, EventCounts>
}

export interface EventCounts {
  /** All but the first; not exact if there are many. */
  readonly all: number
  /** The same without its further reports. */
  readonly history: number
}

export interface KnownVersion {
  readonly isInOpenLane: boolean
  readonly isInAnyLane: boolean
}

export const NOTHING_LOADED: LoadedRows = {
  issues: [],
  submissions: new Map(),
  versions: new Map(),
  reportDays: new Map(),
  eventCounts: new Map(),
}

const LOCK_PROJECT = prepared(
  'lock_project',
  `SELECT seq, last_issue_number, last_event_position, last_open_position FROM projects
   WHERE id = $1 AND slug IS NOT NULL FOR UPDATE`,
)
const SELECT_SUBMISSIONS = prepared(
  'load_submissions',
  `SELECT s.id, encode(s.content_hash, 'hex') AS content_hash, s.status, s.report_count, i.number, i.id AS issue_id, i.created_at,
     r.received_at
   FROM submissions s
   CROSS JOIN LATERAL (SELECT * FROM issues WHERE project = $1 AND number = s.issue_number LIMIT 1) i
   LEFT JOIN LATERAL (SELECT received_at FROM reports
     WHERE project = $1 AND issue_number = s.issue_number AND number = s.report_count LIMIT 1) r ON TRUE
   WHERE s.project = $1 AND s.id = ANY ($2)`,
)
const FREE_SUBMISSIONS = prepared(
  'free_submissions',
  `DELETE FROM submissions s WHERE project = $1 AND id = ANY ($2)
     AND (SELECT number FROM issues WHERE project = $1 AND number = s.issue_number LIMIT 1) IS NULL`,
)
const SELECT_BY_FINGERPRINT = prepared(
  'load_issues_by_fingerprint',
  issuesWith('unnest($2::text[]) AS f (fingerprint)'),
)
const SELECT_BY_ID = prepared(
  'load_issues_by_id',
  'SELECT * FROM issues WHERE project = $1 AND id = ANY ($2)',
)
const SELECT_TWINS = prepared(
  'load_twins',
  issuesWith('(SELECT fingerprint FROM issues WHERE project = $1 AND id = ANY ($2) OFFSET 0) AS f'),
)
const SELECT_REPORT_DAYS = prepared(
  'load_report_days',
  `SELECT issue_number, day, count FROM report_days WHERE project = $1 AND issue_number = ANY (ARRAY(
     SELECT number FROM issues WHERE project = $1 AND id = ANY ($2)))`,
)

const SELECT_VERSIONS = prepared(
  'load_versions',
  `SELECT v.version AS name, ${isIssueOf('0')} OR ${isReportOf('0')} AS "isInOpenLane",
     ${isIssueOf('0')} OR ${isIssueOf('1')} OR ${isReportOf('0, 1')} AS "isInAnyLane"
   FROM unnest($2::text[]) AS v (version)`,
)

function isIssueOf(lane: string): string {
  return `EXISTS (SELECT 1 FROM counters
    WHERE project = $1 AND lane = ${lane} AND dimension = 'app_version' AND value = v.version AND count > 0)`
}

/** A range and an order, for the same reason as in {@link issuesWith}. */
function isReportOf(lanes: string): string {
  return `(SELECT TRUE FROM reports r
    CROSS JOIN LATERAL (SELECT lane FROM issues WHERE project = $1 AND number = r.issue_number LIMIT 1) i
    WHERE r.project = $1 AND r.app_version BETWEEN v.version AND v.version AND i.lane IN (${lanes})
    ORDER BY r.app_version LIMIT 1) IS NOT NULL`
}

/** Of an issue with more events only its history is moved. */
const MAX_COUNTED_EVENTS = 1_000
// An issue's first event is found by its position, and not counted here.
const ITS_EVENTS = "FROM events WHERE project = $1 AND issue_number = i.number AND type <> 'issue.created'"
const COUNT_EVENTS = prepared(
  'count_events_of_issues',
  `SELECT i.number AS issue_number, e.count AS "all", CASE WHEN e.count < ${MAX_COUNTED_EVENTS} THEN e.history
     ELSE (SELECT count(*) ${ITS_EVENTS} AND type <> 'issue.reported') END AS history
   FROM (SELECT number FROM issues WHERE project = $1 AND id = ANY ($2) OFFSET 0) i
   CROSS JOIN LATERAL (SELECT count(*) AS count, count(*) FILTER (WHERE type <> 'issue.reported') AS history
     FROM (SELECT type ${ITS_EVENTS} LIMIT ${MAX_COUNTED_EVENTS}) own) e`,
)

/**
 * The issues of both lanes that have these fingerprints. A range and an order, where one value would do, leave only one
 * index to choose: while a table is empty all of them seem equally good, and that choice is kept.
 */
function issuesWith(fingerprints: string): string {
  return `SELECT i.* FROM ${fingerprints} CROSS JOIN (VALUES (0), (1)) AS l (lane)
    CROSS JOIN LATERAL (SELECT * FROM issues WHERE project = $1 AND lane = l.lane
      AND fingerprint BETWEEN f.fingerprint AND f.fingerprint ORDER BY fingerprint LIMIT 1) i`
}

/**
 * Takes the project for this transaction, on all nodes: so numbers have no gaps, and whoever sees an event sees all
 * before it.
 */
export async function lockProject(tx: Transaction, id: ProjectId): Promise<ProjectCounters | undefined> {
  const [row] = await tx.run<ProjectRow>(LOCK_PROJECT(uuidOf(id)))
  return (
    row && {
      id,
      seq: row.seq,
      lastIssueNumber: row.last_issue_number,
      lastEventPosition: row.last_event_position,
      lastOpenPosition: row.last_open_position,
    }
  )
}

export type ProjectKey = Pick<ProjectCounters, 'id' | 'seq'>

interface ProjectRow {
  readonly seq: number
  readonly last_issue_number: number
  readonly last_event_position: number
  readonly last_open_position: number
}

/**
 * Reads it with one query for each table. Whether the id of a new issue is taken is only looked up when `isCareful`:
 * it happens so rarely that the database may as well refuse it. So are submission ids that a deleted issue has left.
 */
export async function loadRows(
  tx: Transaction,
  project: ProjectKey,
  calls: readonly GroupCall[],
  isCareful: boolean,
): Promise<LoadedRows> {
  const { submissionIds, fingerprints, appVersions, changedIds, movedIds, newIds } = needsOf(calls)
  // Only now: what a deleted issue has left is rare, and made the calls fail together.
  if (isCareful && submissionIds.length > 0) tx.send(FREE_SUBMISSIONS(project.seq, submissionIds))
  const select = async <R extends object>(
    query: ReturnType<typeof prepared>,
    keys: readonly string[],
  ): Promise<R[]> => (keys.length === 0 ? [] : tx.run<R>(query(project.seq, keys)))
  const ids = [...changedIds, ...(isCareful ? newIds : [])].map(uuidOf)
  const moved = movedIds.map(uuidOf)
  const [submissions, days, counts, ...issues] = await Promise.all([
    select<SubmissionRow>(SELECT_SUBMISSIONS, submissionIds),
    select<ReportDayRow>(SELECT_REPORT_DAYS, moved),
    select<EventCountRow>(COUNT_EVENTS, moved),
    select<IssueRow>(SELECT_BY_ID, ids),
    select<IssueRow>(SELECT_BY_FINGERPRINT, fingerprints),
    select<IssueRow>(SELECT_TWINS, moved),
  ])
  const found = issues.flat().map((row) => toIssue(row, project.id))
  const versions = mayRegress(found, calls) ? await select<VersionRow>(SELECT_VERSIONS, appVersions) : []
  return {
    issues: found,
    versions: new Map(versions.map((row) => [row.name, row])),
    submissions: new Map(submissions.map((row) => [row.id, toSubmission(row)])),
    reportDays: Map.groupBy(days, (row) => row.issue_number),
    eventCounts: new Map(counts.map((row) => [row.issue_number, row])),
  }
}

/** Only a resolved issue can regress, and few are: for all others it would be asked in vain. */
function mayRegress(issues: readonly StoredIssue[], calls: readonly GroupCall[]): boolean {
  return (
    issues.some(({ status }) => status === 'resolved') ||
    calls.some((call) => call[0] === 'changeIssue' && call[1].patch.status === 'resolved')
  )
}

interface VersionRow extends KnownVersion {
  readonly name: string
}

interface Needs {
  readonly submissionIds: readonly string[]
  readonly fingerprints: readonly string[]
  /** The versions of reports that may join an issue. */
  readonly appVersions: readonly string[]
  readonly changedIds: readonly IssueId[]
  /** Issues that may leave their lane, or be gone. */
  readonly movedIds: readonly IssueId[]
  readonly newIds: readonly IssueId[]
}

function needsOf(calls: readonly GroupCall[]): Needs {
  const reports = calls.flatMap((call) => (call[0] === 'submitReport' ? [call[1]] : []))
  const changes = calls.flatMap((call) => (call[0] === 'changeIssue' ? [call[1]] : []))
  const deletions = calls.flatMap((call) => (call[0] === 'deleteIssue' ? [call[1]] : []))
  const moves = [...changes.filter(({ patch }) => patch.category !== undefined), ...deletions]
  return {
    submissionIds: reports.flatMap(({ submission }) => (submission === null ? [] : [submission.id])),
    fingerprints: reports.flatMap(({ content: { fingerprint } }) =>
      fingerprint === null ? [] : [fingerprint],
    ),
    appVersions: reports.flatMap(({ content: { fingerprint, appVersion } }) =>
      fingerprint === null || appVersion === null ? [] : [appVersion],
    ),
    changedIds: [...changes, ...deletions].map(({ issueId }) => issueId),
    movedIds: moves.map(({ issueId }) => issueId),
    newIds: reports.map(({ issueId }) => issueId),
  }
}

interface ReportDayRow extends ReportDay {
  readonly issue_number: number
}

interface EventCountRow extends EventCounts {
  readonly issue_number: number
}

interface SubmissionRow {
  readonly id: string
  readonly content_hash: string
  readonly status: IssueStatus
  readonly report_count: number
  readonly number: number
  readonly issue_id: string
  readonly created_at: number
  /** `null` for the report that became the issue. */
  readonly received_at: number | null
}

function toSubmission(row: SubmissionRow): Submission {
  return {
    contentHash: row.content_hash,
    receipt: {
      issueId: idOf('iss', row.issue_id),
      issueNumber: row.number,
      status: row.status,
      createdAt: row.created_at,
      receivedAt: row.received_at ?? row.created_at,
      reportCount: row.report_count,
    },
  }
}
