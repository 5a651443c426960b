import { MAX_PENDING_DELIVERIES } from '../../../model/decisions/plan-fan-out.ts'
import type { ProjectId } from '../../../model/ids.ts'
import type { Lane } from '../../../model/lanes.ts'
import {
  type AttemptRecord,
  type DeliveryHistory,
  type DeliveryRecord,
  lanesOfWebhook,
  type WebhookCommand,
  type WebhookRecord,
} from '../../../model/webhooks.ts'
import { type Dialect, forBoth } from '../../dialects.ts'
import { highestLane, LANE_CODES } from '../../issues/lane-codes.ts'
import {
  all,
  change,
  List,
  type Operation,
  type Operations,
  one,
  send,
  storedId,
  storedSeq,
} from '../../operations.ts'
import type { DeliveryStorage } from '../../ports/webhooks.ts'
import { ATTEMPTS, DELIVERIES, type DeliveryRow } from '../../tables/webhooks.ts'
import { type EventRow, eventsAt, shownLane } from '../issues/event-log.ts'
import { claimDue, fanOut, isAnyDue, listBehind, recordAttempt } from './send-deliveries.ts'
import { arePending, COUNT_PENDING, tallyWebhooks } from './tally-webhooks.ts'
import { findStoredWebhook, isInSight, lockWebhookInSight, type StoredWebhook } from './webhooks.ts'

export function deliveryStorage(
  { read, write, writeInBackground }: Operations,
  announce: (projectId: ProjectId) => void,
): DeliveryStorage {
  return {
    listBehind: (limit) => read(listBehind, limit),
    fanOut: (projectId, id, now) => writeInBackground(fanOut, projectId, id, now),
    isAnyDue: (now) => read(isAnyDue, now),
    claimDue: (command) => writeInBackground(claimDue, command),
    async recordAttempt(command) {
      const isPaused = await writeInBackground(recordAttempt, command)
      if (isPaused) announce(command.projectId)
    },
    list: (listing) => read(listDeliveries, listing),
    find: (command, position) => read(findDelivery, command, position),
    countPending: async (webhook) => (await read(countPending, [webhook]))[0] ?? 0,
    countPendingOf: (webhooks) => read(countPending, webhooks),
    tally: () => read(tallyWebhooks),
    async redeliver(command, position, now) {
      const delivery = await write(redeliver, command, position, now)
      announce(command.projectId)
      return delivery
    },
    expireSome: (projectId, before) => writeInBackground(expireSomeDeliveries, projectId, before),
  }
}

/** The current lane of the event of `deliveries d` of project `$1`: events that readers may no longer see are not listed for them. */
function laneOf(dialect: Dialect): string {
  const isItsEvent = dialect.isKey('e.position', '$1', 'd.position')
  return `(SELECT ${shownLane(dialect)} FROM events e WHERE ${isItsEvent})`
}

const SELECT = 'SELECT d.* FROM deliveries d WHERE d.project = $1 AND d.webhook = $2'
const SELECT_SOME = forBoth(
  (dialect) => `${SELECT} AND d.position < $3 AND ${laneOf(dialect)} <= $4 ORDER BY d.position DESC LIMIT $5`,
)
const SELECT_ONE = forBoth((dialect) => `${SELECT} AND d.position = $3 AND ${laneOf(dialect)} <= $4`)
// Webhooks usually wait for the same events, so each event is looked up once. Few are hidden or of deleted issues.
const SELECT_HIDDEN = forBoth(
  (dialect) => `SELECT s.position, s.lane FROM (SELECT d.position, ${laneOf(dialect)} AS lane
      FROM (SELECT DISTINCT d.position ${arePending(dialect)}) d) s
    WHERE s.lane IS NULL OR s.lane > ${LANE_CODES.open}`,
)
const SELECT_PENDING_AT = forBoth(
  (dialect) => `SELECT d.webhook, d.position ${arePending(dialect)} AND ${dialect.isIn('d.position', '$3')}`,
)
const SELECT_OPEN_PLACE = forBoth(
  ({ numberIn, isAfter, orderOf }) =>
    `SELECT ${numberIn('e.position')} AS position, ${numberIn('e.open_position')} AS open_position FROM events e
     WHERE ${isAfter('e.open_position', '$1', '$2')} AND e.lane = ${LANE_CODES.open}
     ORDER BY ${orderOf('e.open_position')} LIMIT 1`,
)

