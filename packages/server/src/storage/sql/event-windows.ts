import type { EventType } from '@bugle/contract/vocabulary'
import type { EventWindow } from '../../model/events.ts'
import type { Lane } from '../../model/lanes.ts'
import { LANE_CODES } from './issue-rows.ts'

/** The columns of a project that say which part of its log is promised to readers. */
export interface WindowColumns {
  readonly last_event_position: number
  readonly expired_position: number
  readonly last_open_position: number
  readonly expired_open_position: number
}

/** In positions as a caller who sees these lanes counts them. */
export function windowOf(project: WindowColumns, lanes: readonly Lane[]): EventWindow {
  return lanes.includes('security')
    ? { start: project.expired_position, end: project.last_event_position }
    : { start: project.expired_open_position, end: project.last_open_position }
}

/** Those from before a time, up to the first that is not: what comes later in the log may have happened earlier. */
export function oldest<R extends { readonly at: number }>(rows: readonly R[], before: number): readonly R[] {
  const firstKept = rows.findIndex(({ at }) => at >= before)
  return firstKept === -1 ? rows : rows.slice(0, firstKept)
}

interface ExpiringEvent {
  readonly position: number
  readonly openPosition: number
  readonly type: EventType
  readonly lane: number
}

/** The events to delete: those that no reader is promised any more and that are not part of an issue's history. */
export function unpromised<E extends ExpiringEvent>(
  events: readonly E[],
  { expired, expiredOpen }: { readonly expired: number; readonly expiredOpen: number },
): readonly E[] {
  return events.filter(
    ({ type, lane, position, openPosition }) =>
      type === 'issue.reported' &&
      position <= expired &&
      (lane !== LANE_CODES.open || openPosition <= expiredOpen),
  )
}
