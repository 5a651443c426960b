import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { PNG } from '../../../test-support/attachment-stage.ts'
import {
  EVENT,
  envelopeOf,
  eventEnvelope,
  eventId,
  sentryAuth,
  sentryPath,
  setSentryStage,
} from '../../../test-support/sentry-stage.ts'
import { startApp } from '../../../test-support/start-app.ts'

const stage = setSentryStage()
const { intakeOf } = stage

/** The highest quality, which is the default, takes seconds for a few megabytes. */
function packQuickly(bytes: Uint8Array): Buffer {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
}

describe('an event of a Sentry SDK', () => {
  it('becomes an issue, once, however often it is sent', async () => {
    const id = eventId()
    const first = await stage.post(eventEnvelope(id))
    const again = await stage.post(eventEnvelope(id))
    expect([first.status, again.status, first.body, again.body]).toEqual([200, 200, { id }, { id }])
    const found = (await stage.issues()).filter(
      (issue: { title: string }) => issue.title === 'CheckoutError: no total',
    )
    expect(found).toHaveLength(1)
    const issue = await stage.get(`/v1/issues/${found[0].id}`)
    expect(issue).toMatchObject({
      category: 'crash',
      submissionId: id,
      appVersion: '2.4.1',
      buildNumber: '512',
      platform: 'python',
      reportCount: 1,
      metadata: { environment: 'production' },
      reporter: { id: '7', name: null, email: 'ada@example.com' },
    })
    expect(issue.description).toContain('at shop.cart.pay (shop/cart.py:12)')
    expect(issue.description).toContain("Caused by: KeyError: 'total'")
    expect(JSON.stringify(issue)).not.toContain('10.0.0.1')
  })

  it('joins the issue of an equal crash', async () => {
    const type = `Error${eventId()}`
    const event = { ...EVENT, exception: { values: [{ ...EVENT.exception.values[1], type }] } }
    await stage.post(eventEnvelope(eventId(), event))
    await stage.post(eventEnvelope(eventId(), { ...event, release: 'shop@2.5.0' }))
    const found = (await stage.issues()).filter((issue: { title: string }) => issue.title.startsWith(type))
    expect(found.map((issue: { reportCount: number }) => issue.reportCount)).toEqual([2])
  })

  it('with an id that other content has gets 200 and is counted', async () => {
    await using api = await startApp()
    const project = await api.addProject()
    const id = eventId()
    const send = (message: string) =>
      api.send('POST', sentryPath(project), {
        body: eventEnvelope(id, { message }),
        headers: sentryAuth(project),
      })
    expect([(await send('one')).status, (await send('two')).status]).toEqual([200, 200])
    await expect
      .poll(async () => (await intakeOf(project, api)).refused)
      .toEqual({ 'submission-conflict': 1 })
  })

  it('is stored by the older address too', async () => {
    const id = eventId()
    const event = { ...EVENT, event_id: id, message: 'From an old SDK', exception: undefined }
    const path = sentryPath(stage.project, 'store')
    const headers = sentryAuth(stage.project)
    const stored = await stage.api.send('POST', path, {
      body: gzipSync(JSON.stringify(event)),
      headers: { ...headers, 'content-encoding': 'gzip' },
    })
    expect([stored.status, stored.body]).toEqual([200, { id }])
    const broken = await stage.api.send('POST', path, { body: '{', headers })
    expect([broken.status, broken.body.code]).toEqual([400, 'malformed-body'])
    expect((await stage.api.send('POST', path, { body: '{}' })).body.code).toBe('credentials-required')
  })

  it('can have files', async () => {
    const id = eventId()
    const log = randomBytes(100_000)
    const envelope = envelopeOf(
      { event_id: id },
      [{ type: 'attachment', filename: 'a.log', content_type: 'text/plain; charset=utf-8' }, log],
      [{ type: 'event' }, { message: `With files ${id}`, fingerprint: [id] }],
      [{ type: 'attachment', filename: '../screenshot.png', content_type: 'image/png' }, PNG],
      [{ type: 'attachment' }, ''],
    )
    for (const _ of ['first', 'again']) expect((await stage.post(envelope)).status).toBe(200)
    const [issue] = (await stage.issues()).filter(
      (one: { title: string }) => one.title === `With files ${id}`,
    )
    const files = (await stage.attachments(issue.id)).toSorted((a, b) => b.size - a.size)
    expect(files.map(({ name, size, state, contentType }) => [name, size, state, contentType])).toEqual([
      ['a.log', log.length, 'received', null],
      ['screenshot.png', PNG.length, 'received', 'image/png'],
      ['attachment', 0, 'received', null],
    ])
  })
})

