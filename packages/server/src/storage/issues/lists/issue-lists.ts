import { ISSUE_STATUSES, type IssueStatus } from '@bugle/contract/vocabulary'
import type { ProjectId } from '../../../model/ids.ts'
import type {
  IssueListing,
  IssueSelection,
  ListBounds,
  ListPosition,
  StatusCounts,
} from '../../../model/issue-lists.ts'
import { type Dialect, forBoth, type Texts } from '../../dialects.ts'
import { all, allAdHoc, List, type Operation, one, storedId } from '../../operations.ts'
import { CODES, codesIn } from '../lane-codes.ts'
import {
  assigneeCounters,
  type CounterValues,
  countableStatuses,
  countedBy,
  isByFingerprint,
  isCountable,
  isUnfiltered,
  labelCounters,
  type MatchCount,
  planCount,
  planCountMatches,
  planMatchCounts,
  planStatusCounts,
  statusCounters,
  statusCountsOf,
  toStatusCounts,
} from './count-plans.ts'
import { isByStatusOnly } from './issue-filters.ts'
import { countReported, type ListIndex } from './list-candidates.ts'
import type { ListDialect, Matches, MatchPlan } from './list-dialect.ts'
import { mayUseReporters, needsStatusCount, type PlacedRow, planList, planListMatches } from './list-plans.ts'
import { POSITION_COLUMNS, type PositionRow, revisionColumns, revisionFrom } from './revisions.ts'
import { mayExceedCoverage } from './search-matches.ts'
import {
  addStatuses,
  parseStatuses,
  type StatusCounter,
  type StatusesRow,
  sumOfCounters,
} from './status-counters.ts'

/** How a database lists issues. */
export interface ListDatabase {
  readonly bounds: ListBounds
  /** Whether rows are distributed by project: then a statement reads one project. */
  readonly isCluster?: boolean
  /** For a project whose last issue has this number. */
  dialectOf(lastNumber: number): ListDialect
  findMatches(plan: MatchPlan): Operation<Matches>
}

/** Part of a list: rows with their positions, and the columns of the dialect. */
export interface ListedRows<Row extends PlacedRow> {
  readonly rows: readonly Row[]
  readonly next: ListPosition | null
  /** See `IssueListPart`. */
  readonly total: number | null | undefined
  readonly revision: string
}

export function* listIssues<Row extends PlacedRow>(
  database: ListDatabase,
  listing: IssueListing,
): Operation<ListedRows<Row>> {
  const { dialectOf, findMatches } = database
  const { selection, limit } = listing
  const project = yield* findProject(database, selection.projectId)
  if (project === undefined) return { rows: [], next: null, total: 0, revision: '' }
  const { seq, last_issue_number: lastNumber } = project
  const statusCount = needsStatusCount(listing) ? sumOfStatuses(project, selection) : 0
  const assignedCount = (yield* readSome(project, selection, assigneeCounters(selection))) ?? 0
  const labelledCount = (yield* readSome(project, selection, labelCounters(selection))) ?? 0
  const newest = yield* newestNumber(project, selection)
  const dialect = dialectOf(lastNumber)
  const reportedCount = (yield* countReportedBy(dialect, seq, selection)) ?? 0
  const wanted = planListMatches(dialect, seq, listing, newest)
  const matches = wanted && { ...(yield* findMatches(wanted)), plan: wanted }
  const plan = planList(dialect, seq, listing, {
    statusCount,
    assignedCount,
    labelledCount,
    reportedCount,
    newest,
    spamCount: project.spam_count,
    matches,
  })
  const found = yield* allAdHoc<Row>(plan.query)
  const [last] = found.length > limit ? found.slice(limit - 1) : yield* allAdHoc<PlacedRow>(plan.lastExamined)
  return {
    rows: found.slice(0, limit),
    next: last === undefined ? plan.stoppedAt : plan.positionOf(last),
    // The counters were read with the project.
    total: isByStatusOnly(selection) ? sumOfStatuses(project, selection) : plan.totalOf(found),
    revision: revisionFrom(project, project.statuses, selection.lanes),
  }
}

export function* countIssues(database: ListDatabase, selection: IssueSelection): Operation<number | null> {
  const { dialectOf, bounds } = database
  const project = yield* findProject(database, selection.projectId)
  if (project === undefined) return 0
  const { last_issue_number: lastNumber } = project
  const known = countedBy(selection)
  if (known !== undefined) return yield* readCounters(project, selection, known)
  if (selection.search !== null) {
    const matches = yield* findCountable(database, project, selection)
    if (matches === null) return null
    if (isUnfiltered(selection)) return matches.total
    const counts = yield* countMatches(database, project, selection, matches)
    return counts.reduce((sum, { count }) => sum + count, 0)
  }
  const dialect = dialectOf(lastNumber)
  const index = yield* indexToCount(dialect, project, selection)
  if (index === undefined) return null
  const [row] = yield* allAdHoc<CountRow>(planCount(dialect, project, selection, index))
  return row === undefined || row.examined > bounds.examinedRows ? null : row.count
}

