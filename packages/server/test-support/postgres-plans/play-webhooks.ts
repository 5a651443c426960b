import { makeWebhook } from '../../src/domain/webhooks/webhooks.ts'
import { mintUnshardedId } from '../../src/model/ids.ts'
import type { ProjectRecord } from '../../src/model/projects.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { FAILED, TAKEN } from '../webhook-stage.ts'
import { BOTH_LANES, DAY_MS, reportFor } from './story-reports.ts'

/** Reads the event log and expires its oldest events. */
export async function playEvents(
  { events }: Storage,
  { id: projectId }: ProjectRecord,
  now: number,
): Promise<void> {
  const { end } = await events.window(projectId, ['open', 'security'])
  for (const lanes of [['open'], ['open', 'security']] as const) {
    const selection = { projectId, lanes, limit: 100, after: Math.floor(end / 2) }
    await events.list({ ...selection, types: null })
    await events.list({ ...selection, types: ['issue.regressed'] })
  }
  await events.findActorNames([mintUnshardedId('key', now), mintUnshardedId('usr', now)])
  await events.expireSome(projectId, now - 400 * DAY_MS)
  await events.expireSome(projectId, now)
  const stop = events.subscribe(() => {})
  stop()
}

/** Creates a webhook, sends deliveries, and changes and deletes the webhook. */
export async function playWebhooks(
  { issues, webhooks, deliveries }: Storage,
  project: ProjectRecord,
  now: number,
): Promise<void> {
  const [old] = await webhooks.list({ projectId: project.id, lanes: BOTH_LANES, afterNumber: 0, limit: 5 })
  const made = await webhooks.create(
    makeWebhook(project, { url: 'https://a.example/', secret: 'whsec_a', createdAt: now }),
  )
  if (typeof made === 'string') throw new Error(`the webhook was not created: ${made}`)
  await issues.submit(reportFor(project, {}))
  const webhook = old ?? made
  const target = { projectId: project.id, webhookId: webhook.id, lanes: BOTH_LANES }
  await webhooks.find(project.id, webhook.id)
  for (const { id } of await deliveries.listBehind(8)) await deliveries.fanOut(project.id, id, now)
  await deliveries.fanOut(project.id, webhook.id, now)
  await deliveries.isAnyDue(now)
  const claims = await deliveries.claimDue({ now, leaseMs: 30_000, perWebhook: 8, limit: 64 })
  for (const [index, { event, webhook: own, project: home }] of claims.slice(0, 4).entries()) {
    const place = { projectId: home.id, webhookId: own.id, position: event.position }
    const result = index % 2 === 0 ? TAKEN : FAILED
    await deliveries.recordAttempt({ ...place, sentAt: now, now, result, random: 0.5 })
  }
  const listed = await deliveries.list({ ...target, beforePosition: 1e9, limit: 50 })
  const position = listed[0]?.position ?? 1
  await deliveries.find(target, position)
  await deliveries.countPending(webhook)
  await deliveries.countPendingOf([webhook])
  await deliveries.tally()
  await deliveries.redeliver(target, position, now)
  await deliveries.expireSome(project.id, now)
  for (const status of ['paused', 'active'] as const) {
    await webhooks.change({ ...target, patch: { status }, actor: null, at: now })
  }
  await webhooks.rotateSecret({ ...target, secret: 'whsec_b', previousUntil: now, at: now })
  await webhooks.delete({ ...target, webhookId: made.id })
}
