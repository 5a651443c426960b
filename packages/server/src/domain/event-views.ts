import type { ActorKind, Event } from '@bugle/contract'
import type { ProjectId } from '../ids.ts'
import type { Actor, EventRecord } from '../storage/records/events.ts'
import { isoTime } from './issue-views.ts'

/** An entry of the log, as everyone sees it. */
export function showEvent(event: EventRecord, projectId: ProjectId): Event {
  return {
    position: event.position,
    type: event.type,
    createdAt: isoTime(event.createdAt),
    projectId,
    issueId: event.issueId,
    issueNumber: event.issueNumber,
    actor: { kind: kindOf(event.actor), id: event.actor },
    changes: [...event.changes],
    note: event.note,
    reason: event.reason,
  }
}

function kindOf(actor: Actor): ActorKind {
  return actor === null ? 'system' : 'key'
}
