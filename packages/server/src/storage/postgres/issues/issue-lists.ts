import { ISSUE_STATUSES, type IssueStatus } from '@bugle/contract/vocabulary'
import type { ProjectId } from '../../../model/ids.ts'
import type {
  IssueListing,
  IssueListPart,
  IssueSelection,
  ListBounds,
  StatusCounts,
} from '../../../model/issue-lists.ts'
import { listedColumns } from '../../issues/issue-rows.ts'
import { LANE_CODES } from '../../issues/lane-codes.ts'
import type { Sql } from '../../issues/lists/issue-filters.ts'
import { mayExceedCoverage } from '../../issues/lists/list-candidates.ts'
import type { ListDialect } from '../../issues/lists/list-dialect.ts'
import {
  type CounterValues,
  countableStatuses,
  countedBy,
  isCounted,
  type MatchCount,
  needsStatusCount,
  type PlacedRow,
  partsOf,
  planCount,
  planList,
  planMatchCounts,
  type StatusPart,
  statusCounters,
  statusCountsOf,
  sumParts,
  toStatusCounts,
} from '../../issues/lists/list-plans.ts'
import { numbered, prepared, type Session } from '../driver/connection.ts'
import { uuidOf } from '../driver/uuids.ts'
import { type IssueRow, toListedIssue } from './issue-rows.ts'
import { findMatches } from './search-query.ts'

const COLUMNS = ['i.number', 'i.id', ...listedColumns('i')]

/** How a project's issues lie in their table: the last of them has the number that is given. */
const dialectOf = (lastNumber: number, bounds: ListBounds): ListDialect => ({
  bounds,
  key: 'number',
  columns: COLUMNS,
  lane: 'lane',
  keyOf: (_, number) => Math.max(0, Math.min(lastNumber + 1, number)),
  numberOf: (key) => key,
  keyRange: () => ({ low: 0, high: lastNumber + 1 }),
  isBetween: (seq, { low, high }) => ({
    text: 'project = ? AND number > ? AND number < ?',
    values: [seq, low, high],
  }),
  isOfProject: (seq) => ({ text: 'project = ?', values: [seq] }),
  // `LIMIT`: row by row. PostgreSQL may think it quicker to go through all issues there are.
  joinRows: (seq, candidates, rows) => ({
    text: `CROSS JOIN LATERAL
      (SELECT * FROM issues WHERE project = ? AND number = ${candidates}.n LIMIT 1) ${rows}`,
    values: [seq],
  }),
  findMatches: (plan) => ({ rows: findMatches(plan), stoppedAt: null }),
})

const SELECT_PROJECT = prepared(
  'project_of_list',
  'SELECT seq, last_issue_number FROM projects WHERE id = $1 AND slug IS NOT NULL',
)
const SELECT_COUNT = prepared(
  'count_issues',
  `SELECT coalesce(sum(count), 0)::bigint AS count FROM counters
   WHERE project = $1 AND lane = ANY ($2) AND dimension = $3 AND value = ANY ($4)`,
)

const SELECT_STATUSES = prepared(
  'count_statuses',
  `SELECT value, sum(count)::bigint AS count FROM counters
   WHERE project = $1 AND lane = ANY ($2) AND dimension = 'status' GROUP BY value`,
)

// Index lookups, one for each status: there may be any number of hidden issues above the newest visible one.
const SELECT_NEWEST = prepared(
  'newest_visible_issue',
  `SELECT coalesce(max(n), 0) AS number FROM (
     SELECT (SELECT number FROM issues WHERE project = $1 AND issues.lane = l.lane AND issues.status = s.status
             ORDER BY number DESC LIMIT 1) AS n
     FROM unnest($2::smallint[]) l (lane), unnest($3::text[]) s (status)
   ) newest`,
)

export async function listIssues(
  session: Session,
  listing: IssueListing,
  bounds: ListBounds,
): Promise<IssueListPart> {
  const { selection, limit } = listing
  const project = await findProject(session, selection.projectId)
  if (project === undefined) return { issues: [], next: null }
  const { seq, last_issue_number: lastNumber } = project
  const statusCount = needsStatusCount(listing)
    ? await counted(session, seq, selection, statusCounters(selection))
    : 0
  const newest = await newestNumber(session, project, selection)
  const plan = planList(dialectOf(lastNumber, bounds), seq, listing, { statusCount, newest })
  const rows = await select<IssueRow & PlacedRow>(session, plan.query)
  const issues = rows.slice(0, limit).map((row) => toListedIssue(row, selection.projectId))
  const [last] =
    rows.length > limit ? rows.slice(limit - 1) : await select<PlacedRow>(session, plan.lastExamined)
  return { issues, next: last === undefined ? plan.stoppedAt : plan.positionOf(last) }
}

