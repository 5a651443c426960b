import type { DatabaseSync } from 'node:sqlite'
import type { NewEvent } from '../../../model/events.ts'
import type { IssueId } from '../../../model/ids.ts'
import type { Lane } from '../../../model/lanes.ts'
import { detailsOf, IS_NO_REPORT_EVENT } from '../../issues/event-rows.ts'
import type { EventPlace, Stamp } from '../../issues/issue-tables.ts'
import { LANE_CODES } from '../../issues/lane-codes.ts'
import { rowKey } from '../driver/row-keys.ts'
import { prepareCommand, prepareSilent } from '../driver/statements.ts'

interface Entry extends EventPlace {
  readonly event: NewEvent
  readonly lane: Lane
  readonly issueRow: number | null
  readonly by: Stamp
  readonly deletedId?: IssueId | undefined
}

/** Writes an entry of a project's log. */
export type InsertEvent = (projectSeq: number, entry: Entry) => void

export function prepareEventLog(db: DatabaseSync): InsertEvent {
  const insert = prepareSilent(
    db,
    'INSERT INTO events (row, open_row, type, at, actor, issue_row, lane, details) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  return (projectSeq, { position, openPosition, event, lane, issueRow, by, deletedId }) => {
    const row = rowKey(projectSeq, position)
    const openRow = openPosition === null ? null : rowKey(projectSeq, openPosition)
    insert(row, openRow, event.type, by.at, by.actor, issueRow, LANE_CODES[lane], detailsOf(event, deletedId))
  }
}

const FIRST_EVENT = 'SELECT created_position + (?1 >> 32 << 32) AS row FROM issues WHERE row = ?1'
/** The events of the issue with the key `?1`. */
export const ITS_EVENTS = `SELECT row FROM events WHERE issue_row = ?1 AND type <> 'issue.created' UNION ALL ${FIRST_EVENT}`
/** The same without the first and those that reports cause. */
export const ITS_CHANGES = `SELECT row FROM events INDEXED BY events_of_history
  WHERE issue_row = ?1 AND type <> 'issue.created' AND ${IS_NO_REPORT_EVENT}`
export const ITS_HISTORY = `${ITS_CHANGES} UNION ALL ${FIRST_EVENT}`

/** Moves the events that a query finds by the key of their issue, `?1`, to another lane. */
export function prepareMoves(db: DatabaseSync, events: string) {
  return {
    hide: prepareCommand(db, `UPDATE events SET lane = ${LANE_CODES.security} WHERE row IN (${events})`),
    show: prepareCommand(
      db,
      `UPDATE events SET lane = ${LANE_CODES.open}, open_row = ?2 + place
       FROM (SELECT row AS own, row_number() OVER (ORDER BY row) AS place FROM (${events})) WHERE row = own`,
    ),
  }
}
