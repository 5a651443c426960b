import type { IssueStatus } from '@bugle/contract/vocabulary'
import type { IssueId } from '../ids.ts'
import type { FixedIn, Known } from '../issues.ts'

/** What reporters see of a published issue. A duplicate has the status and the fix of its target. */
export interface KnownIssueRecord extends Known {
  readonly id: IssueId
  readonly issueNumber: number
  readonly status: IssueStatus
  readonly fixedIn: FixedIn | null
}
