import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeProject } from '../domain/projects/projects.ts'
import { makeWebhook } from '../domain/webhooks/webhooks.ts'
import { ATTEMPT_DELAYS_MS } from '../model/decisions/judge-delivery.ts'
import { mintId, projectNumberOf } from '../model/ids.ts'
import { normaliseSubmission } from '../model/reports/reports.ts'
import type { AttemptResult, Claim, WebhookRecord } from '../model/webhooks.ts'
import { openSqliteInline } from '../storage/sqlite/sqlite-storage.ts'
import type { Storage } from '../storage/storage.ts'
import { type Deliverer, startDeliverer } from './deliver-webhooks.ts'

const BEGINNING = Date.UTC(2026, 10, 15)
const DAY = 86_400_000
const TAKEN: AttemptResult = {
  status: 200,
  error: null,
  durationMs: 1,
  response: null,
  retryAfterSeconds: null,
}
const TIMED_OUT: AttemptResult = { ...TAKEN, status: null, error: 'timeout' }

const project = makeProject({
  slug: 'weather',
  name: 'Weather',
  isPublic: false,
  defaultBranch: 'main',
  createdAt: BEGINNING,
})
let storage: Storage
let deliverer: Deliverer
let now: number
let sent: { readonly webhook: string; readonly position: number; readonly at: number }[]
let answer: (claim: Claim) => AttemptResult | Promise<AttemptResult>
let faults: unknown[]

beforeEach(async () => {
  now = BEGINNING
  sent = []
  faults = []
  answer = () => TAKEN
  storage = openSqliteInline(':memory:')
  await storage.projects.create(project)
  deliverer = startDeliverer({
    storage,
    clock: () => now,
    random: () => 0.5,
    async send(claim) {
      sent.push({ webhook: claim.webhook.id, position: claim.event.position, at: now })
      return answer(claim)
    },
    onFault: (error) => faults.push(error),
  })
})
afterEach(async () => {
  await deliverer.stop()
  await storage.close()
})

async function addWebhook(url: string): Promise<WebhookRecord> {
  const made = await storage.webhooks.create(makeWebhook(project, { url, secret: 'whsec_a', createdAt: now }))
  if (typeof made === 'string') throw new Error(`the webhook was not created: ${made}`)
  return made
}

async function reportMany(count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, () =>
      storage.issues.submit({
        projectId: project.id,
        issueId: mintId('iss', now, projectNumberOf(project.id)),
        receivedAt: now,
        actor: null,
        lanes: ['open'],
        content: normaliseSubmission({ title: 'Blank' }),
        submission: null,
      }),
    ),
  )
}

const sentTo = ({ id }: WebhookRecord) => sent.filter(({ webhook }) => webhook === id)

describe('the schedule', () => {
  it('is followed, attempt by attempt, until the delivery has failed', async () => {
    const webhook = await addWebhook('https://dead.example/')
    answer = () => TIMED_OUT
    await reportMany(1)
    await deliverer.work()
    for (const [index, delay] of ATTEMPT_DELAYS_MS.slice(1).entries()) {
      now += delay - 1
      await deliverer.work()
      expect(sentTo(webhook)).toHaveLength(index + 1)
      now += 1
      await deliverer.work()
      expect(sentTo(webhook)).toHaveLength(index + 2)
    }
    now += 30 * DAY
    await deliverer.work()
    expect(sentTo(webhook)).toHaveLength(10)
    const command = { projectId: project.id, webhookId: webhook.id, lanes: ['open'] } as const
    expect(await storage.deliveries.find(command, 1)).toMatchObject({ status: 'failed', attemptCount: 10 })
  })

  it('ends with a pause after five days, and continues where it stopped', async () => {
    const webhook = await addWebhook('https://dead.example/')
    answer = () => TIMED_OUT
    for (let day = 0; day <= 5; day++) {
      await reportMany(1)
      await deliverer.work()
      now += DAY
    }
    const paused = await storage.webhooks.find(project.id, webhook.id)
    expect(paused?.status).toBe('paused')
    const attempts = sentTo(webhook).length
    await reportMany(1)
    await deliverer.work()
    expect(sentTo(webhook)).toHaveLength(attempts)

    answer = () => TAKEN
    const command = { projectId: project.id, webhookId: webhook.id, lanes: ['open'] } as const
    await storage.webhooks.change({ ...command, patch: { status: 'active' }, actor: null, at: now })
    await deliverer.work()
    const delivered = await storage.deliveries.list({ ...command, beforePosition: 1e9, limit: 100 })
    expect(delivered.map(({ status }) => status)).toEqual(delivered.map(() => 'delivered'))
    // Seven reports, and the events for pausing and resuming.
    expect(delivered).toHaveLength(9)
  })
})

describe('many webhooks', () => {
  it('do not wait for one that hangs', async () => {
    const dead = await addWebhook('https://dead.example/')
    const good = await addWebhook('https://good.example/')
    let giveUp = (_: AttemptResult) => {}
    const hanging = new Promise<AttemptResult>((resolve) => {
      giveUp = resolve
    })
    answer = ({ webhook }) => (webhook.id === dead.id ? hanging : TAKEN)
    await reportMany(300)
    await expect.poll(() => sentTo(good).length).toBe(300)
    // Only its share.
    expect(sentTo(dead)).toHaveLength(8)
    giveUp(TIMED_OUT)
    await deliverer.work()
    expect(sentTo(dead)).toHaveLength(300)
  })

  it('that fail for a long time do not block the others', async () => {
    const dead = await Promise.all(
      Array.from({ length: 12 }, (_, n) => addWebhook(`https://dead-${n}.example/`)),
    )
    answer = () => TIMED_OUT
    await reportMany(10)
    await deliverer.work()
    const good = await addWebhook('https://good.example/')
    now += 10 * 60_000
    sent = []
    let giveUp = (_: AttemptResult) => {}
    const hanging = new Promise<AttemptResult>((resolve) => {
      giveUp = resolve
    })
    answer = ({ webhook }) => (webhook.id === good.id ? TAKEN : hanging)
    await reportMany(20)
    await expect.poll(() => sentTo(good).length).toBe(20)
    for (const webhook of dead) expect(sentTo(webhook).length).toBeLessThanOrEqual(1)
    giveUp(TIMED_OUT)
  })
})

describe('an internal error', () => {
  it('is recovered from when the lease has expired', async () => {
    const webhook = await addWebhook('https://good.example/')
    answer = () => {
      throw new Error('out of memory')
    }
    await reportMany(1)
    await deliverer.work()
    expect(faults).toHaveLength(1)
    answer = () => TAKEN
    now += 29_000
    await deliverer.work()
    expect(sentTo(webhook)).toHaveLength(1)
    now += 1_000
    await deliverer.work()
    expect(sentTo(webhook)).toHaveLength(2)
  })
})
