import type { Category, IssueStatus, Priority } from '@bugle/contract/vocabulary'
import type { Actor } from './events.ts'
import type { IssueId, ProjectId } from './ids.ts'
import type { Lane } from './lanes.ts'
import type { ReportContent } from './reports.ts'

/** The release that contains a fix. */
export interface FixedIn {
  readonly appVersion: string
  readonly buildNumber: string | null
}

export interface StoredIssue extends ReportContent {
  readonly id: IssueId
  readonly projectId: ProjectId
  readonly issueNumber: number
  readonly status: IssueStatus
  readonly submissionId: string | null
  readonly reportCount: number
  readonly lastReportedAt: number
  readonly fixedIn: FixedIn | null
  /** When it was resolved, while it is. */
  readonly resolvedAt: number | null
  /** The version of the report that reopened it, until a further report confirms the regression. */
  readonly unconfirmedVersion: string | null
  /** When it first left `open`, and when it was first resolved: kept for the statistics. */
  readonly firstLeftOpenAt: number | null
  readonly firstResolvedAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly version: number
}

/** What people may change of an issue. A member that is absent stays as it is. */
export interface IssuePatch {
  readonly status?: IssueStatus
  readonly priority?: Priority
  readonly category?: Category
  readonly title?: string
  readonly description?: string | null
  /** Merged into what is stored, member by member; `null` removes a member, or all of them. */
  readonly fixedIn?: { readonly [K in keyof FixedIn]?: FixedIn[K] | null } | null
  readonly note?: string
}

export interface IssueChangeCommand {
  readonly projectId: ProjectId
  readonly issueId: IssueId
  /** What the caller sees: an issue outside of it is missing. */
  readonly lanes: readonly Lane[]
  readonly patch: IssuePatch
  /** The versions that the caller accepts to change; `null`: any. */
  readonly ifVersions: readonly number[] | null
  readonly actor: Actor
  readonly at: number
}

/** As for a change; without `ifVersions`, any version is deleted. */
export type IssueDeleteCommand = Omit<IssueChangeCommand, 'patch' | 'ifVersions'> &
  Partial<Pick<IssueChangeCommand, 'ifVersions'>>

export type DeleteOutcome = 'deleted' | 'stale' | 'missing'

export type ChangeOutcome =
  | { readonly kind: 'changed' | 'unchanged'; readonly issue: StoredIssue }
  | { readonly kind: 'invalid-transition'; readonly from: IssueStatus; readonly to: IssueStatus }
  /** The patch would leave a build number without a version. */
  | { readonly kind: 'incomplete-fix' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'missing' }
