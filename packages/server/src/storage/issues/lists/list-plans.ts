import { ISSUE_STATUSES, type IssueStatus } from '@bugle/contract/vocabulary'
import type {
  IssueListing,
  IssueSelection,
  ListBounds,
  ListPosition,
  StatusCounts,
} from '../../../model/issue-lists.ts'
import { allOf, oneOf, residualFilters, type Sql } from './issue-filters.ts'
import {
  type CandidatePlan,
  candidatesOf,
  mayExceedCoverage,
  ORDERS,
  type Order,
  sortOf,
} from './list-candidates.ts'
import type { ListDialect } from './list-dialect.ts'

/** A list as one query, and what its rows mean. */
export interface ListPlan {
  /** The columns of the dialect, each row with its place in the list: {@link PlacedRow}. One more than is wanted tells whether there is more. */
  readonly query: Sql
  /** Finds the place where looking stopped, if it stopped because enough was looked at and not because nothing was left. */
  readonly lastExamined: Sql | null
  /** The place where a search stopped because it had covered enough, although there may be more. */
  readonly stoppedAt: ListPosition | null
  positionOf(row: PlacedRow): ListPosition
}

export interface PlacedRow {
  readonly k: number
  readonly n: number
}

const NOTHING: Sql = { text: '', values: [] }

/** Whether {@link planList} has to know how many issues have the statuses that are asked for. */
export function needsStatusCount({ selection, sort }: IssueListing): boolean {
  return mayUseStatuses(selection, ORDERS[sort]) && residualFilters(selection).length > 0
}

/** What is known of a project before its list is planned. */
export interface ListFacts {
  /** See {@link needsStatusCount}. */
  readonly statusCount: number
  /** The number of the newest visible issue, or the last number in use if a search covers everything anyway. */
  readonly newest: number
}

/** Plans a list of one project. Candidates come from indexes, already in order; filters without an index look at so many of them. */
export function planList(
  dialect: ListDialect,
  seq: number,
  { selection, sort, start, limit }: IssueListing,
  { statusCount, newest }: ListFacts,
): ListPlan {
  const order = ORDERS[sort]
  const { examinedRows } = dialect.bounds
  const after = 'after' in start ? start.after : null
  const offset = 'offset' in start ? start.offset : 0
  // By statuses, unless other filters would then look at too many.
  const byStatus = mayUseStatuses(selection, order) && statusCount <= examinedRows
  const filters = [...residualFilters(selection), ...oneOf('i.status', byStatus ? null : selection.statuses)]
  const isExamined = filters.length > 0
  const isSortedMatches = selection.search !== null && order.column !== null
  const wanted = limit + 1
  const examined = Math.max(offset + wanted, isExamined || isSortedMatches ? examinedRows : 0)
  // Then the candidates are the page: all of it can be read on the way.
  const isPage = !isExamined && selection.search === null && offset === 0
  const plan = { dialect, seq, selection, filters, order, after, examined, newest, isPage }
  const { rows: candidates, stoppedAt } = candidatesOf(plan, byStatus)
  const sorted = sortOf(order, 'c.')
  const placeOf = (n: number) => ({ key: dialect.numberOf(n), number: dialect.numberOf(n) })
  return {
    query: isPage ? candidates : readSome(plan, candidates, { wanted, offset }),
    lastExamined: isExamined
      ? {
          text: `SELECT k, n FROM (${candidates.text}) c ORDER BY ${sorted} LIMIT 1 OFFSET ?`,
          values: [...candidates.values, examined - 1],
        }
      : null,
    stoppedAt: stoppedAt === null ? null : placeOf(stoppedAt),
    positionOf: ({ k, n }) => (order.column === null ? placeOf(n) : { key: k, number: dialect.numberOf(n) }),
  }
}

/** The counters that know how many issues a selection has, if they do. */
export function countedBy(selection: IssueSelection): CounterValues | undefined {
  const { statuses, categories, priorities, search } = selection
  const filters = residualFilters(selection).length
  if (search !== null) return undefined
  if (filters === 0) return statusCounters(selection)
  if (filters > 1 || statuses !== null) return undefined
  if (categories !== null) return { dimension: 'category', values: categories }
  if (priorities !== null) return { dimension: 'priority', values: priorities }
  return undefined
}

/** Whether counters know how many issues of a selection are in each status. */
export function isCounted(selection: IssueSelection): boolean {
  return selection.search === null && residualFilters(selection).length === 0
}

export interface CounterValues {
  readonly dimension: string
  readonly values: readonly string[]
}

export function statusCounters({ statuses }: IssueSelection): CounterValues {
  return { dimension: 'status', values: statuses ?? ISSUE_STATUSES }
}

/** Counts by looking, as `examined` and `count`: of a search, or where the statuses leave few enough. `null` if one request does not cover all issues. */
export function planCount(
  dialect: ListDialect,
  seq: number,
  selection: IssueSelection,
  newest: number,
): Sql | null {
  const looked = planLook(dialect, seq, selection, newest)
  if (looked === null) return null
  const { candidates, passing } = looked
  return {
    text: `SELECT count(*) AS examined, count(*) FILTER (WHERE ${passing.text}) AS count
      FROM (${candidates.text}) c ${passing.rows.text}`,
    values: [...passing.values, ...candidates.values, ...passing.rows.values],
  }
}

