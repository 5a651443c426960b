import type { EventRecord } from '../../model/events.ts'
import { encodeId } from '../../model/ids.ts'
import { type EventColumns, shownLane, toEvent as toRecord } from '../sql/event-rows.ts'
import { numberOf } from './row-keys.ts'

/** The lane that `events e` is seen in; NULL if its issue is gone. */
export const SHOWN_LANE = shownLane('e.issue_row', '(SELECT lane FROM issues WHERE row = e.issue_row)')

export interface EventRow extends EventColumns {
  readonly row: number
  readonly open_row: number | null
  readonly issue_row: number | null
  /** The id of the issue, where the query joins it. */
  readonly issue_id?: Uint8Array | null
}

export function toEvent(row: EventRow): EventRecord {
  return toRecord(row, {
    position: numberOf(row.row),
    openPosition: numberOf(row.open_row ?? row.row),
    issueId: row.issue_id ? encodeId('iss', row.issue_id) : null,
    issueNumber: row.issue_row === null ? null : numberOf(row.issue_row),
  })
}

/** Of events of the open lane: their place in it. As in the index that serves it. */
export const OPEN_KEY = 'coalesce(e.open_row, e.row)'
