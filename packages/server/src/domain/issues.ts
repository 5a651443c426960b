import type { Clock } from '../clock.ts'
import type { Storage } from '../storage/storage.ts'
import type { Catalog } from './catalog.ts'
import type { EventViews } from './event-views.ts'
import { createIssueDetails, type IssueDetails } from './issue-details.ts'
import { createIssueFinder } from './issue-finder.ts'
import { createIssueLists, type IssueLists } from './issue-lists.ts'
import { createSubmissions, type Submissions } from './submissions.ts'
import { createTriage, type Triage } from './triage.ts'

/** What can be done with issues. */
export type Issues = Submissions & IssueLists & IssueDetails & Triage

/** What the use cases of issues need. */
export interface IssueParts {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly clock: Clock
  readonly eventViews: EventViews
}

export function createIssues(parts: IssueParts): Issues {
  const finder = createIssueFinder(parts)
  return {
    ...createSubmissions(parts),
    ...createIssueLists(parts, finder),
    ...createIssueDetails(parts, finder),
    ...createTriage(parts, finder),
  }
}
