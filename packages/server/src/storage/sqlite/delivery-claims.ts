import type { DatabaseSync } from 'node:sqlite'
import { slotsOf } from '../../model/decisions/judge-delivery.ts'
import { encodeId } from '../../model/ids.ts'
import type { Claim, ClaimOrder } from '../../model/webhooks.ts'
import { type EventRow, SHOWN_LANE, toEvent } from './event-rows.ts'
import { prepareIssueReads, toIssue } from './issue-rows.ts'
import { prepareCommand } from './statements.ts'
import { SELECT_WEBHOOKS, toWebhook, type WebhookRow } from './webhook-rows.ts'

/** Webhooks that are sent to and have something due; `?` is the time. */
export const SELECT_DUE_WEBHOOKS = `${SELECT_WEBHOOKS} WHERE w.status = 'active' AND EXISTS (
  SELECT 1 FROM deliveries d WHERE d.webhook_row = w.row AND d.status = 'pending' AND d.next_attempt_at <= ?)`

/** How deliveries are handed out, as it runs in the writer. */
export function prepareDeliveryClaims(db: DatabaseSync) {
  // Those that answer come first, and among equals chance decides who gets the last places.
  const selectWebhooks = db.prepare(
    `${SELECT_DUE_WEBHOOKS} ORDER BY w.failing_since IS NOT NULL, random() LIMIT ?`,
  )
  const countLeased = db.prepare(
    'SELECT count(*) AS count FROM deliveries WHERE webhook_row = ? AND leased_until > ?',
  )
  const selectDue = db.prepare(
    `SELECT position FROM deliveries WHERE webhook_row = ?1 AND status = 'pending' AND next_attempt_at <= ?2
       AND (leased_until IS NULL OR leased_until <= ?2) ORDER BY next_attempt_at, position LIMIT ?3`,
  )
  const selectEvent = db.prepare(
    `SELECT * FROM events e WHERE row = (?1 >> 32 << 32) + ?2 AND ${SHOWN_LANE} <= ?3`,
  )
  const selectIssue = prepareIssueReads(db, 'WHERE i.row = ?')
  const lease = prepareCommand(
    db,
    'UPDATE deliveries SET leased_until = ? WHERE webhook_row = ? AND position = ?',
  )
  const drop = prepareCommand(
    db,
    `UPDATE deliveries SET status = 'dropped', finished_at = ?, next_attempt_at = NULL, leased_until = NULL
     WHERE webhook_row = ? AND position = ?`,
  )

  function duePositions(row: WebhookRow, { now, perWebhook }: ClaimOrder, free: number): readonly number[] {
    const { count } = countLeased.get(row.row, now) as { count: number }
    const slots = slotsOf({ failingSince: row.failing_since }, perWebhook, now) - count
    const limit = Math.max(0, Math.min(slots, free))
    const due = selectDue.all(row.row, now, limit) as unknown as { position: number }[]
    return due.map(({ position }) => position)
  }

  /** What there is to deliver; `undefined` if it is gone, or has become none of the webhook's business. */
  function claimOf(row: WebhookRow, position: number): Claim | undefined {
    const event = selectEvent.get(row.row, position, row.include_security) as EventRow | undefined
    if (event === undefined) return undefined
    const issueRow = event.issue_row === null ? undefined : selectIssue.get(event.issue_row)
    const projectId = encodeId('prj', row.project_id)
    return {
      webhook: toWebhook(row),
      project: { id: projectId, name: row.project_name, slug: row.project_slug },
      event: toEvent({ ...event, issue_id: issueRow?.[1] ?? null }),
      issue: issueRow ? toIssue(issueRow, projectId) : null,
    }
  }

  return {
    claimDue(order: ClaimOrder): readonly Claim[] {
      const { now, leaseMs, limit } = order
      const claims: Claim[] = []
      for (const row of selectWebhooks.all(now, limit) as unknown as WebhookRow[]) {
        for (const position of duePositions(row, order, limit - claims.length)) {
          const claim = claimOf(row, position)
          if (claim === undefined) drop.run(now, row.row, position)
          else lease.run(now + leaseMs, row.row, position)
          if (claim !== undefined) claims.push(claim)
        }
      }
      return claims
    },
  }
}
