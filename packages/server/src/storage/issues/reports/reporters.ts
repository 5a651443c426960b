import type { StoredIssue } from '../../../model/issues.ts'
import { countIn, countOut, identityOf, type Reporter } from '../../../model/reports/reporters.ts'
import type { IssueTables, ProjectCounters } from '../issue-tables.ts'

/** Counts one more report by this person. Returns the issue with its number of reporters. */
export function countReporter(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  reporter: Reporter | null,
): StoredIssue {
  const identity = identityOf(reporter)
  if (identity === null) return issue
  // A new issue has none.
  const known = issue.reporterCount === 0 ? undefined : tables.findReporter(project, issue, identity)
  const entry = countIn(reporter, known, issue.reporterCount)
  if (entry === undefined) return issue
  tables.writeReporter(project, issue, entry)
  return known === undefined ? { ...issue, reporterCount: issue.reporterCount + 1 } : issue
}

/** Counts one report less, after it has been deleted or redacted. Returns the new number of reporters. */
export function uncountReporter(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  reporter: Reporter | null,
): number {
  const identity = identityOf(reporter)
  const known = identity === null ? undefined : tables.findReporter(project, issue, identity)
  // Beyond the number of reporters that are counted.
  if (reporter === null || known === undefined) return issue.reporterCount
  const entry = countOut(reporter, known)
  tables.writeReporter(project, issue, entry)
  return entry.reports === 0 ? issue.reporterCount - 1 : issue.reporterCount
}
