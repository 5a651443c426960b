import { MAX_KNOWN_ISSUES, OTHER_VALUE } from '@bugle/contract/vocabulary'
import type { BulkCommand, BulkRecord } from '../../../model/bulk-changes.ts'
import type { IssueId } from '../../../model/ids.ts'
import type { StoredIssue } from '../../../model/issues.ts'
import type { ReportCommand } from '../../../model/reports/reports.ts'
import type { SourceReports } from '../../../model/seen-values.ts'
import { FIND_BULK_CHANGE } from '../../issues/bulk/bulk-rows.ts'
import { IS_NO_REPORT_EVENT } from '../../issues/event-rows.ts'
import type { GroupCall } from '../../issues/group-writes.ts'
import { MAX_COUNTED_ROWS, type OtherRows, type Submission } from '../../issues/issue-tables.ts'
import { CODES, LANE_CODES } from '../../issues/lane-codes.ts'
import { type SourceRow, toSource } from '../../issues/seen/report-sources.ts'
import { type SubmissionRow, toSubmission } from '../../issues/submission-rows.ts'
import { prepared, type Transaction } from '../driver/connection.ts'
import { idOf, uuidOf } from '../driver/uuids.ts'
import { loadDuplicates } from '../issues/duplicates.ts'
import { type IssueRow, SELECT_BY_ID, SELECT_SHORT_BY_ID, toIssue } from '../issues/issue-rows.ts'
import { type LoadedReport, loadReport } from './load-report.ts'
import {
  type LoadedReporters,
  loadReporters,
  NONE,
  neededReporters,
  reporterOfReport,
} from './load-reporters.ts'
import {
  type LoadedTexts,
  loadSearchedTexts,
  loadTexts,
  neededTexts,
  type SearchedReportText,
} from './load-texts.ts'
import type { ProjectKey } from './project-heads.ts'

/** The rows that the calls of a batch may need, read before they run. */
export interface LoadedRows {
  readonly issues: readonly StoredIssue[]
  readonly submissions: ReadonlyMap<string, Submission>
  /** For versions that may be regressions: whether there are reports from them. */
  readonly versions: ReadonlyMap<string, KnownVersion>
  /** The origins of reports after the first, by issue number. */
  readonly sources: ReadonlyMap<number, readonly SourceReports[]>
  /** By issue number, for reports that join an issue and have a different text. */
  readonly texts: ReadonlyMap<number, LoadedTexts>
  /** Texts that a search covers, by issue number: of issues whose index entry may be rewritten. */
  readonly searchedTexts: ReadonlyMap<number, readonly SearchedReportText[]>
  /** Reporters of reports that join an issue, or that are deleted or redacted. */
  readonly reporters: LoadedReporters
  /** The report that is deleted or redacted. */
  readonly report: LoadedReport | undefined
  /** By id: the bulk change of this batch, if it was made before. */
  readonly bulkChanges: ReadonlyMap<string, BulkRecord>
  /** The ids of new reports that are taken. Read only if a batch is committed carefully. */
  readonly reportIds: ReadonlySet<IssueId>
  /** How many issues are published, if the batch may publish one. */
  readonly knownCount: number
  /** The number of events of each issue that may leave its lane, by issue number. */
  readonly eventCounts: ReadonlyMap<number, EventCounts>
}

/** `history` is all of it, because its events get new positions. */
export interface EventCounts extends OtherRows {
  /** All events except the first; capped if there are many. */
  readonly all: number
}

export interface KnownVersion {
  readonly isInOpenLane: boolean
  readonly isInAnyLane: boolean
}

export const NOTHING_LOADED: LoadedRows = {
  issues: [],
  submissions: new Map(),
  versions: new Map(),
  sources: new Map(),
  texts: new Map(),
  searchedTexts: new Map(),
  reporters: NONE,
  report: undefined,
  bulkChanges: new Map(),
  reportIds: new Set(),
  knownCount: 0,
  eventCounts: new Map(),
}

