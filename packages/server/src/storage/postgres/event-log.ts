import type { NewEvent } from '../../model/events.ts'
import type { Lane } from '../../model/lanes.ts'
import { detailsOf } from '../sql/event-rows.ts'
import { LANE_CODES } from '../sql/issue-rows.ts'
import { type ProjectCounters, type Stamp, takePlace } from '../sql/issue-tables.ts'
import type { Transaction } from './connection.ts'
import { INSERT_EVENTS, writeProject } from './write-rows.ts'

/** Adds an entry that is about no issue to the log of a project that this transaction has locked. */
export function addEvent(
  tx: Transaction,
  project: ProjectCounters,
  { event, lane, by }: { readonly event: NewEvent; readonly lane: Lane; readonly by: Stamp },
): void {
  const { position, openPosition } = takePlace(project, lane)
  const row = {
    position,
    open_position: openPosition,
    type: event.type,
    at: by.at,
    actor: by.actor,
    lane: LANE_CODES[lane],
    details: detailsOf(event),
  }
  tx.send(INSERT_EVENTS(project.seq, JSON.stringify([row])))
  writeProject(tx, project)
}
