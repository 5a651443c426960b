import type { DatabaseSync } from 'node:sqlite'
import { MAX_PENDING_DELIVERIES } from '../../model/decisions/plan-fan-out.ts'
import { encodeId, idToBytes } from '../../model/ids.ts'
import type { Lane } from '../../model/lanes.ts'
import type { WebhookOrder } from '../../model/webhooks.ts'
import { highestLane, LANE_CODES } from '../sql/issue-rows.ts'
import {
  type AttemptColumns,
  type DeliveryColumns,
  isInSight,
  toAttempt,
  toDelivery,
} from '../sql/webhook-rows.ts'
import type { DeliveryStorage } from '../storage.ts'
import { SELECT_DUE_WEBHOOKS } from './delivery-claims.ts'
import { OPEN_KEY, SHOWN_LANE } from './event-rows.ts'
import type { Announcements } from './events.ts'
import { keyRange, numberOf, projectSeqOf, rowKey } from './row-keys.ts'
import { JOIN_EVENT, SELECT_WEBHOOKS, toWebhook, type WebhookRow } from './webhook-rows.ts'
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
  const select = `SELECT d.*, e.type, e.at AS event_at, e.open_row & 0xffffffff AS open_position
    FROM deliveries d ${JOIN_EVENT} WHERE d.webhook_row = ? AND ${SHOWN_LANE} <= ?`
  const selectSome = reader.prepare(`${select} AND d.position < ? ORDER BY d.position DESC LIMIT ?`)
  const selectOne = reader.prepare(`${select} AND d.position = ?`)
  const selectAttempts = reader.prepare(
    'SELECT * FROM attempts WHERE webhook_row = ? AND position = ? ORDER BY number',
  )
  const countPending = reader.prepare(
    `SELECT count(*) AS count FROM deliveries d ${JOIN_EVENT}
     WHERE d.webhook_row = (SELECT row FROM webhooks WHERE id = ?) AND d.status = 'pending' AND ${SHOWN_LANE} <= ?`,
  )

  const selectOpenPlace = reader.prepare(
    `SELECT row, ${OPEN_KEY} AS key FROM events e WHERE e.lane = ${LANE_CODES.open} AND ${OPEN_KEY} >= ? AND ${OPEN_KEY} < ?
     ORDER BY ${OPEN_KEY} LIMIT 1`,
  )

  /** The position in the whole log of the event with this open position, or of the next one if it is gone. */
  function findOpenPlace(webhookRow: number, openPosition: number) {
    const seq = projectSeqOf(webhookRow)
    const key = Math.min(rowKey(seq, openPosition), keyRange(seq).high)
    const found = selectOpenPlace.get(key, keyRange(seq).high) as { row: number; key: number } | undefined
    return found && { position: numberOf(found.row), isExact: found.key === key }
  }

  /** The position in the log of all lanes, of an event that a caller names. */
  function positionOf(webhookRow: number, lanes: readonly Lane[], named: number): number | undefined {
    if (lanes.includes('security')) return named
    const place = findOpenPlace(webhookRow, named)
    return place?.isExact ? place.position : undefined
  }

  function findRow({ projectId, webhookId, lanes }: WebhookOrder): number | undefined {
    const row = selectWebhook.get(idToBytes(webhookId), idToBytes(projectId)) as WebhookRow | undefined
    return row && isInSight(toWebhook(row), lanes) ? row.row : undefined
  }

  const find: DeliveryStorage['find'] = async (order, position) => {
    const row = findRow(order)
    const place = row && positionOf(row, order.lanes, position)
    if (row === undefined || place === undefined) return undefined
    const delivery = selectOne.get(row, highestLane(order.lanes), place) as DeliveryColumns | undefined
    return delivery && toDelivery(delivery)
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
      const before = order.lanes.includes('security')
        ? beforePosition
        : (findOpenPlace(row, beforePosition)?.position ?? Number.MAX_SAFE_INTEGER)
      const rows = selectSome.all(row, highestLane(order.lanes), before, limit)
      return (rows as unknown as DeliveryColumns[]).map(toDelivery)
    },

    async countPending({ id, includeSecurity }) {
      const lane = includeSecurity ? LANE_CODES.security : LANE_CODES.open
      return (countPending.get(idToBytes(id), lane) as { count: number }).count
    },

    async listAttempts(order, position) {
      const row = findRow(order)
      const delivery = await find(order, position)
      if (row === undefined || delivery === undefined) return []
      return (selectAttempts.all(row, delivery.position) as unknown as AttemptColumns[]).map(toAttempt)
    },

    async redeliver(order, position, now) {
      const row = findRow(order)
      const place = row && positionOf(row, order.lanes, position)
      if (place === undefined) return 'missing'
      const outcome = await writes.run('redeliver', order, place, now)
      announcements.announce(order.projectId)
      return outcome
    },

    expireSome: (projectId, before) => writes.run('expireSomeDeliveries', projectId, before),
  }
}
