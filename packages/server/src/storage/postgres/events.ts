import type { ProjectId } from '../../model/ids.ts'
import { type EventReads, readEventPart, type ShownRow } from '../sql/event-parts.ts'
import { shownLane } from '../sql/event-rows.ts'
import { oldest, unpromised, type WindowColumns, windowOf } from '../sql/event-windows.ts'
import { LANE_CODES } from '../sql/issue-rows.ts'
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
  `SELECT seq, last_event_position, expired_position, last_open_position, expired_open_position
   FROM projects WHERE id = $1`,
)

/** The two orders in which the log is read: that of all lanes, and that of the open one, as in the index that serves it. */
const ORDERS = {
  all: { key: 'position', isInLane: '' },
  open: { key: 'coalesce(open_position, position)', isInLane: `AND lane = ${LANE_CODES.open}` },
} as const
type Order = keyof typeof ORDERS

function selectEvents(order: Order) {
  const { key, isInLane } = ORDERS[order]
  return prepared(
    `events_${order}`,
    `SELECT e.*, i.id AS issue_id, ${shownLane('e.issue_number', 'i.lane')} AS shown_lane FROM (SELECT * FROM events
       WHERE project = $1 AND ${key} > $2 AND ${key} <= $3 ${isInLane}
         AND ($4::text[] IS NULL OR type = ANY ($4)) ORDER BY ${key} LIMIT $5) e
     LEFT JOIN LATERAL (SELECT id, lane FROM issues WHERE project = $1 AND number = e.issue_number LIMIT 1) i ON TRUE
     ORDER BY ${key}`,
  )
}

function selectReach(order: Order) {
  const { key, isInLane } = ORDERS[order]
  return prepared(
    `event_reach_${order}`,
    `SELECT count(*) AS count, max(key) AS last FROM (SELECT ${key} AS key FROM events
       WHERE project = $1 AND ${key} > $2 ${isInLane} ORDER BY ${key} LIMIT $3) e`,
  )
}

const SELECT_EVENTS = { all: selectEvents('all'), open: selectEvents('open') }
const SELECT_REACH = { all: selectReach('all'), open: selectReach('open') }

export function eventStorage(database: Database, wakeUp: WakeUp): EventStorage {
  async function find(projectId: ProjectId): Promise<ProjectRow | undefined> {
    const [row] = await database.run<ProjectRow>(SELECT_PROJECT(uuidOf(projectId)))
    return row
  }

  function readsOf(seq: number, order: Order): EventReads<FeedRow> {
    return {
      select: ({ after, upTo, types, limit }) =>
        database.run<FeedRow>(SELECT_EVENTS[order](seq, after, upTo, types, limit)),
      async reach(after, limit) {
        const [found] = await database.run<Reach>(SELECT_REACH[order](seq, after, limit))
        return found ?? { count: 0, last: null }
      },
      positionOf: ({ position, open_position: openPosition }) =>
        order === 'open' ? (openPosition ?? position) : position,
    }
  }

  return {
    async list(selection) {
      const project = await find(selection.projectId)
      if (project === undefined) return { events: [], lastExamined: selection.after, hasMore: false }
      const reads = readsOf(project.seq, selection.lanes.includes('security') ? 'all' : 'open')
      const { rows, ...part } = await readEventPart(reads, selection)
      return { ...part, events: rows.map(toEvent) }
    },

    async window(projectId, lanes) {
      const project = await find(projectId)
      return project === undefined ? { start: 0, end: 0 } : windowOf(project, lanes)
    },

    subscribe: wakeUp.subscribe,
    findActorNames: actorNames(database),
    expireSome: (projectId, before) => database.background((tx) => expireSome(tx, projectId, before)),
  }
}

/**
 * Lets go of old events. An issue's own history stays; what goes is that it was reported again, once no reader is
 * promised it any more: neither those of all lanes nor those of the open one.
 */
async function expireSome(tx: Transaction, projectId: ProjectId, before: number): Promise<boolean> {
  const [project] = await tx.run<Omit<ProjectRow, 'last_event_position' | 'last_open_position'>>({
    text: 'SELECT seq, expired_position, expired_open_position FROM projects WHERE id = $1 FOR UPDATE',
    values: [uuidOf(projectId)],
  })
  if (project === undefined) return false
  const { seq } = project
  const oldIn = async (order: Order, after: number) => {
    const { key, isInLane } = ORDERS[order]
    const rows = await tx.run<EventRow>({
      text: `SELECT position, open_position, type, at, lane FROM events WHERE project = $1 AND ${key} > $2 ${isInLane}
        ORDER BY ${key} LIMIT $3`,
      values: [seq, after, EXPIRE_STEP_ROWS],
    })
    return oldest(rows, before).map(toExpiring)
  }
  const old = await oldIn('all', project.expired_position)
  const oldOpen = await oldIn('open', project.expired_open_position)
  if (old.length === 0 && oldOpen.length === 0) return false
  const expired = old.at(-1)?.position ?? project.expired_position
  const expiredOpen = oldOpen.at(-1)?.openPosition ?? project.expired_open_position
  const removed = unpromised([...old, ...oldOpen], { expired, expiredOpen }).map(({ position }) => position)
  tx.send({
    text: 'DELETE FROM events WHERE project = $1 AND position = ANY ($2::bigint[])',
    values: [seq, removed],
  })
  tx.send({
    text: 'UPDATE projects SET expired_position = $2, expired_open_position = $3 WHERE seq = $1',
    values: [seq, expired, expiredOpen],
  })
  return old.length === EXPIRE_STEP_ROWS || oldOpen.length === EXPIRE_STEP_ROWS
}

function toExpiring({ position, open_position: openPosition, type, lane }: EventRow) {
  return { position, openPosition: openPosition ?? position, type, lane }
}

type FeedRow = EventRow & ShownRow

interface ProjectRow extends WindowColumns {
  readonly seq: number
}

interface Reach {
  readonly count: number
  readonly last: number | null
}
