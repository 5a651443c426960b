import { slotsOf } from '../../model/decisions/judge-delivery.ts'
import type { Claim, ClaimOrder } from '../../model/webhooks.ts'
import type { ShownRow } from '../sql/event-parts.ts'
import { prepared, type Transaction } from './connection.ts'
import { type EventRow, SHOWN_LANE, toEvent } from './event-rows.ts'
import { type IssueRow, toIssue } from './issue-rows.ts'
import { idOf } from './uuids.ts'
import { SELECT_WEBHOOKS, toWebhook, type WebhookRow } from './webhook-rows.ts'

// Those that answer come first, and among equals chance decides who gets the last places. What another node is handing
// out right now is skipped, so that both find work and a delivery has one winner.
const LOCK_DUE_WEBHOOKS = prepared(
  'lock_due_webhooks',
  `${SELECT_WEBHOOKS} CROSS JOIN LATERAL (SELECT 1 FROM deliveries WHERE project = w.project AND webhook = w.number
     AND status = 'pending' AND next_attempt_at <= $1 LIMIT 1) due
   WHERE w.status = 'active' ORDER BY w.failing_since IS NOT NULL, random() LIMIT $2 FOR UPDATE OF w SKIP LOCKED`,
)
const COUNT_LEASED = prepared(
  'count_leased',
  `SELECT k.project, k.number, d.count FROM json_populate_recordset(NULL::webhooks, $1) k
   CROSS JOIN LATERAL (SELECT count(*) AS count FROM deliveries
     WHERE project = k.project AND webhook = k.number AND leased_until > $2) d`,
)
const SELECT_DUE = prepared(
  'due_deliveries',
  `SELECT k.project, k.webhook, d.position FROM json_populate_recordset(NULL::attempts, $1) k
   CROSS JOIN LATERAL (
     SELECT position, next_attempt_at FROM deliveries WHERE project = k.project AND webhook = k.webhook
       AND status = 'pending' AND next_attempt_at <= $2 AND (leased_until IS NULL OR leased_until <= $2)
     ORDER BY next_attempt_at, position LIMIT k.number) d
   ORDER BY k.position, d.next_attempt_at, d.position LIMIT $3`,
)
const SELECT_EVENTS = prepared(
  'due_events',
  `SELECT e.* FROM json_populate_recordset(NULL::deliveries, $1) k
   CROSS JOIN LATERAL (SELECT e.*, ${SHOWN_LANE} AS shown_lane FROM events e WHERE project = k.project AND position = k.position LIMIT 1) e`,
)
const SELECT_ISSUES = prepared(
  'due_issues',
  `SELECT i.* FROM json_populate_recordset(NULL::events, $1) k
   CROSS JOIN LATERAL (SELECT * FROM issues WHERE project = k.project AND number = k.issue_number LIMIT 1) i`,
)
const LEASE = prepared(
  'lease_deliveries',
  'UPDATE deliveries SET leased_until = $4 WHERE project = $1 AND webhook = $2 AND position = ANY ($3)',
)
const DROP = prepared(
  'drop_deliveries',
  `UPDATE deliveries SET status = 'dropped', finished_at = $4, next_attempt_at = NULL, leased_until = NULL
   WHERE project = $1 AND webhook = $2 AND position = ANY ($3)`,
)

/** Hands out what is due and held by nobody. */
export async function claimDue(tx: Transaction, order: ClaimOrder): Promise<readonly Claim[]> {
  const { now, leaseMs, limit } = order
  const webhooks = await tx.run<WebhookRow>(LOCK_DUE_WEBHOOKS(now, limit))
  if (webhooks.length === 0) return []
  const due = await findDue(tx, webhooks, order)
  const claims = await claimsOf(tx, webhooks, due)
  const isClaimed = (row: DeliveryKey) => claims.has(keyOf(row.project, row.webhook, row.position))
  const [leased, dropped] = [due.filter(isClaimed), due.filter((row) => !isClaimed(row))]
  for (const [key, positions] of byWebhook(leased)) tx.send(LEASE(...key, positions, now + leaseMs))
  for (const [key, positions] of byWebhook(dropped)) tx.send(DROP(...key, positions, now))
  return [...claims.values()]
}

