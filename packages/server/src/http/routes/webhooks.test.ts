import { MAX_WEBHOOKS } from '@bugle/contract'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { describe, expect, it, vi } from 'vitest'
import { setDeliveryStage } from '../../../test-support/delivery-stage.ts'
import { soon } from '../../../test-support/soon.ts'

const stage = setDeliveryStage()
const { create, send, report, events, deliveries, statusesOf, told } = stage

describe('a webhook', () => {
  it('is created with a secret that is shown once, and read without it', async () => {
    const project = await stage.newProject()
    const made = await send('POST', '', {
      url: stage.receiver.url,
      name: 'Team',
      eventTypes: ['issue.created'],
    })
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

  it('is listed, page by page', async () => {
    const first = await create()
    const second = (await send('POST', '', { url: stage.receiver.url })).body
    const page = (await send('GET', '?pageSize=1')).body
    expect(page.data.map(({ id }: { id: string }) => id)).toEqual([first.id])
    const rest = (await send('GET', `?pageSize=1&cursor=${page.pagination.nextCursor}`)).body
    expect(rest.data.map(({ id }: { id: string }) => id)).toEqual([second.id])
    expect(rest.pagination).toMatchObject({ hasMore: false, nextCursor: null })
  })

  it('is refused once its project has the maximum number', async () => {
    const { id } = await create()
    const fields = { url: stage.receiver.url }
    for (let count = 1; count < MAX_WEBHOOKS; count++)
      expect((await send('POST', '', fields)).status).toBe(201)
    const refused = await send('POST', '', fields)
    expect([refused.status, refused.body.code]).toEqual([409, 'limit-reached'])
    expect((await send('GET', '?pageSize=100')).body).toMatchObject({ pagination: { hasMore: false } })
    // Counted separately, so that their number reveals nothing about webhooks that the caller cannot see.
    const hidden = await send('POST', '', { ...fields, includeSecurity: true })
    expect(hidden.status).toBe(201)
    const moved = await send('PATCH', `/${hidden.body.id}`, { includeSecurity: false })
    expect([moved.status, moved.body.code]).toEqual([409, 'limit-reached'])
    await send('DELETE', `/${id}`)
    expect((await send('PATCH', `/${hidden.body.id}`, { includeSecurity: false })).status).toBe(200)
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
    expect((await send('GET', `/${id}`)).body.url).toBe(stage.receiver.url)
  })

  it('needs a project if the key is for all projects', async () => {
    await create()
    const key = await stage.api.addKey({})
    const unnamed = await send('POST', '', { url: stage.receiver.url }, key)
    expect([unnamed.status, unnamed.body.errors[0].pointer]).toEqual([422, '#/projectId'])
    const named = await send('POST', '', { url: stage.receiver.url, projectId: stage.project.slug }, key)
    expect([named.status, named.body.projectId]).toEqual([201, stage.project.id])
    expect((await send('GET', '', undefined, key)).status).toBe(400)
    expect((await send('GET', `?projectId=${stage.project.id}`, undefined, key)).body.data).toHaveLength(2)
  })

  it('changes only the given fields', async () => {
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

  it('receives nothing once it is deleted', async () => {
    const { id } = await create()
    expect((await send('DELETE', `/${id}`)).status).toBe(204)
    for (const rest of ['', '/deliveries', '/deliveries/1'])
      expect((await send('GET', `/${id}${rest}`)).status).toBe(404)
    await report()
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(told(id)).toEqual([])
  })
})

describe('pausing', () => {
  it('holds events until the webhook is resumed, and is in the log', async () => {
    const { id } = await create({ name: 'Team', eventTypes: ['issue.created'] })
    expect((await send('PATCH', `/${id}`, { status: 'paused' })).body).toMatchObject({
      status: 'paused',
      pausedReason: 'Paused manually.',
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
      reason: `Team (${id}): Paused manually.`,
    })
  })

  it('happens immediately when the endpoint returns 410, and no event is lost', async () => {
    stage.receiver.react(() => ({ status: 410 }))
    const { id } = await create({ eventTypes: ['issue.created'] })
    await report()
    await soon(async () => expect((await send('GET', `/${id}`)).body.status).toBe('paused'))
    expect((await send('GET', `/${id}`)).body.pausedReason).toBe('The endpoint responded with 410 Gone.')
    const paused = (await events()).find(({ type }) => type === 'webhook.paused')
    expect(paused).toMatchObject({ actor: { kind: 'system', id: null }, issueId: null })
    await report()
    stage.receiver.react(() => ({ status: 200 }))
    await send('PATCH', `/${id}`, { status: 'active' })
    await soon(async () => expect(await statusesOf(id)).toEqual(['delivered', 'delivered']))
    expect(told(id)).toHaveLength(3)
  })
})

describe('a secret that is replaced', () => {
  it('still signs for a day, together with the new one', async () => {
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
    // The clock of this server may be ahead of the machine's clock, which receivers use.
    vi.setSystemTime(Date.now() + stage.skippedMs)
    expect(verify(old, 0)).toEqual(verify(rotated.body.secret, 0))
    stage.skip(25 * 60 * 60 * 1_000)
    await report()
    await soon(() => expect(told(id)).toHaveLength(2))
    vi.setSystemTime(Date.now() + 25 * 60 * 60 * 1_000)
    expect(verify(rotated.body.secret, 1)).toBeTruthy()
    expect(() => verify(old, 1)).toThrow()
    vi.useRealTimers()
  })
})

describe('a test', () => {
  it('is sent immediately, also to a paused webhook, and leaves no trace', async () => {
    const { id } = await create()
    await send('PATCH', `/${id}`, { status: 'paused' })
    stage.receiver.react(() => ({ status: 418, body: 'short and stout' }))
    const failed = await send('POST', `/${id}/test`)
    expect(failed.body).toMatchObject({
      httpStatus: 418,
      error: 'unsuccessful-status',
      response: 'short and stout',
    })
    stage.receiver.react(() => ({ status: 200 }))
    expect((await send('POST', `/${id}/test`)).body).toMatchObject({ httpStatus: 200, error: null })
    expect(JSON.parse(told(id)[0]?.text ?? '')).toMatchObject({
      type: 'webhook.test',
      data: { project: { id: stage.project.id } },
    })
    expect((await send('GET', `/${id}`)).body).toMatchObject({ failingSince: null, lastSuccessAt: null })
    expect(await deliveries(id)).toEqual([])
  })
})