/** The index that finds few enough issues to examine all of them, if there is one. */
function* indexToCount(
  dialect: ListDialect,
  project: ProjectRow,
  selection: IssueSelection,
): Operation<ListIndex | undefined> {
  const { examinedRows } = dialect.bounds
  if (isByFingerprint(selection)) return 'fingerprint'
  const reported = (yield* countReportedBy(dialect, project.seq, selection)) ?? Number.POSITIVE_INFINITY
  if (reported <= examinedRows) return 'reporter'
  const assigned =
    (yield* readSome(project, selection, assigneeCounters(selection))) ?? Number.POSITIVE_INFINITY
  const labelled = (yield* readSome(project, selection, labelCounters(selection))) ?? Number.POSITIVE_INFINITY
  if (Math.min(assigned, labelled) <= examinedRows) return assigned <= labelled ? 'assignee' : 'label'
  const candidates = yield* readCounters(project, selection, statusCounters(selection))
  if (candidates > examinedRows) return undefined
  return selection.statuses === null ? 'order' : 'status'
}

interface CountRow {
  readonly examined: number
  readonly count: number
}

/** Counts the issues of a selection in each status. */
export function* countByStatus(database: ListDatabase, given: IssueSelection): Operation<StatusCounts> {
  const selection = { ...given, statuses: null }
  const project = yield* findProject(database, selection.projectId)
  if (project === undefined) return statusCountsOf(() => 0)
  const issuesOf = (status: IssueStatus) =>
    sumOfCounters(project.statuses, codesIn(selection), (one) => one === status)
  if (isByStatusOnly(selection)) return statusCountsOf(issuesOf)
  if (selection.search === null) return yield* countEachStatus(database, project, selection, issuesOf)
  const matches = yield* findCountable(database, project, selection)
  if (matches === null) return statusCountsOf(() => null)
  return toStatusCounts(yield* countMatches(database, project, selection, matches))
}

/** Examines the issues that an index finds or, if there are too many, those of the smallest statuses. */
function* countEachStatus(
  { dialectOf, bounds }: ListDatabase,
  project: ProjectRow,
  selection: IssueSelection,
  issuesOf: (status: IssueStatus) => number,
): Operation<StatusCounts> {
  const dialect = dialectOf(project.last_issue_number)
  const found = yield* indexToCount(dialect, project, selection)
  const statuses = found === undefined ? countableStatuses(issuesOf, bounds) : ISSUE_STATUSES
  if (statuses.length === 0) return statusCountsOf(() => null)
  // The order of the list also has issues of other lanes.
  const index = found === undefined || found === 'order' ? 'status' : found
  const counted = { ...selection, statuses: index === 'status' ? statuses : null }
  const rows = yield* allAdHoc<CountRow & { readonly status: IssueStatus }>(
    planStatusCounts(dialect, project, counted, index),
  )
  return statusCountsOf((status) => {
    if (!statuses.includes(status)) return null
    const { examined, count } = rows.find((row) => row.status === status) ?? { examined: 0, count: 0 }
    return examined > bounds.examinedRows ? null : count
  })
}

/** The number of issues of the requested reporters, if an index leads to them; at most one more than are examined. */
function* countReportedBy(
  dialect: ListDialect,
  seq: number,
  selection: IssueSelection,
): Operation<number | undefined> {
  if (!mayUseReporters(selection)) return undefined
  const limit = dialect.bounds.examinedRows + 1
  const [row] = yield* allAdHoc<{ count: number }>(countReported(dialect, seq, selection, limit))
  return row?.count
}

/** All matches of a search; `null` if there are too many, or too much would have to be examined. */
function* findCountable(
  { dialectOf, findMatches, bounds }: ListDatabase,
  project: ProjectRow,
  selection: IssueSelection,
): Operation<Matches | null> {
  const newest = yield* newestNumber(project, selection)
  const wanted = planCountMatches(dialectOf(project.last_issue_number), project.seq, selection, newest)
  const matches = wanted && (yield* findMatches(wanted))
  return matches !== null && isCountable(matches, bounds) ? matches : null
}

