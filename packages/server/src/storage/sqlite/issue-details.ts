import type { DatabaseSync } from 'node:sqlite'
import { idToBytes } from '../../model/ids.ts'
import type { IssueRecord } from '../../model/issues.ts'
import { firstReport, type ReportColumns, toReport } from '../sql/report-rows.ts'
import type { IssueStorage } from '../storage.ts'
import { type EventRow, toEvent } from './event-rows.ts'
import { rowKey } from './row-keys.ts'

/** What belongs to one issue: its history and where it happened. */
export function issueDetails(reader: DatabaseSync): Pick<IssueStorage, 'listEvents' | 'listReports'> {
  const selectSeq = reader.prepare('SELECT seq FROM projects WHERE id = ?')
  // The events of an issue are in the same order in both logs.
  const selectAfter = (key: string) =>
    reader.prepare(
      `SELECT * FROM events
         WHERE row = (SELECT created_position FROM issues WHERE row = ?1) + (?1 >> 32 << 32) AND ${key} > ?2
       UNION ALL
       SELECT * FROM events INDEXED BY events_of_history
         WHERE issue_row = ?1 AND type <> 'issue.created' AND type <> 'issue.reported' AND ${key} > ?2
       ORDER BY row LIMIT ?3`,
    )
  const selectEvents = selectAfter('row')
  const selectOpenEvents = selectAfter('coalesce(open_row, row)')
  const selectReports = reader.prepare(
    'SELECT * FROM reports WHERE issue_row = ? AND number < ? ORDER BY number DESC LIMIT ?',
  )

  function rowOf({ projectId, issueNumber }: IssueRecord): number {
    const { seq } = selectSeq.get(idToBytes(projectId)) as { seq: number }
    return rowKey(seq, issueNumber)
  }

  return {
    async listEvents({ issue, lanes, afterPosition, limit }) {
      const row = rowOf(issue)
      const after = row - issue.issueNumber + afterPosition
      const select = lanes.includes('security') ? selectEvents : selectOpenEvents
      const rows = select.all(row, after, limit) as unknown as EventRow[]
      return rows.map((event) => ({ ...toEvent(event), issueId: issue.id, issueNumber: issue.issueNumber }))
    },
    async listReports(issue, beforeNumber, limit) {
      const rows = selectReports.all(rowOf(issue), beforeNumber, limit) as unknown as ReportColumns[]
      const reports = rows.map(toReport)
      const hasRoom = reports.length < limit && beforeNumber > 1
      return hasRoom ? [...reports, firstReport(issue)] : reports
    },
  }
}
