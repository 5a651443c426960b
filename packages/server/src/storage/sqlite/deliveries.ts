import type { DatabaseSync } from 'node:sqlite'
import type { AttemptError, DeliveryStatus, EventType } from '@bugle/contract/vocabulary'
import { MAX_PENDING_DELIVERIES } from '../../domain/decisions/plan-fan-out.ts'
import { encodeId, idToBytes } from '../../ids.ts'
import type { Lane } from '../records.ts'
import type { DeliveryStorage } from '../storage.ts'
import type { AttemptRecord, DeliveryRecord, WebhookOrder } from '../webhook-records.ts'
import { SELECT_DUE_WEBHOOKS } from './delivery-claims.ts'
import type { Announcements } from './events.ts'
import { LANE_CODES } from './issue-rows.ts'
import { isInSight, JOIN_EVENT, SELECT_WEBHOOKS, toWebhook, type WebhookRow } from './webhook-rows.ts'
import type { Writes } from './writer.ts'

export function deliveryStorage(
  reader: DatabaseSync,
  writes: Writes,
  announcements: Announcements,
): DeliveryStorage {
  const selectWebhook = reader.prepare(`${SELECT_WEBHOOKS} WHERE w.id = ? AND p.id = ?`)
  const selectBehind = reader.prepare(
    `SELECT w.id, p.id AS project_id FROM webhooks w JOIN projects p ON p.seq = w.row >> 32
     WHERE w.status = 'active' AND w.position < p.last_event_position AND p.slug IS NOT NULL
       AND (SELECT count(*) FROM deliveries d WHERE d.webhook_row = w.row AND d.status = 'pending') < ?
     LIMIT ?`,
  )
  const selectDue = reader.prepare(`${SELECT_DUE_WEBHOOKS} LIMIT 1`)
  // The lane of the event counts as it is now: what has left somebody's sight is not listed for them either.
  const select = `SELECT d.*, e.type FROM deliveries d ${JOIN_EVENT} WHERE d.webhook_row = ? AND e.lane <= ?`
  const selectSome = reader.prepare(`${select} AND d.position < ? ORDER BY d.position DESC LIMIT ?`)
  const selectOne = reader.prepare(`${select} AND d.position = ?`)
  const selectAttempts = reader.prepare(
    'SELECT * FROM attempts WHERE webhook_row = ? AND position = ? ORDER BY number',
  )
  const countPending = reader.prepare(
    `SELECT count(*) AS count FROM deliveries d ${JOIN_EVENT}
     WHERE d.webhook_row = (SELECT row FROM webhooks WHERE id = ?) AND d.status = 'pending' AND e.lane <= ?`,
  )

  function findRow({ projectId, webhookId, lanes }: WebhookOrder): number | undefined {
    const row = selectWebhook.get(idToBytes(webhookId), idToBytes(projectId)) as WebhookRow | undefined
    return row && isInSight(toWebhook(row), lanes) ? row.row : undefined
  }

  const find: DeliveryStorage['find'] = async (order, position) => {
    const row = findRow(order)
    const delivery = row && (selectOne.get(row, laneCode(order.lanes), position) as DeliveryRow | undefined)
    return delivery ? toDelivery(delivery) : undefined
  }

  return {
    find,

    async listBehind(limit) {
      const rows = selectBehind.all(MAX_PENDING_DELIVERIES, limit) as unknown as WebhookRow[]
      return rows.map((row) => ({ id: encodeId('whk', row.id), projectId: encodeId('prj', row.project_id) }))
    },

    fanOut: (projectId, id, now) => writes.run('fanOut', projectId, id, now),
    isAnyDue: async (now) => selectDue.get(now) !== undefined,
    claimDue: (order) => writes.run('claimDue', order),

    async recordAttempt(order) {
      const isPaused = await writes.run('recordAttempt', order)
      if (isPaused) announcements.announce(order.projectId)
    },

    async list({ beforePosition, limit, ...order }) {
      const row = findRow(order)
      if (row === undefined) return []
      const rows = selectSome.all(row, laneCode(order.lanes), beforePosition, limit)
      return (rows as unknown as DeliveryRow[]).map(toDelivery)
    },

    async countPending({ id, includeSecurity }) {
      const lane = includeSecurity ? LANE_CODES.security : LANE_CODES.open
      return (countPending.get(idToBytes(id), lane) as { count: number }).count
    },

    async listAttempts(order, position) {
      const row = findRow(order)
      const delivery = await find(order, position)
      if (row === undefined || delivery === undefined) return []
      return (selectAttempts.all(row, position) as unknown as AttemptRow[]).map(toAttempt)
    },

    async redeliver(order, position, now) {
      const outcome = await writes.run('redeliver', order, position, now)
      announcements.announce(order.projectId)
      return outcome
    },

    expireSome: (projectId, before) => writes.run('expireSomeDeliveries', projectId, before),
  }
}

/** The lanes are nested: whoever sees the second sees the first. */
function laneCode(lanes: readonly Lane[]): number {
  return lanes.includes('security') ? LANE_CODES.security : LANE_CODES.open
}

interface DeliveryRow {
  readonly position: number
  readonly type: EventType
  readonly status: DeliveryStatus
  readonly created_at: number
  readonly next_attempt_at: number | null
  readonly finished_at: number | null
  readonly attempts: number
}

function toDelivery(row: DeliveryRow): DeliveryRecord {
  return {
    position: row.position,
    eventType: row.type,
    status: row.status,
    createdAt: row.created_at,
    nextAttemptAt: row.next_attempt_at,
    finishedAt: row.finished_at,
    attemptCount: row.attempts,
  }
}

interface AttemptRow {
  readonly number: number
  readonly at: number
  readonly http_status: number | null
  readonly error: AttemptError | null
  readonly duration_ms: number
  readonly response: string | null
}

function toAttempt(row: AttemptRow): AttemptRecord {
  return {
    number: row.number,
    at: row.at,
    status: row.http_status,
    error: row.error,
    durationMs: row.duration_ms,
    response: row.response,
  }
}
