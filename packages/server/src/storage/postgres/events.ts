import type { ProjectId } from '../../ids.ts'
import { cutEventPart, planEventPart } from '../sql/event-parts.ts'
import type { EventStorage } from '../storage.ts'
import { actorNames } from './actor-names.ts'
import { type Database, prepared, type Transaction } from './connection.ts'
import { type EventRow, toEvent } from './event-rows.ts'
import { uuidOf } from './uuids.ts'
import type { WakeUp } from './wake-up.ts'

/** Events let go of in one step, so that submissions get in between. */
const EXPIRE_STEP_ROWS = 500

const SELECT_PROJECT = prepared(
  'event_window',
  'SELECT seq, last_event_position, expired_position FROM projects WHERE id = $1',
)
const SELECT_EVENTS = prepared(
  'events',
  `SELECT e.*, i.id AS issue_id FROM events e
   LEFT JOIN LATERAL (SELECT id FROM issues WHERE project = $1 AND number = e.issue_number LIMIT 1) i ON TRUE
   WHERE e.project = $1 AND e.position > $2 AND e.lane <= $3 ORDER BY e.position LIMIT $4`,
)

export function eventStorage(database: Database, wakeUp: WakeUp): EventStorage {
  async function find(projectId: ProjectId): Promise<ProjectRow | undefined> {
    const [row] = await database.run<ProjectRow>(SELECT_PROJECT(uuidOf(projectId)))
    return row
  }

  return {
    async list(selection) {
      const { projectId, after } = selection
      const project = await find(projectId)
      if (project === undefined) return { events: [], lastExamined: after, hasMore: false }
      const { highestLane, examined } = planEventPart(selection)
      const rows = await database.run<EventRow>(SELECT_EVENTS(project.seq, after, highestLane, examined + 1))
      const { shown, lastLooked, hasMore } = cutEventPart(rows, selection)
      return { events: shown.map(toEvent), lastExamined: lastLooked?.position ?? after, hasMore }
    },

    async window(projectId) {
      const project = await find(projectId)
      return { start: project?.expired_position ?? 0, end: project?.last_event_position ?? 0 }
    },

    subscribe: wakeUp.subscribe,
    findActorNames: actorNames(database),
    expireSome: (projectId, before) => database.background((tx) => expireSome(tx, projectId, before)),
  }
}

/** Lets go of old events. An issue's own history stays; what goes is that it was reported again. */
async function expireSome(tx: Transaction, projectId: ProjectId, before: number): Promise<boolean> {
  const [project] = await tx.run<Omit<ProjectRow, 'last_event_position'>>({
    text: 'SELECT seq, expired_position FROM projects WHERE id = $1 FOR UPDATE',
    values: [uuidOf(projectId)],
  })
  if (project === undefined) return false
  const { seq, expired_position: expired } = project
  const rows = await tx.run<EventRow>({
    text: 'SELECT position, type, at FROM events WHERE project = $1 AND position > $2 ORDER BY position LIMIT $3',
    values: [seq, expired, EXPIRE_STEP_ROWS],
  })
  const firstKept = rows.findIndex(({ at }) => at >= before)
  const old = firstKept === -1 ? rows : rows.slice(0, firstKept)
  const last = old.at(-1)
  if (last === undefined) return false
  tx.send({
    text: `DELETE FROM events WHERE project = $1 AND position > $2 AND position <= $3 AND type = 'issue.reported'`,
    values: [seq, expired, last.position],
  })
  tx.send({
    text: 'UPDATE projects SET expired_position = $2 WHERE seq = $1',
    values: [seq, last.position],
  })
  return old.length === EXPIRE_STEP_ROWS
}

interface ProjectRow {
  readonly seq: number
  readonly last_event_position: number
  readonly expired_position: number
}
