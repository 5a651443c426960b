import type { DeliveryStatus, EventType } from '@bugle/contract/vocabulary'
import { applyVerdict, EVENTS_LOST, resumeWebhook } from '../../model/decisions/change-webhook.ts'
import { type DeliveryVerdict, judgeDelivery } from '../../model/decisions/judge-delivery.ts'
import { FAN_OUT_STEP_EVENTS, planFanOut } from '../../model/decisions/plan-fan-out.ts'
import type { ProjectId, WebhookId } from '../../model/ids.ts'
import type { AttemptOrder, WebhookOrder } from '../../model/webhooks.ts'
import type { ShownRow } from '../sql/event-parts.ts'
import { confirmationOf, REGRESSION_DETAILS } from '../sql/event-rows.ts'
import { highestLane, laneOfCode } from '../sql/issue-rows.ts'
import type { ProjectCounters } from '../sql/issue-tables.ts'
import { prepared, type Transaction } from './connection.ts'
import { SHOWN_LANE } from './event-rows.ts'
import { lockProject } from './load-rows.ts'
import { uuidOf } from './uuids.ts'
import {
  applyDecision,
  type FoundWebhook,
  findLostPosition,
  lockFreeWebhook,
  lockWebhook,
  lockWebhookInSight,
  moveWebhook,
  writeWebhook,
} from './webhook-writes.ts'

