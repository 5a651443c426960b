import { MAX_PENDING_DELIVERIES } from '../../model/decisions/plan-fan-out.ts'
import type { ProjectId } from '../../model/ids.ts'
import type { Transaction } from './connection.ts'
import { byWebhook, type DeliveryKey } from './delivery-claims.ts'
import { uuidOf } from './uuids.ts'

/** Deliveries let go of in one step, so that others get in between. */
const EXPIRE_STEP_ROWS = 500

// Positions follow time, so the old ones are the first, but for those that still wait. Webhooks that are gone have left
// their numbers behind.
const SELECT_OLD = `SELECT p.seq AS project, d.webhook, d.position FROM projects p
  CROSS JOIN LATERAL generate_series(1, p.last_webhook_number) AS n(number)
  CROSS JOIN LATERAL (SELECT * FROM deliveries WHERE project = p.seq AND webhook = n.number
    ORDER BY position LIMIT ${MAX_PENDING_DELIVERIES + EXPIRE_STEP_ROWS}) d
  LEFT JOIN webhooks w ON w.project = p.seq AND w.number = n.number
  WHERE p.id = $1 AND (w.number IS NULL OR (d.status <> 'pending' AND d.created_at < $2))
  LIMIT ${EXPIRE_STEP_ROWS}`

/** Lets go of old deliveries, and of those whose webhook is gone. What is pending stays. */
export async function expireSomeDeliveries(
  tx: Transaction,
  projectId: ProjectId,
  before: number,
): Promise<boolean> {
  const old = await tx.run<DeliveryKey>({ text: SELECT_OLD, values: [uuidOf(projectId), before] })
  for (const [key, positions] of byWebhook(old)) {
    // In this order, as when an issue is deleted: an attempt being recorded holds its delivery.
    for (const table of ['deliveries', 'attempts']) {
      tx.send({
        text: `DELETE FROM ${table} WHERE project = $1 AND webhook = $2 AND position = ANY ($3)`,
        values: [...key, positions],
      })
    }
  }
  return old.length === EXPIRE_STEP_ROWS
}