export async function countIssues(
  session: Session,
  selection: IssueSelection,
  bounds: ListBounds,
): Promise<number | null> {
  const project = await findProject(session, selection.projectId)
  if (project === undefined) return 0
  const { seq, last_issue_number: lastNumber } = project
  const known = countedBy(selection)
  if (known !== undefined) return counted(session, seq, selection, known)
  const isTooMany =
    selection.search === null &&
    (await counted(session, seq, selection, statusCounters(selection))) > bounds.examinedRows
  if (isTooMany) return null
  const newest = await newestNumber(session, project, selection)
  const plan = planCount(dialectOf(lastNumber, bounds), seq, selection, newest)
  const [row] = await select<{ examined: number; count: number }>(session, plan)
  return row === undefined || row.examined > bounds.examinedRows ? null : row.count
}

/** Counts the issues of a selection in each status. */
export async function countByStatus(
  session: Session,
  given: IssueSelection,
  bounds: ListBounds,
): Promise<StatusCounts> {
  const all = { ...given, statuses: null }
  const project = await findProject(session, all.projectId)
  if (project === undefined) return statusCountsOf(() => 0)
  const { seq, last_issue_number: lastNumber } = project
  const sizes = await countStatuses(session, seq, all)
  const issuesOf = (status: IssueStatus) => sizes.get(status) ?? 0
  if (isCounted(all)) return statusCountsOf(issuesOf)
  if (all.search === null) {
    const counted: StatusPart[] = []
    for (const part of countableStatuses(issuesOf, bounds).flatMap((status) => partsOf(all, status)))
      counted.push({ status: part.statuses[0], count: await countIssues(session, part, bounds) })
    return sumParts(counted)
  }
  const newest = await newestNumber(session, project, all)
  const plan = planMatchCounts(dialectOf(lastNumber, bounds), seq, all, newest)
  if (plan === null) return statusCountsOf(() => null)
  return toStatusCounts(await select<MatchCount>(session, plan), bounds)
}

async function findProject(session: Session, projectId: ProjectId): Promise<ProjectRow | undefined> {
  const [row] = await session.run<ProjectRow>(SELECT_PROJECT(uuidOf(projectId)))
  return row
}

/** The number of the newest visible issue where it matters, else the last one in use. */
async function newestNumber(
  session: Session,
  { seq, last_issue_number: lastNumber }: ProjectRow,
  selection: IssueSelection,
): Promise<number> {
  if (!mayExceedCoverage(selection, lastNumber)) return lastNumber
  const codes = selection.lanes.map((lane) => LANE_CODES[lane])
  const [row] = await session.run<{ number: number }>(SELECT_NEWEST(seq, codes, ISSUE_STATUSES))
  return row?.number ?? 0
}

interface ProjectRow {
  readonly seq: number
  readonly last_issue_number: number
}

/** What the counters say about lanes and one dimension. */
async function counted(
  session: Session,
  seq: number,
  { lanes }: IssueSelection,
  { dimension, values }: CounterValues,
): Promise<number> {
  const codes = lanes.map((lane) => LANE_CODES[lane])
  const [row] = await session.run<{ count: number }>(SELECT_COUNT(seq, codes, dimension, values))
  return row?.count ?? 0
}

/** How many issues the lanes have in each status. */
async function countStatuses(
  session: Session,
  seq: number,
  { lanes }: IssueSelection,
): Promise<ReadonlyMap<string, number>> {
  const codes = lanes.map((lane) => LANE_CODES[lane])
  const rows = await session.run<{ value: string; count: number }>(SELECT_STATUSES(seq, codes))
  return new Map(rows.map(({ value, count }) => [value, count]))
}

async function select<R extends object>(session: Session, query: Sql | null): Promise<R[]> {
  return query === null ? [] : session.run<R>(numbered(query.text, query.values))
}
