import { firstReport, type ReportColumns, toReport } from '../sql/report-rows.ts'
import type { IssueStorage } from '../storage.ts'
import { type Database, prepared } from './connection.ts'
import { type EventRow, toEvent } from './event-rows.ts'
import { uuidOf } from './uuids.ts'

const SEQ = '(SELECT seq FROM projects WHERE id = $1)'
// The events of an issue are in the same order in both logs.
const eventsAfter = (key: string) =>
  `SELECT * FROM events WHERE project = ${SEQ} AND ${key} > $3
     AND position = (SELECT created_position FROM issues WHERE project = ${SEQ} AND number = $2)
   UNION ALL
   SELECT * FROM events WHERE project = ${SEQ} AND issue_number = $2 AND ${key} > $3
     AND type <> 'issue.created' AND type <> 'issue.reported'
   ORDER BY position LIMIT $4`
const SELECT_EVENTS = prepared('events_of_issue', eventsAfter('position'))
const SELECT_OPEN_EVENTS = prepared('open_events_of_issue', eventsAfter('coalesce(open_position, position)'))
const SELECT_REPORTS = prepared(
  'reports_of_issue',
  `SELECT * FROM reports WHERE project = ${SEQ} AND issue_number = $2 AND number < $3::bigint
   ORDER BY number DESC LIMIT $4`,
)

/** What belongs to one issue: its history and where it happened. */
export function issueDetails(database: Database): Pick<IssueStorage, 'listEvents' | 'listReports'> {
  return {
    async listEvents({ issue, lanes, afterPosition, limit }) {
      const { projectId, issueNumber, id } = issue
      const select = lanes.includes('security') ? SELECT_EVENTS : SELECT_OPEN_EVENTS
      const rows = await database.run<EventRow>(select(uuidOf(projectId), issueNumber, afterPosition, limit))
      return rows.map((row) => ({ ...toEvent(row), issueId: id, issueNumber }))
    },
    async listReports(issue, beforeNumber, limit) {
      const { projectId, issueNumber } = issue
      const rows = await database.run<ReportColumns>(
        SELECT_REPORTS(uuidOf(projectId), issueNumber, beforeNumber, limit),
      )
      const reports = rows.map(toReport)
      const hasRoom = reports.length < limit && beforeNumber > 1
      return hasRoom ? [...reports, firstReport(issue)] : reports
    },
  }
}
