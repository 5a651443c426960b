import type { DatabaseSync } from 'node:sqlite'
import { idToBytes, type ProjectId, type WebhookId } from '../../model/ids.ts'
import type { WebhookStorage } from '../storage.ts'
import type { Announcements } from './events.ts'
import { keyRange, rowKey } from './row-keys.ts'
import { SELECT_WEBHOOKS, toWebhook, type WebhookRow } from './webhook-rows.ts'
import type { Writes } from './writer.ts'

export function webhookStorage(
  reader: DatabaseSync,
  writes: Writes,
  announcements: Announcements,
): WebhookStorage {
  const selectOne = reader.prepare(`${SELECT_WEBHOOKS} WHERE w.id = ? AND p.id = ?`)
  const selectSeq = reader.prepare('SELECT seq FROM projects WHERE id = ?')
  const selectSome = reader.prepare(
    `${SELECT_WEBHOOKS} WHERE w.row > ? AND w.row < ? AND (w.include_security = 0 OR ?) ORDER BY w.row LIMIT ?`,
  )

  async function find(projectId: ProjectId, id: WebhookId) {
    const row = selectOne.get(idToBytes(id), idToBytes(projectId)) as WebhookRow | undefined
    return row && toWebhook(row)
  }

  return {
    find,

    async create(webhook) {
      const outcome = await writes.run('createWebhook', webhook)
      if (outcome !== 'created') return outcome
      return (await find(webhook.projectId, webhook.id)) ?? 'no-project'
    },

    async list({ projectId, lanes, afterNumber, limit }) {
      const project = selectSeq.get(idToBytes(projectId)) as { seq: number } | undefined
      if (project === undefined) return []
      const { seq } = project
      const seesSecurity = Number(lanes.includes('security'))
      const rows = selectSome.all(rowKey(seq, afterNumber), keyRange(seq).high, seesSecurity, limit)
      return (rows as unknown as WebhookRow[]).map(toWebhook)
    },

    async change(order) {
      const webhook = await writes.run('changeWebhook', order)
      announcements.announce(order.projectId)
      return webhook
    },

    rotateSecret: (order) => writes.run('rotateWebhookSecret', order),
    delete: (order) => writes.run('deleteWebhook', order),
  }
}
