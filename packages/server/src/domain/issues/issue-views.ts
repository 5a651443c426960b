import { type Issue, type IssueListItem, type Report, TRANSITIONS } from '@bugle/contract'
import type { ListedIssue } from '../../model/issue-lists.ts'
import type { StoredIssue } from '../../model/issues.ts'
import type { ReportRecord } from '../../model/reports.ts'
import type { Sight } from '../access/access.ts'
import { isoReportedTime, isoTime } from '../iso-time.ts'

/** An issue in full, as far as the caller may see it. */
export function showIssue(issue: StoredIssue, sight: Sight): Issue {
  return {
    ...showShared(issue, sight),
    description: issue.description,
    metadata: sight.seesPrivateMembers ? issue.metadata : null,
    sdk: sight.seesPrivateMembers ? issue.sdk : null,
    submissionId: sight.seesPrivateMembers ? issue.submissionId : null,
    allowedTransitions: [...TRANSITIONS[issue.status]],
  }
}

/** An issue as a row of a list. */
export function showListItem(issue: ListedIssue, sight: Sight): IssueListItem {
  return { ...showShared(issue, sight), excerpt: issue.excerpt }
}

/** Where and when an issue happened once. */
export function showReport(report: ReportRecord): Report {
  const { receivedAt, occurredAt, ...rest } = report
  return {
    ...rest,
    receivedAt: isoTime(receivedAt),
    occurredAt: isoReportedTime(occurredAt),
  }
}

/** Changes with everything that is shown, and with who sees it. */
export function tagOfIssue(issue: StoredIssue, sight: Sight): string {
  return `${issue.version}.${issue.reportCount}.${sight.seesPrivateMembers ? 'full' : 'public'}`
}

function showShared(issue: StoredIssue | ListedIssue, sight: Sight) {
  return {
    id: issue.id,
    issueNumber: issue.issueNumber,
    title: issue.title,
    status: issue.status,
    createdAt: isoTime(issue.createdAt),
    projectId: issue.projectId,
    category: issue.category,
    priority: issue.priority,
    appVersion: issue.appVersion,
    buildNumber: issue.buildNumber,
    osVersion: issue.osVersion,
    deviceModel: sight.seesPrivateMembers ? issue.deviceModel : null,
    platform: issue.platform,
    branch: issue.branch,
    fingerprint: issue.fingerprint,
    occurredAt: isoReportedTime(issue.occurredAt),
    reportCount: issue.reportCount,
    lastReportedAt: isoTime(issue.lastReportedAt),
    fixedIn: issue.fixedIn,
    updatedAt: isoTime(issue.updatedAt),
    version: issue.version,
  }
}
