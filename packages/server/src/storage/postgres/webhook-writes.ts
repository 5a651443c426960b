import { MAX_WEBHOOKS } from '@bugle/contract/vocabulary'
import {
  changeWebhook as decideChange,
  EVENTS_LOST,
  rotateSecrets,
  type WebhookDecision,
} from '../../model/decisions/change-webhook.ts'
import type { ProjectId, WebhookId } from '../../model/ids.ts'
import {
  laneOfWebhook,
  type NewWebhook,
  type SecretOrder,
  type WebhookChangeOrder,
  type WebhookOrder,
  type WebhookRecord,
} from '../../model/webhooks.ts'
import type { ProjectCounters, Stamp } from '../sql/issue-tables.ts'
import { isInSight, WEBHOOK_COLUMNS, webhookColumns } from '../sql/webhook-rows.ts'
import { prepared, type Transaction } from './connection.ts'
import { addEvent } from './event-log.ts'
import { lockProject } from './load-rows.ts'
import { uuidOf } from './uuids.ts'
import { SELECT_WEBHOOKS, toWebhook, type WebhookRow } from './webhook-rows.ts'

/** A webhook with its place in the database, and how far it has read the log. */
export interface FoundWebhook {
  readonly webhook: WebhookRecord
  readonly seq: number
  readonly position: number
}

const SELECT_TO_LOCK = `${SELECT_WEBHOOKS} WHERE w.project = (SELECT seq FROM projects WHERE id = $1) AND w.id = $2
  FOR UPDATE OF w`
const LOCK_WEBHOOK = prepared('lock_webhook', SELECT_TO_LOCK)
const LOCK_FREE_WEBHOOK = prepared('lock_free_webhook', `${SELECT_TO_LOCK} SKIP LOCKED`)
const INSERT_WEBHOOK = prepared(
  'insert_webhook',
  `INSERT INTO webhooks (project, number, id, position, created_at, ${WEBHOOK_COLUMNS.join(', ')})
   SELECT $1, number, id, position, created_at, ${WEBHOOK_COLUMNS.join(', ')}
   FROM json_populate_record(NULL::webhooks, $2)`,
)
const COUNT_WEBHOOKS = prepared(
  'count_webhooks',
  'SELECT count(*)::integer AS count FROM webhooks WHERE project = $1 AND include_security = $2',
)
const UPDATE_WEBHOOK = prepared(
  'update_webhook',
  `UPDATE webhooks w SET ${WEBHOOK_COLUMNS.map((column) => `${column} = u.${column}`).join(', ')}
   FROM json_populate_record(NULL::webhooks, $2) u WHERE w.project = $1 AND w.number = u.number`,
)
const MOVE_WEBHOOK = prepared(
  'move_webhook',
  'UPDATE webhooks SET position = $3 WHERE project = $1 AND number = $2',
)
const RETRY_PENDING = prepared(
  'retry_pending',
  `UPDATE deliveries SET next_attempt_at = $3, series_attempts = 0
   WHERE project = $1 AND webhook = $2 AND status = 'pending'`,
)
const RETRY_FAILED = prepared(
  'retry_failed',
  `UPDATE deliveries SET status = 'pending', next_attempt_at = $3, finished_at = NULL, series_attempts = 0
   WHERE project = $1 AND webhook = $2 AND status = 'failed' AND finished_at >= $4`,
)

/** Takes a webhook for this transaction. Whoever needs its project too takes that first. */
export async function lockWebhook(
  tx: Transaction,
  projectId: ProjectId,
  id: WebhookId,
): Promise<FoundWebhook | undefined> {
  return foundWebhook(await tx.run<WebhookRow>(LOCK_WEBHOOK(uuidOf(projectId), uuidOf(id))))
}

/** The same, unless another transaction has it. */
export async function lockFreeWebhook(
  tx: Transaction,
  projectId: ProjectId,
  id: WebhookId,
): Promise<FoundWebhook | undefined> {
  return foundWebhook(await tx.run<WebhookRow>(LOCK_FREE_WEBHOOK(uuidOf(projectId), uuidOf(id))))
}

function foundWebhook([row]: readonly WebhookRow[]): FoundWebhook | undefined {
  return row && { webhook: toWebhook(row), seq: row.project, position: row.position }
}

export function writeWebhook(tx: Transaction, seq: number, webhook: WebhookRecord): void {
  tx.send(UPDATE_WEBHOOK(seq, JSON.stringify({ number: webhook.number, ...webhookColumns(webhook) })))
}

/** Writes what was decided, and tells of it. */
export function applyDecision(
  tx: Transaction,
  project: ProjectCounters,
  { webhook, event }: WebhookDecision,
  by: Stamp,
): void {
  writeWebhook(tx, project.seq, webhook)
  if (event !== null) addEvent(tx, project, { event, lane: laneOfWebhook(webhook), by })
}

