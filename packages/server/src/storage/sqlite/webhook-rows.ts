import type { SQLInputValue } from 'node:sqlite'
import { encodeId } from '../../model/ids.ts'
import type { WebhookRecord } from '../../model/webhooks.ts'
import {
  toWebhook as toRecord,
  WEBHOOK_COLUMNS,
  type WebhookColumns,
  webhookColumns,
} from '../sql/webhook-rows.ts'
import { numberOf } from './row-keys.ts'

/** Webhooks with their projects, unless these are being deleted. */
export const SELECT_WEBHOOKS = `SELECT w.*, p.id AS project_id, p.name AS project_name, p.slug AS project_slug FROM webhooks w
  JOIN projects p ON p.seq = w.row >> 32 AND p.slug IS NOT NULL`

/** A delivery has the event of its position; `d` is the delivery, `e` the event. */
export const JOIN_EVENT = 'JOIN events e ON e.row = (d.webhook_row >> 32 << 32) + d.position'

export interface WebhookRow extends WebhookColumns {
  readonly row: number
  readonly id: Uint8Array
  /** How far it has read the log. */
  readonly position: number
  readonly project_id: Uint8Array
  readonly project_name: string
  readonly project_slug: string
}

export function toWebhook(row: WebhookRow): WebhookRecord {
  return toRecord(row, {
    id: encodeId('whk', row.id),
    projectId: encodeId('prj', row.project_id),
    number: numberOf(row.row),
  })
}

/** In the order of {@link WEBHOOK_COLUMNS}. */
export function webhookValues(webhook: WebhookRecord): SQLInputValue[] {
  const columns = webhookColumns(webhook)
  return WEBHOOK_COLUMNS.map((column) => columns[column])
}
