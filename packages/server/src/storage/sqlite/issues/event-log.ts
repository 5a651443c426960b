import type { DatabaseSync } from 'node:sqlite'
import type { NewEvent } from '../../../model/events.ts'
import type { IssueId } from '../../../model/ids.ts'
import type { Lane } from '../../../model/lanes.ts'
import { detailsOf } from '../../issues/event-rows.ts'
import type { EventPlace, Stamp } from '../../issues/issue-tables.ts'
import { LANE_CODES } from '../../issues/lane-codes.ts'
import { rowKey } from '../driver/row-keys.ts'
import { prepareSilent } from '../driver/statements.ts'

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
