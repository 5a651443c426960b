import type { NewEvent } from '../events.ts'
import type { StoredIssue } from '../issues.ts'
import type { ReportRecord } from '../reports.ts'
import { moveIssue } from './change-issue.ts'
import { isSameOrLater, judgeRegression } from './judge-regression.ts'

interface Joined {
  readonly issue: StoredIssue
  readonly events: readonly NewEvent[]
}

type JoiningReport = Omit<ReportRecord, 'reportNumber'>

/** Whether an earlier report of the project came from this version, as far as readers of the issue can see. */
type IsVersionKnown = (appVersion: string) => boolean

const REPORTED: NewEvent = { type: 'issue.reported', changes: [], note: null, reason: null }

/**
 * What a further report makes of an issue: it is counted, reopens a resolved issue unless it comes from before the fix, and
 * confirms a regression that a single report from a new version has claimed.
 */
export function joinReport(
  issue: StoredIssue,
  report: JoiningReport,
  isVersionKnown: IsVersionKnown,
): Joined {
  const counted = { ...issue, reportCount: issue.reportCount + 1, lastReportedAt: report.receivedAt }
  if (issue.status === 'resolved' && issue.resolvedAt !== null) {
    return joinResolved(counted, issue.resolvedAt, report, isVersionKnown)
  }
  const { unconfirmedVersion } = issue
  if (unconfirmedVersion === null || !isSameOrLater(report.appVersion, unconfirmedVersion)) {
    return { issue: counted, events: [REPORTED] }
  }
  const confirmed: NewEvent = {
    ...REPORTED,
    type: 'issue.regressed',
    confirmed: true,
    reason: `A further report, from ${report.appVersion}, confirms the regression in ${unconfirmedVersion}.`,
  }
  return { issue: { ...counted, unconfirmedVersion: null }, events: [REPORTED, confirmed] }
}

function joinResolved(
  issue: StoredIssue,
  resolvedAt: number,
  report: JoiningReport,
  isVersionKnown: IsVersionKnown,
): Joined {
  const { isRegression, reason } = judgeRegression({ ...issue, resolvedAt }, report)
  if (!isRegression) return { issue, events: [{ ...REPORTED, reason }] }

  // Anyone with a public key can make up a version, so a new one has to be seen twice before webhooks are told.
  const { appVersion } = report
  const unconfirmedVersion = appVersion !== null && !isVersionKnown(appVersion) ? appVersion : null
  const reopened = moveIssue({ ...issue, status: 'open' }, 'resolved', report.receivedAt)
  const regressed: NewEvent = {
    type: 'issue.regressed',
    changes: [{ member: 'status', from: 'resolved', to: 'open' }],
    note: null,
    reason:
      unconfirmedVersion === null
        ? reason
        : `${reason} Unconfirmed: no earlier report of the project came from ${unconfirmedVersion}.`,
    confirmed: unconfirmedVersion === null,
  }
  return {
    issue: { ...reopened, unconfirmedVersion, updatedAt: report.receivedAt, version: issue.version + 1 },
    events: [REPORTED, regressed],
  }
}