/** The positions of deliveries with the key of their webhook. */
export function byWebhook(deliveries: readonly DeliveryKey[]) {
  const groups = Map.groupBy(deliveries, ({ project, webhook }) => keyOf(project, webhook))
  return Array.from(groups.values(), (group) => {
    const key = group.slice(0, 1).flatMap(({ project, webhook }) => [project, webhook])
    return [key, group.map(({ position }) => position)] as const
  })
}

/** As many of each webhook as it may have under way, and no more than asked for. */
async function findDue(
  tx: Transaction,
  webhooks: readonly WebhookRow[],
  { now, perWebhook, limit }: ClaimOrder,
): Promise<readonly DeliveryKey[]> {
  const keys = webhooks.map(({ project, number }) => ({ project, number }))
  const counts = await tx.run<{ project: number; number: number; count: number }>(
    COUNT_LEASED(JSON.stringify(keys), now),
  )
  const leased = new Map(counts.map(({ project, number, count }) => [keyOf(project, number), count]))
  // A row of `attempts` happens to have all the columns that are needed: the number is the room, the position the turn.
  const wishes = webhooks.map(({ project, number, failing_since: failingSince }, turn) => {
    const slots = slotsOf({ failingSince }, perWebhook, now) - (leased.get(keyOf(project, number)) ?? 0)
    return { project, webhook: number, number: Math.max(0, slots), position: turn }
  })
  return tx.run<DeliveryKey>(SELECT_DUE(JSON.stringify(wishes), now, limit))
}

/** What there is to deliver, by place. What is gone, or has become none of the webhook's business, is left out. */
async function claimsOf(
  tx: Transaction,
  webhooks: readonly WebhookRow[],
  due: readonly DeliveryKey[],
): Promise<ReadonlyMap<string, Claim>> {
  if (due.length === 0) return new Map()
  const events = await tx.run<EventRow & ShownRow & { project: number }>(SELECT_EVENTS(JSON.stringify(due)))
  const issues = await tx.run<IssueRow & { project: number }>(
    SELECT_ISSUES(JSON.stringify(events.map(({ project, issue_number }) => ({ project, issue_number })))),
  )
  const webhookAt = new Map(webhooks.map((row) => [keyOf(row.project, row.number), row]))
  const eventAt = new Map(events.map((row) => [keyOf(row.project, row.position), row]))
  const issueAt = new Map(issues.map((row) => [keyOf(row.project, row.number), row]))
  return new Map(
    due.flatMap(({ project, webhook: number, position }) => {
      const webhook = webhookAt.get(keyOf(project, number))
      const event = eventAt.get(keyOf(project, position))
      if (webhook === undefined || event === undefined) return []
      if (event.shown_lane === null || event.shown_lane > webhook.include_security) return []
      const issue = issueAt.get(keyOf(project, event.issue_number ?? 0))
      return [[keyOf(project, number, position), toClaim(webhook, event, issue)] as const]
    }),
  )
}

function toClaim(webhook: WebhookRow, event: EventRow, issue: IssueRow | undefined): Claim {
  const projectId = idOf('prj', webhook.project_id)
  return {
    webhook: toWebhook(webhook),
    project: { id: projectId, name: webhook.project_name, slug: webhook.project_slug },
    event: toEvent({ ...event, issue_id: issue?.id ?? null }),
    issue: issue === undefined ? null : toIssue(issue, projectId),
  }
}

function keyOf(...key: readonly number[]): string {
  return key.join(' ')
}

/** Names a delivery. */
export interface DeliveryKey {
  readonly project: number
  readonly webhook: number
  readonly position: number
}
