import type { EventType } from '@bugle/contract/vocabulary'
import { encodeId, type IssueId } from '../../ids.ts'
import type { Actor, EventRecord, MemberChange } from '../records.ts'
import { numberOf } from './row-keys.ts'

export interface EventRow {
  readonly row: number
  readonly type: EventType
  readonly at: number
  readonly actor: Actor
  readonly issue_row: number | null
  readonly lane: number
  readonly details: string | null
  /** The id of the issue, where the query joins it. */
  readonly issue_id?: Uint8Array | null
}

export function toEvent(row: EventRow): EventRecord {
  const [changes, note, reason, deletedId] =
    row.details === null ? NO_DETAILS : (JSON.parse(row.details) as Details)
  return {
    position: numberOf(row.row),
    type: row.type,
    createdAt: row.at,
    actor: row.actor,
    issueId: row.issue_id ? encodeId('iss', row.issue_id) : (deletedId ?? null),
    issueNumber: row.issue_row === null ? null : numberOf(row.issue_row),
    changes,
    note,
    reason,
  }
}

type Details = readonly [
  changes: readonly MemberChange[],
  note: string | null,
  reason: string | null,
  deletedId?: IssueId,
]
const NO_DETAILS: Details = [[], null, null]
