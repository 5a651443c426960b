import { endpoints } from '@bugle/contract'
import type { Deliveries } from '../../domain/webhooks/deliveries.ts'
import type { Webhooks } from '../../domain/webhooks/webhooks.ts'
import { answer, type Bind } from '../route.ts'

const PRIVATE = { vary: 'Authorization, Cookie', 'cache-control': 'private, no-cache' }
/** A secret is shown once and must not be cached. */
const SECRET = { 'cache-control': 'no-store' }

export function bindWebhooks(bind: Bind, webhooks: Webhooks, deliveries: Deliveries): void {
  bind(endpoints.createWebhook, async ({ caller, body }) => {
    const webhook = await webhooks.create(caller, body)
    return answer(201, webhook, { ...SECRET, location: `/v1/webhooks/${webhook.id}` })
  })

  bind(endpoints.listWebhooks, async ({ caller, query }) =>
    answer(200, await webhooks.list(caller, query), PRIVATE),
  )

  bind(endpoints.getWebhook, async ({ caller, params }) =>
    answer(200, await webhooks.get(caller, params.id), PRIVATE),
  )

  bind(endpoints.changeWebhook, async ({ caller, params, body }) =>
    answer(200, await webhooks.change(caller, params.id, body), PRIVATE),
  )

  bind(endpoints.deleteWebhook, async ({ caller, params }) => {
    await webhooks.delete(caller, params.id)
    return answer(204, undefined)
  })

  bind(endpoints.rotateWebhookSecret, async ({ caller, params }) =>
    answer(200, await webhooks.rotateSecret(caller, params.id), SECRET),
  )

  bind(endpoints.testWebhook, async ({ caller, params }) =>
    answer(200, await webhooks.test(caller, params.id), PRIVATE),
  )

  bind(endpoints.listDeliveries, async ({ caller, params, query }) =>
    answer(200, await deliveries.list(caller, params.id, query), PRIVATE),
  )

  bind(endpoints.getDelivery, async ({ caller, params }) =>
    answer(200, await deliveries.get(caller, params.id, params.position), PRIVATE),
  )

  bind(endpoints.redeliver, async ({ caller, params }) =>
    answer(202, await deliveries.redeliver(caller, params.id, params.position), PRIVATE),
  )
}
