import type { ProjectId, WebhookId } from '../../model/ids.ts'
import type { WebhookStorage } from '../storage.ts'
import { type Database, prepared } from './connection.ts'
import { uuidOf } from './uuids.ts'
import { SELECT_WEBHOOKS, toWebhook, type WebhookRow } from './webhook-rows.ts'
import { changeWebhook, createWebhook, deleteWebhook, rotateWebhookSecret } from './webhook-writes.ts'

const SELECT_ONE = prepared(
  'webhook_by_id',
  `${SELECT_WEBHOOKS} WHERE w.project = (SELECT seq FROM projects WHERE id = $1) AND w.id = $2`,
)
const SELECT_SOME = prepared(
  'webhooks',
  `${SELECT_WEBHOOKS} WHERE w.project = (SELECT seq FROM projects WHERE id = $1) AND w.number > $2::bigint
     AND (w.include_security = 0 OR $3) ORDER BY w.number LIMIT $4`,
)

export function webhookStorage(database: Database, announce: (projectId: ProjectId) => void): WebhookStorage {
  async function find(projectId: ProjectId, id: WebhookId) {
    const [row] = await database.run<WebhookRow>(SELECT_ONE(uuidOf(projectId), uuidOf(id)))
    return row && toWebhook(row)
  }

  return {
    find,
    create: (webhook) => database.transaction((tx) => createWebhook(tx, webhook)),
    async list({ projectId, lanes, afterNumber, limit }) {
      const seesSecurity = lanes.includes('security')
      const rows = await database.run<WebhookRow>(
        SELECT_SOME(uuidOf(projectId), afterNumber, seesSecurity, limit),
      )
      return rows.map(toWebhook)
    },
    async change(order) {
      const webhook = await database.transaction((tx) => changeWebhook(tx, order))
      announce(order.projectId)
      return webhook
    },
    rotateSecret: (order) => database.transaction((tx) => rotateWebhookSecret(tx, order)),
    delete: (order) => database.transaction((tx) => deleteWebhook(tx, order)),
  }
}
