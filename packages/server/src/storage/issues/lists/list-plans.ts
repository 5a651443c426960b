import type { IssueListing, IssueSelection, ListPosition } from '../../../model/issue-lists.ts'
import { countFilters, oneOf, residualFilters, type Sql } from './issue-filters.ts'
import {
  type CandidatePlan,
  indexCandidates,
  type ListIndex,
  ORDERS,
  type Order,
  sortOf,
} from './list-candidates.ts'
import type { ListDialect } from './list-dialect.ts'
import { type CoveredMatchPlan, type FoundMatches, matchCandidates, planMatches } from './search-matches.ts'

/** A list as one query, and how to interpret its rows. */
export interface ListPlan {
  /**
   * Returns the columns of the dialect, and for each row its position in the list: {@link PlacedRow}. One more row than
   * requested shows whether there are more.
   */
  readonly query: Sql
  /** Finds the position where the search stopped, if it stopped because of the bound and not at the end. */
  readonly lastExamined: Sql | null
  /** The position where a search stopped because of the bound, although there may be more. */
  readonly stoppedAt: ListPosition | null
  positionOf(row: PlacedRow): ListPosition
  /** The total number of issues: `undefined` if these rows do not show it, `null` if there are too many to count. */
  totalOf(rows: readonly PlacedRow[]): number | null | undefined
}

export interface PlacedRow {
  readonly k: number
  readonly n: number
  /** The total number of issues, if it is found while reading. */
  readonly total?: number
}

const NOTHING: Sql = { text: '', values: [] }

/** Whether {@link planList} needs the number of issues with the requested statuses. */
export function needsStatusCount({ selection, sort }: IssueListing): boolean {
  return mayUseStatuses(selection, ORDERS[sort]) && countFilters(selection) > 0
}

/** Whether an index finds the issues of the requested assignees; it does not find those without one. */
export function mayUseAssignees({ assignees, search, fingerprints }: IssueSelection): boolean {
  return assignees !== null && !assignees.includes(null) && search === null && fingerprints === null
}

/** Whether an index leads to the issues with the requested labels. */
export function mayUseLabels({ labels, search, fingerprints }: IssueSelection): boolean {
  return labels !== null && search === null && fingerprints === null
}

/** Whether an index leads to the issues that the requested people have reported. */
export function mayUseReporters({ reporters, search, fingerprints }: IssueSelection): boolean {
  return reporters !== null && search === null && fingerprints === null
}

/** What is known about a project before its list is planned. */
export interface ListFacts {
  /** See {@link needsStatusCount}. */
  readonly statusCount: number
  /** The number of issues of the requested assignees, if {@link mayUseAssignees}. */
  readonly assignedCount: number
  /** The number of issues with the requested labels, if {@link mayUseLabels}; those with several count more than once. */
  readonly labelledCount: number
  /** The number of issues of the requested reporters, if {@link mayUseReporters}, up to one more than are examined; some count twice. */
  readonly reportedCount: number
  /** The number of the newest visible issue, or the last number in use if a search covers everything anyway. */
  readonly newest: number
  /** How many issues of the project are spam. */
  readonly spamCount: number
  /** The matches of the search, see {@link planListMatches}. */
  readonly matches: FoundMatches | null
}

/** Plans the query for search matches, which must run before a list with a search can be planned. */
export function planListMatches(
  dialect: ListDialect,
  seq: number,
  listing: IssueListing,
  newest: number,
): CoveredMatchPlan | null {
  const { selection } = listing
  if (selection.search === null) return null
  const { order, after, examined } = frameOf(dialect, seq, listing, {
    statusCount: 0,
    assignedCount: 0,
    labelledCount: 0,
    reportedCount: 0,
  })
  const plan = planMatches({ dialect, seq, selection, order, after, newest }, examined)
  const isContinued = after !== null && order.column === null
  if (listing.omitsTotal || isContinued || plan.end !== null) return plan
  // A separate search for the total would take as long again. One more than the bound shows whether there are too many to count.
  return { ...plan, counted: Math.max(examined, dialect.bounds.examinedRows + 1) }
}

/**
 * Plans a list of one project. Candidates come from indexes, already in order; filters without an index examine a
 * limited number of them.
 */
export function planList(
  dialect: ListDialect,
  seq: number,
  listing: IssueListing,
  { newest, matches, spamCount, ...counts }: ListFacts,
): ListPlan {
  const { selection, limit } = listing
  const { order, after, offset, index, filters, examined } = frameOf(dialect, seq, listing, counts)
  const wanted = limit + 1
  // In this case, the candidates are the page, so all columns can be read with them.
  const isPage = filters.length === 0 && matches === null && offset === 0
  const plan = { dialect, seq, selection, index, filters, order, after, examined, spamCount, isPage }
  const placeOf = (n: number) => ({ key: dialect.numberOf(n), number: dialect.numberOf(n) })
  const positionOf = ({ k, n }: PlacedRow) =>
    order.column === null ? placeOf(n) : { key: k, number: dialect.numberOf(n) }
  if (matches !== null) {
    const looked = { ...matches, rows: matches.rows.slice(0, examined) }
    return {
      query: readSome(plan, matchCandidates(plan, looked), { wanted, offset, isCounted: filters.length > 0 }),
      lastExamined: null,
      stoppedAt: stopOf(plan, looked, placeOf),
      positionOf,
      totalOf: (rows) => totalOf(plan, matches, { offset, rows }),
    }
  }
  const candidates = indexCandidates(plan)
  return {
    query: isPage ? candidates : readSome(plan, candidates, { wanted, offset, isCounted: false }),
    lastExamined:
      filters.length > 0
        ? {
            text: `SELECT k, n FROM (${candidates.text}) c ORDER BY ${sortOf(order, 'c.')} LIMIT 1 OFFSET ?`,
            values: [...candidates.values, examined - 1],
          }
        : null,
    stoppedAt: null,
    positionOf,
    totalOf: () => undefined,
  }
}

