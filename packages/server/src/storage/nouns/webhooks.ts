import { MAX_WEBHOOKS } from '@bugle/contract/vocabulary'
import {
  changeWebhook as decideChange,
  EVENTS_LOST,
  rotateSecrets,
  type WebhookDecision,
} from '../../model/decisions/change-webhook.ts'
import type { ProjectId, WebhookId } from '../../model/ids.ts'
import type { Lane } from '../../model/lanes.ts'
import {
  laneOfWebhook,
  type NewWebhook,
  type SecretCommand,
  type WebhookChangeCommand,
  type WebhookCommand,
  type WebhookRecord,
} from '../../model/webhooks.ts'
import type { Stamp } from '../issues/issue-tables.ts'
import { highestLane } from '../issues/lane-codes.ts'
import { all, change, type Operation, type Operations, one, readId, send, storedId } from '../operations.ts'
import type { WebhookStorage } from '../storage.ts'
import { WEBHOOKS } from '../tables.ts'
import { addEvent } from './event-log.ts'
import { lockProject } from './projects.ts'

export function webhookStorage(
  { read, write }: Operations,
  announce: (projectId: ProjectId) => void,
): WebhookStorage {
  return {
    create: (webhook) => write(createWebhook, webhook),
    find: (projectId, id) => read(findWebhook, projectId, id),
    list: (listing) => read(listWebhooks, listing),
    async change(order) {
      const webhook = await write(changeWebhook, order)
      announce(order.projectId)
      return webhook
    },
    rotateSecret: (order) => write(rotateWebhookSecret, order),
    delete: (order) => write(deleteWebhook, order),
  }
}

/** Webhooks with their projects, unless these are being deleted. */
export const SELECT_WEBHOOKS = `SELECT w.*, p.id AS project_id, p.name AS project_name, p.slug AS project_slug,
    p.last_event_position, p.expired_position
  FROM webhooks w JOIN projects p ON p.seq = w.project AND p.slug IS NOT NULL`
const SELECT_ONE = `${SELECT_WEBHOOKS} WHERE w.project = (SELECT seq FROM projects WHERE id = $1) AND w.id = $2`

/** A webhook with its place in the database. */
export interface StoredWebhook {
  readonly webhook: WebhookRecord
  /** The sequence number of the project. */
  readonly project: number
  readonly projectName: string
  readonly projectSlug: string
  /** How far it has read the log, and where that ends. */
  readonly position: number
  readonly lastPosition: number
  /** Up to where the log has deleted events that the webhook never got to; `null` if it has not. */
  readonly lostPosition: number | null
}

export function toStoredWebhook(row: object): StoredWebhook {
  const { project, position, ...webhook } = WEBHOOKS.recordOf(row)
  const of = row as ProjectColumns
  return {
    webhook: { ...webhook, projectId: readId('prj', of.project_id) },
    project,
    projectName: of.project_name,
    projectSlug: of.project_slug,
    position,
    lastPosition: of.last_event_position,
    lostPosition: of.expired_position > position ? of.expired_position : null,
  }
}

interface ProjectColumns {
  readonly project_id: unknown
  readonly project_name: string
  readonly project_slug: string
  readonly last_event_position: number
  readonly expired_position: number
}

export function* findStoredWebhook(
  projectId: ProjectId,
  id: WebhookId,
): Operation<StoredWebhook | undefined> {
  const row = yield* one(SELECT_ONE, storedId(projectId), storedId(id))
  return row && toStoredWebhook(row)
}

/** The webhook, locked until the commit. Operations that lock its project too lock that first. */
export function* lockWebhook(projectId: ProjectId, id: WebhookId): Operation<StoredWebhook | undefined> {
  const row = yield* one(`${SELECT_ONE} FOR UPDATE OF w`, storedId(projectId), storedId(id))
  return row && toStoredWebhook(row)
}

/** The same, unless another transaction has it. */
export function* lockFreeWebhook(projectId: ProjectId, id: WebhookId): Operation<StoredWebhook | undefined> {
  const row = yield* one(`${SELECT_ONE} FOR UPDATE OF w SKIP LOCKED`, storedId(projectId), storedId(id))
  return row && toStoredWebhook(row)
}

export function isInSight({ webhook }: StoredWebhook, lanes: readonly Lane[]): boolean {
  return lanes.includes(laneOfWebhook(webhook))
}

export function* lockWebhookInSight({
  projectId,
  webhookId,
  lanes,
}: WebhookCommand): Operation<StoredWebhook | undefined> {
  const found = yield* lockWebhook(projectId, webhookId)
  return found && isInSight(found, lanes) ? found : undefined
}

/** Writes what was decided, and adds its event to the log. */
export function* applyDecision(
  { project, position }: StoredWebhook,
  { webhook, event }: WebhookDecision,
  by: Stamp,
): Operation<void> {
  yield* send(WEBHOOKS.update, ...WEBHOOKS.valuesOf({ ...webhook, project, position }))
  if (event !== null) yield* addEvent(project, { event, lane: laneOfWebhook(webhook), by })
}

