import { ISSUE_STATUSES, type IssueStatus } from '@bugle/contract/vocabulary'
import type { IssueSelection, ListBounds, StatusCounts } from '../../../model/issue-lists.ts'
import { allOf, countFilters, isByStatusOnly, oneOf, residualFilters, type Sql } from './issue-filters.ts'
import {
  type CandidatePlan,
  indexCandidates,
  type ListIndex,
  ORDERS,
  unsortedCandidates,
} from './list-candidates.ts'
import type { ListDialect, Matches } from './list-dialect.ts'
import { filtersBeyond, mayUseAssignees, mayUseLabels } from './list-plans.ts'
import { type CoveredMatchPlan, mayExceedCoverage, planMatches } from './search-matches.ts'

/** The counters that contain the number of issues of a selection, if there are any. */
export function countedBy(selection: IssueSelection): CounterValues | undefined {
  const { statuses, categories, priorities, assignees, search } = selection
  if (isByStatusOnly(selection)) return statusCounters(selection)
  if (search !== null || statuses !== null || countFilters(selection) > 1) return undefined
  if (categories !== null) return { dimension: 'category', values: categories }
  if (priorities !== null) return { dimension: 'priority', values: priorities }
  if (assignees !== null) return assigneeCounters(selection)
  // An issue with two of the labels counts twice.
  return selection.labels?.length === 1 ? labelCounters(selection) : undefined
}

export interface CounterValues {
  readonly dimension: string
  readonly values: readonly string[]
}

export function statusCounters({ statuses }: IssueSelection): CounterValues {
  return { dimension: 'status', values: statuses ?? ISSUE_STATUSES }
}

/** The counters of the issues of the requested assignees, if an index finds them. */
export function assigneeCounters(selection: IssueSelection): CounterValues | undefined {
  if (!mayUseAssignees(selection)) return undefined
  return { dimension: 'assignee', values: selection.assignees?.filter((one) => one !== null) ?? [] }
}

/** The counters of the issues with the requested labels, if an index leads to them. */
export function labelCounters(selection: IssueSelection): CounterValues | undefined {
  if (!mayUseLabels(selection)) return undefined
  return { dimension: 'label', values: selection.labels?.map(String) ?? [] }
}

/** Whether an index finds the issues, which can only be few, however many others there are. */
export function isByFingerprint({ search, fingerprints }: IssueSelection): boolean {
  return search === null && fingerprints !== null
}

interface CountedProject {
  readonly seq: number
  readonly spam_count: number
}

/** Counts by examining rows, as `examined` and `count`, if the index finds few enough issues. */
export function planCount(
  dialect: ListDialect,
  { seq, spam_count: spamCount }: CountedProject,
  selection: IssueSelection,
  index: ListIndex,
): Sql {
  const candidates = indexCandidates(countedCandidates(dialect, { seq, spamCount }, selection, index))
  return {
    text: `SELECT ${COUNTS} FROM (${candidates.text}) c`,
    values: candidates.values,
  }
}

const COUNTS = 'count(*) AS examined, count(*) FILTER (WHERE c.ok) AS count'

/** The same for each status, with a row for each `status` that there are candidates of. */
export function planStatusCounts(
  dialect: ListDialect,
  { seq, spam_count: spamCount }: CountedProject,
  selection: IssueSelection,
  index: ListIndex,
): Sql {
  const plan = countedCandidates(dialect, { seq, spamCount }, selection, index)
  const candidates = unsortedCandidates({ ...plan, hasStatus: true })
  return {
    text: `SELECT ${COUNTS}, c.status FROM (${candidates.text}) c GROUP BY c.status`,
    values: candidates.values,
  }
}

function countedCandidates(
  dialect: ListDialect,
  { seq, spamCount }: Pick<CandidatePlan, 'seq' | 'spamCount'>,
  selection: IssueSelection,
  index: ListIndex,
): CandidatePlan {
  return {
    ...{ dialect, seq, selection, order: ORDERS.oldest, after: null, spamCount, isPage: false },
    index,
    filters: filtersBeyond(selection, index, dialect.isOfIssue(seq)),
    examined: dialect.bounds.examinedRows + 1,
  }
}

/** The search to run to count its matches; `null` if one request does not cover all issues. */
export function planCountMatches(
  dialect: ListDialect,
  seq: number,
  selection: IssueSelection,
  newest: number,
): CoveredMatchPlan | null {
  if (mayExceedCoverage(selection, newest)) return null
  // In ascending order: the count is the same, and SQLite's full-text index takes two thirds of the time.
  const search = { dialect, seq, selection, order: ORDERS.oldest, after: null, newest }
  return planMatches(search, dialect.bounds.examinedRows + 1)
}

/** Whether there are few enough matches to examine all of them. */
export function isCountable({ total }: Matches, { examinedRows }: ListBounds): boolean {
  return total !== null && total <= examinedRows
}

/** Whether all matches of a search count. */
export function isUnfiltered(selection: IssueSelection): boolean {
  return selection.statuses === null && countFilters(selection) === 0
}

/** Counts the matches that pass the filters, with a row for each `status`. */
export function planMatchCounts(
  dialect: ListDialect,
  seq: number,
  selection: IssueSelection,
  { rows: keys }: Matches,
): Sql {
  const filters = residualFilters(selection, dialect.isOfIssue(seq))
  const passing = allOf([...filters, ...oneOf('i.status', selection.statuses)])
  const rows = dialect.rowsWith(seq, keys)
  return {
    text: `SELECT i.status, count(*) AS count FROM ${rows.text} WHERE ${passing.text} GROUP BY i.status`,
    values: [...rows.values, ...passing.values],
  }
}

export interface MatchCount {
  readonly status: IssueStatus
  readonly count: number
}

/** The counts of {@link planMatchCounts}. */
export function toStatusCounts(rows: readonly MatchCount[]): StatusCounts {
  return statusCountsOf((status) => rows.find((row) => row.status === status)?.count ?? 0)
}

export function statusCountsOf(countOf: (status: IssueStatus) => number | null): StatusCounts {
  return Object.fromEntries(ISSUE_STATUSES.map((status) => [status, countOf(status)])) as StatusCounts
}

/** The statuses whose issues can all be examined in one request, smallest first. */
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
