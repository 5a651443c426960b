import type { IssueDeleteCommand, StoredIssue } from '../../model/issues.ts'
import { laneOf } from '../../model/lanes.ts'
import type { IssueTables, ProjectCounters } from './issue-tables.ts'

/** The issue, if the caller sees its lane. */
export function findVisible(
  tables: IssueTables,
  project: ProjectCounters | undefined,
  { issueId, lanes }: Pick<IssueDeleteCommand, 'issueId' | 'lanes'>,
): StoredIssue | undefined {
  const issue = project && tables.findIssue(project, issueId)
  return issue && lanes.includes(laneOf(issue.category)) ? issue : undefined
}
