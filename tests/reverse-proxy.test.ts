import { createHash, randomBytes } from 'node:crypto'
import { SECURE_SESSION_COOKIE } from '@bugle/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { PROXIES, whyNot } from './support/proxies/proxies.ts'
import { type ProxyStage, startBehind } from './support/proxies/stage.ts'

const SUBMISSIONS_A_MINUTE = 5

describe.each(PROXIES)('the example for $name', (proxy) => {
  const reason = whyNot(proxy)
  if (reason !== undefined) {
    process.stdout.write(`deploy/: the example for ${proxy.name} is not run, because ${reason}.\n`)
    test('names ports, server and certificate, so that they can be replaced', () => {
      using folder = temporaryFolder()
      const place = { httpPort: 1, httpsPort: 2, serverPorts: [3], certificate: 'c', key: 'k' }
      expect(() => proxy.prepare({ folder: folder.path, ...place })).not.toThrow()
    })
    return
  }

  let stage: ProxyStage
  beforeAll(async () => {
    stage = await startBehind(proxy, { BUGLE_RATE_LIMITS: `submit=${SUBMISSIONS_A_MINUTE}` })
  })
  afterAll(() => stage[Symbol.asyncDispose]())

  const submitFrom = (from: string, headers: Readonly<Record<string, string>> = {}) =>
    stage.call('/v1/issues', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${stage.keys.publicKey}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: '{"title": "Through a proxy"}',
      from,
    })

  test('forwards events as they happen', async () => {
    const stream = await stage.open('/v1/events', {
      headers: { authorization: `Bearer ${stage.keys.secretKey}`, accept: 'text/event-stream' },
    })
    const heard = (async () => {
      let text = ''
      for await (const chunk of stream) {
        text += chunk
        if (text.includes('issue.created')) return text
      }
      throw new Error('the stream ended')
    })()
    const submitted = await submitFrom('127.0.0.1')
    expect(submitted.status).toBe(201)
    // A proxy that buffers would wait for more data, such as the next heartbeat.
    expect(await heard).not.toContain(': still here')
    stream.destroy()
  })

  // Only Linux has all of 127.0.0.0/8 by default.
  test.runIf(process.platform === 'linux')(
    'counts clients by their own address, whatever they claim',
    async () => {
      for (let count = 0; count < SUBMISSIONS_A_MINUTE; count++)
        expect((await submitFrom('127.0.0.2')).status).toBe(201)
      expect((await submitFrom('127.0.0.2')).status).toBe(429)
      expect((await submitFrom('127.0.0.2', { 'x-forwarded-for': '203.0.113.9' })).status).toBe(429)
      expect((await submitFrom('127.0.0.3')).status).toBe(201)
    },
  )

  const MIB = 2 ** 20

  /** Submits a report that declares a file, and returns a function that sends the bytes. */
  async function declare(name: string, file: Buffer) {
    const sha256 = createHash('sha256').update(file).digest('hex')
    const attachment = { name, contentType: 'application/octet-stream', size: file.length, sha256 }
    const { status, body } = await stage.call('/v1/issues', {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.keys.publicKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: name, submissionId: name, attachments: [attachment] }),
      from: '127.0.0.1',
    })
    expect({ status, body: body.toString() }).toMatchObject({ status: 201 })
    return (bytes: Buffer, key = stage.keys.publicKey) =>
      stage.call(`/v1/submissions/${name}/attachments/${sha256}`, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/octet-stream',
          'content-length': String(bytes.length),
        },
        body: bytes,
      })
  }

  test('passes on files of 10 MiB', async () => {
    const file = randomBytes(10 * MIB)
    const upload = await declare('largest-file', file)
    const uploaded = await upload(file)
    expect({ status: uploaded.status, text: uploaded.body.toString() }).toMatchObject({ status: 201 })
    const { body } = await stage.call(`/v1/attachments/${JSON.parse(uploaded.body.toString()).id}`, {
      headers: { authorization: `Bearer ${stage.keys.secretKey}` },
    })
    expect(body.equals(file)).toBe(true)
  })

  test('lets the server refuse a file', async () => {
    const file = randomBytes(MIB)
    const upload = await declare('refused-file', file)
    const tooLong = await upload(randomBytes(40 * MIB))
    expect({ status: tooLong.status, problem: tooLong.body.toString() }).toEqual({
      status: 413,
      problem: expect.stringContaining('"requestId":"req_'),
    })
    const withWrongKey = await upload(file, `${stage.keys.publicKey}x`)
    expect({ status: withWrongKey.status, problem: withWrongKey.body.toString() }).toEqual({
      status: 401,
      problem: expect.stringContaining('"requestId":"req_'),
    })
  })

  test('lets the server refuse a body', async () => {
    const { status, headers } = await stage.call('/v1/issues', {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.keys.publicKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'x', description: 'x'.repeat(300_000) }),
    })
    expect({ status, type: headers['content-type'] }).toMatchObject({
      status: 413,
      type: expect.stringContaining('application/problem+json'),
    })
  })

  test('signs people in with a cookie that is only sent over https', async () => {
    const { status, headers } = await stage.call('/session/link/accept', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'bugle-csrf': '1', origin: stage.publicUrl },
      body: JSON.stringify({
        token: stage.linkToken,
        password: 'a password of some length',
        email: 'ada@example.com',
        name: 'Ada',
      }),
    })
    expect(status).toBe(200)
    const cookie = headers['set-cookie']?.find((one) => one.startsWith(`${SECURE_SESSION_COOKIE}=`)) ?? ''
    expect(cookie).toMatch(/; Secure$/)
    const [pair = ''] = cookie.split(';')
    expect((await stage.call('/session', { headers: { cookie: pair } })).status).toBe(200)
  })

  test('serves the dashboard, with HSTS', async () => {
    const { status, headers } = await stage.call('/')
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
    })
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
    const plain = await fetch(`http://127.0.0.1:${stage.httpPort}/docs`, { redirect: 'manual' })
    expect({ status: plain.status, to: plain.headers.get('location') }).toMatchObject({
      status: 308,
      to: expect.stringMatching(/^https:\/\/127\.0\.0\.1.*\/docs$/),
    })
  })

  test('requires the token for metrics', async () => {
    expect((await stage.call('/metrics')).status).toBe(401)
    expect((await fetch(`${stage.serverUrl}/metrics`)).status).toBe(401)
  })
})
