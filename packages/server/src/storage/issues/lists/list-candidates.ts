import type { IssueSelection, ListPosition } from '../../../model/issue-lists.ts'
import { numbersCovered } from '../../../model/search/search-bounds.ts'
import { LANE_CODES } from '../lane-codes.ts'
import { allOf, type Sql } from './issue-filters.ts'
import type { KeyRange, ListDialect } from './list-dialect.ts'

/** What may be in the list, in its order, so many at most. Issues are looked at on the way: `ok` says whether the filters let one pass. */
export function candidatesOf(plan: CandidatePlan, byStatus: boolean): Candidates {
  if (plan.selection.search !== null) return matchesOf(plan)
  return { rows: mergeRuns(indexRuns(plan, byStatus), plan.order, plan.examined), stoppedAt: null }
}

export interface Candidates {
  readonly rows: Sql
  /** The key where a search stopped because it had covered enough, although there may be more. */
  readonly stoppedAt: number | null
}

export interface CandidatePlan {
  readonly dialect: ListDialect
  readonly seq: number
  readonly selection: IssueSelection
  /** Conditions on `i` that no index serves. */
  readonly filters: readonly Sql[]
  readonly order: Order
  readonly after: ListPosition | null
  readonly examined: number
  /** See {@link mayExceedCoverage}. */
  readonly newest: number
  /** Whether the candidates are what is shown, and have its columns. */
  readonly isPage: boolean
}

/** What a list is sorted by. Every order has a column with an index, or is the order of the keys themselves. */
export const ORDERS = {
  newest: { column: null, direction: 'DESC' },
  oldest: { column: null, direction: 'ASC' },
  updated: { column: 'updated_at', direction: 'DESC' },
  reports: { column: 'report_count', direction: 'DESC' },
  priority: { column: 'priority', direction: 'DESC' },
} as const
export type Order = (typeof ORDERS)[keyof typeof ORDERS]

/** Runs of an index, each in the order of the list. Together they hold the candidates. */
function indexRuns(plan: CandidatePlan, byStatus: boolean): readonly Sql[] {
  const { dialect, seq, selection, order, after } = plan
  const lanes = selection.lanes.map((lane) => LANE_CODES[lane])
  const { column } = order
  if (column !== null) return lanes.flatMap((lane) => columnRuns(plan, column, lane))
  const range = dialect.isBetween(seq, rangeOf(dialect, seq, order, after))
  const run = (...conditions: readonly Sql[]) => indexRun(plan, dialect.key, conditions)
  if (byStatus) {
    const statuses = selection.statuses ?? []
    return lanes.flatMap((lane) =>
      statuses.map((status) => run({ text: 'lane = ? AND status = ?', values: [lane, status] }, range)),
    )
  }
  const isHidden = lanes.length < Object.keys(LANE_CODES).length
  return [run(range, ...(isHidden ? [{ text: `${dialect.lane} IN (${lanes.join(', ')})`, values: [] }] : []))]
}

/** After a place in the list come the rest of the same key, then the lesser keys: two runs of the index instead of one that compares pairs. */
function columnRuns(plan: CandidatePlan, column: string, lane: number): readonly Sql[] {
  const { dialect, seq, after } = plan
  const ofLane: Sql = { text: 'lane = ?', values: [lane] }
  const run = (...conditions: readonly Sql[]) =>
    indexRun(plan, column, [dialect.isOfProject(seq), ofLane, ...conditions])
  if (after === null) return [run()]
  const number = dialect.keyOf(seq, after.number)
  return [
    run({ text: `${column} = ${ANY_NUMBER} AND ${dialect.key} < ?`, values: [after.key, number] }),
    run({ text: `${column} < ${ANY_NUMBER}`, values: [after.key] }),
  ]
}

/** Anybody can make up a cursor: its number need not fit the column. */
const ANY_NUMBER = 'CAST(? AS bigint)'

/** Whether one request may be too little to look through all issues for a search: then the number of the newest visible one is needed. */
export function mayExceedCoverage({ search }: IssueSelection, lastNumber: number): boolean {
  return search !== null && lastNumber > numbersCovered(search)
}