const SELECT_LOG = prepared(
  'log_of_webhook',
  `SELECT p.last_event_position, p.expired_position > w.position AS is_losing
   FROM projects p JOIN webhooks w ON w.project = p.seq AND w.id = $2 WHERE p.id = $1`,
)
const COUNT_PENDING = prepared(
  'count_pending_of_webhook',
  `SELECT count(*) AS count FROM deliveries WHERE project = $1 AND webhook = $2 AND status = 'pending'`,
)
const SELECT_NEXT = prepared(
  'next_events',
  `SELECT position, type, ${SHOWN_LANE} AS shown_lane, ${REGRESSION_DETAILS} FROM events e WHERE project = $1 AND position > $2 AND position <= $3
   ORDER BY position LIMIT $4`,
)
const INSERT_DELIVERIES = prepared(
  'insert_deliveries',
  `INSERT INTO deliveries (project, webhook, position, status, created_at, next_attempt_at, attempts, series_attempts)
   SELECT $1, $2, position, 'pending', $4, $4, 0, 0 FROM unnest($3::bigint[]) AS position`,
)
const SEQ = '(SELECT seq FROM projects WHERE id = $1)'
// Locked: if its issue is being deleted, either this finds nothing, or the deletion waits and removes the attempt too.
const LOCK_DELIVERY = prepared(
  'lock_delivery',
  `SELECT status, attempts, series_attempts FROM deliveries WHERE project = ${SEQ} AND position = $3
     AND webhook = (SELECT number FROM webhooks WHERE project = ${SEQ} AND id = $2) FOR UPDATE`,
)
const INSERT_ATTEMPT = prepared(
  'insert_attempt',
  `INSERT INTO attempts (project, webhook, position, number, at, http_status, error, duration_ms, response)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)
const RELEASE = prepared(
  'release_delivery',
  `UPDATE deliveries SET attempts = attempts + 1, series_attempts = series_attempts + 1, leased_until = NULL
   WHERE project = $1 AND webhook = $2 AND position = $3`,
)
const SETTLE = prepared(
  'settle_delivery',
  `UPDATE deliveries SET status = $4, next_attempt_at = $5, finished_at = $6
   WHERE project = $1 AND webhook = $2 AND position = $3`,
)
const MAKE_PENDING = prepared(
  'redeliver',
  `UPDATE deliveries d SET status = 'pending', next_attempt_at = $4, finished_at = NULL, series_attempts = 0
   WHERE project = $1 AND webhook = $2 AND position = $3 AND EXISTS (
     SELECT 1 FROM events e WHERE e.project = d.project AND e.position = d.position AND ${SHOWN_LANE} <= $5)
   RETURNING position`,
)

/** Turns the next events that a webhook wants into deliveries. The log itself is not locked, unless it has something to add. */
export async function fanOut(
  tx: Transaction,
  { projectId, id, now }: { readonly projectId: ProjectId; readonly id: WebhookId; readonly now: number },
): Promise<boolean> {
  const [log] = await tx.run<LogRow>(SELECT_LOG(uuidOf(projectId), uuidOf(id)))
  // The project comes before the webhook, as everywhere.
  const project = log?.is_losing ? await lockProject(tx, projectId) : undefined
  const found = await lockFreeWebhook(tx, projectId, id)
  if (log === undefined || found?.webhook.status !== 'active') return false
  const lost = project === undefined ? null : await skipLost(tx, project, found, now)
  const position = lost ?? found.position
  const end = project?.lastEventPosition ?? log.last_event_position
  const { number } = found.webhook
  const [events, [pending]] = await Promise.all([
    tx.run<EventRow>(SELECT_NEXT(found.seq, position, end, FAN_OUT_STEP_EVENTS)),
    tx.run<{ count: number }>(COUNT_PENDING(found.seq, number)),
  ])
  const plan = planFanOut(found.webhook, {
    events: events.map(({ shown_lane: lane, ...event }) => ({
      ...event,
      lane: lane === null ? null : laneOfCode(lane),
      ...confirmationOf(event),
    })),
    end,
    pending: pending?.count ?? 0,
  })
  if (plan.positions.length > 0) tx.send(INSERT_DELIVERIES(found.seq, number, plan.positions, now))
  // Another node may have got further since the log was read.
  const isMoved = plan.position > found.position
  if (isMoved) moveWebhook(tx, found, plan.position)
  return isMoved
}

/** Goes on after events that are lost, and says so. */
async function skipLost(
  tx: Transaction,
  project: ProjectCounters,
  found: FoundWebhook,
  at: number,
): Promise<number | null> {
  const lost = await findLostPosition(tx, found)
  if (lost === null) return null
  const { event } = resumeWebhook(found.webhook, EVENTS_LOST)
  applyDecision(tx, project, { webhook: found.webhook, event }, { at, actor: null })
  return lost
}

/** Says whether the webhook was paused by it. */
export async function recordAttempt(tx: Transaction, order: AttemptOrder): Promise<boolean> {
  // Only a failure can pause a webhook, and only that is told in the log.
  const mayPause = order.result.error !== null
  // Should a success be forgotten in a crash, it is delivered once more: that costs less than waiting for the disk with
  // the webhook locked.
  if (!mayPause) tx.send({ text: 'SET LOCAL synchronous_commit = off', values: [] })
  const project = mayPause ? await lockProject(tx, order.projectId) : undefined
  const [found, [delivery]] = await Promise.all([
    lockWebhook(tx, order.projectId, order.webhookId),
    tx.run<DeliveryRow>(LOCK_DELIVERY(uuidOf(order.projectId), uuidOf(order.webhookId), order.position)),
  ])
  if (found === undefined || delivery === undefined) return false
  const { webhook, seq } = found
  noteAttempt(tx, found, delivery.attempts + 1, order)
  const { failingSince } = webhook
  const verdict = judgeDelivery({ ...order, attempt: delivery.series_attempts + 1, failingSince })
  // Somebody else may have finished it, after this attempt took longer than it may.
  if (delivery.status === 'pending') settle(tx, found, order, verdict.delivery)
  const decision = applyVerdict(webhook, verdict, order)
  if (project === undefined) writeWebhook(tx, seq, decision.webhook)
  else applyDecision(tx, project, decision, { at: order.now, actor: null })
  return decision.event !== null
}

function noteAttempt(tx: Transaction, found: FoundWebhook, number: number, order: AttemptOrder): void {
  const { position, sentAt, result } = order
  const { status, error, durationMs, response } = result
  const key = [found.seq, found.webhook.number, position]
  tx.send(INSERT_ATTEMPT(...key, number, sentAt, status, error, durationMs, response))
  tx.send(RELEASE(...key))
}

function settle(
  tx: Transaction,
  { seq, webhook }: FoundWebhook,
  { position, now }: AttemptOrder,
  verdict: DeliveryVerdict,
): void {
  const [status, nextAttemptAt, finishedAt] =
    verdict.kind === 'retry' ? (['pending', verdict.at, null] as const) : ([verdict.kind, null, now] as const)
  tx.send(SETTLE(seq, webhook.number, position, status, nextAttemptAt, finishedAt))
}

export async function redeliver(
  tx: Transaction,
  order: WebhookOrder,
  position: number,
  now: number,
): Promise<'pending' | 'missing'> {
  const found = await lockWebhookInSight(tx, order)
  if (found === undefined) return 'missing'
  const { seq, webhook } = found
  const made = await tx.run(MAKE_PENDING(seq, webhook.number, position, now, highestLane(order.lanes)))
  return made.length > 0 ? 'pending' : 'missing'
}

interface LogRow {
  readonly last_event_position: number
  readonly is_losing: boolean
}

interface EventRow extends ShownRow {
  readonly position: number
  readonly type: EventType
  readonly details: string | null
}

interface DeliveryRow {
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly series_attempts: number
}
