import type { DatabaseSync } from 'node:sqlite'
import { ISSUE_STATUSES, MAX_EXAMINED_ROWS } from '@bugle/contract/vocabulary'
import { idToBytes } from '../../ids.ts'
import type { IssueListing, IssueListPart, IssueSelection, ListPosition } from '../records.ts'
import { allOf, oneOf, residualFilters, type Sql } from './issue-filters.ts'
import { type IssueRow, LANE_CODES, toIssue } from './issue-rows.ts'
import { keyRange, numberOf, rowKey } from './row-keys.ts'
import { findMatches } from './search-query.ts'
import { prepareOnce } from './statements.ts'

/** What a list is sorted by. Every order has a column with an index, or is the order of the keys themselves. */
const ORDERS = {
  newest: { column: 'row', direction: 'DESC' },
  oldest: { column: 'row', direction: 'ASC' },
  updated: { column: 'updated_at', direction: 'DESC' },
  reports: { column: 'report_count', direction: 'DESC' },
  priority: { column: 'priority', direction: 'DESC' },
} as const
type Order = (typeof ORDERS)[keyof typeof ORDERS]

/** Lists issues of one project. Candidates come from indexes, already in order; filters without an index look at so many of them. */
export function prepareIssueLists(db: DatabaseSync) {
  const prepare = prepareOnce(db)
  const selectSeq = db.prepare('SELECT seq FROM projects WHERE id = ? AND slug IS NOT NULL')
  const selectCount = db.prepare(
    `SELECT coalesce(sum(count), 0) AS count FROM counters
     WHERE project_seq = ? AND lane = ? AND dimension = ? AND value = ?`,
  )

  function seqOf(projectId: string): number | undefined {
    return (selectSeq.get(idToBytes(projectId)) as { seq: number } | undefined)?.seq
  }

  /** What the counters say about lanes and one dimension. */
  function counted(
    seq: number,
    { lanes }: IssueSelection,
    dimension: string,
    values: readonly string[],
  ): number {
    return lanes
      .flatMap((lane) => values.map((value) => selectCount.get(seq, LANE_CODES[lane], dimension, value)))
      .reduce((sum, row) => sum + (row as { count: number }).count, 0)
  }

  function listIssues({ selection, sort, start, limit }: IssueListing): IssueListPart {
    const seq = seqOf(selection.projectId)
    if (seq === undefined) return { issues: [], next: null }
    const order = ORDERS[sort]
    const after = 'after' in start ? start.after : null
    const offset = 'offset' in start ? start.offset : 0
    const byStatus = isByStatus(seq, selection, order)
    const filters = [
      ...residualFilters(selection),
      ...oneOf('i.status', byStatus ? null : selection.statuses),
    ]
    const isExamined = filters.length > 0
    const isSortedMatches = selection.search !== null && order.column !== 'row'
    // One row more than is wanted tells whether there is more.
    const wanted = limit + 1
    const examined = Math.max(offset + wanted, isExamined || isSortedMatches ? MAX_EXAMINED_ROWS : 0)
    const plan = { db, seq, selection, order, after, examined }
    const strands = selection.search ? searchStrands(plan) : indexStrands(plan, byStatus)
    const all = allOf(filters)
    const candidates = mergeStrands(strands, order, examined)
    // `CROSS`: from the candidates to their rows. SQLite may think it quicker to go through all issues there are.
    const query = `WITH candidates (k, row) AS (${candidates.text})
      SELECT c.k AS sort_key, i.* FROM candidates c CROSS JOIN issues i ON i.row = c.row WHERE ${all.text}
      ORDER BY c.k ${order.direction}, c.row ${order.direction} LIMIT ? OFFSET ?`
    const rows = prepare(query).all(
      ...candidates.values,
      ...all.values,
      wanted,
      offset,
    ) as unknown as SortedRow[]
    const issues = rows.slice(0, limit).map((row) => toIssue(row, selection.projectId))
    if (rows.length > limit) return { issues, next: positionOf(rows[limit - 1], order) }
    return { issues, next: isExamined ? lastExamined(candidates, order, examined) : null }
  }

  /** Whether the index on statuses leads to the rows: in the order of keys, and unless other filters would look at too many of them. */
  function isByStatus(seq: number, selection: IssueSelection, { column }: Order): boolean {
    if (selection.statuses === null || selection.search !== null || column !== 'row') return false
    return residualFilters(selection).length === 0 || countStatuses(seq, selection) <= MAX_EXAMINED_ROWS
  }

  function countStatuses(seq: number, selection: IssueSelection): number {
    return counted(seq, selection, 'status', selection.statuses ?? ISSUE_STATUSES)
  }

  /** Where looking stopped, if it stopped because enough was looked at and not because nothing was left. */
  function lastExamined(candidates: Sql, order: Order, examined: number): ListPosition | null {
    const query = `SELECT k AS sort_key, row FROM (${candidates.text}) ORDER BY k ${order.direction}, row ${order.direction} LIMIT 1 OFFSET ?`
    const row = prepare(query).get(...candidates.values, examined - 1) as
      | Pick<SortedRow, 'sort_key' | 'row'>
      | undefined
    return positionOf(row, order)
  }

  function countIssues(selection: IssueSelection): number | null {
    const seq = seqOf(selection.projectId)
    if (seq === undefined) return 0
    const { statuses, search } = selection
    const filters = residualFilters(selection)
    if (!search && filters.length === 0) return countStatuses(seq, selection)
    const single =
      statuses === null && !search && filters.length === 1 ? singleDimension(selection) : undefined
    if (single !== undefined) return counted(seq, selection, single.dimension, single.values)
    if (!search && countStatuses(seq, selection) > MAX_EXAMINED_ROWS) return null
    const plan = { db, seq, selection, order: ORDERS.newest, after: null, examined: MAX_EXAMINED_ROWS + 1 }
    const strands = search ? searchStrands(plan) : indexStrands(plan, statuses !== null)
    const candidates = mergeStrands(strands, ORDERS.newest, plan.examined)
    const all = allOf([...filters, ...oneOf('i.status', statuses)])
    const query = `SELECT count(*) AS examined, coalesce(sum(${all.text}), 0) AS count
      FROM (${candidates.text}) c CROSS JOIN issues i ON i.row = c.row`
    const result = prepare(query).get(...all.values, ...candidates.values) as {
      examined: number
      count: number
    }
    return result.examined > MAX_EXAMINED_ROWS ? null : result.count
  }

  return { listIssues, countIssues }
}