/** What the full-text index finds, as far as one request looks. For other orders than by key, the newest matches are sorted. */
function matchesOf(plan: CandidatePlan): Candidates {
  const { dialect, seq, selection, order, after, examined } = plan
  const { column } = order
  const { low, high } = column === null ? rangeOf(dialect, seq, order, after) : dialect.keyRange(seq)
  const direction = column === null ? order.direction : 'DESC'
  // Beyond the newest issue that the caller sees there is nothing. Counted from the newest of all instead, a hidden one
  // would move the other end of what is covered.
  const whole = { low, high: Math.min(high, dialect.keyOf(seq, plan.newest) + 1) }
  const range = coveredRange(selection, whole, direction)
  const { rows: matches, stoppedAt } = dialect.findMatches({ seq, selection, range, direction, examined })
  if (column === null) {
    return {
      rows: { text: `SELECT f.n AS k, f.n FROM (${matches.text}) f`, values: matches.values },
      stoppedAt: stoppedAt ?? endOf(range, whole, direction),
    }
  }
  const rows = dialect.joinRows(seq, 'f', 'm')
  const isAfter: Sql =
    after === null
      ? allOf([])
      : {
          text: `(m.${column}, f.n) < (${ANY_NUMBER}, ?)`,
          values: [after.key, dialect.keyOf(seq, after.number)],
        }
  return {
    rows: {
      text: `SELECT m.${column} AS k, f.n FROM (${matches.text}) f ${rows.text} WHERE ${isAfter.text}`,
      values: [...matches.values, ...rows.values, ...isAfter.values],
    },
    stoppedAt: null,
  }
}

/** The part of a range that one request looks through: the beginning, in the order of the list. */
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

/** The last key of a range if it is not where the whole ends. */
function endOf(range: KeyRange, whole: KeyRange, direction: 'ASC' | 'DESC'): number | null {
  if (direction === 'ASC') return range.high < whole.high ? range.high - 1 : null
  return range.low > whole.low ? range.low + 1 : null
}

function indexRun(plan: CandidatePlan, column: string, conditions: readonly Sql[]): Sql {
  const { dialect, filters, examined, isPage } = plan
  const { key } = dialect
  const { direction } = plan.order
  const [all, where] = [allOf(filters), allOf(conditions)]
  const sorted = column === key ? `${key} ${direction}` : `${column} ${direction}, ${key} ${direction}`
  const shown = [`${column} AS k`, `${key} AS n`, ...(isPage ? dialect.columns : [`${all.text} AS ok`])]
  return {
    text: `SELECT ${shown.join(', ')} FROM issues i WHERE ${where.text}
      ORDER BY ${sorted} LIMIT ?`,
    values: [...all.values, ...where.values, examined],
  }
}

function mergeRuns(runs: readonly Sql[], order: Order, examined: number): Sql {
  const [only] = runs
  // By itself it has the order and the number already.
  if (only !== undefined && runs.length === 1) return only
  const parts = runs.map(({ text }, index) => `SELECT * FROM (${text}) s${index}`)
  return {
    text: `${parts.join(' UNION ALL ')} ORDER BY ${sortOf(order)} LIMIT ?`,
    values: [...runs.flatMap(({ values }) => values), examined],
  }
}

/** The order of candidates, as SQL. */
export function sortOf({ column, direction }: Order, of = ''): string {
  return column === null ? `${of}n ${direction}` : `${of}k ${direction}, ${of}n ${direction}`
}

function rangeOf(
  dialect: ListDialect,
  seq: number,
  { direction }: Order,
  after: ListPosition | null,
): KeyRange {
  const range = dialect.keyRange(seq)
  if (after === null) return range
  // Anybody can make up a cursor: the place it names must not lead out of the project.
  const key = Math.min(range.high, Math.max(range.low, dialect.keyOf(seq, after.number)))
  return direction === 'DESC' ? { ...range, high: key } : { ...range, low: key }
}
