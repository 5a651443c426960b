import type { WebhookRecord } from '../../model/webhooks.ts'
import { toWebhook as toRecord, type WebhookColumns } from '../sql/webhook-rows.ts'
import { idOf } from './uuids.ts'

/** Webhooks with their projects, unless these are being deleted. */
export const SELECT_WEBHOOKS = `SELECT w.*, p.id AS project_id, p.name AS project_name, p.slug AS project_slug
  FROM webhooks w JOIN projects p ON p.seq = w.project AND p.slug IS NOT NULL`

export interface WebhookRow extends WebhookColumns {
  readonly project: number
  readonly number: number
  readonly id: string
  /** How far it has read the log. */
  readonly position: number
  readonly project_id: string
  readonly project_name: string
  readonly project_slug: string
}

export function toWebhook(row: WebhookRow): WebhookRecord {
  return toRecord(row, {
    id: idOf('whk', row.id),
    projectId: idOf('prj', row.project_id),
    number: row.number,
  })
}
