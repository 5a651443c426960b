import type { EventRecord } from '../../model/events.ts'
import { type EventColumns, shownLane, toEvent as toRecord } from '../sql/event-rows.ts'
import { idOf } from './uuids.ts'

/** The lane that `events e` is seen in; NULL if its issue is gone. */
export const SHOWN_LANE = shownLane(
  'e.issue_number',
  '(SELECT lane FROM issues WHERE project = e.project AND number = e.issue_number LIMIT 1)',
)

export interface EventRow extends EventColumns {
  readonly position: number
  readonly open_position: number | null
  readonly issue_number: number | null
  /** The id of the issue, where the query joins it. */
  readonly issue_id?: string | null
}

export function toEvent(row: EventRow): EventRecord {
  const issueId = row.issue_id ? idOf('iss', row.issue_id) : null
  const { position, open_position: openPosition, issue_number: issueNumber } = row
  return toRecord(row, { position, openPosition: openPosition ?? position, issueId, issueNumber })
}