/** The parts of a plan that depend only on the request and the counts. */
function frameOf(
  dialect: ListDialect,
  seq: number,
  { selection, sort, start, limit }: IssueListing,
  counts: Counts,
) {
  const order = ORDERS[sort]
  const { examinedRows } = dialect.bounds
  const after = 'after' in start ? start.after : null
  const offset = 'offset' in start ? start.offset : 0
  const index = indexFor(selection, order, counts, examinedRows)
  const filters = filtersBeyond(selection, index, dialect.isOfIssue(seq))
  const isSortedMatches = selection.search !== null && order.column !== null
  const examined = Math.max(offset + limit + 1, filters.length > 0 || isSortedMatches ? examinedRows : 0)
  return { order, after, offset, index, filters, examined }
}

type Counts = Pick<ListFacts, 'statusCount' | 'assignedCount' | 'labelledCount' | 'reportedCount'>

/** The filters that the index does not cover. */
export function filtersBeyond(selection: IssueSelection, index: ListIndex, isOfIssue: Sql): readonly Sql[] {
  const others = {
    ...selection,
    ...(index === 'assignee' && { assignees: null }),
    ...(index === 'label' && { labels: null }),
    ...(index === 'reporter' && { reporters: null }),
  }
  const statuses = index === 'status' ? null : selection.statuses
  return [...residualFilters(others, isOfIssue), ...oneOf('i.status', statuses)]
}

function indexFor(
  selection: IssueSelection,
  order: Order,
  { statusCount, assignedCount, labelledCount, reportedCount }: Counts,
  examinedRows: number,
): ListIndex {
  if (selection.fingerprints !== null) return 'fingerprint'
  // One assignee or label is one index range for each lane, in the order of the keys. Anything else reads all of their issues.
  const isInOrder = (values: readonly unknown[] | null) => order.column === null && values?.length === 1
  const { assignees, labels, reporters } = selection
  // These are the fewest, as a rule.
  const isReported = mayUseReporters(selection) && (isInOrder(reporters) || reportedCount <= examinedRows)
  if (isReported) return 'reporter'
  const isAssigned = mayUseAssignees(selection) && (isInOrder(assignees) || assignedCount <= examinedRows)
  const isLabelled = mayUseLabels(selection) && (isInOrder(labels) || labelledCount <= examinedRows)
  if (isLabelled && !(isAssigned && assignedCount <= labelledCount)) return 'label'
  if (isAssigned) return 'assignee'
  // Uses the index on statuses, unless other filters would then have to examine too many rows.
  return mayUseStatuses(selection, order) && statusCount <= examinedRows ? 'status' : 'order'
}

/** The last position in any order by a column. */
const LAST_PLACE: ListPosition = { key: 0, number: 0 }

/** Where a search continues if the page is not full. Sorted matches do not continue: only the newest are examined. */
function stopOf(
  { filters, order, after, examined }: CandidatePlan,
  { rows, stoppedAt, plan: { end } }: FoundMatches,
  placeOf: (key: number) => ListPosition,
): ListPosition | null {
  const isCutOff = filters.length > 0 && rows.length >= examined
  if (order.column !== null) return isCutOff && after === null ? LAST_PLACE : null
  const last = (isCutOff ? rows.at(-1) : undefined) ?? stoppedAt ?? end
  return last === null ? null : placeOf(last)
}

function totalOf(
  { dialect, filters, order, after }: CandidatePlan,
  { stoppedAt, total, plan: { end, counted } }: FoundMatches,
  { offset, rows }: { readonly offset: number; readonly rows: readonly PlacedRow[] },
): number | null | undefined {
  // When continuing in key order, only the remaining matches were searched.
  if (after !== null && order.column === null) return undefined
  const { examinedRows } = dialect.bounds
  // Without a total, there are at least as many as were to be counted.
  if (stoppedAt !== null || end !== null || (total ?? counted) > examinedRows) return null
  if (total === null || filters.length === 0) return total ?? undefined
  // Each row has the total, but there are no rows beyond the end of the list.
  return after === null ? (rows[0]?.total ?? (offset === 0 ? 0 : undefined)) : undefined
}

/** One page of the candidates that pass the filters, with their total if requested. */
function readSome(
  { dialect, seq, filters, order }: CandidatePlan,
  candidates: Sql,
  page: { readonly wanted: number; readonly offset: number; readonly isCounted: boolean },
): Sql {
  const columns = dialect.columns(seq)
  const rows = columns.length === 0 ? NOTHING : dialect.joinRows(seq, 'c', 'i')
  const sorted = sortOf(order, 'c.')
  const places = ['c.k', 'c.n']
  const total = page.isCounted ? ['count(*) OVER () AS total'] : []
  const shown = [...places, ...(page.isCounted ? ['c.total'] : []), ...columns]
  return {
    text: `SELECT ${shown.join(', ')} FROM (
        SELECT ${[...places, ...total].join(', ')} FROM (${candidates.text}) c
        WHERE ${filters.length === 0 ? 'TRUE' : 'c.ok'} ORDER BY ${sorted} LIMIT ? OFFSET ?
      ) c ${rows.text} ORDER BY ${sorted}`,
    values: [...candidates.values, page.wanted, page.offset, ...rows.values],
  }
}

/** The index on statuses is in key order. */
function mayUseStatuses({ statuses, search, fingerprints }: IssueSelection, { column }: Order): boolean {
  return statuses !== null && search === null && fingerprints === null && column === null
}
