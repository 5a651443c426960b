import type { EventType } from '@bugle/contract/vocabulary'
import type { IssueId, KeyId, ProjectId, ReporterId, UserId } from './ids.ts'
import type { Lane } from './lanes.ts'

/** Who did something: a key, a person, a reporter, or `null` for the system itself. */
export type Actor = KeyId | UserId | ReporterId | null

/** An entry of the log that is about to be written. */
export interface NewEvent {
  readonly type: EventType
  readonly changes: readonly MemberChange[]
  /** The actor's comment. */
  readonly note: string | null
  /** Why the system did it. */
  readonly reason: string | null
  /** For regressions only: `false` while the only evidence is a single report from a new version. */
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
  /** Also determines how positions are counted: as by a reader who sees these lanes. */
  readonly lanes: readonly Lane[]
  /** `null`: all. */
  readonly types: readonly EventType[] | null
  readonly after: number
  readonly limit: number
}

/** A page of events, and the last position that was examined. */
export interface EventPart {
  readonly events: readonly EventRecord[]
  readonly lastExamined: number
  readonly hasMore: boolean
}

/** The part of a project's log that is guaranteed to readers, in their positions. */
export interface EventWindow {
  /** A reader at this position has missed nothing. */
  readonly start: number
  readonly end: number
}

export interface EventRecord extends NewEvent {
  readonly position: number
  /** The position counted within the open lane. An event that was never in that lane has none; this is then its `position`. */
  readonly openPosition: number
  readonly createdAt: number
  readonly actor: Actor
  readonly issueId: IssueId | null
  readonly issueNumber: number | null
}
