import { ALL_SCOPES, type Delivery, type Event } from '@bugle/contract'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../../../test-support/start-app.ts'
import { type Receiver, startReceiver } from '../../../test-support/start-receiver.ts'

const ALLOWED = { BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1' }
const BLIND_SCOPES = ALL_SCOPES.filter((scope) => scope !== 'security:read')

let api: TestApp
let project: TestProject
let receiver: Receiver
let skippedMs = 0

beforeAll(async () => {
  api = await startApp({ environment: ALLOWED, clock: () => Date.now() + skippedMs })
  receiver = await startReceiver()
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})
afterEach(() => receiver.react(() => ({ status: 200 })))

const send = (method: string, path: string, body?: unknown, key = project.secretKey) =>
  api.send(method, `/v1/webhooks${path}`, { key, ...(body !== undefined && { body }) })
const create = async (body: object = {}) => {
  project = await api.addProject()
  return (await send('POST', '', { url: receiver.url, ...body })).body
}
const report = async (body: object = {}) =>
  (await api.send('POST', '/v1/issues', { key: project.publicKey, body: { title: 'Blank', ...body } })).body
const events = async (): Promise<readonly Event[]> =>
  (await api.send('GET', '/v1/events', { key: project.secretKey })).body.data
const deliveries = async (id: string): Promise<readonly Delivery[]> =>
  (await send('GET', `/${id}/deliveries`)).body.data
const statusesOf = async (id: string) => (await deliveries(id)).map(({ status }) => status)
const told = (id: string) =>
  receiver.received.filter(({ headers }) => headers['webhook-id']?.includes(id.slice(4)))
const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 5_000, interval: 20 })

describe('a webhook', () => {
  it('is made with a secret that is shown once, and read without it', async () => {
    project = await api.addProject()
    const made = await send('POST', '', { url: receiver.url, name: 'Team', eventTypes: ['issue.created'] })
    expect([made.status, made.headers.get('location')]).toEqual([201, `/v1/webhooks/${made.body.id}`])
    expect(made.headers.get('cache-control')).toBe('no-store')
    const { secret, ...webhook } = made.body
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(webhook).toMatchObject({
      id: expect.stringMatching(/^whk_[0-9a-z]{26}$/),
      projectId: project.id,
      name: 'Team',
      eventTypes: ['issue.created'],
      includeSecurity: false,
      format: 'standard',
      status: 'active',
      pausedReason: null,
      lastSuccessAt: null,
      failingSince: null,
      pendingDeliveries: 0,
    })
    expect((await send('GET', `/${webhook.id}`)).body).toEqual(webhook)
    expect((await send('GET', '')).body.data).toEqual([webhook])
  })

  it('is listed with others, page by page', async () => {
    const first = await create()
    const second = (await send('POST', '', { url: receiver.url })).body
    const page = (await send('GET', '?pageSize=1')).body
    expect(page.data.map(({ id }: { id: string }) => id)).toEqual([first.id])
    const rest = (await send('GET', `?pageSize=1&cursor=${page.pagination.nextCursor}`)).body
    expect(rest.data.map(({ id }: { id: string }) => id)).toEqual([second.id])
    expect(rest.pagination).toMatchObject({ hasMore: false, nextCursor: null })
  })

  it.each([
    ['http://10.0.0.1/', 'destination'],
    ['ftp://example.com/', 'destination'],
    ['https://user:password@example.com/', 'destination'],
    ['not a url', 'destination'],
  ])('is refused for the URL %s, with the reason', async (url, code) => {
    const { id } = await create()
    for (const answer of [await send('POST', '', { url }), await send('PATCH', `/${id}`, { url })]) {
      expect([answer.status, answer.body.code]).toEqual([422, 'validation-failed'])
      expect(answer.body.errors).toEqual([{ pointer: '#/url', code, detail: expect.stringMatching(/\.$/) }])
    }
    expect((await send('GET', `/${id}`)).body.url).toBe(receiver.url)
  })

  it('needs to know its project, from a key for all of them', async () => {
    await create()
    const key = await api.addKey({})
    const unnamed = await send('POST', '', { url: receiver.url }, key)
    expect([unnamed.status, unnamed.body.errors[0].pointer]).toEqual([422, '#/projectId'])
    const named = await send('POST', '', { url: receiver.url, projectId: project.slug }, key)
    expect([named.status, named.body.projectId]).toEqual([201, project.id])
    expect((await send('GET', '', undefined, key)).status).toBe(400)
    expect((await send('GET', `?projectId=${project.id}`, undefined, key)).body.data).toHaveLength(2)
  })

  it('changes only where it is told to', async () => {
    const { secret: _, ...webhook } = await create({ name: 'Team' })
    const changed = await send('PATCH', `/${webhook.id}`, { eventTypes: ['issue.deleted'], format: 'slack' })
    expect(changed.body).toEqual({
      ...webhook,
      eventTypes: ['issue.deleted'],
      format: 'slack',
      updatedAt: expect.any(String),
    })
    expect((await send('PATCH', `/${webhook.id}`, { eventTypes: null, name: null })).body).toMatchObject({
      eventTypes: null,
      name: null,
    })
    for (const body of [
      { eventTypes: [] },
      { eventTypes: ['x'] },
      { url: null },
      { status: 'gone' },
      { id: 'x' },
    ])
      expect((await send('PATCH', `/${webhook.id}`, body)).status).toBe(422)
    expect(await events()).toEqual([])
  })

  it('is sent nothing any more once it is deleted', async () => {
    const { id } = await create()
    expect((await send('DELETE', `/${id}`)).status).toBe(204)
    for (const rest of ['', '/deliveries', '/deliveries/1'])
      expect((await send('GET', `/${id}${rest}`)).status).toBe(404)
    await report()
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(told(id)).toEqual([])
  })
})

