import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { ISSUE_STATUSES } from '@bugle/contract/vocabulary'
import { idToBytes } from '../../ids.ts'
import type { IssueSelection, ListStart } from '../records.ts'
import type { IssueStorage } from '../storage.ts'
import { fromReport, type IssueRow, LANE_CODES, toIssue } from './issue-rows.ts'
import { keyRange, rowKey } from './row-keys.ts'
import type { Writes } from './writer.ts'

export function issueStorage(reader: DatabaseSync, writes: Writes): IssueStorage {
  const selectOne = reader.prepare('SELECT * FROM issues WHERE id = ?')
  const selectSeq = reader.prepare('SELECT seq FROM projects WHERE id = ? AND slug IS NOT NULL')
  const selectCount = reader.prepare(
    `SELECT coalesce(sum(count), 0) AS count FROM counters
     WHERE project_seq = ? AND lane = ? AND dimension = 'status' AND value = ?`,
  )
  const listStatements = new Map<number, StatementSync>()

  function seqOf(projectId: string): number | undefined {
    const row = selectSeq.get(idToBytes(projectId)) as { seq: number } | undefined
    return row?.seq
  }

  return {
    submit: (report) => writes.run('submitReport', ...fromReport(report)),

    async find(projectId, id) {
      const row = selectOne.get(idToBytes(id)) as IssueRow | undefined
      if (row === undefined) return undefined
      const { low, high } = keyRange(seqOf(projectId) ?? 0)
      return row.row > low && row.row < high ? toIssue(row, projectId) : undefined
    },

    async list(selection, start, limit) {
      const seq = seqOf(selection.projectId)
      if (seq === undefined) return []
      const strands = strandsOf(selection)
      const statement = listStatements.get(strands.length) ?? reader.prepare(listQuery(strands.length))
      listStatements.set(strands.length, statement)
      const { low, high } = listRange(seq, start)
      const offset = 'offset' in start ? start.offset : 0
      const bounds = strands.flatMap(({ lane, status }) => [
        LANE_CODES[lane],
        status,
        low,
        high,
        offset + limit,
      ])
      const rows = statement.all(...bounds, limit, offset) as unknown as IssueRow[]
      return rows.map((row) => toIssue(row, selection.projectId))
    },

    async count(selection) {
      const seq = seqOf(selection.projectId)
      if (seq === undefined) return 0
      return strandsOf(selection)
        .map(({ lane, status }) => selectCount.get(seq, LANE_CODES[lane], status) as { count: number })
        .reduce((sum, { count }) => sum + count, 0)
    },
  }
}

/** A list is merged from strands, one for each lane and status: each is a run of one index, already in order. */
function strandsOf({ lanes, statuses }: IssueSelection) {
  return lanes.flatMap((lane) => (statuses ?? ISSUE_STATUSES).map((status) => ({ lane, status })))
}

function listQuery(strands: number): string {
  const strand = `SELECT * FROM (SELECT row FROM issues
    WHERE lane = ? AND status = ? AND row > ? AND row < ? ORDER BY row DESC LIMIT ?)`
  return `SELECT i.* FROM (${Array(strands).fill(strand).join(' UNION ALL ')}) AS merged
    JOIN issues i ON i.row = merged.row ORDER BY merged.row DESC LIMIT ? OFFSET ?`
}

function listRange(seq: number, start: ListStart) {
  const range = keyRange(seq)
  return 'beforeNumber' in start ? { ...range, high: rowKey(seq, start.beforeNumber) } : range
}
