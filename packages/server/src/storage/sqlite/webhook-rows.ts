import type { SQLInputValue } from 'node:sqlite'
import type { EventType, WebhookFormat, WebhookStatus } from '@bugle/contract/vocabulary'
import { encodeId } from '../../ids.ts'
import type { Lane } from '../records.ts'
import { laneOfWebhook, type SigningSecret, type WebhookRecord } from '../webhook-records.ts'
import { numberOf } from './row-keys.ts'

/** Webhooks with their projects, unless these are being deleted. */
export const SELECT_WEBHOOKS = `SELECT w.*, p.id AS project_id, p.name AS project_name, p.slug AS project_slug FROM webhooks w
  JOIN projects p ON p.seq = w.row >> 32 AND p.slug IS NOT NULL`

/** A delivery has the event of its position; `d` is the delivery, `e` the event. */
export const JOIN_EVENT = 'JOIN events e ON e.row = (d.webhook_row >> 32 << 32) + d.position'

export interface WebhookRow {
  readonly row: number
  readonly id: Uint8Array
  readonly project_id: Uint8Array
  readonly project_name: string
  readonly project_slug: string
  readonly name: string | null
  readonly url: string
  readonly event_types: string | null
  readonly include_security: number
  readonly format: WebhookFormat
  readonly status: WebhookStatus
  readonly paused_reason: string | null
  readonly secrets: string
  readonly position: number
  readonly created_at: number
  readonly updated_at: number
  readonly last_success_at: number | null
  readonly failing_since: number | null
}

export function toWebhook(row: WebhookRow): WebhookRecord {
  return {
    id: encodeId('whk', row.id),
    projectId: encodeId('prj', row.project_id),
    number: numberOf(row.row),
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

export const CHANGEABLE_WEBHOOK_COLUMNS = [
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
] as const

/** In the order of {@link CHANGEABLE_WEBHOOK_COLUMNS}. */
export function webhookValues(webhook: WebhookRecord): SQLInputValue[] {
  return [
    webhook.name,
    webhook.url,
    webhook.eventTypes && JSON.stringify(webhook.eventTypes),
    Number(webhook.includeSecurity),
    webhook.format,
    webhook.status,
    webhook.pausedReason,
    JSON.stringify(webhook.secrets),
    webhook.updatedAt,
    webhook.lastSuccessAt,
    webhook.failingSince,
  ]
}

export function isInSight(webhook: WebhookRecord, lanes: readonly Lane[]): boolean {
  return lanes.includes(laneOfWebhook(webhook))
}