describe('a report of a person', () => {
  it('is feedback with a screenshot', async () => {
    const id = eventId()
    const crash = eventId()
    const feedback = {
      message: `The button is gone ${id}\nI looked everywhere.`,
      contact_email: 'ben@example.com',
      name: 'Ben',
      url: 'https://shop.example/cart?token=x#y',
      associated_event_id: crash,
    }
    const envelope = envelopeOf(
      { event_id: id },
      [{ type: 'feedback' }, { event_id: id, platform: 'javascript', contexts: { feedback } }],
      [{ type: 'attachment', filename: 'screenshot.png', content_type: 'image/png' }, PNG],
    )
    expect((await stage.post(envelope)).status).toBe(200)
    const [found] = (await stage.issues()).filter((one: { title: string }) => one.title.endsWith(id))
    expect(await stage.get(`/v1/issues/${found.id}`)).toMatchObject({
      title: `The button is gone ${id}`,
      description: feedback.message,
      category: 'bug',
      submissionId: id,
      reporter: { id: null, name: 'Ben', email: 'ben@example.com' },
      context: { page: 'https://shop.example/cart' },
      metadata: { crashEventId: crash },
    })
    expect(await stage.attachments(found.id)).toMatchObject([{ name: 'screenshot.png', state: 'received' }])
  })

  it('is a user report of a crash, which keeps its own id', async () => {
    const id = eventId()
    const report = { event_id: id, name: 'Cyd', email: 'cyd@example.com', comments: `It crashed ${id}` }
    await stage.post(eventEnvelope(id, { message: `Crashed ${id}`, fingerprint: [id] }))
    const envelope = envelopeOf({ event_id: id }, [{ type: 'user_report' }, report])
    for (const _ of ['first', 'again']) expect((await stage.post(envelope)).status).toBe(200)
    const found = (await stage.issues()).filter((one: { title: string }) => one.title.endsWith(id))
    const issues = await Promise.all(found.map((one: { id: string }) => stage.get(`/v1/issues/${one.id}`)))
    expect(issues.map(({ submissionId }) => submissionId)).toEqual([id, `${id}-user-report`])
  })
})

describe('the key', () => {
  const message = () => ({ message: `Key ${eventId()}`, fingerprint: [eventId()] })
  const headersOf = () =>
    ({
      'in X-Sentry-Auth': [sentryPath(stage.project), sentryAuth(stage.project), {}],
      'in the query': [
        `${sentryPath(stage.project)}?sentry_key=${stage.project.publicKey}&sentry_version=7`,
        {},
        {},
      ],
      'in the DSN of the envelope': [
        sentryPath(stage.project),
        {},
        { dsn: `https://${stage.project.publicKey}@bugle.example/1` },
      ],
      'in Authorization': [
        sentryPath(stage.project),
        { authorization: `Bearer ${stage.project.secretKey}` },
        {},
      ],
    }) as const

  it.each(['in X-Sentry-Auth', 'in the query', 'in the DSN of the envelope', 'in Authorization'] as const)(
    'may be %s',
    async (place) => {
      const [path, headers, header] = headersOf()[place]
      const event = message()
      const body = envelopeOf({ event_id: eventId(), ...header }, [{ type: 'event' }, event])
      expect((await stage.api.send('POST', path, { body, headers })).status).toBe(200)
      expect((await stage.issues()).map(({ title }: { title: string }) => title)).toContain(event.message)
    },
  )

  it.each([
    ['missing', () => ({}), 401, 'credentials-required'],
    [
      'of no project',
      () => ({ 'x-sentry-auth': 'Sentry sentry_key=bgl_pub_0123456789' }),
      401,
      'invalid-credentials',
    ],
    [
      'secret',
      () => ({ 'x-sentry-auth': `Sentry sentry_key=${stage.project.secretKey}` }),
      401,
      'invalid-credentials',
    ],
  ])('is refused if it is %s, and nothing is stored', async (_, headers, status, code) => {
    const before = await stage.issueCount()
    const body = eventEnvelope(eventId())
    const refused = await stage.api.send('POST', sentryPath(stage.project), { body, headers: headers() })
    expect([refused.status, refused.body.code]).toEqual([status, code])
    expect(await stage.issueCount()).toBe(before)
  })

  it('is refused at the number of another project', async () => {
    const other = await stage.api.addProject()
    const body = eventEnvelope(eventId())
    const headers = sentryAuth(stage.project)
    expect((await stage.api.send('POST', sentryPath(other), { body, headers })).body.code).toBe('not-found')
    const dsn = { dsn: `https://${stage.project.publicKey}@bugle.example/1` }
    const inEnvelope = envelopeOf(dsn, [{ type: 'event' }, EVENT])
    expect((await stage.api.send('POST', sentryPath(other), { body: inEnvelope })).body.code).toBe(
      'not-found',
    )
  })

  it('with a list of origins refuses other pages', async () => {
    const { project } = stage
    const publicKey = await stage.api.addKey({ project, kind: 'public', origins: ['https://app.example'] })
    const send = (origin: string) =>
      stage.api.send('POST', sentryPath(project), {
        body: eventEnvelope(eventId()),
        headers: { ...sentryAuth({ publicKey }), origin },
      })
    expect((await send('https://app.example')).status).toBe(200)
    const refused = await send('https://other.example')
    expect([refused.body.code, refused.headers.get('access-control-allow-origin')]).toEqual([
      'origin-not-allowed',
      '*',
    ])
  })
})