export function moveWebhook(tx: Transaction, { seq, webhook }: FoundWebhook, position: number): void {
  tx.send(MOVE_WEBHOOK(seq, webhook.number, position))
}

/** Up to where the log has let go of events that the webhook never got to; `null` if it has not. */
export async function findLostPosition(
  tx: Transaction,
  { seq, position }: FoundWebhook,
): Promise<number | null> {
  const [row] = await tx.run<{ expired_position: number }>({
    text: 'SELECT expired_position FROM projects WHERE seq = $1',
    values: [seq],
  })
  return row !== undefined && row.expired_position > position ? row.expired_position : null
}

export async function lockWebhookInSight(
  tx: Transaction,
  { projectId, webhookId, lanes }: WebhookOrder,
): Promise<FoundWebhook | undefined> {
  const found = await lockWebhook(tx, projectId, webhookId)
  return found && isInSight(found.webhook, lanes) ? found : undefined
}

export async function createWebhook(
  tx: Transaction,
  { secret, ...wish }: NewWebhook,
): Promise<WebhookRecord | 'no-project' | 'too-many'> {
  const project = await lockProject(tx, wish.projectId)
  if (project === undefined) return 'no-project'
  if (await isLaneFull(tx, project, wish.includeSecurity)) return 'too-many'
  const [taken] = await tx.run<{ number: number }>({
    text: `UPDATE projects SET last_webhook_number = last_webhook_number + 1 WHERE seq = $1
      RETURNING last_webhook_number AS number`,
    values: [project.seq],
  })
  const webhook: WebhookRecord = {
    ...wish,
    number: taken?.number ?? 0,
    status: 'active',
    pausedReason: null,
    secrets: [{ secret, until: null }],
    updatedAt: wish.createdAt,
    lastSuccessAt: null,
    failingSince: null,
  }
  const row = {
    number: webhook.number,
    id: uuidOf(webhook.id),
    position: project.lastEventPosition,
    created_at: webhook.createdAt,
    ...webhookColumns(webhook),
  }
  tx.send(INSERT_WEBHOOK(project.seq, JSON.stringify(row)))
  return webhook
}

async function isLaneFull(
  tx: Transaction,
  { seq }: ProjectCounters,
  includeSecurity: boolean,
): Promise<boolean> {
  const [webhooks] = await tx.run<{ count: number }>(COUNT_WEBHOOKS(seq, Number(includeSecurity)))
  return (webhooks?.count ?? 0) >= MAX_WEBHOOKS
}

export async function changeWebhook(
  tx: Transaction,
  { patch, actor, at, ...order }: WebhookChangeOrder,
): Promise<WebhookRecord | 'too-many' | undefined> {
  const project = await lockProject(tx, order.projectId)
  const found = await lockWebhookInSight(tx, order)
  if (project === undefined || found === undefined) return undefined
  const { includeSecurity = found.webhook.includeSecurity } = patch
  const switchesLane = includeSecurity !== found.webhook.includeSecurity
  if (switchesLane && (await isLaneFull(tx, project, includeSecurity))) return 'too-many'
  const isResumed = found.webhook.status === 'paused' && patch.status === 'active'
  const lost = isResumed ? await findLostPosition(tx, found) : null
  const decision = decideChange(found.webhook, patch, { at, lost: lost === null ? null : EVENTS_LOST })
  applyDecision(tx, project, decision, { at, actor })
  if (lost !== null) moveWebhook(tx, found, lost)
  if (isResumed) catchUp(tx, found, at)
  return decision.webhook
}

/** What is waiting is due at once, and what the endpoint failed to take while it was failing comes again. */
function catchUp(tx: Transaction, { seq, webhook }: FoundWebhook, at: number): void {
  tx.send(RETRY_PENDING(seq, webhook.number, at))
  if (webhook.failingSince !== null) tx.send(RETRY_FAILED(seq, webhook.number, at, webhook.failingSince))
}

export async function rotateWebhookSecret(
  tx: Transaction,
  { secret, previousUntil, at, ...order }: SecretOrder,
): Promise<WebhookRecord | undefined> {
  const found = await lockWebhookInSight(tx, order)
  if (found === undefined) return undefined
  const secrets = rotateSecrets(found.webhook.secrets, { secret, previousUntil, at })
  const webhook = { ...found.webhook, secrets, updatedAt: at }
  writeWebhook(tx, found.seq, webhook)
  return webhook
}

/** Its deliveries follow in steps, with those that are too old: nobody finds them any more. */
export async function deleteWebhook(tx: Transaction, order: WebhookOrder): Promise<'deleted' | 'missing'> {
  const found = await lockWebhookInSight(tx, order)
  if (found === undefined) return 'missing'
  tx.send({
    text: 'DELETE FROM webhooks WHERE project = $1 AND number = $2',
    values: [found.seq, found.webhook.number],
  })
  return 'deleted'
}