describe('an event', () => {
  it('is sent to the webhooks of its project that want it, signed', async () => {
    const all = await create()
    const some = (await send('POST', '', { url: receiver.url, eventTypes: ['issue.status_changed'] })).body
    const issue = await report({ fingerprint: 'f' })
    await api.send('PATCH', `/v1/issues/${issue.id}`, { key: project.secretKey, body: { status: 'closed' } })
    await soon(() => expect([told(all.id).length, told(some.id).length]).toEqual([2, 1]))

    const [moved] = told(some.id)
    const payload = new StandardWebhook(some.secret).verify(
      moved?.text ?? '',
      moved?.headers as Record<string, string>,
    )
    const [, event] = await events()
    expect(payload).toEqual({
      type: 'issue.status_changed',
      timestamp: event?.createdAt,
      data: {
        ...event,
        project: { id: project.id, name: project.name, slug: project.slug },
        issue: {
          id: issue.id,
          issueNumber: 1,
          title: 'Blank',
          status: 'closed',
          category: 'bug',
          priority: 'medium',
          reportCount: 1,
        },
      },
    })
    await soon(async () => expect(await statusesOf(all.id)).toEqual(['delivered', 'delivered']))
    const shown = (await send('GET', `/${some.id}`)).body
    expect(shown).toMatchObject({ pendingDeliveries: 0, failingSince: null })
    expect(shown.lastSuccessAt).not.toBeNull()
  })

  it('convinces the receivers of others', async () => {
    const { id, secret } = await create()
    await report({ title: 'Größe „7“ 🌒' })
    await soon(() => expect(told(id)).toHaveLength(1))
    const { text = '', headers } = told(id)[0] ?? {}
    const signed = headers as Record<string, string>
    for (const receiving of [new StandardWebhook(secret), new SvixWebhook(secret)]) {
      expect(receiving.verify(text, signed)).toEqual(JSON.parse(text))
      expect(() => receiving.verify(`${text} `, signed)).toThrow()
      expect(() => receiving.verify(text, { ...signed, 'webhook-id': 'msg_1' })).toThrow()
    }
  })

  it('of the time before a webhook was made is not sent to it', async () => {
    await create()
    await report()
    const late = (await send('POST', '', { url: receiver.url })).body
    await report()
    await soon(async () => expect(await statusesOf(late.id)).toEqual(['delivered']))
    expect(told(late.id)).toHaveLength(1)
  })

  it('comes as a message where Slack is asked for', async () => {
    const { id } = await create({ format: 'slack' })
    await report({ title: 'Blank <!channel>' })
    await soon(() => expect(told(id)).toHaveLength(1))
    expect(JSON.parse(told(id)[0]?.text ?? '').blocks[0].text.text).toContain('Blank &lt;!channel&gt;')
  })

  it('that is not taken is tried again, and every attempt can be read', async () => {
    receiver.react((_, nth) => ({ status: nth === 1 ? 503 : 204, body: nth === 1 ? 'x'.repeat(2_000) : '' }))
    const { id } = await create()
    await report()
    await soon(() => expect(told(id)).toHaveLength(1))
    const detail = () => send('GET', `/${id}/deliveries/1`)
    await soon(async () => expect((await detail()).body.attemptCount).toBe(1))
    const first = (await detail()).body
    expect(first).toMatchObject({
      position: 1,
      eventType: 'issue.created',
      messageId: `msg_${id.slice(4)}_1`,
      status: 'pending',
      finishedAt: null,
    })
    expect(first.attempts).toEqual([
      {
        attemptNumber: 1,
        attemptedAt: expect.any(String),
        httpStatus: 503,
        error: 'unsuccessful-status',
        durationMs: expect.any(Number),
        response: 'x'.repeat(1_024),
      },
    ])
    expect((await send('GET', `/${id}`)).body).toMatchObject({ pendingDeliveries: 1, lastSuccessAt: null })
    skippedMs += 6_000
    await soon(() => expect(told(id)).toHaveLength(2))
    await soon(async () => expect((await detail()).body.status).toBe('delivered'))
    expect((await detail()).body.attempts[1]).toMatchObject({
      attemptNumber: 2,
      httpStatus: 204,
      error: null,
    })
    expect(new Set(told(id).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect((await send('GET', `/${id}`)).body).toMatchObject({ pendingDeliveries: 0, failingSince: null })
  })

  it('is delivered again when somebody asks for it', async () => {
    const { id } = await create()
    await report()
    await soon(async () => expect(await statusesOf(id)).toEqual(['delivered']))
    const again = await send('POST', `/${id}/deliveries/1/redeliver`)
    expect([again.status, again.body.status, again.body.attemptCount]).toEqual([202, 'pending', 1])
    await soon(async () =>
      expect((await send('GET', `/${id}/deliveries/1`)).body).toMatchObject({
        status: 'delivered',
        attemptCount: 2,
      }),
    )
    expect(told(id)).toHaveLength(2)
    for (const position of ['2', '0', 'x', '1.5'])
      expect((await send('POST', `/${id}/deliveries/${position}/redeliver`)).status).toBe(404)
  })

  it('lists its deliveries newest first, page by page', async () => {
    const { id } = await create()
    for (let count = 0; count < 3; count++) await report()
    await soon(async () => expect(await statusesOf(id)).toHaveLength(3))
    const page = (await send('GET', `/${id}/deliveries?pageSize=2`)).body
    expect(page.data.map(({ position }: Delivery) => position)).toEqual([3, 2])
    const rest = (await send('GET', `/${id}/deliveries?pageSize=2&cursor=${page.pagination.nextCursor}`)).body
    expect(rest.data.map(({ position }: Delivery) => position)).toEqual([1])
  })

  it('takes its deliveries with it when its issue is deleted', async () => {
    receiver.react((received) => ({ status: received.text.includes('issue.created') ? 500 : 200 }))
    const { id } = await create()
    const issue = await report()
    await soon(async () => expect((await deliveries(id))[0]?.attemptCount).toBe(1))
    await api.send('DELETE', `/v1/issues/${issue.id}`, { key: project.secretKey })
    await soon(async () =>
      expect((await deliveries(id)).map(({ eventType }) => eventType)).toEqual(['issue.deleted']),
    )
    expect((await send('GET', `/${id}/deliveries/1`)).status).toBe(404)
  })
})

describe('pausing', () => {
  it('holds events back until the webhook is resumed, and is in the log', async () => {
    const { id } = await create({ name: 'Team', eventTypes: ['issue.created'] })
    expect((await send('PATCH', `/${id}`, { status: 'paused' })).body).toMatchObject({
      status: 'paused',
      pausedReason: 'Paused by hand.',
    })
    await report()
    await report()
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect([told(id).length, (await deliveries(id)).length]).toEqual([0, 0])
    expect((await send('PATCH', `/${id}`, { status: 'active' })).body).toMatchObject({
      status: 'active',
      pausedReason: null,
    })
    await soon(() => expect(told(id)).toHaveLength(2))
    const log = await events()
    expect(log.map(({ type }) => type)).toEqual([
      'webhook.paused',
      'issue.created',
      'issue.created',
      'webhook.resumed',
    ])
    expect(log[0]).toMatchObject({
      issueId: null,
      issueNumber: null,
      actor: { kind: 'key' },
      reason: `Team (${id}): Paused by hand.`,
    })
  })

  it('comes at once when the endpoint is gone, and nothing is lost by it', async () => {
    receiver.react(() => ({ status: 410 }))
    const { id } = await create({ eventTypes: ['issue.created'] })
    await report()
    await soon(async () => expect((await send('GET', `/${id}`)).body.status).toBe('paused'))
    expect((await send('GET', `/${id}`)).body.pausedReason).toBe('The endpoint answered 410 Gone.')
    const paused = (await events()).find(({ type }) => type === 'webhook.paused')
    expect(paused).toMatchObject({ actor: { kind: 'system', id: null }, issueId: null })
    await report()
    receiver.react(() => ({ status: 200 }))
    await send('PATCH', `/${id}`, { status: 'active' })
    await soon(async () => expect(await statusesOf(id)).toEqual(['delivered', 'delivered']))
    expect(told(id)).toHaveLength(3)
  })
})

describe('a secret that is replaced', () => {
  it('signs beside the new one for a day', async () => {
    const { id, secret: old } = await create()
    const rotated = await send('POST', `/${id}/rotate-secret`)
    expect(rotated.headers.get('cache-control')).toBe('no-store')
    expect(rotated.body.secret).not.toBe(old)
    await report()
    await soon(() => expect(told(id)).toHaveLength(1))
    const verify = (secret: string, index: number) =>
      new StandardWebhook(secret).verify(
        told(id)[index]?.text ?? '',
        told(id)[index]?.headers as Record<string, string>,
      )
    // The clock of this server may be ahead of the machine's, which receivers go by.
    vi.setSystemTime(Date.now() + skippedMs)
    expect(verify(old, 0)).toEqual(verify(rotated.body.secret, 0))
    skippedMs += 25 * 60 * 60 * 1_000
    await report()
    await soon(() => expect(told(id)).toHaveLength(2))
    vi.setSystemTime(Date.now() + 25 * 60 * 60 * 1_000)
    expect(verify(rotated.body.secret, 1)).toBeTruthy()
    expect(() => verify(old, 1)).toThrow()
    vi.useRealTimers()
  })
})

describe('a test', () => {
  it('is sent now, also to a webhook that is paused, and leaves no trace', async () => {
    const { id } = await create()
    await send('PATCH', `/${id}`, { status: 'paused' })
    receiver.react(() => ({ status: 418, body: 'short and stout' }))
    const failed = await send('POST', `/${id}/test`)
    expect(failed.body).toMatchObject({
      httpStatus: 418,
      error: 'unsuccessful-status',
      response: 'short and stout',
    })
    receiver.react(() => ({ status: 200 }))
    expect((await send('POST', `/${id}/test`)).body).toMatchObject({ httpStatus: 200, error: null })
    expect(JSON.parse(told(id)[0]?.text ?? '')).toMatchObject({
      type: 'webhook.test',
      data: { project: { id: project.id } },
    })
    expect((await send('GET', `/${id}`)).body).toMatchObject({ failingSince: null, lastSuccessAt: null })
    expect(await deliveries(id)).toEqual([])
  })
})

describe('the security lane', () => {
  it('is sent only to webhooks that somebody with security:read has made for it', async () => {
    const plain = await create()
    const blindKey = await api.addKey({ project, scopes: BLIND_SCOPES })
    const refused = await send('POST', '', { url: receiver.url, includeSecurity: true }, blindKey)
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient-scope'])
    expect((await send('PATCH', `/${plain.id}`, { includeSecurity: true }, blindKey)).status).toBe(403)
    const full = (await send('POST', '', { url: receiver.url, includeSecurity: true })).body

    await report({ category: 'security', title: 'Token leaks' })
    const open = await report()
    await soon(() => expect([told(full.id).length, told(plain.id).length]).toEqual([2, 1]))
    expect(told(plain.id)[0]?.text).toContain(open.id)
    expect(told(plain.id)[0]?.text).not.toContain('Token leaks')

    // Such a webhook is as hidden as what it is sent: nobody else can read it, or have it sent elsewhere.
    expect(
      (await send('GET', '', undefined, blindKey)).body.data.map(({ id }: { id: string }) => id),
    ).toEqual([plain.id])
    for (const [method, rest, body] of [
      ['GET', ''],
      ['PATCH', '', { url: `${receiver.url}/mine` }],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
      ['GET', '/deliveries'],
      ['GET', '/deliveries/1'],
      ['POST', '/deliveries/1/redeliver'],
    ] as const)
      expect((await send(method, `/${full.id}${rest}`, body, blindKey)).status).toBe(404)
    expect((await send('GET', `/${full.id}`)).body.url).toBe(receiver.url)
  })

  it('takes in what was waiting to be sent, and hides that it was', async () => {
    receiver.react(() => ({ status: 500 }))
    const { id } = await create()
    const blindKey = await api.addKey({ project, scopes: BLIND_SCOPES })
    const issue = await report()
    await soon(async () => expect((await deliveries(id))[0]?.attemptCount).toBe(1))
    await api.send('PATCH', `/v1/issues/${issue.id}`, {
      key: project.secretKey,
      body: { category: 'security' },
    })
    const asBlind = async (rest: string) => send('GET', `/${id}${rest}`, undefined, blindKey)
    expect((await asBlind('')).body.pendingDeliveries).toBe(0)
    expect((await asBlind('/deliveries')).body.data).toEqual([])
    expect((await asBlind('/deliveries/1')).status).toBe(404)
    expect((await send('POST', `/${id}/deliveries/1/redeliver`, undefined, blindKey)).status).toBe(404)
    skippedMs += 6_000
    await soon(async () => expect(await statusesOf(id)).toEqual(['dropped']))
    expect((await send('POST', `/${id}/deliveries/1/redeliver`)).status).toBe(202)
    await soon(async () => expect(await statusesOf(id)).toEqual(['dropped']))
    expect(told(id)).toHaveLength(1)
  })
})