type SortedRow = IssueRow & { readonly sort_key: number }

interface Plan {
  readonly db: DatabaseSync
  readonly seq: number
  readonly selection: IssueSelection
  readonly order: Order
  readonly after: ListPosition | null
  readonly examined: number
}

/** Runs of an index, each in the order of the list. Together they hold the candidates. */
function indexStrands({ seq, selection, order, after, examined }: Plan, byStatus: boolean): readonly Sql[] {
  const lanes = selection.lanes.map((lane) => LANE_CODES[lane])
  if (order.column !== 'row') {
    return lanes.flatMap((lane) => columnStrands({ seq, lane, order, after, examined }))
  }
  const range = rangeOf(seq, order, after)
  if (byStatus) {
    const statuses = selection.statuses ?? []
    return lanes.flatMap((lane) =>
      statuses.map((status) =>
        strand('row', [{ text: 'lane = ? AND status = ?', values: [lane, status] }, range], order, examined),
      ),
    )
  }
  const isHidden = lanes.length < Object.keys(LANE_CODES).length
  // `+`: by the keys themselves. The index on lanes has another order.
  const visible: Sql[] = isHidden ? [{ text: `+lane IN (${lanes.join(', ')})`, values: [] }] : []
  return [strand('row', [range, ...visible], order, examined)]
}

