import type { EventType } from '@bugle/contract/vocabulary'
import type { IssueId, KeyId, ProjectId, UserId } from './ids.ts'
import type { Lane } from './lanes.ts'

/** Who did something: a key, a person, or `null` for the system itself. */
export type Actor = KeyId | UserId | null

/** An entry of the log that is about to be written. */
export interface NewEvent {
  readonly type: EventType
  readonly changes: readonly MemberChange[]
  /** What the actor said about it. */
  readonly note: string | null
  /** Why the system did it. */
  readonly reason: string | null
  /** Of a regression only: `false` while a single report from a new version is all there is to show for it. */
  readonly confirmed?: boolean
}

export interface MemberChange {
  readonly member: string
  readonly from: unknown
  readonly to: unknown
}

/** Which events to read. */
export interface EventSelection {
  readonly projectId: ProjectId
  /** Also says how positions are counted: all of them here are those of a reader who sees these lanes. */
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

/** The part of a project's log that is promised to readers, in positions as they count them. */
export interface EventWindow {
  /** Readers that know everything up to here have missed nothing. */
  readonly start: number
  readonly end: number
}

export interface EventRecord extends NewEvent {
  readonly position: number
  /** Counted within the open lane. One that was never there has none, and its `position` stands here. */
  readonly openPosition: number
  readonly createdAt: number
  readonly actor: Actor
  readonly issueId: IssueId | null
  readonly issueNumber: number | null
}
