import type { EventType } from '@bugle/contract/vocabulary'
import type { Actor, EventPart, EventSelection, EventWindow } from '../../../model/events.ts'
import { isId, type ProjectId } from '../../../model/ids.ts'
import type { Lane } from '../../../model/lanes.ts'
import { forBoth, type Key } from '../../dialects.ts'
import { isReportEvent } from '../../issues/event-rows.ts'
import { highestLane, LANE_CODES } from '../../issues/lane-codes.ts'
import { all, List, type Operation, type Operations, one, readId, send, storedId } from '../../operations.ts'
import type { EventStorage } from '../../ports/issues.ts'
import { type EventRow, eventColumns, type ShownRow, shownLane, toEvent } from './event-log.ts'

/** Each database announces new events in its own way. */
export function eventStorage(
  { read, writeInBackground }: Operations,
  subscribe: EventStorage['subscribe'],
): EventStorage {
  return {
    list: (selection) => read(listEvents, selection),
    window: (projectId, lanes) => read(findWindow, projectId, lanes),
    subscribe,
    findActorNames: async (actors) => new Map(await read(findActorNames, actors)),
    expireSome: (projectId, before) => writeInBackground(expireSomeEvents, projectId, before),
  }
}

/** Events examined in one step, whatever the filter. */
const MAX_EXAMINED_EVENTS = 1_000

/** The order in which a reader sees the log: that of all lanes or of the open lane, each with its own index. */
type Order = 'all' | 'open'

function orderOf(lanes: readonly Lane[]): Order {
  return lanes.includes('security') ? 'all' : 'open'
}

function inBothOrders<T>(write: (key: Key, isInLane: string) => T): Readonly<Record<Order, T>> {
  return { all: write('e.position', ''), open: write('e.open_position', `AND e.lane = ${LANE_CODES.open}`) }
}

const SELECT_EVENTS = inBothOrders((key, isInLane) =>
  forBoth(
    (dialect) =>
      `SELECT ${eventColumns(dialect)}, ${shownLane(dialect)} AS shown_lane, ${dialect.ofIssue('id')} AS issue_id FROM events e
       WHERE ${dialect.isAfter(key, '$1', '$2')} AND ${dialect.isUpTo(key, '$1', '$3')} ${isInLane}
         AND ($4::text[] IS NULL OR ${dialect.isIn('e.type', '$4')}) ORDER BY ${dialect.orderOf(key)} LIMIT $5`,
  ),
)

const SELECT_REACH = inBothOrders((key, isInLane) =>
  forBoth(
    ({ numberIn, isAfter, orderOf }) =>
      `SELECT count(*) AS count, max(key) AS last FROM (SELECT ${numberIn(key)} AS key FROM events e
         WHERE ${isAfter(key, '$1', '$2')} ${isInLane} ORDER BY ${orderOf(key)} LIMIT $3) e`,
  ),
)

/** Reads part of the log. Hidden events are skipped as if they were deleted, and do not count towards the limit. */
function* listEvents(selection: EventSelection): Operation<EventPart> {
  const { projectId, lanes, after, types, limit } = selection
  const project = yield* findProjectLog(projectId)
  if (project === undefined) return { events: [], lastExamined: after, hasMore: false }
  const log = { project: project.seq, order: orderOf(lanes), lane: highestLane(lanes) }
  if (types === null) return yield* takeShown(log, { after, upTo: Number.MAX_SAFE_INTEGER, types, limit })
  const { count, last } = yield* reach(log, after, MAX_EXAMINED_EVENTS)
  if (last === null) return { events: [], lastExamined: after, hasMore: false }
  const part = yield* takeShown(log, { after, upTo: last, types, limit })
  if (part.hasMore) return part
  const hasMore = count === MAX_EXAMINED_EVENTS && (yield* reach(log, last, 1)).count > 0
  return { events: part.events, lastExamined: last, hasMore }
}

/** The log of a project as a reader sees it. */
interface Log {
  readonly project: number
  readonly order: Order
  /** The highest lane that the reader sees. */
  readonly lane: number
}

interface Range {
  readonly after: number
  readonly upTo: number
  /** `null`: all. */
  readonly types: readonly EventType[] | null
  readonly limit: number
}

/** One row more than requested shows whether there are more. Hidden rows are skipped, up to a limit. */
function* takeShown(log: Log, { after, upTo, types, limit }: Range): Operation<EventPart> {
  const wanted = limit + 1
  const shown: EventRow[] = []
  let lastExamined = after
  for (let examined = 0; examined < MAX_EXAMINED_EVENTS; ) {
    const room = wanted - shown.length
    const found = yield* all<EventRow & ShownRow>(
      SELECT_EVENTS[log.order],
      ...[log.project, lastExamined, upTo, types && new List(types), room],
    )
    shown.push(...found.filter((row) => row.shown_lane !== null && row.shown_lane <= log.lane))
    lastExamined = lastPositionOf(log, found) ?? lastExamined
    if (shown.length === wanted) {
      const rows = shown.slice(0, -1)
      return { events: rows.map(toEvent), lastExamined: lastPositionOf(log, rows) ?? after, hasMore: true }
    }
    if (found.length < room) return { events: shown.map(toEvent), lastExamined, hasMore: false }
    examined += found.length
  }
  return { events: shown.map(toEvent), lastExamined, hasMore: true }
}

