import type { DatabaseSync } from 'node:sqlite'
import { MAX_EXAMINED_ROWS } from '@bugle/contract/vocabulary'
import { idToBytes, type ProjectId } from '../../ids.ts'
import type { IssueListing, IssueListPart, IssueSelection } from '../records/issue-lists.ts'
import { LANE_CODES } from '../sql/issue-rows.ts'
import {
  type CounterValues,
  countedBy,
  type ListDialect,
  needsStatusCount,
  type PlacedRow,
  planCount,
  planList,
  statusCounters,
} from '../sql/list-plans.ts'
import { type IssueRow, toIssue } from './issue-rows.ts'
import { keyRange, numberOf, rowKey } from './row-keys.ts'
import { findMatches } from './search-query.ts'
import { prepareOnce } from './statements.ts'

/** Lists and counts the issues of one project. */
export function prepareIssueLists(db: DatabaseSync) {
  const dialect = dialectOf(db)
  const prepare = prepareOnce(db)
  const selectSeq = db.prepare('SELECT seq FROM projects WHERE id = ? AND slug IS NOT NULL')
  const selectCount = db.prepare(
    `SELECT coalesce(sum(count), 0) AS count FROM counters
     WHERE project_seq = ? AND lane = ? AND dimension = ? AND value = ?`,
  )

  function findSeq(projectId: ProjectId): number | undefined {
    return (selectSeq.get(idToBytes(projectId)) as { seq: number } | undefined)?.seq
  }

  /** What the counters say about lanes and one dimension. */
  function counted(seq: number, { lanes }: IssueSelection, { dimension, values }: CounterValues): number {
    return lanes
      .flatMap((lane) => values.map((value) => selectCount.get(seq, LANE_CODES[lane], dimension, value)))
      .reduce((sum, row) => sum + (row as { count: number }).count, 0)
  }

  return {
    listIssues(listing: IssueListing): IssueListPart {
      const { selection, limit } = listing
      const seq = findSeq(selection.projectId)
      if (seq === undefined) return { issues: [], next: null }
      const statusCount = needsStatusCount(listing) ? counted(seq, selection, statusCounters(selection)) : 0
      const { query, lastExamined, positionOf } = planList(dialect, seq, listing, statusCount)
      const rows = prepare(query.text).all(...query.values) as unknown as (IssueRow & PlacedRow)[]
      const issues = rows.slice(0, limit).map((row) => toIssue(row, selection.projectId))
      const last =
        rows.length > limit
          ? rows[limit - 1]
          : lastExamined && (prepare(lastExamined.text).get(...lastExamined.values) as PlacedRow | undefined)
      return { issues, next: last ? positionOf(last) : null }
    },

    countIssues(selection: IssueSelection): number | null {
      const seq = findSeq(selection.projectId)
      if (seq === undefined) return 0
      const known = countedBy(selection)
      if (known !== undefined) return counted(seq, selection, known)
      const isTooMany =
        selection.search === null && counted(seq, selection, statusCounters(selection)) > MAX_EXAMINED_ROWS
      if (isTooMany) return null
      const { text, values } = planCount(dialect, seq, selection)
      const { examined, count } = prepare(text).get(...values) as { examined: number; count: number }
      return examined > MAX_EXAMINED_ROWS ? null : count
    },
  }
}

function dialectOf(db: DatabaseSync): ListDialect {
  return {
    key: 'row',
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
