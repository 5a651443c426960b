import { ISSUE_STATUSES } from '@bugle/contract/vocabulary'
import type { IssueSelection, ListPosition } from '../../../model/issue-lists.ts'
import { codesIn, LANE_CODES } from '../lane-codes.ts'
import { allOf, oneOf, type Sql, within } from './issue-filters.ts'
import type { KeyRange, ListDialect } from './list-dialect.ts'

/** The candidates of a list, in its order, up to a limit. Issues are examined while they are read: `ok` is whether one passes the filters. */
export function indexCandidates(plan: CandidatePlan): Sql {
  return mergeRuns(RUNS[plan.index](plan), plan.order, plan.examined)
}

/** The same in no order: up to the limit of each index range. */
export function unsortedCandidates(plan: CandidatePlan): Sql {
  return unite(RUNS[plan.index](plan))
}

/** The index that finds the candidates. Those with a fingerprint, an assignee, a label or a reporter are found whatever the order of the list. */
export type ListIndex = 'order' | 'status' | 'fingerprint' | 'assignee' | 'label' | 'reporter'

export interface CandidatePlan {
  readonly index: ListIndex
  readonly dialect: ListDialect
  readonly seq: number
  readonly selection: IssueSelection
  /** Conditions on `i` without an index. */
  readonly filters: readonly Sql[]
  readonly order: Order
  readonly after: ListPosition | null
  readonly examined: number
  /** How many issues of the project are spam, and are left out. */
  readonly spamCount: number
  /** Whether the candidates are the result, and have its columns. */
  readonly isPage: boolean
  /** Whether they have the column `status`. */
  readonly hasStatus?: boolean
}

/** The sort columns of a list. Every order has an indexed column, or is the order of the keys. */
export const ORDERS = {
  newest: { column: null, direction: 'DESC' },
  oldest: { column: null, direction: 'ASC' },
  updated: { column: 'updated_at', direction: 'DESC' },
  reports: { column: 'report_count', direction: 'DESC' },
  priority: { column: 'priority', direction: 'DESC' },
} as const
export type Order = (typeof ORDERS)[keyof typeof ORDERS]

/** Index ranges, each in the order of the list. Together they contain the candidates. */
const RUNS: Readonly<Record<ListIndex, (plan: CandidatePlan) => readonly Sql[]>> = {
  order: orderRuns,
  status: statusRuns,
  fingerprint: fingerprintRuns,
  assignee: assigneeRuns,
  label: labelRuns,
  reporter: reporterRuns,
}

function orderRuns(plan: CandidatePlan): readonly Sql[] {
  const { dialect, seq, selection, order, after } = plan
  const codes = codesIn(selection)
  const { column } = order
  if (column !== null) return codes.flatMap((code) => columnRuns(plan, column, code))
  if (selection.isSpam || plan.spamCount > MAX_SKIPPED_SPAM) return statusRuns(plan)
  const isHidden = plan.spamCount > 0 || codes.length < Object.keys(LANE_CODES).length
  return [
    indexRun(plan, dialect.key, [
      dialect.isBetween(seq, rangeOf(dialect, seq, order, after)),
      ...(isHidden ? [{ text: `${dialect.lane} IN (${codes.join(', ')})`, values: [] }] : []),
    ]),
  ]
}

/** Up to this many issues that are spam, a list reads them with the others and leaves them out. */
const MAX_SKIPPED_SPAM = 100

function statusRuns(plan: CandidatePlan): readonly Sql[] {
  const { dialect, seq, selection, order, after } = plan
  const range = dialect.isStatusBetween(seq, rangeOf(dialect, seq, order, after))
  const ofKey = { ...plan, dialect: { ...dialect, key: dialect.statusKey } }
  return codesIn(selection).flatMap((code) =>
    (selection.statuses ?? ISSUE_STATUSES).map((status) =>
      indexRun(ofKey, dialect.statusKey, [
        { text: 'lane = ? AND status = ?', values: [code, status] },
        range,
      ]),
    ),
  )
}

/** At most one issue of each lane has a fingerprint, so the order of the index does not matter. */
function fingerprintRuns(plan: CandidatePlan): readonly Sql[] {
  const { dialect, seq, selection, order } = plan
  return codesIn(selection).map((code) =>
    indexRun(plan, order.column ?? dialect.key, [
      dialect.isOfProject(seq),
      { text: 'lane = ? AND fingerprint IS NOT NULL', values: [code] },
      ...oneOf('fingerprint', selection.fingerprints),
      isLater(plan),
    ]),
  )
}