function lastPositionOf({ order }: Log, rows: readonly EventRow[]): number | undefined {
  const last = rows.at(-1)
  return order === 'open' ? last?.open_position : last?.position
}

/** The number of events among the next `limit`, of any type, and the position of the last one. */
function* reach({ project, order }: Log, after: number, limit: number) {
  const found = yield* one<{ count: number; last: number | null }>(
    SELECT_REACH[order],
    ...[project, after, limit],
  )
  return found ?? { count: 0, last: null }
}

/** A project, and the part of its log that is guaranteed to readers. */
interface ProjectLog {
  readonly seq: number
  readonly last_event_position: number
  readonly expired_position: number
  readonly last_open_position: number
  readonly expired_open_position: number
}

const SELECT_LOG = forBoth(
  ({
    current,
  }) => `SELECT seq, last_event_position, expired_position, last_open_position, expired_open_position
    FROM ${current('projects')} WHERE id = $1`,
)

function* findProjectLog(id: ProjectId): Operation<ProjectLog | undefined> {
  return yield* one<ProjectLog>(SELECT_LOG, storedId(id))
}

function* findWindow(projectId: ProjectId, lanes: readonly Lane[]): Operation<EventWindow> {
  const project = yield* findProjectLog(projectId)
  if (project === undefined) return { start: 0, end: 0 }
  return orderOf(lanes) === 'all'
    ? { start: project.expired_position, end: project.last_event_position }
    : { start: project.expired_open_position, end: project.last_open_position }
}

const SELECT_NAMES = forBoth(
  ({ isIdIn }) =>
    `SELECT 'key' AS prefix, id, name FROM keys WHERE ${isIdIn('id', '$1')} AND name IS NOT NULL
     UNION ALL SELECT 'usr', id, name FROM users WHERE ${isIdIn('id', '$2')}`,
)

function* findActorNames(
  actors: readonly NonNullable<Actor>[],
): Operation<readonly (readonly [Actor, string])[]> {
  const idsOf = (prefix: 'key' | 'usr') =>
    new List(actors.filter((actor) => isId(prefix, actor)).map(storedId))
  const rows = yield* all<{ prefix: 'key' | 'usr'; id: unknown; name: string }>(
    SELECT_NAMES,
    ...[idsOf('key'), idsOf('usr')],
  )
  return rows.map(({ prefix, id, name }) => [readId(prefix, id), name] as const)
}

/** Events examined in one step, so that submissions are handled in between. */
const EXPIRE_STEP_ROWS = 500

const SELECT_NEXT = inBothOrders((key, isInLane) =>
  forBoth(
    ({ numberIn, isAfter, orderOf }) =>
      `SELECT ${numberIn('e.position')} AS position, ${numberIn('e.open_position')} AS open_position, e.type, e.at, e.lane
       FROM events e WHERE ${isAfter(key, '$1', '$2')} ${isInLane} ORDER BY ${orderOf(key)} LIMIT ${EXPIRE_STEP_ROWS}`,
  ),
)
const DELETE_SOME = forBoth(
  ({ isKeyIn }) => `DELETE FROM events AS e WHERE ${isKeyIn('e.position', '$1', '$2')}`,
)

type ExpiringRow = Pick<EventRow, 'position' | 'open_position' | 'type' | 'at' | 'lane'>

/**
 * Deletes old events. The history of an issue stays; only events of further reports and of files are deleted, once they
 * are outside the guaranteed window of all readers, those of all lanes and those of the open lane.
 */
export function* expireSomeEvents(projectId: ProjectId, before: number): Operation<boolean> {
  const project = yield* one<Omit<ProjectLog, 'last_event_position' | 'last_open_position'>>(
    'SELECT seq, expired_position, expired_open_position FROM projects WHERE id = $1 FOR UPDATE',
    storedId(projectId),
  )
  if (project === undefined) return false
  const { seq } = project
  const old = oldest(yield* all(SELECT_NEXT.all, seq, project.expired_position), before)
  const oldOpen = oldest(yield* all(SELECT_NEXT.open, seq, project.expired_open_position), before)
  if (old.length === 0 && oldOpen.length === 0) return false
  const expired = old.at(-1)?.position ?? project.expired_position
  const expiredOpen = oldOpen.at(-1)?.open_position ?? project.expired_open_position
  const isUnpromised = (event: ExpiringRow) =>
    isReportEvent(event) &&
    event.position <= expired &&
    (event.lane !== LANE_CODES.open || event.open_position <= expiredOpen)
  const deleted = [...old, ...oldOpen].filter(isUnpromised).map(({ position }) => position)
  if (deleted.length > 0) yield* send(DELETE_SOME, seq, new List(deleted))
  yield* send(
    'UPDATE projects SET expired_position = $2, expired_open_position = $3 WHERE seq = $1',
    ...[seq, expired, expiredOpen],
  )
  return old.length === EXPIRE_STEP_ROWS || oldOpen.length === EXPIRE_STEP_ROWS
}

/** The events from before a time, up to the first one that is not: later events in the log may have an earlier time. */
function oldest(rows: readonly object[], before: number): readonly ExpiringRow[] {
  const events = rows as readonly ExpiringRow[]
  const firstKept = events.findIndex(({ at }) => at >= before)
  return firstKept === -1 ? events : events.slice(0, firstKept)
}