const SELECT_SUBMISSIONS = prepared(
  'load_submissions',
  `SELECT s.id, encode(s.content_hash, 'hex') AS content_hash, s.status, s.report_count, i.number, i.id AS issue_id, i.created_at,
     coalesce(r.received_at, s.received_at) AS received_at
   FROM submissions s
   CROSS JOIN LATERAL (SELECT * FROM issues WHERE project = $1 AND number = s.issue_number LIMIT 1) i
   LEFT JOIN LATERAL (SELECT received_at FROM reports
     WHERE project = $1 AND issue_number = s.issue_number AND number = coalesce(s.report_number, s.report_count) LIMIT 1) r ON TRUE
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
const SELECT_TWINS = prepared(
  'load_twins',
  issuesWith('(SELECT fingerprint FROM issues WHERE project = $1 AND id = ANY ($2) OFFSET 0) AS f'),
)
const SELECT_SOURCES = prepared(
  'load_sources',
  `SELECT * FROM report_sources WHERE project = $1 AND issue_number = ANY (ARRAY(
     SELECT number FROM issues WHERE project = $1 AND id = ANY ($2)))`,
)

const COUNT_KNOWN = prepared(
  'count_known',
  `SELECT count(*) AS count FROM (SELECT 1 FROM issues WHERE project = $1 AND known_title IS NOT NULL AND number + 0 > 0
     ORDER BY number + 0 LIMIT ${MAX_KNOWN_ISSUES}) known`,
)
const SELECT_BULK_CHANGE = prepared('load_bulk_change', FIND_BULK_CHANGE.postgres)
const SELECT_REPORT_IDS = prepared(
  'load_report_ids',
  `SELECT r.id FROM unnest($2::uuid[]) AS k (id) CROSS JOIN LATERAL (SELECT id FROM reports
     WHERE id BETWEEN k.id AND k.id AND project = $1 ORDER BY id LIMIT 1) r`,
)
const SELECT_VERSIONS = prepared(
  'load_versions',
  `SELECT v.version AS name, ${isSeen('0')} OR ${isSource('0')} AS "isInOpenLane",
     ${isSeen('0')} OR ${isSeen('1')} OR ${isSource('0')} OR ${isSource('1')} AS "isInAnyLane"
   FROM unnest($2::text[]) AS v (version)`,
)

/** `other` is the sum of further versions, not a version of that name. */
function isSeen(lane: string): string {
  const isIn = (table: string) => `(SELECT TRUE FROM ${table}
    WHERE project = $1 AND lane = ${lane} AND dimension = 'version' AND value = v.version AND reports > 0
      AND value <> '${OTHER_VALUE}' LIMIT 1) IS NOT NULL`
  return `(${isIn('seen_values')} OR ${isIn('added_seen_values')})`
}

/** Uses a range and an order for the same reason as {@link issuesWith}. */
function isSource(lane: string): string {
  return `(SELECT TRUE FROM report_sources
    WHERE project = $1 AND lane = ${lane} AND app_version BETWEEN v.version AND v.version AND app_version <> '${OTHER_VALUE}'
    ORDER BY app_version, day LIMIT 1) IS NOT NULL`
}

/** If an issue has more events, only its history is moved. */
const MAX_COUNTED_EVENTS = 1_000
// An issue's first event is found by its position and is not counted here.
const ITS_EVENTS = "FROM events WHERE project = $1 AND issue_number = i.number AND type <> 'issue.created'"
const ITS_FILES = `FROM attachments WHERE project = $1 AND issue_number = i.number
  ORDER BY issue_number, number LIMIT ${MAX_COUNTED_ROWS}`
const COUNT_EVENTS = prepared(
  'count_events_of_issues',
  `SELECT i.number AS issue_number, e.count AS "all", CASE WHEN e.count < ${MAX_COUNTED_EVENTS} THEN e.history
     ELSE (SELECT count(*) ${ITS_EVENTS} AND ${IS_NO_REPORT_EVENT}) END AS history,
     (SELECT count(*) FROM (SELECT 1 ${ITS_FILES}) own) AS files
   FROM (SELECT number FROM issues WHERE project = $1 AND id = ANY ($2) OFFSET 0) i
   CROSS JOIN LATERAL (SELECT count(*) AS count, count(*) FILTER (WHERE ${IS_NO_REPORT_EVENT}) AS history
     FROM (SELECT type ${ITS_EVENTS} LIMIT ${MAX_COUNTED_EVENTS}) own) e`,
)

/**
 * The issues in these lanes that have these fingerprints. Equality would be enough, but a range and an order leave the
 * planner only one index. While a table is empty, all indexes seem equally good, and the planner keeps its choice.
 */
function issuesWith(fingerprints: string): string {
  return `SELECT i.* FROM ${fingerprints} CROSS JOIN unnest($3::smallint[]) AS l (lane)
    CROSS JOIN LATERAL (SELECT * FROM issues WHERE project = $1 AND lane = l.lane
      AND fingerprint BETWEEN f.fingerprint AND f.fingerprint ORDER BY fingerprint LIMIT 1) i`
}

/**
 * Reads the rows with one query for each table. Only if `isCareful` does it check whether the id of a new issue is
 * taken: that is so rare that it is left to the database to refuse it. The same applies to submission ids left by a
 * deleted issue.
 */
export async function loadRows(
  tx: Transaction,
  project: ProjectKey,
  calls: readonly GroupCall[],
  isCareful: boolean,
): Promise<LoadedRows> {
  const needs = needsOf(calls)
  const {
    submissionIds,
    fingerprints,
    appVersions,
    changedIds,
    movedIds,
    markedIds,
    triagedIds,
    removedIds,
    reindexedIds,
    newIds,
  } = needs
  const { reportCommand, bulkIds, codes } = needs
  // Done only after a failed attempt, because rows left by a deleted issue are rare.
  if (isCareful && submissionIds.length > 0) tx.send(FREE_SUBMISSIONS(project.seq, submissionIds))
  const select = async <R extends object>(
    query: ReturnType<typeof prepared>,
    keys: readonly string[],
    ...others: readonly unknown[]
  ): Promise<R[]> => (keys.length === 0 ? [] : tx.run<R>(query(project.seq, keys, ...others)))
  const ownIds = isCareful ? newIds.map(uuidOf) : []
  const ids = [...changedIds.map(uuidOf), ...needs.knownIds.map(uuidOf), ...ownIds]
  const moved = movedIds.map(uuidOf)
  const marked = markedIds.map(uuidOf)
  const [known, bulkChanges, submissions, sources, counts, taken, searched, ...issues] = await Promise.all([
    needs.mayPublish ? tx.run<{ count: number }>(COUNT_KNOWN(project.seq)) : [],
    Promise.all(bulkIds.map((id) => tx.run<BulkRecord>(SELECT_BULK_CHANGE(project.seq, id)))),
    select<SubmissionRow & { readonly id: string }>(SELECT_SUBMISSIONS, submissionIds),
    select<IssueSourceRow>(SELECT_SOURCES, [...moved, ...marked, ...removedIds.map(uuidOf)]),
    select<EventCountRow>(COUNT_EVENTS, moved),
    select<{ id: string }>(SELECT_REPORT_IDS, ownIds),
    loadSearchedTexts(tx, project.seq, reindexedIds),
    select<IssueRow>(SELECT_BY_ID, ids),
    select<IssueRow>(SELECT_SHORT_BY_ID, triagedIds.map(uuidOf)),
    select<IssueRow>(SELECT_BY_FINGERPRINT, fingerprints, codes),
    select<IssueRow>(SELECT_TWINS, [...moved, ...marked], Object.values(CODES)),
  ])
  const found = await loadDuplicates(
    tx,
    project,
    issues.flat().map((row) => toIssue(row, project.id)),
    calls,
  )
  const [versions, texts, joining, report] = await Promise.all([
    mayRegress(found, calls) ? select<VersionRow>(SELECT_VERSIONS, appVersions) : [],
    loadTexts(tx, project.seq, neededTexts(found, calls)),
    loadReporters(tx, project.seq, neededReporters(found, calls)),
    reportCommand && loadReport(tx, project.seq, reportCommand),
  ])
  const removed = report && reportCommand && reporterOfReport(found, report, reportCommand.reportNumber)
  return {
    report,
    reporters: removed ? await loadReporters(tx, project.seq, removed) : joining,
    texts,
    searchedTexts: searched,
    bulkChanges: new Map(
      bulkIds.flatMap((id, index) => bulkChanges[index]?.map((made) => [id, made] as const) ?? []),
    ),
    reportIds: new Set(taken.map(({ id }) => idOf('iss', id))),
    issues: found,
    knownCount: known[0]?.count ?? 0,
    versions: new Map(versions.map((row) => [row.name, row])),
    submissions: new Map(submissions.map((row) => [row.id, toSubmission(row)])),
    sources: sourcesByIssue(sources),
    eventCounts: new Map(counts.map((row) => [row.issue_number, row])),
  }
}

function sourcesByIssue(rows: readonly IssueSourceRow[]): ReadonlyMap<number, readonly SourceReports[]> {
  const byIssue = Map.groupBy(rows, (row) => row.issue_number)
  return new Map(Array.from(byIssue, ([number, own]) => [number, own.map(toSource)]))
}

interface IssueSourceRow extends SourceRow {
  readonly issue_number: number
}

/** Only resolved issues can regress, and few are resolved, so the query is skipped for the others. */
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
  /** The known issues that reports may join. */
  readonly knownIds: readonly IssueId[]
  /** Issues that may leave their lane or be deleted. */
  readonly movedIds: readonly IssueId[]
  /** Issues that may become spam, or no longer be. */
  readonly markedIds: readonly IssueId[]
  /** The codes of the issues that reports may join. */
  readonly codes: readonly number[]
  /** The issues of a bulk change, which is the only call of its batch: long fields are not read. */
  readonly triagedIds: readonly IssueId[]
  /** Those of them that are deleted. */
  readonly removedIds: readonly IssueId[]
  /** Issues whose text or lane may change. */
  readonly reindexedIds: readonly IssueId[]
  readonly newIds: readonly IssueId[]
  /** A call that deletes or redacts a report is the only one of its batch. */
  readonly reportCommand: ReportCommand | undefined
  readonly bulkIds: readonly string[]
  readonly mayPublish: boolean
}

function needsOf(calls: readonly GroupCall[]): Needs {
  const reports = calls.flatMap((call) => (call[0] === 'submitReport' ? [call[1]] : []))
  const changes = calls.flatMap((call) => (call[0] === 'changeIssue' ? [call[1]] : []))
  const deletions = calls.flatMap((call) => (call[0] === 'deleteIssue' ? [call[1]] : []))
  const commands = calls.flatMap((call) =>
    call[0] === 'deleteReport' || call[0] === 'redactReport' ? [call[1]] : [],
  )
  const bulks = calls.flatMap((call) => (call[0] === 'changeIssues' ? [call[1]] : []))
  const marks = calls.flatMap((call) => (call[0] === 'markSpam' ? [call[1]] : []))
  const cleared = calls.flatMap((call) =>
    call[0] === 'unassignIssue' || call[0] === 'unlabelIssue' ? [call[1]] : [],
  )
  const merges = calls.flatMap((call) => (call[0] === 'mergeIssue' ? [call[1]] : []))
  const moves = [...changes.filter(({ patch }) => patch.category !== undefined), ...deletions]
  return {
    submissionIds: reports.flatMap(({ submission }) => (submission === null ? [] : [submission.id])),
    fingerprints: reports.flatMap(({ content: { fingerprint } }) =>
      fingerprint === null ? [] : [fingerprint],
    ),
    appVersions: reports.flatMap(({ content: { fingerprint, appVersion }, knownIssueId }) =>
      (fingerprint === null && knownIssueId === undefined) || appVersion === null ? [] : [appVersion],
    ),
    knownIds: reports.flatMap(({ knownIssueId }) => knownIssueId ?? []),
    changedIds: [...changes, ...deletions, ...commands, ...cleared, ...merges, ...marks]
      .map(({ issueId }) => issueId)
      .concat(merges.flatMap(({ into }) => into ?? [])),
    triagedIds: bulks.flatMap(issueIdsIn),
    removedIds: bulks.filter(({ action }) => action === 'delete').flatMap(issueIdsIn),
    markedIds: [
      ...marks.map(({ issueId }) => issueId),
      ...bulks.filter(({ action }) => action.endsWith('_spam')).flatMap(issueIdsIn),
    ],
    codes: Object.values(reports.some(({ isSpam }) => isSpam) ? CODES : LANE_CODES),
    bulkIds: bulks.map(({ bulkId }) => bulkId),
    mayPublish: changes.some(({ patch }) => patch.known),
    movedIds: [...moves, ...commands].map(({ issueId }) => issueId),
    reportCommand: commands[0],
    reindexedIds: changes
      .filter(({ patch }) => patch.title !== undefined || patch.description !== undefined || patch.category)
      .map(({ issueId }) => issueId)
      .concat(commands.map(({ issueId }) => issueId)),
    newIds: reports.map(({ issueId }) => issueId),
  }
}

function issueIdsIn({ issues }: BulkCommand): readonly IssueId[] {
  return issues.map(({ issueId }) => issueId)
}

interface EventCountRow extends EventCounts {
  readonly issue_number: number
}
