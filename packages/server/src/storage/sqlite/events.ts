import type { DatabaseSync } from 'node:sqlite'
import { idToBytes, type ProjectId } from '../../ids.ts'
import { type EventReads, readEventPart } from '../sql/event-parts.ts'
import { highestLane } from '../sql/issue-rows.ts'
import type { EventStorage } from '../storage.ts'
import { actorNames } from './actor-names.ts'
import { type EventRow, toEvent } from './event-rows.ts'
import { keyRange, numberOf, rowKey } from './row-keys.ts'
import { prepareCommand } from './statements.ts'
import type { Writes } from './writer.ts'

/** Events let go of in one step, so that submissions get in between. */
const EXPIRE_STEP_ROWS = 500
/** How soon the writes of other processes are noticed. */
const FOREIGN_WRITES_CHECK_MS = 250

export function eventStorage(reader: DatabaseSync, writes: Writes, own: Announcements): EventStorage {
  const selectProject = reader.prepare(
    'SELECT seq, last_event_position, expired_position FROM projects WHERE id = ?',
  )
  const selectEvents = reader.prepare(
    `SELECT e.*, i.id AS issue_id FROM events e LEFT JOIN issues i ON i.row = e.issue_row
     WHERE e.row > ?1 AND e.row <= ?2 AND e.lane <= ?3
       AND (?4 IS NULL OR e.type IN (SELECT value FROM json_each(?4))) ORDER BY e.row LIMIT ?5`,
  )
  const selectReach = reader.prepare(
    `SELECT count(*) AS count, max(row) AS last FROM
       (SELECT row FROM events WHERE row > ? AND row < ? AND lane <= ? ORDER BY row LIMIT ?)`,
  )
  const selectDataVersion = reader.prepare('PRAGMA data_version')

  function find(projectId: ProjectId): ProjectRow | undefined {
    return selectProject.get(idToBytes(projectId)) as ProjectRow | undefined
  }

  function readsOf(seq: number, lane: number): EventReads<EventRow> {
    const { high } = keyRange(seq)
    return {
      async select({ after, upTo, types, limit }) {
        const last = Math.min(rowKey(seq, upTo), high - 1)
        const wanted = types && JSON.stringify(types)
        return selectEvents.all(rowKey(seq, after), last, lane, wanted, limit) as unknown as EventRow[]
      },
      async reach(after, limit) {
        const found = selectReach.get(rowKey(seq, after), high, lane, limit) as unknown as ReachRow
        return { count: found.count, last: found.last === null ? null : numberOf(found.last) }
      },
      positionOf: ({ row }) => numberOf(row),
    }
  }

  return {
    async list(selection) {
      const project = find(selection.projectId)
      if (project === undefined) return { events: [], lastExamined: selection.after, hasMore: false }
      const reads = readsOf(project.seq, highestLane(selection.lanes))
      const { rows, ...part } = await readEventPart(reads, selection)
      return { ...part, events: rows.map(toEvent) }
    },

    async window(projectId) {
      const project = find(projectId)
      return { start: project?.expired_position ?? 0, end: project?.last_event_position ?? 0 }
    },

    subscribe(listener) {
      let version: unknown
      const check = setInterval(() => {
        // Closed meanwhile: there is nothing more to hear.
        if (!reader.isOpen) return clearInterval(check)
        const current = (selectDataVersion.get() as { data_version: number }).data_version
        if (version !== undefined && current !== version) listener(null)
        version = current
      }, FOREIGN_WRITES_CHECK_MS)
      check.unref()
      const stopOwn = own.subscribe(listener)
      return () => {
        clearInterval(check)
        stopOwn()
      }
    },

    findActorNames: actorNames(reader),
    expireSome: (projectId, before) => writes.run('expireSomeEvents', projectId, before),
  }
}

interface ProjectRow {
  readonly seq: number
  readonly last_event_position: number
  readonly expired_position: number
}

interface ReachRow {
  readonly count: number
  readonly last: number | null
}

/** Tells listeners in this process of its own writes, at once. */
export interface Announcements {
  announce(projectId: ProjectId): void
  subscribe(listener: (projectId: ProjectId) => void): () => void
}

export function createAnnouncements(): Announcements {
  const listeners = new Set<(projectId: ProjectId) => void>()
  return {
    announce(projectId) {
      for (const listener of listeners) listener(projectId)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Letting go of old events, as it runs in the writer. An issue's own history stays; what goes is that it was reported again. */
export function prepareEventWrites(db: DatabaseSync) {
  const selectProject = db.prepare('SELECT seq, expired_position FROM projects WHERE id = ?')
  const selectNext = db.prepare(
    'SELECT row, type, at FROM events WHERE row > ? AND row < ? ORDER BY row LIMIT ?',
  )
  const remove = prepareCommand(db, 'DELETE FROM events WHERE row = ?')
  const mark = prepareCommand(db, 'UPDATE projects SET expired_position = ? WHERE seq = ?')

  return {
    expireSomeEvents(projectId: ProjectId, before: number): boolean {
      const project = selectProject.get(idToBytes(projectId)) as
        | Omit<ProjectRow, 'last_event_position'>
        | undefined
      if (project === undefined) return false
      const { seq, expired_position: expired } = project
      const rows = selectNext.all(
        rowKey(seq, expired),
        keyRange(seq).high,
        EXPIRE_STEP_ROWS,
      ) as unknown as EventRow[]
      const firstKept = rows.findIndex(({ at }) => at >= before)
      const old = firstKept === -1 ? rows : rows.slice(0, firstKept)
      const last = old.at(-1)
      if (last === undefined) return false
      for (const { row, type } of old) if (type === 'issue.reported') remove.run(row)
      mark.run(numberOf(last.row), seq)
      return old.length === EXPIRE_STEP_ROWS
    },
  }
}
