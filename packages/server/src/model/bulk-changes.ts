import type { BulkAction, IssueStatus, Priority } from '@bugle/contract/vocabulary'
import type { Actor } from './events.ts'
import type { IssueId, ProjectId, UserId } from './ids.ts'
import type { ChangeOutcome } from './issues.ts'
import type { Lane } from './lanes.ts'

/** What to change in several issues. Absent fields stay as they are. */
export interface BulkPatch {
  readonly status?: IssueStatus
  readonly priority?: Priority
  readonly assigneeId?: UserId | null
  /** Numbers of labels. */
  readonly addedLabels?: readonly number[]
  readonly removedLabels?: readonly number[]
  readonly note?: string
}

/** Changes or deletes several issues of a project: all of them or none. */
export interface BulkCommand {
  readonly projectId: ProjectId
  /** The caller and the id that they chose: a repeated one gets the first result. */
  readonly bulkId: string
  /** Of the request, in hexadecimal. */
  readonly contentHash: string
  readonly action: BulkAction
  readonly issues: readonly SelectedIssue[]
  /** The lanes that the caller sees: other issues are missing. */
  readonly lanes: readonly Lane[]
  readonly patch: BulkPatch
  /** The new assignee, if they may see hidden issues. */
  readonly laneAssignee: UserId | null
  /** The names of the project's labels, by number. */
  readonly labelNames: Readonly<Record<number, string>>
  readonly actor: Actor
  readonly at: number
}

export interface SelectedIssue {
  readonly issueId: IssueId
  readonly version: number
}

/** A bulk change that was made. */
export interface BulkRecord {
  readonly contentHash: string
  readonly matched: number
  readonly changed: number
}

export type BulkOutcome =
  | { readonly kind: 'done' | 'replayed'; readonly record: BulkRecord }
  /** The id was used for another change. */
  | { readonly kind: 'conflict' }
  /** How many of the issues are missing or have another version. */
  | { readonly kind: 'selection-changed'; readonly count: number }
  | { readonly kind: 'too-many-labels' }
  | Extract<ChangeOutcome, { readonly kind: 'invalid-transition' | 'is-duplicate' | 'assignee-refused' }>
  | { readonly kind: 'too-many-duplicates' }
  | { readonly kind: 'missing' }

/** How long a retry gets the first result, at least. */
export const BULK_CHANGES_KEPT_MS = 24 * 60 * 60_000
