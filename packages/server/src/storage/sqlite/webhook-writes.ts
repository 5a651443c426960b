import type { DatabaseSync } from 'node:sqlite'
import { MAX_WEBHOOKS } from '@bugle/contract/vocabulary'
import {
  changeWebhook,
  EVENTS_LOST,
  resumeWebhook,
  rotateSecrets,
  type WebhookDecision,
} from '../../model/decisions/change-webhook.ts'
import { idToBytes, type ProjectId, type WebhookId } from '../../model/ids.ts'
import {
  laneOfWebhook,
  type NewWebhook,
  type SecretOrder,
  type WebhookChangeOrder,
  type WebhookOrder,
  type WebhookRecord,
} from '../../model/webhooks.ts'
import { type ProjectCounters, type Stamp, takePlace } from '../sql/issue-tables.ts'
import { isInSight, WEBHOOK_COLUMNS } from '../sql/webhook-rows.ts'
import type { Batch } from './batch.ts'
import { prepareEventLog } from './event-log.ts'
import { keyRange, rowKey } from './row-keys.ts'
import { prepareCommand } from './statements.ts'
import { SELECT_WEBHOOKS, toWebhook, type WebhookRow, webhookValues } from './webhook-rows.ts'

/** The steps that operations on webhooks and deliveries are made of. */
export type WebhookSteps = ReturnType<typeof prepareWebhookSteps>

/** A webhook with its place in the database, and how far it has read the log. */
export interface FoundWebhook {
  readonly project: ProjectCounters
  readonly webhook: WebhookRecord
  readonly row: number
  readonly position: number
}

export function prepareWebhookSteps(db: DatabaseSync, batch: Batch) {
  const select = db.prepare(`${SELECT_WEBHOOKS} WHERE w.id = ? AND p.id = ?`)
  const update = prepareCommand(
    db,
    `UPDATE webhooks SET ${WEBHOOK_COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE row = ?`,
  )
  const updatePosition = prepareCommand(db, 'UPDATE webhooks SET position = ? WHERE row = ?')
  const selectExpired = db.prepare('SELECT expired_position FROM projects WHERE seq = ?')
  const insertEvent = prepareEventLog(db)

  function find(projectId: ProjectId, id: WebhookId): FoundWebhook | undefined {
    const project = batch.findProject(projectId)
    const row = project && (select.get(idToBytes(id), idToBytes(projectId)) as WebhookRow | undefined)
    if (project === undefined || row === undefined) return undefined
    return { project, webhook: toWebhook(row), row: row.row, position: row.position }
  }

  /** Writes what was decided, and tells of it. */
  function apply({ project, row }: FoundWebhook, { webhook, event }: WebhookDecision, by: Stamp): void {
    update.run(...webhookValues(webhook), row)
    if (event === null) return
    const lane = laneOfWebhook(webhook)
    insertEvent(project.seq, { ...takePlace(project, lane), event, lane, issueRow: null, by })
  }

  return {
    find,
    apply,

    findInSight({ projectId, webhookId, lanes }: WebhookOrder): FoundWebhook | undefined {
      const found = find(projectId, webhookId)
      return found && isInSight(found.webhook, lanes) ? found : undefined
    },

    moveTo({ row }: FoundWebhook, position: number): void {
      updatePosition.run(position, row)
    },

    /** Up to where the log has let go of events that the webhook never got to; `null` if it has not. */
    lostPosition({ project, position }: FoundWebhook): number | null {
      const { expired_position: expired } = selectExpired.get(project.seq) as { expired_position: number }
      return expired > position ? expired : null
    },

    /** Goes on after events that are lost, and says so. */
    skipTo(found: FoundWebhook, position: number, at: number): void {
      updatePosition.run(position, found.row)
      const { event } = resumeWebhook(found.webhook, EVENTS_LOST)
      apply(found, { webhook: found.webhook, event }, { at, actor: null })
    },
  }
}