function countMatches(
  { dialectOf }: ListDatabase,
  { seq, last_issue_number: lastNumber }: ProjectRow,
  selection: IssueSelection,
  matches: Matches,
): Operation<readonly MatchCount[]> {
  return allAdHoc<MatchCount>(planMatchCounts(dialectOf(lastNumber), seq, selection, matches))
}

interface ProjectRow extends PositionRow {
  readonly last_issue_number: number
  /** How many of its issues are spam. */
  readonly spam_count: number
  /** How many issues each lane has in each status. */
  readonly statuses: readonly StatusCounter[]
}

type HeadRow = PositionRow & Pick<ProjectRow, 'last_issue_number'>

const SPAM_CODES: readonly number[] = [CODES.spam, CODES.security_spam]

function selectHead(dialect: Dialect, columns = POSITION_COLUMNS): string {
  return `SELECT p.last_issue_number, ${columns} FROM ${dialect.current('projects')} p
    WHERE p.id = $1 AND p.slug IS NOT NULL`
}

const SELECT_PROJECT = forBoth((dialect) => selectHead(dialect, revisionColumns(dialect)))
const SELECT_HEAD = forBoth((dialect) => selectHead(dialect))

function* findProject(
  { isCluster = false }: ListDatabase,
  projectId: ProjectId,
): Operation<ProjectRow | undefined> {
  const row = isCluster
    ? yield* readApart(projectId)
    : yield* one<HeadRow & StatusesRow>(SELECT_PROJECT, storedId(projectId))
  if (row === undefined) return undefined
  const statuses = parseStatuses(row.statuses)
  return { ...row, statuses, spam_count: sumOfCounters(statuses, SPAM_CODES) }
}

function* readApart(projectId: ProjectId): Operation<(HeadRow & StatusesRow) | undefined> {
  const [row] = yield* addStatuses(yield* all<HeadRow>(SELECT_HEAD, storedId(projectId)))
  return row
}

function sumOfStatuses(
  { statuses: counters }: ProjectRow,
  selection: IssueSelection,
  { values } = statusCounters(selection),
): number {
  return sumOfCounters(counters, codesIn(selection), (status) => values.includes(status))
}

// Index lookups, one for each status: there may be any number of hidden issues above the newest visible one.
const SELECT_NEWEST: Texts = {
  postgres: `SELECT coalesce(max(n), 0) AS number FROM (
    SELECT (SELECT number FROM issues WHERE project = $1 AND issues.lane = l.lane AND issues.status = s.status
            ORDER BY number DESC LIMIT 1) AS n
    FROM unnest($2::smallint[]) l (lane), unnest($3::text[]) s (status)) newest`,
  sqlite: `SELECT coalesce(max(n), 0) & 4294967295 AS number FROM (
    SELECT (SELECT max(row) FROM issues WHERE lane = l.value AND status = s.value
              AND row > $1 << 32 AND row < ($1 + 1) << 32) AS n
    FROM json_each($2) l, json_each($3) s)`,
}

/** The number of the newest visible issue if it matters, otherwise the last one in use. */
function* newestNumber(
  { seq, last_issue_number: lastNumber }: ProjectRow,
  selection: IssueSelection,
): Operation<number> {
  if (!mayExceedCoverage(selection, lastNumber)) return lastNumber
  const newest = yield* one<{ number: number }>(
    SELECT_NEWEST,
    ...[seq, codesOf(selection), new List(ISSUE_STATUSES)],
  )
  return newest?.number ?? 0
}

const SELECT_COUNT = forBoth(
  ({ isIn, counts }) =>
    `SELECT CAST(coalesce(sum(count), 0) AS bigint) AS count FROM ${counts}
     WHERE project = $1 AND ${isIn('lane', '$2')} AND dimension = $3 AND ${isIn('value', '$4')}`,
)

/** The counters of one dimension in these lanes. */
function* readCounters(
  project: ProjectRow,
  selection: IssueSelection,
  counters: CounterValues,
): Operation<number> {
  const { dimension, values } = counters
  if (dimension === 'status') return sumOfStatuses(project, selection, counters)
  const counted = yield* one<{ count: number }>(
    SELECT_COUNT,
    ...[project.seq, codesOf(selection), dimension, new List(values)],
  )
  return counted?.count ?? 0
}

/** The same, if there are counters. */
function* readSome(
  project: ProjectRow,
  selection: IssueSelection,
  counters: CounterValues | undefined,
): Operation<number | undefined> {
  return counters === undefined ? undefined : yield* readCounters(project, selection, counters)
}

function codesOf(selection: IssueSelection): List {
  return new List(codesIn(selection))
}