/** The index has the order of the keys. For another order, a limited number of issues is sorted. */
function assigneeRuns(plan: CandidatePlan): readonly Sql[] {
  const { dialect, seq, selection, order } = plan
  return codesIn(selection).flatMap((code) =>
    (selection.assignees ?? []).map((assignee) =>
      indexRun(plan, order.column ?? dialect.key, [
        ...(order.column === null ? [] : [dialect.isOfProject(seq)]),
        { text: 'lane = ? AND assignee_id = ?', values: [code, assignee] },
        isLater(plan),
      ]),
    ),
  )
}

function labelRuns(plan: CandidatePlan): readonly Sql[] {
  return keyRuns(plan, 'issue_labels', labelConditions(plan.selection))
}

function labelConditions(selection: IssueSelection): readonly Sql[] {
  return codesIn(selection).flatMap((code) =>
    (selection.labels ?? []).map((label) => ({ text: 'lane = ? AND label = ?', values: [code, label] })),
  )
}

function reporterRuns(plan: CandidatePlan): readonly Sql[] {
  return keyRuns(plan, 'issue_reporters', reporterConditions(plan.dialect, plan.selection))
}

/** One for each index range. */
function reporterConditions(dialect: ListDialect, selection: IssueSelection): readonly KeyCondition[] {
  return codesIn(selection).flatMap((code) =>
    (selection.reporters ?? []).flatMap((reporter) =>
      ['reporter', 'email'].map((column) => ({
        ...allOf([
          { text: `lane = ? AND ${column} IS NOT NULL`, values: [code] },
          dialect.isText(column, reporter),
        ]),
        column,
      })),
    ),
  )
}

/** A range of an index that has the keys of issues. */
interface KeyCondition extends Sql {
  /** The text column that the range is about, if there is one. */
  readonly column?: string
}

/** The number of issues that these people have reported, counted up to a limit; some may be counted twice. */
export function countReported(
  dialect: ListDialect,
  seq: number,
  selection: IssueSelection,
  limit: number,
): Sql {
  const parts = reporterConditions(dialect, selection).map((condition, index) => {
    const where = allOf([dialect.isOfIssues(seq), condition])
    return {
      text: `SELECT * FROM (SELECT 1 FROM issue_reporters WHERE ${where.text}
        ORDER BY ${keyOrder(dialect, condition, 'ASC')} LIMIT ?) k${index}`,
      values: [...where.values, limit],
    }
  })
  const found = parts.map(({ text }) => text).join(' UNION ALL ')
  return {
    text: `SELECT count(*) AS count FROM (${found} LIMIT ?) found`,
    values: [...parts.flatMap(({ values }) => values), limit],
  }
}

/**
 * The keys of the issues first, from ranges of another table, each once even if it is in several of them. They are in the order
 * of the keys, as for assignees.
 */
function keyRuns(plan: CandidatePlan, table: string, conditions: readonly KeyCondition[]): readonly Sql[] {
  const { dialect, seq, order, after, examined } = plan
  const { issueKey } = dialect
  const range = rangeOf(dialect, seq, order, order.column === null ? after : null)
  const parts = conditions.map((condition, index) => {
    const where = allOf([
      dialect.isOfIssues(seq),
      condition,
      { text: `${issueKey} > ? AND ${issueKey} < ?`, values: [range.low, range.high] },
    ])
    return {
      text: `SELECT * FROM (SELECT ${issueKey} AS n FROM ${table} WHERE ${where.text}
        ORDER BY ${keyOrder(dialect, condition, order.direction)} LIMIT ?) k${index}`,
      values: [...where.values, order.column === null ? examined : dialect.bounds.examinedRows],
    }
  })
  const keys = {
    text: parts.map(({ text }) => text).join(' UNION ALL '),
    values: parts.flatMap(({ values }) => values),
  }
  return [
    indexRun(plan, order.column ?? dialect.key, [
      dialect.isAmong(seq, keys),
      ...(order.column === null || after === null ? [] : [isLater(plan)]),
    ]),
  ]
}

