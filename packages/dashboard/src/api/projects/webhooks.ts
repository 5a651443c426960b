import { endpoints, type Webhook, type WebhookStatus } from '@bugle/contract'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../client.ts'

/** More would not be useful on a page. */
const MAX_WEBHOOKS = 200
const DELIVERIES_A_PAGE = 10
/** Deliveries are not in the event stream, so they are polled while they are shown. */
const LOOK_AGAIN_MS = 10_000
/** For deliveries whose result is expected soon. */
const LOOK_SOON_MS = 2_000

/** The webhooks of a project, with their status. */
export function webhooksQuery(projectId: string) {
  return queryOptions({
    queryKey: ['webhooks', projectId],
    queryFn: async ({ signal }) => {
      const webhooks: Webhook[] = []
      const input = { query: { projectId, pageSize: 100 }, signal }
      for await (const webhook of client.items(endpoints.listWebhooks, input)) {
        if (webhooks.push(webhook) >= MAX_WEBHOOKS) break
      }
      return webhooks
    },
    refetchInterval: LOOK_AGAIN_MS,
  })
}

/** Past and pending deliveries to a webhook, newest event first. */
export function deliveriesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['deliveries', id],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const input = { params: { id }, query: { cursor, pageSize: DELIVERIES_A_PAGE }, signal }
      return (await client.call(endpoints.listDeliveries, input)).body
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
    refetchInterval: LOOK_AGAIN_MS,
  })
}

/** A delivery with every attempt. */
export function deliveryQuery(id: string, position: number) {
  return queryOptions({
    queryKey: ['deliveries', id, position],
    queryFn: async ({ signal }) => {
      const input = { params: { id, position: `${position}` }, signal }
      return (await client.call(endpoints.getDelivery, input)).body
    },
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? LOOK_SOON_MS : LOOK_AGAIN_MS),
  })
}

/** Pauses or resumes a webhook. */
export function useSetWebhookStatus({ id, projectId }: Webhook) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (status: WebhookStatus) =>
      client.call(endpoints.changeWebhook, { params: { id }, body: { status } }),
    onSuccess: () => queries.invalidateQueries(webhooksQuery(projectId)),
  })
}

/** Sends a test message; resolves to the attempt, successful or not. */
export function useTestWebhook({ id }: Webhook) {
  return useMutation({
    mutationFn: async () => (await client.call(endpoints.testWebhook, { params: { id } })).body,
  })
}

export function useRedeliver(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (position: number) =>
      client.call(endpoints.redeliver, { params: { id, position: `${position}` } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deliveries', id] }),
  })
}
