import type { DatabaseSync } from 'node:sqlite'
import { idToBytes, type ProjectId } from '../../model/ids.ts'
import { type EventReads, readEventPart, type ShownRow } from '../sql/event-parts.ts'
import { shownLane } from '../sql/event-rows.ts'
import { type WindowColumns, windowOf } from '../sql/event-windows.ts'
import { LANE_CODES } from '../sql/issue-rows.ts'
import type { EventStorage } from '../storage.ts'
import { actorNames } from './actor-names.ts'
import { type EventRow, OPEN_KEY, toEvent } from './event-rows.ts'
import { keyRange, numberOf, rowKey } from './row-keys.ts'
import type { Writes } from './writer.ts'

/** How soon the writes of other processes are noticed. */
const FOREIGN_WRITES_CHECK_MS = 250

export function eventStorage(reader: DatabaseSync, writes: Writes, own: Announcements): EventStorage {
  const selectProject = reader.prepare(
    `SELECT seq, last_event_position, expired_position, last_open_position, expired_open_position
     FROM projects WHERE id = ?`,
  )
  const readers = { all: prepareReads(reader, 'e.row'), open: prepareReads(reader, OPEN_KEY) }
  const selectDataVersion = reader.prepare('PRAGMA data_version')

  function find(projectId: ProjectId): ProjectRow | undefined {
    return selectProject.get(idToBytes(projectId)) as ProjectRow | undefined
  }

  return {
    async list(selection) {
      const project = find(selection.projectId)
      if (project === undefined) return { events: [], lastExamined: selection.after, hasMore: false }
      const readsOf = selection.lanes.includes('security') ? readers.all : readers.open
      const { rows, ...part } = await readEventPart(readsOf(project.seq), selection)
      return { ...part, events: rows.map(toEvent) }
    },

    async window(projectId, lanes) {
      const project = find(projectId)
      return project === undefined ? { start: 0, end: 0 } : windowOf(project, lanes)
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

/** Reads the log in the order of a key: that of all lanes, or of the open one. */
function prepareReads(reader: DatabaseSync, key: string): (seq: number) => EventReads<FeedRow> {
  const isInLane = key === OPEN_KEY ? `AND e.lane = ${LANE_CODES.open}` : ''
  const selectEvents = reader.prepare(
    `SELECT e.*, i.id AS issue_id, ${shownLane('e.issue_row', 'i.lane')} AS shown_lane FROM events e LEFT JOIN issues i ON i.row = e.issue_row
     WHERE ${key} > ?1 AND ${key} <= ?2 ${isInLane}
       AND (?3 IS NULL OR e.type IN (SELECT value FROM json_each(?3))) ORDER BY ${key} LIMIT ?4`,
  )
  const selectReach = reader.prepare(
    `SELECT count(*) AS count, max(key) AS last FROM (SELECT ${key} AS key FROM events e
       WHERE ${key} > ? AND ${key} < ? ${isInLane} ORDER BY ${key} LIMIT ?)`,
  )
  return (seq) => {
    const { high } = keyRange(seq)
    return {
      async select({ after, upTo, types, limit }) {
        const last = Math.min(rowKey(seq, upTo), high - 1)
        const wanted = types && JSON.stringify(types)
        return selectEvents.all(rowKey(seq, after), last, wanted, limit) as unknown as FeedRow[]
      },
      async reach(after, limit) {
        const found = selectReach.get(rowKey(seq, after), high, limit) as unknown as ReachRow
        return { count: found.count, last: found.last === null ? null : numberOf(found.last) }
      },
      positionOf: (row) => numberOf(key === OPEN_KEY ? (row.open_row ?? row.row) : row.row),
    }
  }
}

type FeedRow = EventRow & ShownRow

interface ProjectRow extends WindowColumns {
  readonly seq: number
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
