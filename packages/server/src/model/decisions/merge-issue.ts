import { isFinal } from '@bugle/contract/vocabulary'
import type { MemberChange, NewEvent } from '../events.ts'
import type { IssueId } from '../ids.ts'
import type { StoredIssue } from '../issues.ts'
import { moveIssue } from './change-issue.ts'
import { separated, withDuplicates } from './duplicates.ts'

interface Merged {
  readonly issue: StoredIssue
  readonly event: NewEvent
}

/** Makes an issue a duplicate. An active issue is closed, a final one keeps its status. Its own duplicates go to the target. */
export function mergeIssue(issue: StoredIssue, into: IssueId, at: number): Merged {
  const after = {
    ...withDuplicates(issue, []),
    status: isFinal(issue.status) ? issue.status : ('closed' as const),
    duplicateOf: into,
    statusBeforeMerge: issue.statusBeforeMerge ?? issue.status,
  }
  return finish(issue, after, at, null)
}

/** Makes it an issue of its own again, with its former status. `reason`: why the system did it. */
export function unmergeIssue(issue: StoredIssue, at: number, reason: string | null = null): Merged {
  return finish(issue, separated(issue), at, reason)
}

function finish(before: StoredIssue, after: StoredIssue, at: number, reason: string | null): Merged {
  const changes: MemberChange[] = [
    { member: 'duplicateOf', from: before.duplicateOf, to: after.duplicateOf },
    ...(before.status === after.status ? [] : [{ member: 'status', from: before.status, to: after.status }]),
  ]
  return {
    issue: { ...moveIssue(after, before.status, at), updatedAt: at, version: before.version + 1 },
    event: {
      type: before.status === after.status ? 'issue.updated' : 'issue.status_changed',
      changes,
      note: null,
      reason,
    },
  }
}