interface ColumnRun extends Pick<Plan, 'seq' | 'order' | 'after' | 'examined'> {
  readonly lane: number
}

/** After a place in the list come the rest of the same key, then the lesser keys: two runs of the index instead of one that compares pairs. */
function columnStrands({ seq, lane, order, after, examined }: ColumnRun): readonly Sql[] {
  const base: Sql = { text: 'row >> 32 = ? AND lane = ?', values: [seq, lane] }
  const run = (condition: Sql) => strand(order.column, [base, condition], order, examined)
  if (after === null) return [run({ text: 'TRUE', values: [] })]
  return [
    run({ text: `${order.column} = ? AND row < ?`, values: [after.key, rowKey(seq, after.number)] }),
    run({ text: `${order.column} < ?`, values: [after.key] }),
  ]
}

/** What the full-text index finds. For other orders than by key, the newest matches are sorted. */
function searchStrands({ db, seq, selection, order, after, examined }: Plan): readonly Sql[] {
  const byKey = order.column === 'row'
  const range = byKey ? boundsOf(seq, order, after) : keyRange(seq)
  const direction = byKey ? order.direction : 'DESC'
  const matches = findMatches(db, { seq, selection, range, direction, examined })
  const isAfter: Sql =
    byKey || after === null
      ? { text: 'TRUE', values: [] }
      : {
          text: `(m.${order.column}, m.row) < (?, ?)`,
          values: [after.key, rowKey(seq, after.number)],
        }
  const text = `SELECT m.${order.column} AS k, m.row FROM (${matches.text}) f CROSS JOIN issues m ON m.row = f.row WHERE ${isAfter.text}`
  return [{ text, values: [...matches.values, ...isAfter.values] }]
}

function strand(column: string, conditions: readonly Sql[], { direction }: Order, examined: number): Sql {
  const where = allOf(conditions)
  const order = column === 'row' ? `row ${direction}` : `${column} ${direction}, row ${direction}`
  return {
    text: `SELECT ${column} AS k, row FROM issues WHERE ${where.text} ORDER BY ${order} LIMIT ?`,
    values: [...where.values, examined],
  }
}

function mergeStrands(strands: readonly Sql[], { direction }: Order, examined: number): Sql {
  const parts = strands.map(({ text }) => `SELECT * FROM (${text})`)
  return {
    text: `${parts.join(' UNION ALL ')} ORDER BY 1 ${direction}, 2 ${direction} LIMIT ?`,
    values: [...strands.flatMap(({ values }) => values), examined],
  }
}

function rangeOf(seq: number, order: Order, after: ListPosition | null): Sql {
  const { low, high } = boundsOf(seq, order, after)
  return { text: 'row > ? AND row < ?', values: [low, high] }
}

function boundsOf(seq: number, { direction }: Order, after: ListPosition | null) {
  const range = keyRange(seq)
  if (after === null) return range
  // Anybody can make up a cursor: the place it names must not lead out of the project.
  const row = Math.min(range.high, Math.max(range.low, rowKey(seq, after.number)))
  return direction === 'DESC' ? { ...range, high: row } : { ...range, low: row }
}

/** The one dimension that is filtered by, if the counters know it exactly. */
function singleDimension(
  selection: IssueSelection,
): { dimension: string; values: readonly string[] } | undefined {
  const { categories, priorities } = selection
  if (categories !== null) return { dimension: 'category', values: categories }
  if (priorities !== null) return { dimension: 'priority', values: priorities }
  return undefined
}

function positionOf(
  row: Pick<SortedRow, 'sort_key' | 'row'> | undefined,
  { column }: Order,
): ListPosition | null {
  if (row === undefined) return null
  const number = numberOf(row.row)
  return { key: column === 'row' ? number : row.sort_key, number }
}
