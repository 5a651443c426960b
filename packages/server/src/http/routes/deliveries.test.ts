import type { Delivery } from '@bugle/contract'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, it } from 'vitest'
import { setDeliveryStage } from '../../../test-support/delivery-stage.ts'
import { soon } from '../../../test-support/soon.ts'
import { BLIND_SCOPES } from '../../../test-support/start-app.ts'

const stage = setDeliveryStage()
const { create, send, report, events, deliveries, statusesOf, told } = stage

describe('an event', () => {
  it('is sent, signed, to the webhooks of its project that subscribe to it', async () => {
    const all = await create()
    const some = (await send('POST', '', { url: stage.receiver.url, eventTypes: ['issue.status_changed'] }))
      .body
    const issue = await report({ fingerprint: 'f' })
    await stage.api.send('PATCH', `/v1/issues/${issue.id}`, {
      key: stage.project.secretKey,
      body: { status: 'closed' },
    })
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
        project: { id: stage.project.id, name: stage.project.name, slug: stage.project.slug },
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
    // Recorded after the receiver has responded.
    await soon(async () => {
      const shown = (await send('GET', `/${some.id}`)).body
      expect(shown).toMatchObject({ pendingDeliveries: 0, failingSince: null })
      expect(shown.lastSuccessAt).not.toBeNull()
    })
  })

  it('is accepted by third-party receivers', async () => {
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

  it('from before a webhook was created is not sent to it', async () => {
    await create()
    await report()
    const late = (await send('POST', '', { url: stage.receiver.url })).body
    await report()
    await soon(async () => expect(await statusesOf(late.id)).toEqual(['delivered']))
    expect(told(late.id)).toHaveLength(1)
  })

  it('is formatted as a message for Slack', async () => {
    const { id } = await create({ format: 'slack' })
    await report({ title: 'Blank <!channel>' })
    await soon(() => expect(told(id)).toHaveLength(1))
    expect(JSON.parse(told(id)[0]?.text ?? '').blocks[0].text.text).toContain('Blank &lt;!channel&gt;')
  })

  it('that is not accepted is retried, and every attempt can be read', async () => {
    stage.receiver.react((_, nth) => ({
      status: nth === 1 ? 503 : 204,
      body: nth === 1 ? 'x'.repeat(2_000) : '',
    }))
    const { id } = await create()
    await report()
    await soon(() => expect(told(id)).toHaveLength(1))
    const detail = () => send('GET', `/${id}/deliveries/1`)
    await soon(async () => expect((await detail()).body.attemptCount).toBe(1))
    const first = (await detail()).body
    expect(first).toMatchObject({
      position: 1,
      eventType: 'issue.created',
      messageId: told(id)[0]?.headers['webhook-id'],
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
    stage.skip(6_000)
    await soon(() => expect(told(id)).toHaveLength(2))
    await soon(async () => expect((await detail()).body.status).toBe('delivered'))
    expect((await detail()).body.attempts[1]).toMatchObject({
      attemptNumber: 2,
      httpStatus: 204,
      error: null,
    })
    expect(new Set(told(id).map(({ headers }) => headers['webhook-id']))).toEqual(new Set([first.messageId]))
    expect(first.messageId).toMatch(new RegExp(`^msg_${id.slice(4)}_1_[0-9a-z]+$`))
    expect((await send('GET', `/${id}`)).body).toMatchObject({ pendingDeliveries: 0, failingSince: null })
  })

  it('is delivered again on request', async () => {
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

  it('is deleted with its deliveries when its issue is deleted', async () => {
    stage.receiver.react((received) => ({ status: received.text.includes('issue.created') ? 500 : 200 }))
    const { id } = await create()
    const issue = await report()
    await soon(async () => expect((await deliveries(id))[0]?.attemptCount).toBe(1))
    await stage.api.send('DELETE', `/v1/issues/${issue.id}`, { key: stage.project.secretKey })
    await soon(async () =>
      expect((await deliveries(id)).map(({ eventType }) => eventType)).toEqual(['issue.deleted']),
    )
    expect((await send('GET', `/${id}/deliveries/1`)).status).toBe(404)
  })
})

describe('the security lane', () => {
  it('is sent only to webhooks created for it with security:read', async () => {
    const plain = await create()
    const blindKey = await stage.api.addKey({ project: stage.project, scopes: BLIND_SCOPES })
    const refused = await send('POST', '', { url: stage.receiver.url, includeSecurity: true }, blindKey)
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient-scope'])
    expect((await send('PATCH', `/${plain.id}`, { includeSecurity: true }, blindKey)).status).toBe(403)
    const full = (await send('POST', '', { url: stage.receiver.url, includeSecurity: true })).body

    await report({ category: 'security', title: 'Token leaks' })
    const open = await report()
    await soon(() => expect([told(full.id).length, told(plain.id).length]).toEqual([2, 1]))
    expect(told(plain.id)[0]?.text).toContain(open.id)
    expect(told(plain.id)[0]?.text).not.toContain('Token leaks')

    // Such a webhook is hidden like the events it receives: no other caller can read it or redirect it.
    expect(
      (await send('GET', '', undefined, blindKey)).body.data.map(({ id }: { id: string }) => id),
    ).toEqual([plain.id])
    for (const [method, rest, body] of [
      ['GET', ''],
      ['PATCH', '', { url: `${stage.receiver.url}/mine` }],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
      ['GET', '/deliveries'],
      ['GET', '/deliveries/1'],
      ['POST', '/deliveries/1/redeliver'],
    ] as const)
      expect((await send(method, `/${full.id}${rest}`, body, blindKey)).status).toBe(404)
    expect((await send('GET', `/${full.id}`)).body.url).toBe(stage.receiver.url)
  })

  it('hides pending deliveries of an issue that enters it', async () => {
    stage.receiver.react(() => ({ status: 500 }))
    const { id } = await create()
    const blindKey = await stage.api.addKey({ project: stage.project, scopes: BLIND_SCOPES })
    const issue = await report()
    await soon(async () => expect((await deliveries(id))[0]?.attemptCount).toBe(1))
    await stage.api.send('PATCH', `/v1/issues/${issue.id}`, {
      key: stage.project.secretKey,
      body: { category: 'security' },
    })
    const asBlind = async (rest: string) => send('GET', `/${id}${rest}`, undefined, blindKey)
    expect((await asBlind('')).body.pendingDeliveries).toBe(0)
    expect((await asBlind('/deliveries')).body.data).toEqual([])
    expect((await asBlind('/deliveries/1')).status).toBe(404)
    expect((await send('POST', `/${id}/deliveries/1/redeliver`, undefined, blindKey)).status).toBe(404)
    stage.skip(6_000)
    await soon(async () => expect(await statusesOf(id)).toEqual(['dropped']))
    expect((await send('POST', `/${id}/deliveries/1/redeliver`)).status).toBe(202)
    await soon(async () => expect(await statusesOf(id)).toEqual(['dropped']))
    expect(told(id)).toHaveLength(1)
  })
})