function* listDeliveries({
  beforePosition,
  limit,
  ...command
}: Parameters<DeliveryStorage['list']>[0]): Operation<readonly DeliveryRecord[]> {
  const found = yield* findInSight(command)
  if (found === undefined) return []
  const { project, webhook } = found
  const place = command.lanes.includes('security') ? null : yield* findOpenPlace(project, beforePosition)
  const before = place === null ? beforePosition : (place?.position ?? Number.MAX_SAFE_INTEGER)
  const values = [project, webhook.number, before, highestLane(command.lanes), limit]
  const deliveries = (yield* all(SELECT_SOME, ...values)).map(DELIVERIES.recordOf)
  const events = yield* eventsAt(
    project,
    deliveries.map(({ position }) => position),
  )
  return deliveries.flatMap((delivery) => toDelivery(delivery, events.get(delivery.position)))
}

function* findDelivery(command: WebhookCommand, named: number): Operation<DeliveryHistory | undefined> {
  const found = yield* findInSight(command)
  if (found === undefined) return undefined
  const position = yield* positionOf(found.project, command.lanes, named)
  return position === undefined ? undefined : yield* readDelivery(found, command.lanes, position)
}

function* readDelivery(
  found: StoredWebhook,
  lanes: readonly Lane[],
  position: number,
): Operation<DeliveryHistory | undefined> {
  const { project, webhook } = found
  const row = yield* one(SELECT_ONE, project, webhook.number, position, highestLane(lanes))
  const events = yield* eventsAt(project, [position])
  const [delivery] = row === undefined ? [] : toDelivery(DELIVERIES.recordOf(row), events.get(position))
  return delivery && { ...delivery, attempts: yield* listAttempts(found, position) }
}

function* findInSight({ projectId, webhookId, lanes }: WebhookCommand): Operation<StoredWebhook | undefined> {
  const found = yield* findStoredWebhook(projectId, webhookId)
  return found && isInSight(found, lanes) ? found : undefined
}

/** The position, counted in all lanes, of an event that the caller identifies by its position in these lanes. */
function* positionOf(project: number, lanes: readonly Lane[], named: number): Operation<number | undefined> {
  if (lanes.includes('security')) return named
  const place = yield* findOpenPlace(project, named)
  return place?.open_position === named ? place.position : undefined
}

/** The event with this open position, or the next one if it was deleted. */
function* findOpenPlace(project: number, openPosition: number) {
  return yield* one<{ position: number; open_position: number }>(SELECT_OPEN_PLACE, project, openPosition - 1)
}

/** Empty if the event has been deleted since. */
function toDelivery(row: DeliveryRow, event: EventRow | undefined): readonly DeliveryRecord[] {
  if (event === undefined) return []
  const { position, status, createdAt, nextAttemptAt, finishedAt, attempts } = row
  const ofEvent = { openPosition: event.open_position, eventType: event.type, eventAt: event.at }
  return [{ position, ...ofEvent, status, createdAt, nextAttemptAt, finishedAt, attemptCount: attempts }]
}

/** The pending deliveries of webhooks of one project, in the given order. */
function* countPending(webhooks: readonly WebhookRecord[]): Operation<readonly number[]> {
  const [first] = webhooks
  const project = first && (yield* one<{ seq: number }>(SELECT_PROJECT, storedId(first.projectId)))
  if (project === undefined) return webhooks.map(() => 0)
  const wanted = [project.seq, new List(webhooks.map(({ number }) => number))] as const
  const counts = yield* all<{ webhook: number; count: number }>(COUNT_PENDING, ...wanted)
  const hidden = yield* all<{ position: number; lane: number | null }>(SELECT_HIDDEN, ...wanted)
  const positions = new List(hidden.map(({ position }) => position))
  const found =
    hidden.length === 0
      ? []
      : yield* all<{ webhook: number; position: number }>(SELECT_PENDING_AT, ...wanted, positions)
  const laneAt = new Map(hidden.map(({ position, lane }) => [position, lane]))
  return webhooks.map((webhook) => {
    const highest = highestLane(lanesOfWebhook(webhook))
    const isUnseen = (lane: number | null | undefined) => typeof lane !== 'number' || lane > highest
    const unseen = found.filter(
      ({ webhook: number, position }) => number === webhook.number && isUnseen(laneAt.get(position)),
    )
    return (counts.find((count) => count.webhook === webhook.number)?.count ?? 0) - unseen.length
  })
}

