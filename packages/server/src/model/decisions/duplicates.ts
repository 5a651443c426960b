import type { StoredIssue } from '../issues.ts'

/** The number of an issue's own reports, without those of its duplicates. */
export function ownReportCount({
  reportCount,
  duplicateReports,
}: Pick<StoredIssue, 'reportCount' | 'duplicateReports'>): number {
  return reportCount - duplicateReports
}

/** The number of the issue's last report, which may have been deleted. */
export function lastReportNumber(
  issue: Pick<StoredIssue, 'reportCount' | 'duplicateReports' | 'deletedReports'>,
): number {
  return ownReportCount(issue) + issue.deletedReports
}

/** Replaces the counts of an issue's own reports; those of its duplicates stay. */
export function withOwnCounts(
  issue: StoredIssue,
  { reportCount, reportedAt }: { readonly reportCount: number; readonly reportedAt: number },
): StoredIssue {
  return {
    ...issue,
    reportCount: reportCount + issue.duplicateReports,
    ...(issue.duplicateCount === 0 ? { lastReportedAt: reportedAt } : { ownReportedAt: reportedAt }),
  }
}

/** An issue with the counts of its duplicates, which replace those of its former duplicates. */
export function withDuplicates(
  issue: StoredIssue,
  duplicates: readonly Pick<StoredIssue, 'reportCount' | 'lastReportedAt'>[],
): StoredIssue {
  const reportedAt = issue.ownReportedAt ?? issue.lastReportedAt
  const duplicateReports = duplicates.reduce((sum, { reportCount }) => sum + reportCount, 0)
  return {
    ...issue,
    reportCount: ownReportCount(issue) + duplicateReports,
    lastReportedAt: Math.max(reportedAt, ...duplicates.map(({ lastReportedAt }) => lastReportedAt)),
    duplicateCount: duplicates.length,
    duplicateReports,
    ownReportedAt: duplicates.length === 0 ? null : reportedAt,
  }
}

/** The issue with what it had before it became a duplicate. */
export function separated(issue: StoredIssue): StoredIssue {
  return {
    ...issue,
    status: issue.statusBeforeMerge ?? issue.status,
    duplicateOf: null,
    statusBeforeMerge: null,
  }
}
