import type { Actor, EventRecord, NewEvent } from '../../../model/events.ts'
import type { Lane } from '../../../model/lanes.ts'
import { type Dialect, forBoth, type Texts } from '../../dialects.ts'
import {
  detailsOf,
  type EventColumns,
  shownLane as laneOf,
  toEvent as toRecord,
} from '../../issues/event-rows.ts'
import type { Stamp } from '../../issues/issue-tables.ts'
import { LANE_CODES } from '../../issues/lane-codes.ts'
import { all, changeInPostgres, List, type Operation, one, readId, send } from '../../operations.ts'

/** A row of {@link eventColumns}. */
export interface EventRow extends EventColumns {
  readonly actor: Actor
  readonly position: number
  readonly open_position: number
  readonly issue_number: number | null
  /** The id of the issue, if the query selects it. */
  readonly issue_id?: unknown
}

/** The columns of `events e`. */
export function eventColumns({ numberIn }: Dialect): string {
  return `e.type, e.at, e.actor, e.lane, e.details, ${numberIn('e.position')} AS position,
    ${numberIn('e.open_position')} AS open_position, ${numberIn('e.issue_number')} AS issue_number`
}

/** The lane that `events e` is seen in; NULL if its issue was deleted. */
export function shownLane({ numberIn, ofIssue }: Dialect): string {
  return laneOf(numberIn('e.issue_number'), ofIssue('lane'))
}

export interface ShownRow {
  readonly shown_lane: number | null
}

export function toEvent(row: EventRow): EventRecord {
  return toRecord(row, {
    position: row.position,
    openPosition: row.open_position,
    issueId: row.issue_id ? readId('iss', row.issue_id) : null,
    issueNumber: row.issue_number,
  })
}

const SELECT_AT = forBoth(
  (dialect) =>
    `SELECT ${eventColumns(dialect)}, ${shownLane(dialect)} AS shown_lane FROM events e
     WHERE ${dialect.isKeyIn('e.position', '$1', '$2')}`,
)

/** The events of a project at these positions that are still in the log. */
export function* eventsAt(
  project: number,
  positions: readonly number[],
): Operation<ReadonlyMap<number, EventRow & ShownRow>> {
  const rows = yield* all<EventRow & ShownRow>(SELECT_AT, project, new List(positions))
  return new Map(rows.map((row) => [row.position, row]))
}

const INSERT: Texts = {
  postgres: `INSERT INTO events (project, position, open_position, type, at, actor, lane, details, issue_number)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  sqlite: `INSERT INTO events (row, open_row, type, at, actor, lane, details, issue_row)
    VALUES (($1 << 32) + $2, ($1 << 32) + $3, $4, $5, $6, $7, $8, ($1 << 32) + $9)`,
}

interface AddedEvent {
  readonly event: NewEvent
  readonly lane: Lane
  readonly by: Stamp
  /** The issue that it is about, if any. */
  readonly issueNumber?: number
}

const TAKEN = 'last_event_position AS position, last_open_position AS open_position'
/** Takes the next position of the log. */
const TAKE_POSITION: Texts = {
  postgres: `UPDATE project_heads SET commits = commits + 1, last_event_position = last_event_position + 1,
      last_open_position = last_open_position + $2
    WHERE project = $1 AND generation =
      (SELECT generation FROM project_heads WHERE project = $1 ORDER BY generation DESC LIMIT 1)
    RETURNING ${TAKEN}`,
  sqlite: `UPDATE projects SET last_event_position = last_event_position + 1, last_open_position = last_open_position + $2
    WHERE seq = $1 RETURNING ${TAKEN}`,
}

/** In PostgreSQL, a project has no head before its first commit. */
const FIRST_POSITION = `SELECT last_issue_number, last_event_position + 1 AS position, last_open_position + $2 AS open_position
  FROM projects WHERE seq = $1`
const BEGIN_HEAD = `INSERT INTO project_heads
    (project, generation, commits, last_issue_number, last_event_position, last_open_position)
  VALUES ($1, 1, 1, $2, $3, $4)`

/** Adds an entry to the log of a project, outside of a group commit. */
export function* addEvent(project: number, { event, lane, by, issueNumber }: AddedEvent): Operation<void> {
  const place = yield* takePosition(project, lane === 'open' ? 1 : 0)
  const { position, open_position: openPosition } = place
  const ownOpenPosition = lane === 'open' && openPosition !== position ? openPosition : null
  yield* send(
    INSERT,
    ...[project, position, ownOpenPosition, event.type, by.at, by.actor, LANE_CODES[lane], detailsOf(event)],
    issueNumber ?? null,
  )
}

interface Place {
  readonly position: number
  readonly open_position: number
}

function* takePosition(project: number, inOpenLane: 0 | 1): Operation<Place> {
  // A generation begins only while the project is locked.
  yield* changeInPostgres('SELECT 1 FROM projects WHERE seq = $1 FOR UPDATE', project)
  const moved = yield* one<Place>(TAKE_POSITION, project, inOpenLane)
  if (moved !== undefined) return moved
  const begun = yield* one<Place & { last_issue_number: number }>(FIRST_POSITION, project, inOpenLane)
  if (begun === undefined) throw new Error('The project was deleted.')
  const { position, open_position: openPosition, last_issue_number: lastNumber } = begun
  yield* changeInPostgres(BEGIN_HEAD, project, lastNumber, position, openPosition)
  return begun
}
