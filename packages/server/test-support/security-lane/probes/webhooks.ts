import type { Place, Twin } from '../twins.ts'
import { followCursors, type Probe, type Prober } from './prober.ts'

/** How the lane is checked for webhooks: deliveries must be as hidden as their events. */
export const WEBHOOK_PROBES: Readonly<Record<string, Probe>> = {
  async createWebhook({ ask, place, receiverUrl: url }) {
    const create = (body: object) => ask({ method: 'POST', path: '/v1/webhooks', body })
    await create({ url, projectId: place.project.slug, eventTypes: ['issue.regressed'] })
    await create({ url, projectId: place.project.slug, includeSecurity: true })
    await create({ url, includeSecurity: true, eventTypes: [] })
  },

  async listWebhooks({ ask, place, settle }) {
    await settle()
    const path = `/v1/webhooks?projectId=${place.project.slug}`
    await ask({ path: '/v1/webhooks' })
    await followCursors((cursor) => ask({ path: `${path}&pageSize=1${cursor}` }))
  },

  getWebhook: (prober) => forEachWebhook(prober, (path) => prober.ask({ path })),

  async changeWebhook(prober) {
    const patches = [{ name: 'Mine' }, { status: 'paused' }, { status: 'active' }, { includeSecurity: true }]
    await forEachWebhook(prober, async (path) => {
      for (const body of [...patches, { url: prober.receiverUrl }, { url: 'http://10.0.0.1/' }])
        await prober.ask({ method: 'PATCH', path, body })
    })
  },

  async deleteWebhook(prober) {
    const { place, webhooks, receiverUrl: url } = prober
    const { body } = await prober.ask({
      method: 'POST',
      path: '/v1/webhooks',
      body: { url, projectId: place.project.slug },
    })
    for (const id of [body.id ?? webhooks.missing, webhooks.full, webhooks.missing])
      await prober.ask({ method: 'DELETE', path: `/v1/webhooks/${id}` })
  },

  rotateWebhookSecret: (prober) =>
    forEachWebhook(prober, (path) => prober.ask({ method: 'POST', path: `${path}/rotate-secret` })),

  testWebhook: (prober) =>
    forEachWebhook(prober, (path) => prober.ask({ method: 'POST', path: `${path}/test` })),

  async listDeliveries(prober) {
    await forEachWebhook(prober, async (path) => {
      await prober.ask({ path: `${path}/deliveries?cursor=WyJ4IiwxXQ` })
      for (const pageSize of [20, 100])
        await followCursors((cursor) =>
          prober.ask({ path: `${path}/deliveries?pageSize=${pageSize}${cursor}` }),
        )
    })
  },

  getDelivery: (prober) => forEachDelivery(prober, (path) => prober.ask({ path })),

  redeliver: (prober) =>
    forEachDelivery(prober, async (path) => {
      await prober.ask({ method: 'POST', path: `${path}/redeliver` })
      await prober.settle()
    }),
}

/** Creates the webhooks of a project in one of the apps. */
export async function addTeamWebhooks(twin: Twin, place: Place, url: string): Promise<void> {
  for (const [name, body] of [
    ['open', { url }],
    ['full', { url, includeSecurity: true }],
  ] as const) {
    const answer = await twin.api.send('POST', '/v1/webhooks', { key: place.teamKey, body })
    if (answer.status !== 201) throw new Error(`the webhook was refused: ${answer.text}`)
    twin.name(place, answer.body, `webhook ${name}`)
  }
}

/** Waits until an app has delivered everything. */
export async function settleDeliveries({ api }: Twin): Promise<void> {
  const { deliveries } = api.app.storage
  const isBusy = async () =>
    (await deliveries.listBehind(1)).length > 0 || (await deliveries.isAnyDue(Number.MAX_SAFE_INTEGER))
  while (await isBusy()) await new Promise((resolve) => setTimeout(resolve, 5))
}

async function forEachWebhook(
  { webhooks, settle }: Prober,
  ask: (path: string) => Promise<unknown>,
): Promise<void> {
  await settle()
  for (const id of Object.values(webhooks)) await ask(`/v1/webhooks/${id}`)
}

/** Some existing deliveries, and one that never existed. */
async function forEachDelivery(prober: Prober, ask: (path: string) => Promise<unknown>): Promise<void> {
  await forEachWebhook(prober, async (path) => {
    const { body } = await prober.ask({ path: `${path}/deliveries?pageSize=2` })
    const listed: readonly { position: number }[] = body?.data ?? []
    for (const { position } of [...listed, { position: 1e9 }]) await ask(`${path}/deliveries/${position}`)
  })
}
