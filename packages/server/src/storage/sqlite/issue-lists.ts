import type { DatabaseSync } from 'node:sqlite'
import { MAX_EXAMINED_ROWS } from '@bugle/contract/vocabulary'
import { idToBytes, type ProjectId } from '../../ids.ts'
import type { IssueListing, IssueSelection, ListPosition } from '../records/issue-lists.ts'
import { LANE_CODES } from '../sql/issue-rows.ts'
import type { ListDialect, MatchPlan } from '../sql/list-dialect.ts'
import {
  type CounterValues,
  countedBy,
  needsStatusCount,
  type PlacedRow,
  planCount,
  planList,
  statusCounters,
} from '../sql/list-plans.ts'
import { type IssueRow, prepareIssueReads } from './issue-rows.ts'
import { keyRange, numberOf, rowKey } from './row-keys.ts'
import { estimateCommonMatches } from './scan-matches.ts'
import { estimatePhraseRows, findMatches } from './search-query.ts'
import { prepareOnce } from './statements.ts'

/** Part of a list, as it is handed from one thread to another. */
export interface IssueRows {
  readonly rows: readonly IssueRow[]
  readonly next: ListPosition | null
}

/** An estimate may be wrong by half. */
const SURELY_TOO_MANY = 2 * MAX_EXAMINED_ROWS

/** Lists and counts the issues of one project. */
export function prepareIssueLists(db: DatabaseSync) {
  const dialect = dialectOf(db)
  const prepare = prepareOnce(db)
  const selectRows = prepareIssueReads(db, 'WHERE i.row IN (SELECT value FROM json_each(?))')
  const selectSeq = db.prepare('SELECT seq FROM projects WHERE id = ? AND slug IS NOT NULL')
  function findSeq(projectId: ProjectId): number | undefined {
    return (selectSeq.get(idToBytes(projectId)) as { seq: number } | undefined)?.seq
  }

  /** What the counters say about lanes and one dimension. */
  function counted(seq: number, { lanes }: IssueSelection, { dimension, values }: CounterValues): number {
    const codes = lanes.map((lane) => LANE_CODES[lane]).join(', ')
    const marks = values.map(() => '?').join(', ')
    const select = prepare(
      `SELECT coalesce(sum(count), 0) AS count FROM counters
       WHERE project_seq = ? AND lane IN (${codes}) AND dimension = ? AND value IN (${marks})`,
    )
    return (select.get(seq, dimension, ...values) as { count: number }).count
  }

  /** Whether more of the rows than may be would have to be looked at to count those that are asked for. */
  function isTooMany(seq: number, selection: IssueSelection, rows: number): boolean {
    if (selection.search === null) return rows > MAX_EXAMINED_ROWS
    const plan = newestFirst(seq, selection)
    return [estimateCommonMatches, estimatePhraseRows].some(
      (estimate) => estimate(db, plan, rows) > SURELY_TOO_MANY,
    )
  }

  /** Found by an index alone, and only then read: what is sorted and left out on the way is small. */
  function readAll(found: readonly PlacedRow[]): readonly IssueRow[] {
    const rows = new Map(
      selectRows.all(JSON.stringify(found.map(({ n }) => n))).map((row) => [row[0], row] as const),
    )
    return found.map(({ n }) => rows.get(n)).filter((row) => row !== undefined)
  }

  return {
    listIssues(listing: IssueListing): IssueRows {
      const { selection, limit } = listing
      const seq = findSeq(selection.projectId)
      if (seq === undefined) return { rows: [], next: null }
      const statusCount = needsStatusCount(listing) ? counted(seq, selection, statusCounters(selection)) : 0
      const { query, lastExamined, positionOf } = planList(dialect, seq, listing, statusCount)
      const found = prepare(query.text).all(...query.values) as unknown as PlacedRow[]
      const last =
        found.length > limit
          ? found[limit - 1]
          : lastExamined && (prepare(lastExamined.text).get(...lastExamined.values) as PlacedRow | undefined)
      return { rows: readAll(found.slice(0, limit)), next: last ? positionOf(last) : null }
    },

    countIssues(selection: IssueSelection): number | null {
      const seq = findSeq(selection.projectId)
      if (seq === undefined) return 0
      const known = countedBy(selection)
      if (known !== undefined) return counted(seq, selection, known)
      const rows = counted(seq, selection, statusCounters(selection))
      if (isTooMany(seq, selection, rows)) return null
      const { text, values } = planCount(dialect, seq, selection)
      const { examined, count } = prepare(text).get(...values) as { examined: number; count: number }
      return examined > MAX_EXAMINED_ROWS ? null : count
    },
  }
}

function newestFirst(seq: number, selection: IssueSelection): MatchPlan {
  return { seq, selection, range: keyRange(seq), direction: 'DESC', examined: MAX_EXAMINED_ROWS }
}

function dialectOf(db: DatabaseSync): ListDialect {
  return {
    key: 'row',
    columns: [],
    // `+`: by the keys themselves. The index on lanes has another order.
    lane: '+lane',
    keyOf: rowKey,
    numberOf,
    keyRange,
    isBetween: (_, { low, high }) => ({ text: 'row > ? AND row < ?', values: [low, high] }),
    isOfProject: (seq) => ({ text: 'row >> 32 = ?', values: [seq] }),
    // `CROSS`: from the candidates to their rows. SQLite may think it quicker to go through all issues there are.
    joinRows: (_, candidates, rows) => ({
      text: `CROSS JOIN issues ${rows} ON ${rows}.row = ${candidates}.n`,
      values: [],
    }),
    findMatches: (plan) => findMatches(db, plan),
  }
}