export function* createWebhook({
  secret,
  ...given
}: NewWebhook): Operation<WebhookRecord | 'no-project' | 'too-many'> {
  const project = yield* lockProject(given.projectId)
  if (project === undefined) return 'no-project'
  if (yield* isLaneFull(project, given.includeSecurity)) return 'too-many'
  const place = yield* one<{ number: number; position: number }>(
    `UPDATE projects SET last_webhook_number = last_webhook_number + 1 WHERE seq = $1
     RETURNING last_webhook_number AS number, last_event_position AS position`,
    project,
  )
  if (place === undefined) return 'no-project'
  const webhook: WebhookRecord = {
    ...given,
    number: place.number,
    status: 'active',
    pausedReason: null,
    secrets: [{ secret, until: null }],
    updatedAt: given.createdAt,
    lastSuccessAt: null,
    failingSince: null,
  }
  yield* send(WEBHOOKS.insert, ...WEBHOOKS.valuesOf({ ...webhook, project, position: place.position }))
  return webhook
}

function* isLaneFull(project: number, includeSecurity: boolean): Operation<boolean> {
  const webhooks = yield* one<{ count: number }>(
    'SELECT count(*) AS count FROM webhooks WHERE project = $1 AND include_security = $2',
    project,
    Number(includeSecurity),
  )
  return (webhooks?.count ?? 0) >= MAX_WEBHOOKS
}

export function* changeWebhook({
  patch,
  actor,
  at,
  ...order
}: WebhookChangeCommand): Operation<WebhookRecord | 'too-many' | undefined> {
  const project = yield* lockProject(order.projectId)
  const found = yield* lockWebhookInSight(order)
  if (project === undefined || found === undefined) return undefined
  const { webhook } = found
  const { includeSecurity = webhook.includeSecurity } = patch
  const switchesLane = includeSecurity !== webhook.includeSecurity
  if (switchesLane && (yield* isLaneFull(project, includeSecurity))) return 'too-many'
  const isResumed = webhook.status === 'paused' && patch.status === 'active'
  const lost = isResumed ? found.lostPosition : null
  const decision = decideChange(webhook, patch, { at, lost: lost === null ? null : EVENTS_LOST })
  yield* applyDecision({ ...found, position: lost ?? found.position }, decision, { at, actor })
  if (isResumed) yield* retryDeliveries(found, at)
  return decision.webhook
}

/** What is pending is due at once, and what failed while the endpoint was failing is pending again. */
function* retryDeliveries({ project, webhook }: StoredWebhook, at: number): Operation<void> {
  yield* send(
    `UPDATE deliveries SET next_attempt_at = $3, series_attempts = 0
     WHERE project = $1 AND webhook = $2 AND status = 'pending'`,
    ...[project, webhook.number, at],
  )
  if (webhook.failingSince === null) return
  yield* send(
    `UPDATE deliveries SET status = 'pending', next_attempt_at = $3, finished_at = NULL, series_attempts = 0
     WHERE project = $1 AND webhook = $2 AND status = 'failed' AND finished_at >= $4`,
    ...[project, webhook.number, at, webhook.failingSince],
  )
}

export function* rotateWebhookSecret({
  secret,
  previousUntil,
  at,
  ...order
}: SecretCommand): Operation<WebhookRecord | undefined> {
  const found = yield* lockWebhookInSight(order)
  if (found === undefined) return undefined
  const secrets = rotateSecrets(found.webhook.secrets, { secret, previousUntil, at })
  const webhook = { ...found.webhook, secrets, updatedAt: at }
  yield* applyDecision(found, { webhook, event: null }, { at, actor: null })
  return webhook
}

/** Its deliveries are no longer found; they are deleted in steps, together with those that are too old. */
export function* deleteWebhook(order: WebhookCommand): Operation<'deleted' | 'missing'> {
  const found = yield* lockWebhookInSight(order)
  if (found === undefined) return 'missing'
  const { project, webhook } = found
  yield* change('DELETE FROM webhooks WHERE project = $1 AND number = $2', project, webhook.number)
  return 'deleted'
}

function* findWebhook(projectId: ProjectId, id: WebhookId): Operation<WebhookRecord | undefined> {
  const found = yield* findStoredWebhook(projectId, id)
  return found?.webhook
}

function* listWebhooks({
  projectId,
  lanes,
  afterNumber,
  limit,
}: Parameters<WebhookStorage['list']>[0]): Operation<readonly WebhookRecord[]> {
  const rows = yield* all(
    `${SELECT_WEBHOOKS} WHERE w.project = (SELECT seq FROM projects WHERE id = $1) AND w.number > $2::bigint
       AND w.include_security <= $3 ORDER BY w.number LIMIT $4`,
    ...[storedId(projectId), afterNumber, highestLane(lanes), limit],
  )
  return rows.map((row) => toStoredWebhook(row).webhook)
}
