import type {
  Category,
  EventType,
  IssueSort,
  IssueStatus,
  KeyKind,
  Priority,
  Scope,
} from '@bugle/contract/vocabulary'
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

/** What the SDKs of a project are told, as far as the operator decides it. */
export interface SdkSettings {
  readonly enabled: boolean
  readonly minSdkVersion: string | null
  readonly features: Readonly<Record<string, boolean | number | string>>
  readonly crash: { readonly enabled: boolean; readonly sampleRate: number }
  readonly refreshAfterSeconds: number
}

/** Reports of one version of an SDK. */
export interface SdkReports {
  readonly version: string
  readonly count: number
}

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
  /** To the minute or so. */
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
}

export interface KeyUse {
  readonly id: KeyId
  readonly at: number
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
  /** What the reporter may learn of: a report joins no issue outside of it. */
  readonly lanes: readonly Lane[]
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
  | { readonly kind: 'stored' | 'joined' | 'replayed'; readonly receipt: Receipt }
  /** The submission id was used with other content. */
  | { readonly kind: 'conflict' }
  /** Another issue has this id: mint a new one and try again. */
  | { readonly kind: 'id-taken' }
  /** The project was deleted meanwhile. */
  | { readonly kind: 'no-project' }

/** The release that contains a fix. */
export interface FixedIn {
  readonly appVersion: string
  readonly buildNumber: string | null
}

export interface IssueRecord extends ReportContent {
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
  /** When it first left `open`, and when it was first resolved: kept for the statistics. */
  readonly firstLeftOpenAt: number | null
  readonly firstResolvedAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly version: number
}

/** The security lane holds the issues that need a right to be seen. */
export type Lane = 'open' | 'security'

export function laneOf(category: Category): Lane {
  return category === 'security' ? 'security' : 'open'
}

/** An entry of the log that is about to be written. */
export interface NewEvent {
  readonly type: EventType
  readonly changes: readonly MemberChange[]
  /** What the actor said about it. */
  readonly note: string | null
  /** Why the system did it. */
  readonly reason: string | null
}

export interface MemberChange {
  readonly member: string
  readonly from: unknown
  readonly to: unknown
}

/** Which events to read. */
export interface EventSelection {
  readonly projectId: ProjectId
  readonly lanes: readonly Lane[]
  /** `null`: all. */
  readonly types: readonly EventType[] | null
  readonly after: number
  readonly limit: number
}

/** Some events, and how far was looked for them. */
export interface EventPart {
  readonly events: readonly EventRecord[]
  readonly lastExamined: number
  readonly hasMore: boolean
}

/** The part of a project's log that is promised to readers. */
export interface EventWindow {
  /** Readers that know everything up to here have missed nothing. */
  readonly start: number
  readonly end: number
}

export interface EventRecord extends NewEvent {
  readonly position: number
  readonly createdAt: number
  readonly actor: Actor
  readonly issueId: IssueId | null
  readonly issueNumber: number | null
}

/** What people may change of an issue. A member that is absent stays as it is. */
export interface IssuePatch {
  readonly status?: IssueStatus
  readonly priority?: Priority
  readonly category?: Category
  readonly title?: string
  readonly description?: string | null
  readonly fixedIn?: FixedIn | null
  readonly note?: string
}

export interface IssueChangeOrder {
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

export type ChangeOutcome =
  | { readonly kind: 'changed' | 'unchanged'; readonly issue: IssueRecord }
  | { readonly kind: 'invalid-transition'; readonly from: IssueStatus; readonly to: IssueStatus }
  | { readonly kind: 'stale' }
  | { readonly kind: 'missing' }

/** Where and when an issue happened once. */
export interface ReportRecord
  extends Pick<
    ReportContent,
    'appVersion' | 'buildNumber' | 'osVersion' | 'deviceModel' | 'platform' | 'branch' | 'occurredAt'
  > {
  readonly reportNumber: number
  readonly receivedAt: number
}

/** Which issues to list. Lists run within one project and one set of lanes; a filter that is `null` lets all pass. */
export interface IssueSelection {
  readonly projectId: ProjectId
  readonly lanes: readonly Lane[]
  readonly statuses: readonly IssueStatus[] | null
  readonly categories: readonly Category[] | null
  readonly priorities: readonly Priority[] | null
  readonly platforms: readonly string[] | null
  readonly appVersions: readonly string[] | null
  readonly branches: readonly string[] | null
  readonly createdAfter: number | null
  readonly createdBefore: number | null
  /** All of these must occur in the title or the description. */
  readonly search: readonly SearchTerm[] | null
}

/** Tokens that must follow each other. Of the last one the beginning is enough when `isPrefix`. */
export interface SearchTerm {
  readonly tokens: readonly string[]
  readonly isPrefix: boolean
}

/** A place in a sorted list: the value it is sorted by, and the issue number that breaks ties. */
export interface ListPosition {
  readonly key: number
  readonly number: number
}

/** Where to start: after a place already seen, or a number of rows in. */
export type ListStart = { readonly after: ListPosition } | { readonly offset: number }

/** All issues of a project that these lanes hold. */
export function everyIssue(projectId: ProjectId, lanes: readonly Lane[]): IssueSelection {
  return {
    projectId,
    lanes,
    statuses: null,
    categories: null,
    priorities: null,
    platforms: null,
    appVersions: null,
    branches: null,
    createdAfter: null,
    createdBefore: null,
    search: null,
  }
}

export interface IssueListing {
  readonly selection: IssueSelection
  readonly sort: IssueSort
  readonly start: ListStart
  readonly limit: number
}

/** Part of a list. With `next`, there may be more: it can be short because only so many rows are looked at in one go. */
export interface IssueListPart {
  readonly issues: readonly IssueRecord[]
  readonly next: ListPosition | null
}

/** What became of submissions, by outcome or error code. */
export type IntakeEntry = readonly [outcome: string, count: number]

/** The counters behind a project's statistics: dimension → value → count. */
export type StatsRecord = Readonly<Record<CountedDimension, ReadonlyMap<string, number>>>

/** What is counted with the writes. Days are `YYYY-MM-DD` in UTC, durations whole seconds to two digits. */
export const COUNTED_DIMENSIONS = [
  'status',
  'category',
  'priority',
  'platform',
  'app_version',
  'reports',
  'created_day',
  'resolved_day',
  'reports_day',
  'time_to_acknowledge',
  'time_to_resolve',
  'intake',
] as const
export type CountedDimension = (typeof COUNTED_DIMENSIONS)[number]
