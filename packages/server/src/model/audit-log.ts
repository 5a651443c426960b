import type { AuditAction } from '@bugle/contract/vocabulary'
import type { AuditEntryId, KeyId, ProjectId, UserId } from './ids.ts'
import type { Lane } from './lanes.ts'

/** Who made a change: a person, a key, an account of the operating system (for the `bugle` command), or the server itself. */
export type AuditActor = UserId | KeyId | `os:${string}` | 'system'

/** An entry of the audit log. It is never changed, and keeps the names of things that may be deleted later. */
export interface AuditEntry {
  readonly id: AuditEntryId
  readonly at: number
  readonly actor: AuditActor
  /** The name of the person or the key at that time; `null` for other actors and for keys without a name. */
  readonly actorName: string | null
  readonly action: AuditAction
  /** `null`: the change concerns no single project. */
  readonly projectId: ProjectId | null
  readonly projectSlug: string | null
  /** The id of what was changed, if it has one. */
  readonly subject: string | null
  readonly subjectName: string | null
  readonly changes: readonly AuditChange[]
  /** An entry about something in the security lane is as hidden as the thing itself. */
  readonly lane: Lane
}

export interface AuditChange {
  readonly field: string
  readonly from: AuditValue
  readonly to: AuditValue
}

export type AuditValue = string | number | boolean | null

/** When something is done, and by whom, for the audit log. */
export interface AuditStamp {
  readonly at: number
  readonly actor: AuditActor
}

/** What an operation records. Time, actor and the names of actor and project are added. */
export interface NewAuditEntry {
  readonly action: AuditAction
  readonly projectId?: ProjectId | null
  readonly subject?: string | null
  readonly subjectName?: string | null
  readonly changes?: readonly AuditChange[]
  readonly lane?: Lane
}

/** Which entries to list, newest first. */
export interface AuditListing {
  readonly lanes: readonly Lane[]
  /** Only entries of these projects, and none without a project; `null`: all. */
  readonly reach: readonly ProjectId[] | null
  readonly actor: string | null
  readonly action: AuditAction | null
  readonly projectId: ProjectId | null
  /** Entries from this time on, in milliseconds. */
  readonly since: number | null
  /** Entries before this time. */
  readonly until: number | null
  /** Entries that are older than this one; `null` to start with the newest. */
  readonly before: AuditEntryId | null
  readonly limit: number
}

const MAX_NAME_CHARS = 200
const MAX_VALUE_CHARS = 500
const MAX_CHANGES = 50

/** The fields that differ, as the log shows them. The fields are listed by the caller, so that no secret is among them. */
export function changesBetween<R extends object>(
  before: Partial<R> | null,
  after: Partial<R> | null,
  fields: readonly (keyof R & string)[],
): readonly AuditChange[] {
  return fields
    .map((field) => ({ field, from: shownValue(before?.[field]), to: shownValue(after?.[field]) }))
    .filter(({ from, to }) => from !== to)
    .slice(0, MAX_CHANGES)
}

/** A name as stored in an entry: bounded, and without characters that a database refuses. */
export function auditName(text: string): string {
  return clip(text, MAX_NAME_CHARS)
}

function shownValue(value: unknown): AuditValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value === 'string') return clip(value, MAX_VALUE_CHARS)
  return clip(Array.isArray(value) ? value.join(', ') : JSON.stringify(value), MAX_VALUE_CHARS)
}

function clip(text: string, max: number): string {
  const clean = text.toWellFormed().replaceAll('\0', '')
  return clean.length <= max ? clean : `${clean.slice(0, max - 1).toWellFormed()}…`
}
