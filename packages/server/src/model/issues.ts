import type { Category, ConversationState, IssueStatus, Priority } from '@bugle/contract/vocabulary'
import type { Actor } from './events.ts'
import type { IssueId, ProjectId, UserId } from './ids.ts'
import type { Lane } from './lanes.ts'
import type { IssueAttachmentState } from './reports/attachments.ts'
import type { ReportContent } from './reports/reports.ts'

/** A release of an app: the one that contains a fix, or that a report came from. */
export interface FixedIn {
  readonly appVersion: string
  readonly buildNumber: string | null
}

/** What reporters can read of an issue that the team has published. */
export interface Known {
  readonly title: string
  /** May be empty. */
  readonly text: string
}

export interface StoredIssue extends ReportContent {
  readonly id: IssueId
  readonly projectId: ProjectId
  readonly issueNumber: number
  readonly status: IssueStatus
  readonly submissionId: string | null
  /** With those of its duplicates. */
  /** Who sent the first report, as a hash; `null` if it is not known. */
  readonly sender: string | null
  readonly reportCount: number
  /** The number of different people among its reporters, as far as they are counted. */
  readonly reporterCount: number
  /** Reports that were deleted one by one: their numbers are not reused. */
  readonly deletedReports: number
  /** When people first changed the title or the description; `null`: they are still those of the first report. */
  readonly editedAt: number | null
  /** The number of words of its further reports that a search covers. */
  readonly reportWords: number
  /** The comments on it, without deleted ones. */
  readonly commentCount: number
  /** The messages from reporters among all comments that it ever had. */
  readonly messageCount: number
  /** Who is expected to write next; `null`: there is no conversation with reporters. */
  readonly conversation: ConversationState | null
  /** What is published about it. Only issues of the open lane that are no spam are published. */
  readonly known: Known | null
  readonly lastReportedAt: number
  /** The issue that it is a duplicate of. That one is not a duplicate itself. */
  readonly duplicateOf: IssueId | null
  /** The status that it gets back when it is no longer a duplicate. */
  readonly statusBeforeMerge: IssueStatus | null
  readonly duplicateCount: number
  /** The reports of its duplicates, which `reportCount` includes. */
  readonly duplicateReports: number
  /** When the last of its own reports arrived, if it has duplicates: `lastReportedAt` includes theirs. */
  readonly ownReportedAt: number | null
  readonly fixedIn: FixedIn | null
  /** The person who works on it. */
  readonly assigneeId: UserId | null
  /** The numbers of its labels, in ascending order; a deleted label may still be among them. */
  readonly labels: readonly number[]
  /** The release of the last of its further reports that named one; `null`: none of them did. */
  readonly lastSeenIn: FixedIn | null
  /** Whether a report came from the branch that was the default branch then; `null`: none has named a branch. */
  readonly onDefaultBranch: boolean | null
  /** When it was resolved; `null` if it is not resolved. */
  readonly resolvedAt: number | null
  /** The version of the report that reopened it, until a further report confirms the regression. */
  readonly unconfirmedVersion: string | null
  /** When it first left `open`, and when it was first resolved: kept for the statistics. */
  readonly firstLeftOpenAt: number | null
  readonly firstResolvedAt: number | null
  /** When it was marked as spam, or stored as such; `null`: it is no spam. */
  readonly spamAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly version: number
}

/** An issue as it is retrieved, with the state of its attachments. */
export interface RetrievedIssue extends StoredIssue {
  readonly attachmentState: IssueAttachmentState
}

/** The fields that people may change. Absent fields stay as they are. */
export interface IssuePatch {
  readonly status?: IssueStatus
  readonly priority?: Priority
  readonly category?: Category
  readonly title?: string
  readonly description?: string | null
  /** Merged into the stored value, field by field; `null` removes a field, or all of them. */
  readonly fixedIn?: { readonly [K in keyof FixedIn]?: FixedIn[K] | null } | null
  /** Merged in the same way; `null` unpublishes the issue. */
  readonly known?: { readonly [K in keyof Known]?: Known[K] | null } | null
  readonly assigneeId?: UserId | null
  /** In ascending order. */
  readonly labels?: readonly number[]
  readonly note?: string
}

export interface IssueChangeCommand {
  readonly projectId: ProjectId
  readonly issueId: IssueId
  /** The lanes that the caller sees: other issues are missing. */
  readonly lanes: readonly Lane[]
  readonly patch: IssuePatch
  /** The person who may be assigned to a hidden issue: the new assignee, or the present one of an issue that is being hidden. */
  readonly laneAssignee?: UserId | null
  /** The names of the project's labels, by number: the history keeps the names of labels, not their numbers. */
  readonly labelNames?: Readonly<Record<number, string>>
  /** The versions that may be changed; `null`: any. */
  readonly ifVersions: readonly number[] | null
  readonly actor: Actor
  readonly at: number
}

/** As for a change; without `ifVersions`, any version is deleted. */
export type IssueDeleteCommand = Omit<
  IssueChangeCommand,
  'patch' | 'ifVersions' | 'laneAssignee' | 'labelNames'
> &
  Partial<Pick<IssueChangeCommand, 'ifVersions'>>

/** Marks an issue as spam, or removes the mark. */
export interface SpamCommand extends Pick<IssueChangeCommand, 'projectId' | 'issueId' | 'lanes'> {
  readonly isSpam: boolean
  readonly ifVersions: readonly number[] | null
  readonly actor: Actor
  readonly at: number
}

export type SpamOutcome = Extract<
  ChangeOutcome,
  { readonly kind: 'changed' | 'unchanged' | 'stale' | 'missing' }
>

/** Unassigns an issue from a person who no longer has access to it, if it is still assigned to them. */
export interface UnassignCommand {
  readonly projectId: ProjectId
  readonly issueId: IssueId
  readonly userId: UserId
  readonly at: number
}

/** Makes an issue a duplicate of another one; without `into`, no longer a duplicate. */
export type MergeCommand = Omit<IssueChangeCommand, 'patch' | 'laneAssignee' | 'labelNames'> & {
  readonly into?: IssueId
}

export type MergeOutcome =
  | { readonly kind: 'changed' | 'unchanged'; readonly issue: StoredIssue }
  /** There is no such issue in the project and the lane of the issue. */
  | { readonly kind: 'no-target' }
  /** The target is a duplicate of the issue. */
  | { readonly kind: 'own-duplicate' }
  | { readonly kind: 'too-many-duplicates' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'missing' }

export type DeleteOutcome = 'deleted' | 'stale' | 'missing'

/** Why an issue cannot be published. */
export type PublishingObstacle = 'no-title' | 'security' | 'spam' | 'too-many'

export type ChangeOutcome =
  | { readonly kind: 'changed' | 'unchanged'; readonly issue: StoredIssue }
  | { readonly kind: 'invalid-transition'; readonly from: IssueStatus; readonly to: IssueStatus }
  /** A duplicate has the status that merging gave it. */
  | { readonly kind: 'is-duplicate'; readonly duplicateOf: IssueId }
  /** The patch would leave a build number without a version. */
  | { readonly kind: 'incomplete-fix' }
  /** The new assignee may not see the issue. */
  | { readonly kind: 'assignee-refused' }
  | { readonly kind: 'not-published'; readonly reason: PublishingObstacle }
  | { readonly kind: 'stale' }
  | { readonly kind: 'missing' }
