import type { DatabaseSync } from 'node:sqlite'
import type { IssueId } from '../../ids.ts'
import type { Actor, Lane, NewEvent } from '../records.ts'
import type { ProjectCounters } from './batch.ts'
import { LANE_CODES } from './issue-rows.ts'
import { rowKey } from './row-keys.ts'
import { prepareCommand } from './statements.ts'

/** When something is done, and by whom. */
export interface Stamp {
  readonly at: number
  readonly actor: Actor
}

interface Entry {
  readonly event: NewEvent
  readonly lane: Lane
  readonly issueRow: number | null
  readonly by: Stamp
  /** Of an issue that is gone, the event is all that knows the id. */
  readonly deletedId?: IssueId
}

/** Writes an entry of the log and returns its position, the next one of its project. */
export type AddEvent = (project: ProjectCounters, entry: Entry) => number

export function prepareEventLog(db: DatabaseSync): AddEvent {
  const insert = prepareCommand(
    db,
    'INSERT INTO events (row, type, at, actor, issue_row, lane, details) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  return (project, { event, lane, issueRow, by, deletedId }) => {
    const position = ++project.lastEventPosition
    const row = rowKey(project.seq, position)
    insert.run(row, event.type, by.at, by.actor, issueRow, LANE_CODES[lane], detailsOf(event, deletedId))
    return position
  }
}

function detailsOf({ changes, note, reason }: NewEvent, deletedId: IssueId | undefined): string | null {
  const hasDetails = changes.length > 0 || note !== null || reason !== null || deletedId !== undefined
  return hasDetails
    ? JSON.stringify([changes, note, reason, ...(deletedId === undefined ? [] : [deletedId])])
    : null
}
