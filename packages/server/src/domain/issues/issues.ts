import { withReplies } from '../reporters/replies.ts'
import { type BulkChanges, type BulkDependencies, createBulkChanges } from './bulk/bulk-changes.ts'
import { type Comments, createComments } from './comments.ts'
import { createDuplicates, type Duplicates } from './duplicates.ts'
import { createIssueDetails, type IssueDetails } from './issue-details.ts'
import { createIssueFinder } from './issue-finder.ts'
import { createIssueLists, type IssueLists } from './issue-lists.ts'
import { createReports, type Reports } from './reports.ts'
import { createSpam, type Spam } from './spam.ts'
import { createSubmissions, type SubmissionDependencies, type Submissions } from './submissions.ts'
import { createTriage, type Triage } from './triage.ts'

/** The operations on issues. */
export type Issues = Submissions &
  IssueLists &
  IssueDetails &
  Reports &
  Comments &
  Triage &
  Duplicates &
  Spam &
  BulkChanges

export function createIssues(dependencies: SubmissionDependencies & BulkDependencies): Issues {
  const finder = createIssueFinder(dependencies)
  const comments = createComments(dependencies, finder)
  return {
    ...createSubmissions(dependencies),
    ...createIssueLists(dependencies, finder),
    ...createIssueDetails(dependencies, finder),
    ...createReports(dependencies, finder),
    ...comments,
    ...withReplies(createTriage(dependencies, finder), dependencies, finder, comments),
    ...createDuplicates(dependencies, finder),
    ...createSpam(dependencies, finder),
    ...createBulkChanges(dependencies, finder),
  }
}