describe('a body', () => {
  const encodings = { gzip: gzipSync, deflate: deflateSync, br: packQuickly, zstd: zstdCompressSync }

  it.each(Object.entries(encodings))('may be packed with %s', async (encoding, pack) => {
    const id = eventId()
    const body = pack(eventEnvelope(id, { message: `Packed ${id}`, fingerprint: [id] }))
    expect((await stage.post(body, { 'content-encoding': encoding })).status).toBe(200)
    expect((await stage.issues()).map(({ title }: { title: string }) => title)).toContain(`Packed ${id}`)
  })

  it('that unpacks to too much is refused', async () => {
    await using api = await startApp({ environment: { BUGLE_ATTACHMENT_LIMITS: 'report=1000' } })
    const project = await api.addProject()
    const skipped = envelopeOf({}, [{ type: 'unknown' }, Buffer.alloc(9 * 1024 * 1024)])
    for (const [encoding, pack] of Object.entries(encodings)) {
      const headers = { ...sentryAuth(project), 'content-encoding': encoding }
      const refused = await api.send('POST', sentryPath(project), { body: pack(skipped), headers })
      expect([encoding, refused.status, refused.body.code]).toEqual([encoding, 413, 'content-too-large'])
    }
  })

  it('that needs a window of more than 4 MiB to be unpacked is refused', async () => {
    const bytes = envelopeOf({}, [{ type: 'unknown' }, Buffer.alloc(9 * 1024 * 1024)])
    const quick = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 23 }
    const bodies = {
      br: brotliCompressSync(bytes, { params: quick }),
      zstd: zstdCompressSync(bytes, { params: { [constants.ZSTD_c_windowLog]: 23 } }),
    }
    for (const [encoding, body] of Object.entries(bodies)) {
      const refused = await stage.post(body, { 'content-encoding': encoding })
      expect([encoding, refused.status, refused.body.code]).toEqual([encoding, 400, 'malformed-body'])
    }
  })

  it.each(['br', 'zstd'] as const)('with %s is not held for a stranger if it is large', async (encoding) => {
    const { publicKey } = stage.project
    const header = { dsn: `https://${publicKey}@bugle.example/1` }
    const send = (size: number) => {
      const event = { message: 'From a stranger', extra: { rest: randomBytes(size).toString('base64') } }
      const body = encodings[encoding](envelopeOf(header, [{ type: 'event' }, event]))
      const headers = { 'content-encoding': encoding }
      return stage.api.send('POST', sentryPath(stage.project), { body, headers })
    }
    expect((await send(1_000)).status).toBe(200)
    expect((await send(200_000)).body.code).toBe('credentials-required')
  })

  it('that announces too much is refused before it is read', async () => {
    const headers = { ...sentryAuth(stage.project), 'content-type': 'application/x-sentry-envelope' }
    const { port } = new URL(stage.api.url)
    const { status } = await new Promise<{ status: number | undefined }>((resolve, reject) => {
      const sending = request(
        {
          port,
          method: 'POST',
          path: sentryPath(stage.project),
          headers: { ...headers, 'content-length': 2 ** 30 },
        },
        (response) => {
          resolve({ status: response.statusCode })
          sending.destroy()
        },
      )
      sending.on('error', reject)
      sending.flushHeaders()
    })
    expect(status).toBe(413)
  })

  it.each(Object.keys(encodings))('that is not %s is refused', async (encoding) => {
    const refused = await stage.post(eventEnvelope(eventId()), { 'content-encoding': encoding })
    expect([refused.status, refused.body.code]).toEqual([400, 'malformed-body'])
  })

  it.each(['gzip, gzip', 'compress'])('with the encoding %s is refused', async (encoding) => {
    const refused = await stage.post(gzipSync(eventEnvelope(eventId())), { 'content-encoding': encoding })
    expect([refused.status, refused.body.code]).toEqual([415, 'unsupported-media-type'])
  })

  it.each(['', '[]\n', 'no envelope', `{"a":"${'x'.repeat(70_000)}"}\n`])(
    'without a header is refused: %#',
    async (body) => {
      const refused = await stage.post(body)
      expect([refused.status, refused.body.code]).toEqual([400, 'malformed-body'])
    },
  )
})
