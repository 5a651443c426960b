import type { ProjectId } from '../../ids.ts'
import { type EventReads, readEventPart } from '../sql/event-parts.ts'
import { highestLane } from '../sql/issue-rows.ts'
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
   WHERE e.project = $1 AND e.position > $2 AND e.position <= $3 AND e.lane <= $4
     AND ($5::text[] IS NULL OR e.type = ANY ($5)) ORDER BY e.position LIMIT $6`,
)
const SELECT_REACH = prepared(
  'event_reach',
  `SELECT count(*) AS count, max(position) AS last FROM (SELECT position FROM events
     WHERE project = $1 AND position > $2 AND lane <= $3 ORDER BY position LIMIT $4) e`,
)

export function eventStorage(database: Database, wakeUp: WakeUp): EventStorage {
  async function find(projectId: ProjectId): Promise<ProjectRow | undefined> {
    const [row] = await database.run<ProjectRow>(SELECT_PROJECT(uuidOf(projectId)))
    return row
  }

  function readsOf(seq: number, lane: number): EventReads<EventRow> {
    return {
      select: ({ after, upTo, types, limit }) =>
        database.run<EventRow>(SELECT_EVENTS(seq, after, upTo, lane, types, limit)),
      async reach(after, limit) {
        const [found] = await database.run<Reach>(SELECT_REACH(seq, after, lane, limit))
        return found ?? { count: 0, last: null }
      },
      positionOf: ({ position }) => position,
    }
  }

  return {
    async list(selection) {
      const project = await find(selection.projectId)
      if (project === undefined) return { events: [], lastExamined: selection.after, hasMore: false }
      const reads = readsOf(project.seq, highestLane(selection.lanes))
      const { rows, ...part } = await readEventPart(reads, selection)
      return { ...part, events: rows.map(toEvent) }
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

interface Reach {
  readonly count: number
  readonly last: number | null
}
