import type { Category, IssueStatus, Priority } from '@bugle/contract/vocabulary'
import type { Actor } from './events.ts'
import type { IssueId, ProjectId } from './ids.ts'
import type { Lane } from './lanes.ts'

export type Metadata = Readonly<Record<string, string | number | boolean>>

/** What a report says, normalised: every member present, `null` when empty. */
export interface ReportContent {
  readonly title: string
  readonly description: string | null
  readonly category: Category
  readonly priority: Priority
  readonly appVersion: string | null
  readonly buildNumber: string | null
  readonly osVersion: string | null
  readonly deviceModel: string | null
  readonly platform: string | null
  readonly branch: string | null
  readonly fingerprint: string | null
  readonly occurredAt: number | null
  readonly metadata: Metadata | null
  readonly sdk: { readonly name: string; readonly version: string } | null
}

export interface NewReport {
  readonly projectId: ProjectId
  /** The id of the issue, should the report become one. */
  readonly issueId: IssueId
  readonly receivedAt: number
  readonly actor: Actor
  /** What the reporter may learn of: a report joins no issue outside of it. */
  readonly lanes: readonly Lane[]
  readonly content: ReportContent
  /** Names the submission, with a hash of its content, in hexadecimal digits, to tell a retry from a clash. */
  readonly submission: { readonly id: string; readonly contentHash: string } | null
}

/** What a submission became, as the first response said it and every repeat says it again. */
export interface Receipt {
  readonly issueId: IssueId
  readonly issueNumber: number
  /** Of the issue, right after the report. */
  readonly status: IssueStatus
  /** When the issue was created. */
  readonly createdAt: number
  /** When this report arrived: later than `createdAt` if it joined an issue. */
  readonly receivedAt: number
  /** The reports of the issue, this one included: 1 when it became an issue of its own. */
  readonly reportCount: number
}

export type SubmitOutcome =
  | { readonly kind: 'stored' | 'joined' | 'replayed'; readonly receipt: Receipt }
  /** The submission id was used with other content. */
  | { readonly kind: 'conflict' }
  /** Another issue has this id: mint a new one and try again. */
  | { readonly kind: 'id-taken' }
  /** The project was deleted meanwhile. */
  | { readonly kind: 'no-project' }

/** Where and when an issue happened once. */
export interface ReportRecord
  extends Pick<
    ReportContent,
    'appVersion' | 'buildNumber' | 'osVersion' | 'deviceModel' | 'platform' | 'branch' | 'occurredAt'
  > {
  readonly reportNumber: number
  readonly receivedAt: number
}
