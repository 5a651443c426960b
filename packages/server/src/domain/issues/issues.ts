import { createIssueDetails, type IssueDetails } from './issue-details.ts'
import { createIssueFinder, type IssueDependencies } from './issue-finder.ts'
import { createIssueLists, type IssueLists } from './issue-lists.ts'
import { createSubmissions, type Submissions } from './submissions.ts'
import { createTriage, type Triage } from './triage.ts'

/** What can be done with issues. */
export type Issues = Submissions & IssueLists & IssueDetails & Triage

export function createIssues(dependencies: IssueDependencies): Issues {
  const finder = createIssueFinder(dependencies)
  return {
    ...createSubmissions(dependencies),
    ...createIssueLists(dependencies, finder),
    ...createIssueDetails(dependencies, finder),
    ...createTriage(dependencies, finder),
  }
}