/** By the keys of the issues, within one range. */
function keyOrder(
  { issueKey, textOrder }: ListDialect,
  { column }: KeyCondition,
  direction: 'ASC' | 'DESC',
): string {
  return `${column === undefined ? '' : textOrder(column, direction)}${issueKey} ${direction}`
}

/** Whether an issue comes after a position in the list, whichever index finds it. */
function isLater({ dialect, seq, order, after }: CandidatePlan): Sql {
  const { column } = order
  if (column === null) return dialect.isBetween(seq, rangeOf(dialect, seq, order, after))
  if (after === null) return allOf([])
  return {
    text: `(${column}, ${dialect.key}) < (${ANY_NUMBER}, ?)`,
    values: [after.key, dialect.keyOf(seq, after.number)],
  }
}

/** After a position in the list, the rest of the same key follows, then the lower keys: two index ranges instead of one that compares pairs. */
function columnRuns(plan: CandidatePlan, column: string, code: number): readonly Sql[] {
  const { dialect, seq, after, selection } = plan
  const isWithin =
    column === 'updated_at' ? within(column, selection.updatedAfter, selection.updatedBefore) : []
  const ofLane: Sql = { text: 'lane = ?', values: [code] }
  const run = (...conditions: readonly Sql[]) =>
    indexRun(plan, column, [dialect.isOfProject(seq), ofLane, ...isWithin, ...conditions])
  if (after === null) return [run()]
  const number = dialect.keyOf(seq, after.number)
  return [
    run({ text: `${column} = ${ANY_NUMBER} AND ${dialect.key} < ?`, values: [after.key, number] }),
    run({ text: `${column} < ${ANY_NUMBER}`, values: [after.key] }),
  ]
}

/** A client can send any cursor: its number may exceed the range of the column. */
export const ANY_NUMBER = 'CAST(? AS bigint)'

function indexRun(plan: CandidatePlan, column: string, conditions: readonly Sql[]): Sql {
  const { dialect, filters, examined, isPage, hasStatus } = plan
  const { key } = dialect
  const { direction } = plan.order
  const [all, where] = [allOf(filters), allOf(conditions)]
  // The settings make PostgreSQL avoid sorting. With a plus, no index has this order, so the one on fingerprints, assignees, labels or reporters is used.
  const sign = plan.index === 'fingerprint' || (isOutOfOrder(plan) && column !== key) ? '+' : ''
  const keys = column === key ? [key] : [column, key]
  const sorted = keys.map((one) => `${sign}${one} ${direction}`).join(', ')
  const own = isPage ? dialect.columns(plan.seq) : [`${all.text} AS ok`, ...(hasStatus ? ['i.status'] : [])]
  const shown = [`${column} AS k`, `${key} AS n`, ...own]
  return {
    text: `SELECT ${shown.join(', ')} FROM issues i WHERE ${where.text}
      ORDER BY ${sorted} LIMIT ?`,
    values: [...all.values, ...where.values, examined],
  }
}

function isOutOfOrder({ index }: CandidatePlan): boolean {
  return index === 'assignee' || index === 'label' || index === 'reporter'
}

function mergeRuns(runs: readonly Sql[], order: Order, examined: number): Sql {
  const [only] = runs
  // Without other filters, it already has the order and the number.
  if (only !== undefined && runs.length === 1) return only
  const all = unite(runs)
  return { text: `${all.text} ORDER BY ${sortOf(order)} LIMIT ?`, values: [...all.values, examined] }
}

function unite(runs: readonly Sql[]): Sql {
  const parts = runs.map(({ text }, index) => `SELECT * FROM (${text}) s${index}`)
  return { text: parts.join(' UNION ALL '), values: runs.flatMap(({ values }) => values) }
}

/** The order of candidates, as SQL. */
export function sortOf({ column, direction }: Order, of = ''): string {
  return column === null ? `${of}n ${direction}` : `${of}k ${direction}, ${of}n ${direction}`
}

/** The keys after a position, in a list that is sorted by key. */
export function rangeOf(
  dialect: ListDialect,
  seq: number,
  { direction }: Order,
  after: ListPosition | null,
): KeyRange {
  const range = dialect.keyRange(seq)
  if (after === null) return range
  // A client can send any cursor: its position must stay within the project.
  const key = Math.min(range.high, Math.max(range.low, dialect.keyOf(seq, after.number)))
  return direction === 'DESC' ? { ...range, high: key } : { ...range, low: key }
}
