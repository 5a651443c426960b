import type { EventRecord } from '../records/events.ts'
import { type EventColumns, toEvent as toRecord } from '../sql/event-rows.ts'
import { idOf } from './uuids.ts'

export interface EventRow extends EventColumns {
  readonly position: number
  readonly issue_number: number | null
  /** The id of the issue, where the query joins it. */
  readonly issue_id?: string | null
}

export function toEvent(row: EventRow): EventRecord {
  const issueId = row.issue_id ? idOf('iss', row.issue_id) : null
  return toRecord(row, { position: row.position, issueId, issueNumber: row.issue_number })
}
