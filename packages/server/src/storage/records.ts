import type { Category, IssueStatus, KeyKind, Priority, Scope } from '@bugle/contract/vocabulary'
import type { IssueId, KeyId, ProjectId } from '../ids.ts'

/** What is stored. Times are milliseconds; absence is `null`. */

export interface ProjectRecord {
  readonly id: ProjectId
  readonly slug: string
  readonly name: string
  readonly isPublic: boolean
  readonly defaultBranch: string
  readonly createdAt: number
}

export type ProjectChange = Partial<Pick<ProjectRecord, 'slug' | 'name' | 'isPublic' | 'defaultBranch'>>

export interface KeyRecord {
  readonly id: KeyId
  /** `null`: the key belongs to the instance. */
  readonly projectId: ProjectId | null
  readonly kind: KeyKind
  readonly name: string | null
  /** SHA-256 of the token. */
  readonly hash: Uint8Array
  /** The token itself, of a public key; a secret one is shown once and not kept. */
  readonly token: string | null
  /** The last characters of the token, to tell keys apart. */
  readonly ending: string
  readonly scopes: readonly Scope[]
  /** The pages that may use the key; empty: all. */
  readonly origins: readonly string[]
  readonly createdAt: number
  readonly revokedAt: number | null
}

/** Who did something: a key, or `null` for the system itself. */
export type Actor = KeyId | null

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
  readonly content: ReportContent
  /** Names the submission, with a hash of its content to tell a retry from a clash. */
  readonly submission: { readonly id: string; readonly contentHash: Uint8Array } | null
}

/** What a submission was answered with, and is again when it is repeated. */
export interface Receipt {
  readonly issueId: IssueId
  readonly issueNumber: number
  readonly status: IssueStatus
  readonly createdAt: number
  /** The reports of the issue, this one included: 1 when it became an issue of its own. */
  readonly reportCount: number
}

export type SubmitOutcome =
  | { readonly kind: 'stored' | 'replayed'; readonly receipt: Receipt }
  /** The submission id was used with other content. */
  | { readonly kind: 'conflict' }
  /** Another issue has this id: mint a new one and try again. */
  | { readonly kind: 'id-taken' }
  /** The project was deleted meanwhile. */
  | { readonly kind: 'no-project' }

export interface IssueRecord extends ReportContent {
  readonly id: IssueId
  readonly projectId: ProjectId
  readonly issueNumber: number
  readonly status: IssueStatus
  readonly submissionId: string | null
  readonly reportCount: number
  readonly lastReportedAt: number
  readonly fixedIn: { readonly appVersion: string; readonly buildNumber: string | null } | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly version: number
}

/** The security lane holds the issues that need a right to be seen. */
export type Lane = 'open' | 'security'

export function laneOf(category: Category): Lane {
  return category === 'security' ? 'security' : 'open'
}

/** Which issues to list. Lists run within one project and one set of lanes. */
export interface IssueSelection {
  readonly projectId: ProjectId
  readonly lanes: readonly Lane[]
  /** `null`: any. */
  readonly statuses: readonly IssueStatus[] | null
}

/** Where in the list to start: after an issue already seen, or a number of rows in. */
export type ListStart = { readonly beforeNumber: number } | { readonly offset: number }
