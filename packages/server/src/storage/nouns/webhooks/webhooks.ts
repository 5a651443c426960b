import { MAX_WEBHOOKS } from '@bugle/contract/vocabulary'
import { type AuditStamp, changesBetween } from '../../../model/audit-log.ts'
import {
  changeWebhook as decideChange,
  EVENTS_LOST,
  rotateSecrets,
  type WebhookDecision,
} from '../../../model/decisions/change-webhook.ts'
import type { ProjectId, WebhookId } from '../../../model/ids.ts'
import type { Lane } from '../../../model/lanes.ts'
import {
  auditedAs,
  laneOfWebhook,
  type NewWebhook,
  type SecretCommand,
  type WebhookChangeCommand,
  type WebhookCommand,
  type WebhookRecord,
} from '../../../model/webhooks.ts'
import { forBoth, type Texts } from '../../dialects.ts'
import type { Stamp } from '../../issues/issue-tables.ts'
import { highestLane } from '../../issues/lane-codes.ts'
import {
  all,
  change,
  type Operation,
  type Operations,
  one,
  readId,
  send,
  storedId,
} from '../../operations.ts'
import type { WebhookStorage } from '../../ports/webhooks.ts'
import { WEBHOOKS } from '../../tables/webhooks.ts'
import { type Acting, recordChange } from '../audit-log.ts'
import { addEvent } from '../issues/event-log.ts'
import { lockProject } from '../projects.ts'

export function webhookStorage(
  { read, write }: Operations,
  announce: (projectId: ProjectId) => void,
  acting: Acting,
): WebhookStorage {
  return {
    create: (webhook) => write(createWebhook, webhook, acting()),
    find: (projectId, id) => read(findWebhook, projectId, id),
    list: (listing) => read(listWebhooks, listing),
    async change(command) {
      const webhook = await write(changeWebhook, command, acting())
      announce(command.projectId)
      return webhook
    },
    rotateSecret: (command) => write(rotateWebhookSecret, command, acting()),
    delete: (command) => write(deleteWebhook, command, acting()),
  }
}

/** Webhooks with their projects, except projects that are being deleted. */
export function selectWebhooks(rest: string): Texts {
  return forBoth(
    ({ current }) => `SELECT w.*, p.id AS project_id, p.name AS project_name, p.slug AS project_slug,
        p.last_event_position, p.expired_position
      FROM webhooks w JOIN ${current('projects')} p ON p.seq = w.project AND p.slug IS NOT NULL ${rest}`,
  )
}

const IS_ONE = 'WHERE w.project = (SELECT seq FROM projects WHERE id = $1) AND w.id = $2'
const SELECT_ONE = selectWebhooks(IS_ONE)
const LOCK_ONE = selectWebhooks(`${IS_ONE} FOR UPDATE OF w`)
const LOCK_FREE = selectWebhooks(`${IS_ONE} FOR UPDATE OF w SKIP LOCKED`)

