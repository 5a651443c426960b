import type {
  AttemptError,
  DeliveryStatus,
  EventType,
  WebhookFormat,
  WebhookStatus,
} from '@bugle/contract/vocabulary'
import type { ProjectId, WebhookId } from '../../model/ids.ts'
import type { Lane } from '../../model/lanes.ts'
import {
  type AttemptRecord,
  type DeliveryRecord,
  laneOfWebhook,
  type SigningSecret,
  type WebhookRecord,
} from '../../model/webhooks.ts'

/** The columns of a webhook that both databases have. How its key and its id are stored differs. */
export interface WebhookColumns extends ChangeableWebhookColumns {
  readonly created_at: number
}

interface ChangeableWebhookColumns {
  readonly name: string | null
  readonly url: string
  readonly event_types: string | null
  readonly include_security: number
  readonly format: WebhookFormat
  readonly status: WebhookStatus
  readonly paused_reason: string | null
  readonly secrets: string
  readonly updated_at: number
  readonly last_success_at: number | null
  readonly failing_since: number | null
}

interface WebhookKey {
  readonly id: WebhookId
  readonly projectId: ProjectId
  readonly number: number
}

export function toWebhook(row: WebhookColumns, { id, projectId, number }: WebhookKey): WebhookRecord {
  return {
    id,
    projectId,
    number,
    name: row.name,
    url: row.url,
    eventTypes: row.event_types === null ? null : (JSON.parse(row.event_types) as EventType[]),
    includeSecurity: row.include_security === 1,
    format: row.format,
    status: row.status,
    pausedReason: row.paused_reason,
    secrets: JSON.parse(row.secrets) as SigningSecret[],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastSuccessAt: row.last_success_at,
    failingSince: row.failing_since,
  }
}

/** The columns that may change. */
export function webhookColumns(webhook: WebhookRecord): ChangeableWebhookColumns {
  return {
    name: webhook.name,
    url: webhook.url,
    event_types: webhook.eventTypes && JSON.stringify(webhook.eventTypes),
    include_security: Number(webhook.includeSecurity),
    format: webhook.format,
    status: webhook.status,
    paused_reason: webhook.pausedReason,
    secrets: JSON.stringify(webhook.secrets),
    updated_at: webhook.updatedAt,
    last_success_at: webhook.lastSuccessAt,
    failing_since: webhook.failingSince,
  }
}

export const WEBHOOK_COLUMNS = [
  'name',
  'url',
  'event_types',
  'include_security',
  'format',
  'status',
  'paused_reason',
  'secrets',
  'updated_at',
  'last_success_at',
  'failing_since',
] as const satisfies readonly (keyof ChangeableWebhookColumns)[]

export function isInSight(webhook: WebhookRecord, lanes: readonly Lane[]): boolean {
  return lanes.includes(laneOfWebhook(webhook))
}

export interface DeliveryColumns {
  readonly position: number
  /** Of the event, as it is stored; `null`: the same as its position. */
  readonly open_position: number | null
  readonly type: EventType
  readonly event_at: number
  readonly status: DeliveryStatus
  readonly created_at: number
  readonly next_attempt_at: number | null
  readonly finished_at: number | null
  readonly attempts: number
}

export function toDelivery(row: DeliveryColumns): DeliveryRecord {
  return {
    position: row.position,
    openPosition: row.open_position ?? row.position,
    eventType: row.type,
    eventAt: row.event_at,
    status: row.status,
    createdAt: row.created_at,
    nextAttemptAt: row.next_attempt_at,
    finishedAt: row.finished_at,
    attemptCount: row.attempts,
  }
}

export interface AttemptColumns {
  readonly number: number
  readonly at: number
  readonly http_status: number | null
  readonly error: AttemptError | null
  readonly duration_ms: number
  readonly response: string | null
}

export function toAttempt(row: AttemptColumns): AttemptRecord {
  return {
    number: row.number,
    at: row.at,
    status: row.http_status,
    error: row.error,
    durationMs: row.duration_ms,
    response: row.response,
  }
}
