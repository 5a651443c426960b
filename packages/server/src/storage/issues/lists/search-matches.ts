import type { IssueSelection, ListPosition } from '../../../model/issue-lists.ts'
import { numbersCovered } from '../../../model/search/search-bounds.ts'
import { allOf, type Sql } from './issue-filters.ts'
import { ANY_NUMBER, type CandidatePlan, type Order, rangeOf } from './list-candidates.ts'
import type { KeyRange, ListDialect, Matches, MatchPlan } from './list-dialect.ts'

/** A search, and the position to start from. */
export interface Search {
  readonly dialect: ListDialect
  readonly seq: number
  readonly selection: IssueSelection
  readonly order: Order
  readonly after: ListPosition | null
  /** See {@link mayExceedCoverage}. */
  readonly newest: number
}

export interface CoveredMatchPlan extends MatchPlan {
  /** The last key that one request covers, if there may be matches beyond it. */
  readonly end: number | null
}

/** What a search has found, and how it was planned. */
export interface FoundMatches extends Matches {
  readonly plan: CoveredMatchPlan
}

/** Whether one request may not cover all issues for a search: then the number of the newest visible issue is needed. */
export function mayExceedCoverage({ search }: IssueSelection, lastNumber: number): boolean {
  return search !== null && lastNumber > numbersCovered(search)
}

/** The search of one request, up to this many matches. For orders other than by key, the newest matches are sorted. */
export function planMatches(search: Search, examined: number): CoveredMatchPlan {
  const { dialect, seq, selection, order, after, newest } = search
  const { column } = order
  const { low, high } = column === null ? rangeOf(dialect, seq, order, after) : dialect.keyRange(seq)
  const direction = column === null ? order.direction : 'DESC'
  // The range ends at the newest issue that the caller sees. If it ended at the newest of all, hidden issues
  // would shift its other end.
  const whole = { low, high: Math.min(high, dialect.keyOf(seq, newest) + 1) }
  const range = coveredRange(selection, whole, direction)
  return {
    seq,
    selection,
    range,
    direction,
    examined,
    counted: examined,
    end: endOf(range, whole, direction),
  }
}

/** Matches as candidates of a list, each with whether it passes the filters. */
export function matchCandidates(
  { dialect, seq, filters, order: { column }, after }: CandidatePlan,
  { rows: keys }: Matches,
): Sql {
  if (column === null && filters.length === 0) {
    const listed = dialect.listKeys(keys)
    return { text: `SELECT n AS k, n FROM (${listed.text}) f`, values: listed.values }
  }
  const [ok, rows] = [allOf(filters), dialect.rowsWith(seq, keys)]
  const isAfter: Sql =
    after === null || column === null
      ? allOf([])
      : {
          text: `(i.${column}, i.${dialect.key}) < (${ANY_NUMBER}, ?)`,
          values: [after.key, dialect.keyOf(seq, after.number)],
        }
  return {
    text: `SELECT i.${column ?? dialect.key} AS k, i.${dialect.key} AS n, ${ok.text} AS ok
      FROM ${rows.text} WHERE ${isAfter.text}`,
    values: [...ok.values, ...rows.values, ...isAfter.values],
  }
}

/** The part of a range that one request covers: its start, in the order of the list. */
function coveredRange(
  { search }: IssueSelection,
  { low, high }: KeyRange,
  direction: 'ASC' | 'DESC',
): KeyRange {
  const covered = numbersCovered(search ?? [])
  return direction === 'ASC'
    ? { low, high: Math.min(high, low + covered + 1) }
    : { low: Math.max(low, high - covered - 1), high }
}

/** The last key of a range, if the whole range continues after it. */
function endOf(range: KeyRange, whole: KeyRange, direction: 'ASC' | 'DESC'): number | null {
  if (direction === 'ASC') return range.high < whole.high ? range.high - 1 : null
  return range.low > whole.low ? range.low + 1 : null
}
