import { MAX_PENDING_DELIVERIES } from '../../model/decisions/plan-fan-out.ts'
import type { ProjectId } from '../../model/ids.ts'
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
import { type Database, prepared } from './connection.ts'
import { claimDue } from './delivery-claims.ts'
import { expireSomeDeliveries } from './delivery-expiry.ts'
import { fanOut, recordAttempt, redeliver } from './delivery-writes.ts'
import { SHOWN_LANE } from './event-rows.ts'
import { idOf, uuidOf } from './uuids.ts'
import { SELECT_WEBHOOKS, toWebhook, type WebhookRow } from './webhook-rows.ts'

const SELECT_WEBHOOK = prepared(
  'webhook_of_deliveries',
  `${SELECT_WEBHOOKS} WHERE w.project = (SELECT seq FROM projects WHERE id = $1) AND w.id = $2`,
)
const SELECT_BEHIND = prepared(
  'webhooks_behind',
  `SELECT w.id, p.id AS project_id FROM webhooks w JOIN projects p ON p.seq = w.project
   WHERE w.status = 'active' AND w.position < p.last_event_position AND p.slug IS NOT NULL
     AND (SELECT count(*) FROM deliveries d WHERE d.project = w.project AND d.webhook = w.number
       AND d.status = 'pending') < $1
   LIMIT $2`,
)
const IS_ANY_DUE = prepared(
  'is_any_due',
  `SELECT 1 FROM webhooks w JOIN projects p ON p.seq = w.project AND p.slug IS NOT NULL
   CROSS JOIN LATERAL (SELECT 1 FROM deliveries WHERE project = w.project AND webhook = w.number
     AND status = 'pending' AND next_attempt_at <= $1 LIMIT 1) due
   WHERE w.status = 'active' LIMIT 1`,
)
// The lane of the event counts as it is now: what has left somebody's sight is not listed for them either.
const SELECT = `SELECT d.*, e.type, e.at AS event_at, e.open_position FROM deliveries d
  CROSS JOIN LATERAL (SELECT type, at, ${SHOWN_LANE} AS lane, open_position FROM events e
    WHERE project = $1 AND position = d.position LIMIT 1) e
  WHERE d.project = $1 AND d.webhook = $2 AND e.lane <= $3`
const SELECT_SOME = prepared('deliveries', `${SELECT} AND d.position < $4 ORDER BY d.position DESC LIMIT $5`)
const SELECT_ONE = prepared('delivery', `${SELECT} AND d.position = $4`)
const SELECT_ATTEMPTS = prepared(
  'attempts',
  'SELECT * FROM attempts WHERE project = $1 AND webhook = $2 AND position = $3 ORDER BY number',
)
const COUNT_PENDING = prepared(
  'count_pending',
  `SELECT count(*) AS count FROM deliveries d CROSS JOIN LATERAL (SELECT ${SHOWN_LANE} AS lane FROM events e
     WHERE project = d.project AND position = d.position LIMIT 1) e
   WHERE d.project = (SELECT seq FROM projects WHERE id = $1) AND d.webhook = $2 AND d.status = 'pending'
     AND e.lane <= $3`,
)

const SELECT_OPEN_PLACE = prepared(
  'open_place',
  `SELECT position, coalesce(open_position, position) AS open_position FROM events
   WHERE project = $1 AND lane = ${LANE_CODES.open} AND coalesce(open_position, position) >= $2
   ORDER BY coalesce(open_position, position) LIMIT 1`,
)

export function deliveryStorage(
  database: Database,
  announce: (projectId: ProjectId) => void,
): DeliveryStorage {
  async function findWebhook({ projectId, webhookId, lanes }: WebhookOrder): Promise<WebhookRow | undefined> {
    const [row] = await database.run<WebhookRow>(SELECT_WEBHOOK(uuidOf(projectId), uuidOf(webhookId)))
    return row && isInSight(toWebhook(row), lanes) ? row : undefined
  }

  /** The position in the whole log of the event with this open position, or of the next one if it is gone. */
  async function findOpenPlace(seq: number, openPosition: number) {
    const [found] = await database.run<{ position: number; open_position: number }>(
      SELECT_OPEN_PLACE(seq, openPosition),
    )
    return found && { position: found.position, isExact: found.open_position === openPosition }
  }

  /** The position in the log of all lanes, of an event that a caller names. */
  async function positionOf(
    projectSeq: number,
    lanes: readonly Lane[],
    named: number,
  ): Promise<number | undefined> {
    if (lanes.includes('security')) return named
    const place = await findOpenPlace(projectSeq, named)
    return place?.isExact ? place.position : undefined
  }

  const find: DeliveryStorage['find'] = async (order, position) => {
    const webhook = await findWebhook(order)
    const place = webhook && (await positionOf(webhook.project, order.lanes, position))
    if (webhook === undefined || place === undefined) return undefined
    const [row] = await database.run<DeliveryColumns>(
      SELECT_ONE(webhook.project, webhook.number, highestLane(order.lanes), place),
    )
    return row && toDelivery(row)
  }

  return {
    find,

    async listBehind(limit) {
      const rows = await database.run<{ id: string; project_id: string }>(
        SELECT_BEHIND(MAX_PENDING_DELIVERIES, limit),
      )
      return rows.map((row) => ({ id: idOf('whk', row.id), projectId: idOf('prj', row.project_id) }))
    },

    fanOut: (projectId, id, now) => database.background((tx) => fanOut(tx, { projectId, id, now })),
    isAnyDue: async (now) => (await database.run(IS_ANY_DUE(now))).length > 0,
    claimDue: (order) => database.background((tx) => claimDue(tx, order)),

    async recordAttempt(order) {
      const isPaused = await database.background((tx) => recordAttempt(tx, order))
      if (isPaused) announce(order.projectId)
    },

    async list({ beforePosition, limit, ...order }) {
      const webhook = await findWebhook(order)
      if (webhook === undefined) return []
      const { project, number } = webhook
      const before = order.lanes.includes('security')
        ? beforePosition
        : ((await findOpenPlace(project, beforePosition))?.position ?? Number.MAX_SAFE_INTEGER)
      const rows = await database.run<DeliveryColumns>(
        SELECT_SOME(project, number, highestLane(order.lanes), before, limit),
      )
      return rows.map(toDelivery)
    },

    async countPending({ projectId, number, includeSecurity }) {
      const lane = highestLane(includeSecurity ? ['open', 'security'] : ['open'])
      const [row] = await database.run<{ count: number }>(COUNT_PENDING(uuidOf(projectId), number, lane))
      return row?.count ?? 0
    },

    async listAttempts(order, position) {
      const [webhook, delivery] = await Promise.all([findWebhook(order), find(order, position)])
      if (webhook === undefined || delivery === undefined) return []
      const rows = await database.run<AttemptColumns>(
        SELECT_ATTEMPTS(webhook.project, webhook.number, delivery.position),
      )
      return rows.map(toAttempt)
    },

    async redeliver(order, position, now) {
      const webhook = await findWebhook(order)
      const place = webhook && (await positionOf(webhook.project, order.lanes, position))
      if (place === undefined) return 'missing'
      const outcome = await database.transaction((tx) => redeliver(tx, order, place, now))
      announce(order.projectId)
      return outcome
    },

    expireSome: (projectId, before) =>
      database.background((tx) => expireSomeDeliveries(tx, projectId, before)),
  }
}