/** What people do with webhooks, as it runs in the writer. */
export function prepareWebhookWrites(db: DatabaseSync, batch: Batch, steps: WebhookSteps) {
  const takeNumber = db.prepare(
    'UPDATE projects SET last_webhook_number = last_webhook_number + 1 WHERE seq = ? RETURNING last_webhook_number AS number',
  )
  const insert = prepareCommand(
    db,
    `INSERT INTO webhooks (row, id, position, created_at, ${WEBHOOK_COLUMNS.join(', ')})
     VALUES (?, ?, ?, ?, ${WEBHOOK_COLUMNS.map(() => '?').join(', ')})`,
  )
  const remove = prepareCommand(db, 'DELETE FROM webhooks WHERE row = ?')
  const countWebhooks = db.prepare(
    'SELECT count(*) AS count FROM webhooks WHERE row > ? AND row < ? AND include_security = ?',
  )
  const retryPending = prepareCommand(
    db,
    `UPDATE deliveries SET next_attempt_at = ?, series_attempts = 0 WHERE webhook_row = ? AND status = 'pending'`,
  )
  const retryFailed = prepareCommand(
    db,
    `UPDATE deliveries SET status = 'pending', next_attempt_at = ?, finished_at = NULL, series_attempts = 0
     WHERE webhook_row = ? AND status = 'failed' AND finished_at >= ?`,
  )

  /** What is waiting is due at once, and what the endpoint failed to take while it was failing comes again. */
  function catchUp({ webhook, row }: FoundWebhook, at: number): void {
    retryPending.run(at, row)
    if (webhook.failingSince !== null) retryFailed.run(at, row, webhook.failingSince)
  }

  function isLaneFull({ seq }: ProjectCounters, includeSecurity: boolean): boolean {
    const { low, high } = keyRange(seq)
    const { count } = countWebhooks.get(low, high, Number(includeSecurity)) as { count: number }
    return count >= MAX_WEBHOOKS
  }

  return {
    createWebhook({ secret, ...wish }: NewWebhook): 'created' | 'no-project' | 'too-many' {
      const project = batch.findProject(wish.projectId)
      if (project === undefined) return 'no-project'
      if (isLaneFull(project, wish.includeSecurity)) return 'too-many'
      const { number } = takeNumber.get(project.seq) as { number: number | bigint }
      const webhook: WebhookRecord = {
        ...wish,
        number: Number(number),
        status: 'active',
        pausedReason: null,
        secrets: [{ secret, until: null }],
        updatedAt: wish.createdAt,
        lastSuccessAt: null,
        failingSince: null,
      }
      insert.run(
        rowKey(project.seq, webhook.number),
        idToBytes(webhook.id),
        project.lastEventPosition,
        webhook.createdAt,
        ...webhookValues(webhook),
      )
      return 'created'
    },

    changeWebhook({
      patch,
      actor,
      at,
      ...order
    }: WebhookChangeOrder): WebhookRecord | 'too-many' | undefined {
      const found = steps.findInSight(order)
      if (found === undefined) return undefined
      const { includeSecurity = found.webhook.includeSecurity } = patch
      const switchesLane = includeSecurity !== found.webhook.includeSecurity
      if (switchesLane && isLaneFull(found.project, includeSecurity)) return 'too-many'
      const isResumed = found.webhook.status === 'paused' && patch.status === 'active'
      const lost = isResumed ? steps.lostPosition(found) : null
      const decision = changeWebhook(found.webhook, patch, {
        at,
        lost: lost === null ? null : EVENTS_LOST,
      })
      steps.apply(found, decision, { at, actor })
      if (lost !== null) steps.moveTo(found, lost)
      if (isResumed) catchUp(found, at)
      return decision.webhook
    },

    rotateWebhookSecret({ secret, previousUntil, at, ...order }: SecretOrder): WebhookRecord | undefined {
      const found = steps.findInSight(order)
      if (found === undefined) return undefined
      const secrets = rotateSecrets(found.webhook.secrets, { secret, previousUntil, at })
      const webhook = { ...found.webhook, secrets, updatedAt: at }
      steps.apply(found, { webhook, event: null }, { at, actor: null })
      return webhook
    },

    /** Its deliveries follow in steps, with those that are too old: nobody finds them any more. */
    deleteWebhook(order: WebhookOrder): 'deleted' | 'missing' {
      const found = steps.findInSight(order)
      if (found === undefined) return 'missing'
      remove.run(found.row)
      return 'deleted'
    },
  }
}
