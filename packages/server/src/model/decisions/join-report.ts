import type { NewEvent } from '../events.ts'
import type { StoredIssue } from '../issues.ts'
import type { NewReport } from '../reports/reports.ts'
import { moveIssue } from './change-issue.ts'
import { ownReportCount, withOwnCounts } from './duplicates.ts'
import { isSameOrLater, judgeRegression, type ReportedRelease } from './judge-regression.ts'

export interface Joined {
  readonly issue: StoredIssue
  readonly events: readonly NewEvent[]
}

export type JoiningReport = ReportedRelease & Pick<NewReport, 'onDefaultBranch'>

/** Whether an earlier report of the project came from this version, as far as readers of the issue can see. */
type IsVersionKnown = (appVersion: string) => boolean

const REPORTED: NewEvent = { type: 'issue.reported', changes: [], note: null, reason: null }

/**
 * Applies a further report to an issue: it is counted, reopens a resolved issue unless it comes from before the fix, and
 * confirms a regression that a single report from a new version has claimed.
 */
export function joinReport(
  issue: StoredIssue,
  report: JoiningReport,
  isVersionKnown: IsVersionKnown,
): Joined {
  return judge(counted(issue, report), issue, report, isVersionKnown)
}

/** The same for a report of a duplicate: it is counted for both, and only the target may reopen. */
export function joinDuplicate(
  target: StoredIssue,
  duplicate: StoredIssue,
  report: JoiningReport,
  isVersionKnown: IsVersionKnown,
): { readonly duplicate: Joined; readonly target: Joined } {
  const { receivedAt } = report
  const own = {
    ...target,
    reportCount: target.reportCount + 1,
    duplicateReports: target.duplicateReports + 1,
    lastReportedAt: Math.max(target.lastReportedAt, receivedAt),
  }
  const { issue, events } = judge(own, target, report, isVersionKnown)
  const isReported = (event: NewEvent) => event.type === REPORTED.type
  return {
    duplicate: { issue: counted(duplicate, report), events: events.filter(isReported) },
    target: { issue, events: events.filter((event) => !isReported(event)) },
  }
}

/** A report of a duplicate whose target is missing is only counted. */
export function joinLeftDuplicate(duplicate: StoredIssue, report: JoiningReport): Joined {
  return { issue: counted(duplicate, report), events: [REPORTED] }
}

function counted(issue: StoredIssue, report: JoiningReport): StoredIssue {
  const { appVersion, buildNumber, receivedAt } = report
  const own = withOwnCounts(issue, { reportCount: ownReportCount(issue) + 1, reportedAt: receivedAt })
  return {
    ...own,
    lastReportedAt: issue.duplicateCount === 0 ? receivedAt : Math.max(issue.lastReportedAt, receivedAt),
    lastSeenIn: !appVersion ? issue.lastSeenIn : { appVersion, buildNumber },
    // One report from the default branch is enough for `true`; `false` holds only while all reports are from other branches.
    onDefaultBranch: issue.onDefaultBranch || (report.onDefaultBranch ?? issue.onDefaultBranch),
  }
}

/** Whether a report reopens an issue, or confirms its regression. */
function judge(
  counted: StoredIssue,
  issue: StoredIssue,
  report: JoiningReport,
  isVersionKnown: IsVersionKnown,
): Joined {
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

  // Anyone with a public key can make up a version, so a new one has to be seen twice before webhooks are notified.
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
