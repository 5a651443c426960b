import type { EventType } from '@bugle/contract/vocabulary'
import type { IssueId } from '../../ids.ts'
import type { Actor, EventRecord, MemberChange, NewEvent } from '../records/events.ts'

/** The columns of an event that both databases have. */
export interface EventColumns {
  readonly type: EventType
  readonly at: number
  readonly actor: Actor
  readonly lane: number
  readonly details: string | null
}

/** What a row's key says, and which issue it names. */
export interface EventKey {
  readonly position: number
  /** `null` where there is none, or none any more. */
  readonly issueId: IssueId | null
  readonly issueNumber: number | null
}

export function toEvent(row: EventColumns, { position, issueId, issueNumber }: EventKey): EventRecord {
  const [changes, note, reason, deletedId] = readDetails(row.details)
  return {
    position,
    type: row.type,
    createdAt: row.at,
    actor: row.actor,
    issueId: issueId ?? deletedId ?? null,
    issueNumber,
    changes,
    note,
    reason,
  }
}

/** The column that holds whatever most events have not. Of an issue that is gone, the event is all that knows the id. */
export function detailsOf(
  { changes, note, reason }: Omit<NewEvent, 'type'>,
  deletedId?: IssueId,
): string | null {
  if (deletedId !== undefined) return JSON.stringify([changes, note, reason, deletedId])
  const hasDetails = changes.length > 0 || note !== null || reason !== null
  return hasDetails ? JSON.stringify([changes, note, reason]) : null
}

export function readDetails(details: string | null): Details {
  return details === null ? NO_DETAILS : (JSON.parse(details) as Details)
}

type Details = readonly [
  changes: readonly MemberChange[],
  note: string | null,
  reason: string | null,
  deletedId?: IssueId,
]
const NO_DETAILS: Details = [[], null, null]