/** A webhook as stored, with its project and its position in the log. */
export interface StoredWebhook {
  readonly webhook: WebhookRecord
  /** The sequence number of the project. */
  readonly project: number
  readonly projectName: string
  readonly projectSlug: string
  /** The webhook's position in the log; `lastPosition` is the end of the log. */
  readonly position: number
  readonly lastPosition: number
  /** The position up to which events were deleted before the webhook received them; `null` if none were. */
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

/** The webhook, locked until the commit. Operations that also lock its project lock the project first. */
export function* lockWebhook(projectId: ProjectId, id: WebhookId): Operation<StoredWebhook | undefined> {
  const row = yield* one(LOCK_ONE, storedId(projectId), storedId(id))
  return row && toStoredWebhook(row)
}

/** Like {@link lockWebhook}, but returns `undefined` if another transaction holds the lock. */
export function* lockFreeWebhook(projectId: ProjectId, id: WebhookId): Operation<StoredWebhook | undefined> {
  const row = yield* one(LOCK_FREE, storedId(projectId), storedId(id))
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

/** Writes the decision, and adds its event to the log. */
export function* applyDecision(
  { project, position }: StoredWebhook,
  { webhook, event }: WebhookDecision,
  by: Stamp,
): Operation<void> {
  yield* send(WEBHOOKS.update, ...WEBHOOKS.valuesOf({ ...webhook, project, position }))
  if (event !== null) yield* addEvent(project, { event, lane: laneOfWebhook(webhook), by })
}

const AUDITED = ['name', 'url', 'eventTypes', 'includeSecurity', 'format', 'status'] as const

/** The path of a URL may be a secret, as it is for chat services, so only its origin is recorded. */
function auditedUrl(webhook: WebhookRecord): WebhookRecord {
  return { ...webhook, url: URL.canParse(webhook.url) ? new URL(webhook.url).origin : '' }
}

/** Hidden if the webhook was or is in the security lane. */
function* recordWebhookChange(
  by: AuditStamp | null,
  before: WebhookRecord,
  after: WebhookRecord,
): Operation<void> {
  const changes = changesBetween(auditedUrl(before), auditedUrl(after), AUDITED)
  const urls = before.url === after.url || changes.some(({ field }) => field === 'url')
  const { url } = auditedUrl(after)
  const all = urls ? changes : [...changes, { field: 'url', from: url, to: url }]
  if (all.length === 0) return
  const { lane } = auditedAs(before.includeSecurity ? before : after)
  yield* recordChange(by, { action: 'webhook.updated', ...auditedAs(after), lane, changes: all })
}

const SELECT_PLACE = forBoth(
  ({ current }) => `SELECT last_webhook_number AS number, last_event_position AS position
    FROM ${current('projects')} WHERE seq = $1`,
)

export function* createWebhook(
  { secret, ...given }: NewWebhook,
  by: AuditStamp | null,
): Operation<WebhookRecord | 'no-project' | 'too-many'> {
  const project = yield* lockProject(given.projectId)
  if (project === undefined) return 'no-project'
  if (yield* isLaneFull(project, given.includeSecurity)) return 'too-many'
  yield* send('UPDATE projects SET last_webhook_number = last_webhook_number + 1 WHERE seq = $1', project)
  const place = yield* one<{ number: number; position: number }>(SELECT_PLACE, project)
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
  yield* recordChange(by, {
    action: 'webhook.created',
    ...auditedAs(webhook),
    changes: changesBetween(null, auditedUrl(webhook), AUDITED),
  })
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

export function* changeWebhook(
  { patch, actor, at, ...command }: WebhookChangeCommand,
  by: AuditStamp | null,
): Operation<WebhookRecord | 'too-many' | undefined> {
  const project = yield* lockProject(command.projectId)
  const found = yield* lockWebhookInSight(command)
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
  yield* recordWebhookChange(by, webhook, decision.webhook)
  return decision.webhook
}

/** Makes pending deliveries due immediately, and resets those that failed while the endpoint was failing to pending. */
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

export function* rotateWebhookSecret(
  { secret, previousUntil, at, ...command }: SecretCommand,
  by: AuditStamp | null,
): Operation<WebhookRecord | undefined> {
  const found = yield* lockWebhookInSight(command)
  if (found === undefined) return undefined
  const secrets = rotateSecrets(found.webhook.secrets, { secret, previousUntil, at })
  const webhook = { ...found.webhook, secrets, updatedAt: at }
  yield* applyDecision(found, { webhook, event: null }, { at, actor: null })
  yield* recordChange(by, { action: 'webhook.secret_rotated', ...auditedAs(webhook) })
  return webhook
}

/** Deletes the webhook, which hides its deliveries. Those are deleted later, in batches, together with expired ones. */
export function* deleteWebhook(
  command: WebhookCommand,
  by: AuditStamp | null,
): Operation<'deleted' | 'missing'> {
  const found = yield* lockWebhookInSight(command)
  if (found === undefined) return 'missing'
  const { project, webhook } = found
  yield* change('DELETE FROM webhooks WHERE project = $1 AND number = $2', project, webhook.number)
  yield* recordChange(by, { action: 'webhook.deleted', ...auditedAs(webhook) })
  return 'deleted'
}

function* findWebhook(projectId: ProjectId, id: WebhookId): Operation<WebhookRecord | undefined> {
  const found = yield* findStoredWebhook(projectId, id)
  return found?.webhook
}

const SELECT_SOME = selectWebhooks(
  `WHERE w.project = (SELECT seq FROM projects WHERE id = $1) AND w.number > $2::bigint
     AND w.include_security <= $3 ORDER BY w.number LIMIT $4`,
)

function* listWebhooks({
  projectId,
  lanes,
  afterNumber,
  limit,
}: Parameters<WebhookStorage['list']>[0]): Operation<readonly WebhookRecord[]> {
  const rows = yield* all(SELECT_SOME, storedId(projectId), afterNumber, highestLane(lanes), limit)
  return rows.map((row) => toStoredWebhook(row).webhook)
}
