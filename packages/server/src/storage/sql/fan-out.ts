import type { EventType } from '@bugle/contract/vocabulary'
import type { WebhookRecord } from '../webhook-records.ts'
import { LANE_CODES } from './issue-rows.ts'

/** Pending deliveries of one webhook; beyond that, the log itself is the backlog. */
export const MAX_PENDING_DELIVERIES = 1_000
/** Events looked at in one step, so that submissions get in between. */
export const FAN_OUT_STEP_EVENTS = 200

interface LoggedEvent {
  readonly position: number
  readonly type: EventType
  readonly lane: number
}

interface Circumstances {
  /** The next events of the log, at most {@link FAN_OUT_STEP_EVENTS}. */
  readonly events: readonly LoggedEvent[]
  /** Deliveries of the webhook that are pending already. */
  readonly pending: number
  /** The end of the log. */
  readonly lastPosition: number
}

/** Which of the next events become deliveries, and how far that gets, cut where the webhook has no more room. */
export function planFanOut(
  { includeSecurity, eventTypes }: WebhookRecord,
  { events, pending, lastPosition }: Circumstances,
): { readonly positions: readonly number[]; readonly lastExamined: number } {
  const wanted = events
    .filter(({ lane }) => includeSecurity || lane === LANE_CODES.open)
    .filter(({ type }) => eventTypes === null || eventTypes.includes(type))
    .map(({ position }) => position)
  const room = Math.max(0, MAX_PENDING_DELIVERIES - pending)
  const firstLeft = wanted[room]
  const end = events[FAN_OUT_STEP_EVENTS - 1]?.position ?? lastPosition
  return { positions: wanted.slice(0, room), lastExamined: firstLeft === undefined ? end : firstLeft - 1 }
}
