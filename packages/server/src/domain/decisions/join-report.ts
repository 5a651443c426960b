import type { NewEvent } from '../../storage/records/events.ts'
import type { IssueRecord } from '../../storage/records/issues.ts'
import type { ReportRecord } from '../../storage/records/reports.ts'
import { moveIssue } from './change-issue.ts'
import { judgeRegression } from './judge-regression.ts'

interface Joined {
  readonly issue: IssueRecord
  readonly events: readonly NewEvent[]
}

const REPORTED: NewEvent = { type: 'issue.reported', changes: [], note: null, reason: null }

/** What a further report makes of an issue: it is counted, and reopens a resolved one unless it comes from before the fix. */
export function joinReport(issue: IssueRecord, report: Omit<ReportRecord, 'reportNumber'>): Joined {
  const counted = { ...issue, reportCount: issue.reportCount + 1, lastReportedAt: report.receivedAt }
  if (issue.status !== 'resolved' || issue.resolvedAt === null) return { issue: counted, events: [REPORTED] }

  const { isRegression, reason } = judgeRegression({ ...issue, resolvedAt: issue.resolvedAt }, report)
  if (!isRegression) return { issue: counted, events: [{ ...REPORTED, reason }] }
  const reopened = moveIssue({ ...counted, status: 'open' }, 'resolved', report.receivedAt)
  const regressed: NewEvent = {
    type: 'issue.regressed',
    changes: [{ member: 'status', from: 'resolved', to: 'open' }],
    note: null,
    reason,
  }
  return { issue: { ...reopened, updatedAt: report.receivedAt }, events: [REPORTED, regressed] }
}
