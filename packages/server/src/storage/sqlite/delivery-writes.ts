import type { DatabaseSync } from 'node:sqlite'
import type { DeliveryStatus } from '@bugle/contract/vocabulary'
import { applyVerdict } from '../../model/decisions/change-webhook.ts'
import { type DeliveryVerdict, judgeDelivery } from '../../model/decisions/judge-delivery.ts'
import { FAN_OUT_STEP_EVENTS, planFanOut } from '../../model/decisions/plan-fan-out.ts'
import type { ProjectId, WebhookId } from '../../model/ids.ts'
import type { AttemptOrder, WebhookOrder } from '../../model/webhooks.ts'
import type { ShownRow } from '../sql/event-parts.ts'
import { confirmationOf, REGRESSION_DETAILS } from '../sql/event-rows.ts'
import { highestLane, laneOfCode } from '../sql/issue-rows.ts'
import { type EventRow, SHOWN_LANE } from './event-rows.ts'
import { keyRange, numberOf, rowKey } from './row-keys.ts'
import { prepareCommand } from './statements.ts'
import type { FoundWebhook, WebhookSteps } from './webhook-writes.ts'

/** How events become deliveries and deliveries come to an end, as it runs in the writer. */
export function prepareDeliveryWrites(db: DatabaseSync, steps: WebhookSteps) {
  const countPending = db.prepare(
    "SELECT count(*) AS count FROM deliveries WHERE webhook_row = ? AND status = 'pending'",
  )
  const selectNext = db.prepare(
    `SELECT row, type, ${SHOWN_LANE} AS shown_lane, ${REGRESSION_DETAILS} FROM events e WHERE row > ? AND row < ? ORDER BY row LIMIT ?`,
  )
  const insert = prepareCommand(
    db,
    `INSERT INTO deliveries (webhook_row, position, status, created_at, next_attempt_at, attempts, series_attempts)
     VALUES (?1, ?2, 'pending', ?3, ?3, 0, 0)`,
  )
  const select = db.prepare(
    'SELECT status, attempts, series_attempts FROM deliveries WHERE webhook_row = ? AND position = ?',
  )
  const insertAttempt = prepareCommand(
    db,
    `INSERT INTO attempts (webhook_row, position, number, at, http_status, error, duration_ms, response)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const release = prepareCommand(
    db,
    `UPDATE deliveries SET attempts = attempts + 1, series_attempts = series_attempts + 1, leased_until = NULL
     WHERE webhook_row = ? AND position = ?`,
  )
  const update = prepareCommand(
    db,
    'UPDATE deliveries SET status = ?, next_attempt_at = ?, finished_at = ? WHERE webhook_row = ? AND position = ?',
  )
  const makePending = prepareCommand(
    db,
    `UPDATE deliveries AS d SET status = 'pending', next_attempt_at = ?, finished_at = NULL, series_attempts = 0
     WHERE webhook_row = ? AND position = ? AND EXISTS (
       SELECT 1 FROM events e WHERE e.row = (d.webhook_row >> 32 << 32) + d.position AND ${SHOWN_LANE} <= ?)`,
  )

  /** What the log has next for a webhook. */
  function nextEvents({ project, position, row }: FoundWebhook) {
    const { count: pending } = countPending.get(row) as { count: number }
    const { high } = keyRange(project.seq)
    const rows = selectNext.all(rowKey(project.seq, position), high, FAN_OUT_STEP_EVENTS)
    const events = (rows as unknown as NextEventRow[]).map(({ row: key, shown_lane: lane, ...event }) => ({
      position: numberOf(key),
      type: event.type,
      lane: lane === null ? null : laneOfCode(lane),
      ...confirmationOf(event),
    }))
    return { events, end: project.lastEventPosition, pending }
  }

  function noteAttempt(row: number, number: number, { position, sentAt, result }: AttemptOrder): void {
    const { status, error, durationMs, response } = result
    insertAttempt.run(row, position, number, sentAt, status, error, durationMs, response)
    release.run(row, position)
  }

  function settle(row: number, { position, now }: AttemptOrder, verdict: DeliveryVerdict): void {
    if (verdict.kind === 'retry') update.run('pending', verdict.at, null, row, position)
    else update.run(verdict.kind, null, now, row, position)
  }

  return {
    fanOut(projectId: ProjectId, id: WebhookId, now: number): boolean {
      const found = steps.find(projectId, id)
      if (found?.webhook.status !== 'active') return false
      const lost = steps.lostPosition(found)
      if (lost !== null) steps.skipTo(found, lost, now)
      const next = nextEvents({ ...found, position: lost ?? found.position })
      const { positions, position } = planFanOut(found.webhook, next)
      for (const wanted of positions) insert.run(found.row, wanted, now)
      steps.moveTo(found, position)
      return position > found.position
    },

    /** Says whether the webhook was paused by it. */
    recordAttempt(order: AttemptOrder): boolean {
      const found = steps.find(order.projectId, order.webhookId)
      const delivery = found && (select.get(found.row, order.position) as DeliveryRow | undefined)
      if (found === undefined || delivery === undefined) return false
      noteAttempt(found.row, delivery.attempts + 1, order)
      const { failingSince } = found.webhook
      const verdict = judgeDelivery({ ...order, attempt: delivery.series_attempts + 1, failingSince })
      // Somebody else may have finished it, after this attempt took longer than it may.
      if (delivery.status === 'pending') settle(found.row, order, verdict.delivery)
      const decision = applyVerdict(found.webhook, verdict, order)
      steps.apply(found, decision, { at: order.now, actor: null })
      return decision.event !== null
    },

    redeliver(order: WebhookOrder, position: number, now: number): 'pending' | 'missing' {
      const found = steps.findInSight(order)
      if (found === undefined) return 'missing'
      const lane = highestLane(order.lanes)
      return makePending.run(now, found.row, position, lane).changes > 0 ? 'pending' : 'missing'
    },
  }
}

type NextEventRow = Pick<EventRow, 'row' | 'type' | 'details'> & ShownRow

interface DeliveryRow {
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly series_attempts: number
}
