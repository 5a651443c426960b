import type { EventRecord } from '../events.ts'
import type { Lane } from '../lanes.ts'
import type { WebhookRecord } from '../webhooks.ts'

/** Pending deliveries of one webhook; beyond that, the log itself is the backlog. */
export const MAX_PENDING_DELIVERIES = 1_000
/** Events examined in one step, so that submissions are handled in between. */
export const FAN_OUT_STEP_EVENTS = 200

type LoggedEvent = Pick<EventRecord, 'position' | 'type' | 'confirmed'> & {
  /** `null` if its issue was deleted or is spam. */
  readonly lane: Lane | null
}

interface Circumstances {
  /** The next events after the webhook's position: a full step, or all that exist. */
  readonly events: readonly LoggedEvent[]
  /** The last position of the log. */
  readonly end: number
  readonly pending: number
}

/** Which of the next events become deliveries, and the webhook's new position in the log. */
export function planFanOut(
  webhook: Pick<WebhookRecord, 'eventTypes' | 'includeSecurity'>,
  { events, end, pending }: Circumstances,
): { readonly positions: readonly number[]; readonly position: number } {
  const wanted = events.filter((event) => isWanted(webhook, event)).map(({ position }) => position)
  const room = Math.max(0, MAX_PENDING_DELIVERIES - pending)
  const firstWithoutRoom = wanted[room]
  if (firstWithoutRoom !== undefined)
    return { positions: wanted.slice(0, room), position: firstWithoutRoom - 1 }
  return { positions: wanted, position: events[FAN_OUT_STEP_EVENTS - 1]?.position ?? end }
}

function isWanted(
  { eventTypes, includeSecurity }: Pick<WebhookRecord, 'eventTypes' | 'includeSecurity'>,
  { type, lane, confirmed }: LoggedEvent,
): boolean {
  // One report from an unknown version must not alert a team.
  if (confirmed === false) return false
  const isInSight = lane === 'open' || (includeSecurity && lane === 'security')
  return isInSight && (eventTypes === null || eventTypes.includes(type))
}
