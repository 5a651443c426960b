import { type CursorQuery, type DeliveryDetail, type DeliveryPage, endpoints } from '@bugle/contract'
import type { Clock } from '../../clock.ts'
import { positionFor } from '../../model/lanes.ts'
import type { DeliveryHistory } from '../../model/webhooks.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Caller } from '../access/access.ts'
import { pagingOf } from '../cursor-pages.ts'
import { notFound } from '../domain-error.ts'
import type { VisibleWebhook, WebhookFinder } from './webhook-finder.ts'
import { showDelivery, showDeliveryDetail } from './webhook-views.ts'

/** Deliveries to webhooks, and redelivery. Deliveries of events that a caller may not see are hidden. */
export interface Deliveries {
  list(caller: Caller, webhookId: string, query: CursorQuery): Promise<DeliveryPage>
  get(caller: Caller, webhookId: string, position: string): Promise<DeliveryDetail>
  redeliver(caller: Caller, webhookId: string, position: string): Promise<DeliveryDetail>
}

interface DeliveryDependencies {
  readonly storage: Storage
  readonly clock: Clock
  readonly findWebhook: WebhookFinder
}

export function createDeliveries({ storage, clock, findWebhook }: DeliveryDependencies): Deliveries {
  function show(delivery: DeliveryHistory | undefined, { command, webhook }: VisibleWebhook): DeliveryDetail {
    if (delivery === undefined) throw notFound()
    return showDeliveryDetail(delivery, { webhook, lanes: command.lanes })
  }

  return {
    async list(caller, webhookId, query) {
      const { command, webhook } = await findWebhook(caller, endpoints.listDeliveries.access, webhookId)
      const paging = pagingOf(query, ['deliveries', webhook.id], Number.MAX_SAFE_INTEGER)
      const limit = paging.pageSize + 1
      const found = await storage.deliveries.list({ ...command, beforePosition: paging.from, limit })
      const shown = found.slice(0, paging.pageSize)
      const last = shown.at(-1)
      return {
        data: shown.map((delivery) => showDelivery(delivery, { webhook, lanes: command.lanes })),
        pagination: paging.paginate(found.length, last && positionFor(command.lanes, last), null),
      }
    },

    async get(caller, webhookId, position) {
      const found = await findWebhook(caller, endpoints.getDelivery.access, webhookId)
      return show(await storage.deliveries.find(found.command, positionIn(position)), found)
    },

    async redeliver(caller, webhookId, position) {
      const found = await findWebhook(caller, endpoints.redeliver.access, webhookId)
      return show(await storage.deliveries.redeliver(found.command, positionIn(position), clock()), found)
    },
  }
}

function positionIn(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound()
  return Number(text)
}