const SELECT_PROJECT = 'SELECT seq FROM projects WHERE id = $1'

function* listAttempts(
  { project, webhook }: StoredWebhook,
  position: number,
): Operation<readonly AttemptRecord[]> {
  const rows = yield* all(
    'SELECT * FROM attempts WHERE project = $1 AND webhook = $2 AND position = $3 ORDER BY number',
    ...[project, webhook.number, position],
  )
  return rows.map((row) => {
    const { number, at, httpStatus: status, error, durationMs, response } = ATTEMPTS.recordOf(row)
    return { number, at, status, error, durationMs, response }
  })
}

const MAKE_PENDING = forBoth(
  (dialect) =>
    `UPDATE deliveries AS d SET status = 'pending', next_attempt_at = $4, finished_at = NULL, series_attempts = 0
     WHERE d.project = $1 AND d.webhook = $2 AND d.position = $3 AND ${laneOf(dialect)} <= $5`,
)

export function* redeliver(
  command: WebhookCommand,
  named: number,
  now: number,
): Operation<DeliveryHistory | undefined> {
  const found = yield* lockWebhookInSight(command)
  const position = found && (yield* positionOf(found.project, command.lanes, named))
  if (found === undefined || position === undefined) return undefined
  const values = [found.project, found.webhook.number, position, now, highestLane(command.lanes)]
  const isStored = (yield* change(MAKE_PENDING, ...values)) > 0
  return isStored ? yield* readDelivery(found, command.lanes, position) : undefined
}

/** The number of deliveries deleted in one step, so that other writes can run in between. */
const EXPIRE_STEP_ROWS = 500

// Positions increase with time, so the first ones are the oldest. Pending deliveries are skipped.
const SELECT_OLD = `SELECT d.position FROM (SELECT position, status, created_at FROM deliveries
    WHERE project = $1 AND webhook = $2 ORDER BY position LIMIT ${MAX_PENDING_DELIVERIES + EXPIRE_STEP_ROWS}) d
  WHERE $3::bigint IS NULL OR (d.status <> 'pending' AND d.created_at < $3) LIMIT $4`
// In the same order as when an issue is deleted: recording an attempt locks its delivery.
const DELETE_SOME = ['deliveries', 'attempts'].map((table) =>
  forBoth(
    ({ isIn }) => `DELETE FROM ${table} WHERE project = $1 AND webhook = $2 AND ${isIn('position', '$3')}`,
  ),
)

/** Deletes old deliveries that are not pending, and deliveries of deleted webhooks. */
export function* expireSomeDeliveries(projectId: ProjectId, before: number): Operation<boolean> {
  let room = EXPIRE_STEP_ROWS
  for (let last = 0; ; ) {
    const next = yield* nextWebhook(projectId, last)
    if (next === undefined) return false
    const { project, number } = next
    const isKept = (yield* one(SELECT_WEBHOOK, project, number)) !== undefined
    const old = yield* all<{ position: number }>(SELECT_OLD, project, number, isKept ? before : null, room)
    const positions = new List(old.map(({ position }) => position))
    if (old.length > 0) for (const text of DELETE_SOME) yield* send(text, project, number, positions)
    room -= old.length
    if (room === 0) return true
    last = number
  }
}

const SELECT_WEBHOOK = 'SELECT 1 FROM webhooks WHERE project = $1 AND number = $2'
const SELECT_NEXT_WEBHOOK = forBoth(
  ({ seq }) =>
    `SELECT d.project, d.webhook AS number FROM deliveries d WHERE d.project = ${seq('$1')} AND d.webhook > $2
     ORDER BY d.webhook LIMIT 1`,
)

/** The next webhook number in a project that has deliveries. The webhook itself may have been deleted. */
function* nextWebhook(projectId: ProjectId, after: number) {
  return yield* one<{ project: number; number: number }>(SELECT_NEXT_WEBHOOK, storedSeq(projectId), after)
}
