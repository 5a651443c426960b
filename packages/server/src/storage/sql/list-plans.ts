import { ISSUE_STATUSES, MAX_EXAMINED_ROWS } from '@bugle/contract/vocabulary'
import type { IssueListing, IssueSelection, ListPosition } from '../records/issue-lists.ts'
import { allOf, oneOf, residualFilters, type Sql } from './issue-filters.ts'
import { LANE_CODES } from './issue-rows.ts'

/** What differs between the databases: how a project's issues lie in their table. Pieces of SQL mark values with `?`. */
export interface ListDialect {
  /** The column in whose order the issues of a project lie. */
  readonly key: string
  /** What a list reads of the rows `i`, beside their places. */
  readonly columns: readonly string[]
  /** The lane of an issue, where it must not lead to an index: those have other orders. */
  readonly lane: string
  keyOf(seq: number, number: number): number
  numberOf(key: number): number
  /** The keys of a project lie between these two, both excluded. */
  keyRange(seq: number): KeyRange
  isBetween(seq: number, range: KeyRange): Sql
  /** Where an index begins with the project. */
  isOfProject(seq: number): Sql
  /** Leads from candidates, by their column `n`, to their rows in `issues`, and never the other way round. */
  joinRows(seq: number, candidates: string, rows: string): Sql
  /** The keys, as `n`, of issues that match a search. */
  findMatches(plan: MatchPlan): Sql
}

export interface KeyRange {
  readonly low: number
  readonly high: number
}

export interface MatchPlan {
  readonly seq: number
  readonly selection: IssueSelection
  readonly range: KeyRange
  readonly direction: 'ASC' | 'DESC'
  readonly examined: number
}

/** A list as one query, and what its rows mean. */
export interface ListPlan {
  /** The columns of the dialect, each row with its place in the list: {@link PlacedRow}. One more than is wanted tells whether there is more. */
  readonly query: Sql
  /** Finds the place where looking stopped, if it stopped because enough was looked at and not because nothing was left. */
  readonly lastExamined: Sql | null
  positionOf(row: PlacedRow): ListPosition
}

export interface PlacedRow {
  readonly k: number
  readonly n: number
}

const NOTHING: Sql = { text: '', values: [] }

/** What a list is sorted by. Every order has a column with an index, or is the order of the keys themselves. */
const ORDERS = {
  newest: { column: null, direction: 'DESC' },
  oldest: { column: null, direction: 'ASC' },
  updated: { column: 'updated_at', direction: 'DESC' },
  reports: { column: 'report_count', direction: 'DESC' },
  priority: { column: 'priority', direction: 'DESC' },
} as const
type Order = (typeof ORDERS)[keyof typeof ORDERS]

/** Whether {@link planList} has to know how many issues have the statuses that are asked for. */
export function needsStatusCount({ selection, sort }: IssueListing): boolean {
  return mayUseStatuses(selection, ORDERS[sort]) && residualFilters(selection).length > 0
}

