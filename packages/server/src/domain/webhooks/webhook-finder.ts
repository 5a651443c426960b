import type { Access } from '@bugle/contract'
import { isId, projectNumberOf } from '../../model/ids.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { laneOfWebhook, type WebhookCommand, type WebhookRecord } from '../../model/webhooks.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Caller, requireSight, type Sight } from '../access/access.ts'
import { notFound } from '../domain-error.ts'
import type { Catalog } from '../projects/catalog.ts'

/** Finds the webhook that a caller requests, if the caller may see it. */
export type WebhookFinder = (caller: Caller, access: Access, id: string) => Promise<VisibleWebhook>

export interface VisibleWebhook {
  readonly project: ProjectRecord
  readonly sight: Sight
  readonly webhook: WebhookRecord
  /** Identifies the webhook for the storage, with what the caller may see. */
  readonly command: WebhookCommand
}

interface FinderDependencies {
  readonly storage: Storage
  readonly catalog: Catalog
}

export function createWebhookFinder({ storage, catalog }: FinderDependencies): WebhookFinder {
  return async (caller, access, id) => {
    const webhookId = isId('whk', id) ? id : undefined
    const project = webhookId && (await catalog.findProjectByNumber(projectNumberOf(webhookId)))
    const sight = requireSight(caller, access, project)
    if (project === undefined || webhookId === undefined) throw notFound()
    const webhook = await storage.webhooks.find(project.id, webhookId)
    if (webhook === undefined || !sight.lanes.includes(laneOfWebhook(webhook))) throw notFound()
    return { project, sight, webhook, command: { projectId: project.id, webhookId, lanes: sight.lanes } }
  }
}
