import type { EventRecord } from '../../model/events.ts'
import type { ProjectId } from '../../model/ids.ts'
import type { StoredIssue } from '../../model/issues.ts'
import type { ReportRecord } from '../../model/reports.ts'
import { forBoth, type Key } from '../dialects.ts'
import { ON_REPORTS } from '../issues/issue-fields.ts'
import { submitReport } from '../issues/submissions.ts'
import { changeIssue, deleteIssue } from '../issues/triage.ts'
import { all, type Operation, type Operations, storedId } from '../operations.ts'
import type { HistoryListing, IssueStorage } from '../storage.ts'
import { type EventRow, eventColumns, toEvent } from './event-log.ts'

/** What is done with issues; listeners are told of the events once they are committed. */
export function issueWriteStorage(
  { writeInGroup }: Operations,
  announce: (projectId: ProjectId) => void,
): Pick<IssueStorage, 'submit' | 'change' | 'delete'> {
  async function announcing<T>(projectId: ProjectId, write: Promise<T>): Promise<T> {
    const outcome = await write
    announce(projectId)
    return outcome
  }
  return {
    submit: (report) => announcing(report.projectId, writeInGroup(report.projectId, submitReport, report)),
    change: (order) => announcing(order.projectId, writeInGroup(order.projectId, changeIssue, order)),
    delete: (order) => announcing(order.projectId, writeInGroup(order.projectId, deleteIssue, order)),
  }
}

/** What belongs to one issue: its history and where it happened. */
export function issueDetails({ read }: Operations): Pick<IssueStorage, 'listEvents' | 'listReports'> {
  return {
    listEvents: (listing) => read(listHistory, listing),
    listReports: (issue, beforeNumber, limit) => read(listReports, issue, beforeNumber, limit),
  }
}

const SEQ = '(SELECT seq FROM projects WHERE id = $1)'

/** The events of an issue are in the same order in both logs. */
function historyAfter(key: Key) {
  return forBoth((dialect) => {
    const columns = `${eventColumns(dialect)}, ${dialect.orderOf('e.position')} AS place`
    const { isKey, isAfter, byIndex } = dialect
    const firstEvent = `(SELECT i.created_position FROM issues i WHERE ${isKey('i.number', SEQ, '$2')})`
    return `SELECT ${columns} FROM events e WHERE ${isKey('e.position', SEQ, firstEvent)} AND ${isAfter(key, SEQ, '$3')}
      UNION ALL
      SELECT ${columns} FROM events e ${byIndex('events_of_history')}
      WHERE ${isKey('e.issue_number', SEQ, '$2')} AND ${isAfter(key, SEQ, '$3')}
        AND e.type <> 'issue.created' AND e.type <> 'issue.reported'
      ORDER BY place LIMIT $4`
  })
}

const SELECT_EVENTS = historyAfter('e.position')
const SELECT_OPEN_EVENTS = historyAfter('e.open_position')

function* listHistory({
  issue,
  lanes,
  afterPosition,
  limit,
}: HistoryListing): Operation<readonly EventRecord[]> {
  const { projectId, issueNumber, id: issueId } = issue
  const select = lanes.includes('security') ? SELECT_EVENTS : SELECT_OPEN_EVENTS
  const rows = yield* all<EventRow>(select, storedId(projectId), issueNumber, afterPosition, limit)
  return rows.map((row) => ({ ...toEvent(row), issueId, issueNumber }))
}

const SELECT_REPORTS = forBoth(
  ({ isKey }) =>
    `SELECT r.* FROM reports r WHERE ${isKey('r.issue_number', SEQ, '$2')} AND r.number < $3::bigint
     ORDER BY r.number DESC LIMIT $4`,
)

function* listReports(
  issue: StoredIssue,
  beforeNumber: number,
  limit: number,
): Operation<readonly ReportRecord[]> {
  const { projectId, issueNumber } = issue
  const rows = yield* all<ReportColumns>(
    SELECT_REPORTS,
    ...[storedId(projectId), issueNumber, beforeNumber, limit],
  )
  const reports = rows.map(toReport)
  const hasRoom = reports.length < limit && beforeNumber > 1
  return hasRoom ? [...reports, firstReport(issue)] : reports
}

function toReport(row: ReportColumns): ReportRecord {
  const values = ON_REPORTS.columns.map((column) => row[column])
  const { submissionId: _, ...place } = reportFrom(values)
  return { reportNumber: row.number, receivedAt: row.received_at, ...place }
}

/** The report that created the issue is the issue itself. */
function firstReport(issue: StoredIssue): ReportRecord {
  const { submissionId: _, ...place } = reportFrom(ON_REPORTS.valuesOf(issue))
  return { reportNumber: 1, receivedAt: issue.createdAt, ...place }
}

type ReportPlace = Omit<ReportRecord, 'reportNumber' | 'receivedAt'> & {
  readonly submissionId: string | null
}

function reportFrom(values: readonly unknown[]): ReportPlace {
  const report: Record<string, unknown> = { ...ON_REPORTS.emptyRecord }
  ON_REPORTS.fill(report, values, 0)
  return report as object as ReportPlace
}

interface ReportColumns {
  readonly [column: string]: unknown
  readonly number: number
  readonly received_at: number
}