/** Plans a list of one project. Candidates come from indexes, already in order; filters without an index look at so many of them. */
export function planList(
  dialect: ListDialect,
  seq: number,
  { selection, sort, start, limit }: IssueListing,
  statusCount: number,
): ListPlan {
  const order = ORDERS[sort]
  const after = 'after' in start ? start.after : null
  const offset = 'offset' in start ? start.offset : 0
  // By statuses, unless other filters would then look at too many.
  const byStatus = mayUseStatuses(selection, order) && statusCount <= MAX_EXAMINED_ROWS
  const filters = [...residualFilters(selection), ...oneOf('i.status', byStatus ? null : selection.statuses)]
  const isExamined = filters.length > 0
  const isSortedMatches = selection.search !== null && order.column !== null
  const wanted = limit + 1
  const examined = Math.max(offset + wanted, isExamined || isSortedMatches ? MAX_EXAMINED_ROWS : 0)
  // Then the candidates are the page: all of it can be read on the way.
  const isPage = !isExamined && selection.search === null && offset === 0
  const plan = { dialect, seq, selection, filters, order, after, examined, isPage }
  const candidates = candidatesOf(plan, byStatus)
  const sorted = sortOf(order, 'c.')
  return {
    query: isPage ? candidates : readSome(plan, candidates, { wanted, offset }),
    lastExamined: isExamined
      ? {
          text: `SELECT k, n FROM (${candidates.text}) c ORDER BY ${sorted} LIMIT 1 OFFSET ?`,
          values: [...candidates.values, examined - 1],
        }
      : null,
    positionOf({ k, n }) {
      const number = dialect.numberOf(n)
      return { key: order.column === null ? number : k, number }
    },
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

export interface CounterValues {
  readonly dimension: string
  readonly values: readonly string[]
}

export function statusCounters({ statuses }: IssueSelection): CounterValues {
  return { dimension: 'status', values: statuses ?? ISSUE_STATUSES }
}

/** Counts by looking, as `examined` and `count`: of a search, or where the statuses leave few enough. */
export function planCount(dialect: ListDialect, seq: number, selection: IssueSelection): Sql {
  const { statuses, search } = selection
  const order = ORDERS.newest
  const examined = MAX_EXAMINED_ROWS + 1
  const byStatus = statuses !== null && search === null
  const filters = [...residualFilters(selection), ...oneOf('i.status', byStatus ? null : statuses)]
  const plan = { dialect, seq, selection, filters, order, after: null, examined, isPage: false }
  const candidates = candidatesOf(plan, byStatus)
  const passing = passes(plan)
  return {
    text: `SELECT count(*) AS examined, count(*) FILTER (WHERE ${passing.text}) AS count
      FROM (${candidates.text}) c ${passing.rows.text}`,
    values: [...passing.values, ...candidates.values, ...passing.rows.values],
  }
}

/** What may be in the list, in its order, so many at most. Issues are looked at on the way: `ok` says whether the filters let one pass. */
function candidatesOf(plan: Plan, byStatus: boolean): Sql {
  const strands = plan.selection.search ? [matchStrand(plan)] : indexStrands(plan, byStatus)
  return mergeStrands(strands, plan.order, plan.examined)
}

/** One page of the candidates that the filters let pass. */
function readSome(
  plan: Plan,
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
function passes({ dialect, seq, selection, filters }: Plan): Sql & { readonly rows: Sql } {
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

interface Plan {
  readonly dialect: ListDialect
  readonly seq: number
  readonly selection: IssueSelection
  /** Conditions on `i` that no index serves. */
  readonly filters: readonly Sql[]
  readonly order: Order
  readonly after: ListPosition | null
  readonly examined: number
  /** Whether the candidates are what is shown, and have its columns. */
  readonly isPage: boolean
}

/** Runs of an index, each in the order of the list. Together they hold the candidates. */
function indexStrands(plan: Plan, byStatus: boolean): readonly Sql[] {
  const { dialect, seq, selection, order, after } = plan
  const lanes = selection.lanes.map((lane) => LANE_CODES[lane])
  const { column } = order
  if (column !== null) return lanes.flatMap((lane) => columnStrands(plan, column, lane))
  const range = dialect.isBetween(seq, rangeOf(dialect, seq, order, after))
  const run = (...conditions: readonly Sql[]) => strand(plan, dialect.key, conditions)
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
function columnStrands(plan: Plan, column: string, lane: number): readonly Sql[] {
  const { dialect, seq, after } = plan
  const ofLane: Sql = { text: 'lane = ?', values: [lane] }
  const run = (...conditions: readonly Sql[]) =>
    strand(plan, column, [dialect.isOfProject(seq), ofLane, ...conditions])
  if (after === null) return [run()]
  const number = dialect.keyOf(seq, after.number)
  return [
    run({ text: `${column} = ${ANY_NUMBER} AND ${dialect.key} < ?`, values: [after.key, number] }),
    run({ text: `${column} < ${ANY_NUMBER}`, values: [after.key] }),
  ]
}

/** Anybody can make up a cursor: its number need not fit the column. */
const ANY_NUMBER = 'CAST(? AS bigint)'

/** What the full-text index finds. For other orders than by key, the newest matches are sorted. */
function matchStrand({ dialect, seq, selection, order, after, examined }: Plan): Sql {
  const { column } = order
  const range = column === null ? rangeOf(dialect, seq, order, after) : dialect.keyRange(seq)
  const direction = column === null ? order.direction : 'DESC'
  const matches = dialect.findMatches({ seq, selection, range, direction, examined })
  if (column === null)
    return { text: `SELECT f.n AS k, f.n FROM (${matches.text}) f`, values: matches.values }
  const rows = dialect.joinRows(seq, 'f', 'm')
  const isAfter: Sql =
    after === null
      ? allOf([])
      : {
          text: `(m.${column}, f.n) < (${ANY_NUMBER}, ?)`,
          values: [after.key, dialect.keyOf(seq, after.number)],
        }
  return {
    text: `SELECT m.${column} AS k, f.n FROM (${matches.text}) f ${rows.text} WHERE ${isAfter.text}`,
    values: [...matches.values, ...rows.values, ...isAfter.values],
  }
}

function strand(plan: Plan, column: string, conditions: readonly Sql[]): Sql {
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

function mergeStrands(strands: readonly Sql[], order: Order, examined: number): Sql {
  const [only] = strands
  // By itself it has the order and the number already.
  if (only !== undefined && strands.length === 1) return only
  const parts = strands.map(({ text }, index) => `SELECT * FROM (${text}) s${index}`)
  return {
    text: `${parts.join(' UNION ALL ')} ORDER BY ${sortOf(order)} LIMIT ?`,
    values: [...strands.flatMap(({ values }) => values), examined],
  }
}

function sortOf({ column, direction }: Order, of = ''): string {
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