/** Counts the matches of a search in one pass, with a row for each `status`. */
export function planMatchCounts(
  dialect: ListDialect,
  seq: number,
  selection: IssueSelection,
  newest: number,
): Sql | null {
  const looked = planLook(dialect, seq, selection, newest)
  if (looked === null) return null
  const { candidates, passing } = looked
  const rows = dialect.joinRows(seq, 'c', 'i')
  return {
    text: `SELECT count(*) AS examined, count(*) FILTER (WHERE ${passing.text}) AS count, i.status
      FROM (${candidates.text}) c ${rows.text} GROUP BY i.status`,
    values: [...passing.values, ...candidates.values, ...rows.values],
  }
}

export interface MatchCount {
  readonly status: IssueStatus
  readonly examined: number
  readonly count: number
}

/** The counts of {@link planMatchCounts}; nothing is known if there were too many matches. */
export function toStatusCounts(rows: readonly MatchCount[], { examinedRows }: ListBounds): StatusCounts {
  const isTooMany = rows.reduce((sum, { examined }) => sum + examined, 0) > examinedRows
  return statusCountsOf((status) =>
    isTooMany ? null : (rows.find((row) => row.status === status)?.count ?? 0),
  )
}

export function statusCountsOf(countOf: (status: IssueStatus) => number | null): StatusCounts {
  return Object.fromEntries(ISSUE_STATUSES.map((status) => [status, countOf(status)])) as StatusCounts
}

/** The statuses whose issues can all be looked at in one request, the smallest first. */
export function countableStatuses(
  issuesOf: (status: IssueStatus) => number,
  { examinedRows }: ListBounds,
): readonly IssueStatus[] {
  const bySize = ISSUE_STATUSES.toSorted((one, other) => issuesOf(one) - issuesOf(other))
  let sum = 0
  return bySize.filter((status) => {
    sum += issuesOf(status)
    return sum <= examinedRows
  })
}

/** A status of a selection, lane by lane: a statement for each goes through one run of the index. */
export function partsOf(
  selection: IssueSelection,
  status: IssueStatus,
): readonly (IssueSelection & { readonly statuses: readonly [IssueStatus] })[] {
  return selection.lanes.map((lane) => ({ ...selection, lanes: [lane], statuses: [status] }))
}

export interface StatusPart {
  readonly status: IssueStatus
  readonly count: number | null
}

/** The counts of all parts, by status; `null` for a status without any. */
export function sumParts(parts: readonly StatusPart[]): StatusCounts {
  return statusCountsOf((status) => {
    const counts = parts.filter((part) => part.status === status).map(({ count }) => count)
    if (counts.length === 0) return null
    return counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count))
  })
}

/** What has to be looked at to count a selection, and what of it counts. */
function planLook(dialect: ListDialect, seq: number, selection: IssueSelection, newest: number) {
  const { statuses, search } = selection
  // Upwards: the count is the same, and SQLite's full-text index takes two thirds of the time.
  const order = ORDERS.oldest
  const examined = dialect.bounds.examinedRows + 1
  const byStatus = statuses !== null && search === null
  const filters = [...residualFilters(selection), ...oneOf('i.status', byStatus ? null : statuses)]
  if (mayExceedCoverage(selection, newest)) return null
  const plan = { dialect, seq, selection, filters, order, after: null, examined, newest, isPage: false }
  const { rows: candidates, stoppedAt } = candidatesOf(plan, byStatus)
  if (stoppedAt !== null) return null
  return { candidates, passing: passes(plan) }
}

/** One page of the candidates that the filters let pass. */
function readSome(
  plan: CandidatePlan,
  candidates: Sql,
  page: { readonly wanted: number; readonly offset: number },
): Sql {
  const { dialect, seq, order } = plan
  const passing = passes(plan)
  const rows = dialect.columns.length === 0 ? NOTHING : dialect.joinRows(seq, 'c', 'i')
  const sorted = sortOf(order, 'c.')
  return {
    text: `SELECT ${['c.k', 'c.n', ...dialect.columns].join(', ')} FROM (
        SELECT c.k, c.n FROM (${candidates.text}) c ${passing.rows.text} WHERE ${passing.text}
        ORDER BY ${sorted} LIMIT ? OFFSET ?
      ) c ${rows.text} ORDER BY ${sorted}`,
    values: [
      ...candidates.values,
      ...passing.rows.values,
      ...passing.values,
      page.wanted,
      page.offset,
      ...rows.values,
    ],
  }
}

/** Whether a candidate passes the filters. What the full-text index has found was not looked at yet. */
function passes({ dialect, seq, selection, filters }: CandidatePlan): Sql & { readonly rows: Sql } {
  const isLookedAt = selection.search === null
  if (isLookedAt || filters.length === 0) {
    return { text: isLookedAt ? 'c.ok' : 'TRUE', values: [], rows: NOTHING }
  }
  return { ...allOf(filters), rows: dialect.joinRows(seq, 'c', 'i') }
}

/** The index on statuses has the order of the keys. */
function mayUseStatuses({ statuses, search }: IssueSelection, { column }: Order): boolean {
  return statuses !== null && search === null && column === null
}
