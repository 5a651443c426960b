import { endpoints, type WebhookCreation, type WebhookPatch, type WebhookWithSecret } from '@bugle/contract'
import { useQueryClient } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { webhooksQuery } from '../../../api/projects/webhooks.ts'

/** The changes to webhooks, which are part of the API. */
export function useWebhookChanges(projectId: string) {
  const queries = useQueryClient()
  const refreshed = async <T>(change: Promise<{ readonly body: T }>): Promise<T> => {
    const { body } = await change
    await queries.invalidateQueries(webhooksQuery(projectId))
    return body
  }
  return {
    create: (body: WebhookCreation): Promise<WebhookWithSecret> =>
      refreshed(client.call(endpoints.createWebhook, { body: { ...body, projectId } })),
    update: (id: string, body: WebhookPatch) =>
      refreshed(client.call(endpoints.changeWebhook, { params: { id }, body })),
    rotate: (id: string): Promise<WebhookWithSecret> =>
      refreshed(client.call(endpoints.rotateWebhookSecret, { params: { id } })),
    remove: (id: string) => refreshed(client.call(endpoints.deleteWebhook, { params: { id } })),
  }
}
