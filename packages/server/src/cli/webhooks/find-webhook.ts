import { isId, projectNumberOf } from '../../model/ids.ts'
import type { WebhookCommand, WebhookRecord } from '../../model/webhooks.ts'
import type { Storage } from '../../storage/storage.ts'
import { CommandError, type Input, UsageError } from '../command.ts'

/** Access to the database is access to everything. */
export const EVERY_LANE = ['open', 'security'] as const

/** The webhook whose id is the first argument. */
export async function requireWebhook(
  storage: Storage,
  { positionals: [id = ''] }: Input,
): Promise<{ readonly webhook: WebhookRecord; readonly command: WebhookCommand }> {
  if (!isId('whk', id))
    throw new UsageError(`"${id}" is not the id of a webhook (whk_…); "bugle webhook list" shows them`)
  const project = await storage.projects.findByNumber(projectNumberOf(id))
  const webhook = project && (await storage.webhooks.find(project.id, id))
  if (webhook === undefined) throw missingWebhook(id)
  return { webhook, command: { projectId: webhook.projectId, webhookId: id, lanes: EVERY_LANE } }
}

export function missingWebhook(id: string): CommandError {
  return new CommandError(`there is no webhook "${id}"; "bugle webhook list" shows them`)
}
