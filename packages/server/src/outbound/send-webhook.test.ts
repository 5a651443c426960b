import { execFile } from 'node:child_process'
import { getEventListeners } from 'node:events'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { queryObjects } from 'node:v8'
import { describe, expect, it } from 'vitest'
import { drip, listen, listenTcp, listenTls, trustCertificate } from '../../test-support/strange-receivers.ts'
import { VERSION } from '../version.ts'
import type { Guard } from './guard-destination.ts'
import { type GuardException, parseGuardException } from './guard-exceptions.ts'
import { sendWebhook, type WebhookRequest } from './send-webhook.ts'

// macOS has no other IPv4 address of its own.
const OTHER_LOOPBACK = process.platform === 'darwin' ? '::1' : '127.0.0.2'

describe('a webhook message', () => {
  it('is a POST with the headers, the body and our user agent, and nothing else', async () => {
    const seen: unknown[] = []
    const receiver = await listen(async (request, response) => {
      const chunks: Buffer[] = await request.toArray()
      seen.push([request.method, request.url, request.headers, Buffer.concat(chunks).toString()])
      response.end('thanks')
    })
    const attempt = await send({
      url: `http://127.0.0.1:${receiver.port}/hook?a=b#c`,
      headers: { 'webhook-id': 'msg_1' },
      body: '{"title":"Größe"}',
    })
    expect(attempt).toEqual({
      status: 200,
      error: null,
      durationMs: expect.any(Number),
      response: 'thanks',
      retryAfterSeconds: null,
    })
    const headers = {
      host: `127.0.0.1:${receiver.port}`,
      connection: 'close',
      'content-type': 'application/json',
      'content-length': '19',
      'user-agent': `Bugle/${VERSION}`,
      'webhook-id': 'msg_1',
    }
    expect(seen).toEqual([['POST', '/hook?a=b', headers, '{"title":"Größe"}']])
  })

  it('leaves nothing in memory, although the abort signal stays', async () => {
    const { signal } = new AbortController()
    const receiver = await listen((_, response) => void response.end())
    const countSignals = () => queryObjects(AbortSignal, { format: 'count' })
    const before = countSignals()
    for (let attempt = 1; attempt <= 20; attempt++)
      await send({ url: `http://127.0.0.1:${receiver.port}/`, signal })
    expect(countSignals()).toBeLessThan(before + 10)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it.each([
    [204, null],
    [299, null],
    [304, 'redirect'],
    [400, 'unsuccessful-status'],
    [410, 'unsuccessful-status'],
    [503, 'unsuccessful-status'],
  ])('with the response %i has the error %s', async (status, error) => {
    const receiver = await listen((_, response) => response.writeHead(status, { 'retry-after': '7' }).end())
    expect(await sendTo(receiver)).toMatchObject({ status, error, response: '', retryAfterSeconds: 7 })
  })

  it('is sent to the address that was checked, over TLS that is verified for the name', async () => {
    const receiver = await listenTls()
    const url = `https://hooks.example.com:${receiver.port}/`
    const guard = { exceptions: exceptions('127.0.0.1'), lookup: answering('127.0.0.1') }
    expect(await send({ url }, guard)).toMatchObject({ status: null, error: 'tls' })

    using _trust = trustCertificate()
    expect(await send({ url }, guard)).toMatchObject({ status: 200, response: 'hooks.example.com' })
    const stranger = url.replace('hooks', 'other')
    expect(await send({ url: stranger }, guard)).toMatchObject({ status: null, error: 'tls' })
  })

  it('is sent to the next address of the name if one does not respond', async () => {
    const receiver = await listen((_, response) => response.end())
    const lookup = answering(OTHER_LOOPBACK, '127.0.0.1')
    const guard = { exceptions: exceptions('hooks.lan'), lookup }
    expect(await send({ url: `http://hooks.lan:${receiver.port}/` }, guard)).toMatchObject({ status: 200 })
  })
})

describe('a private address is not reached', () => {
  it('directly, or by a name that resolves to it, even with a public one', async () => {
    const target = await listen((_, response) => response.end('secret'))
    const url = `https://hooks.example.com:${target.port}/`
    const refused = { status: null, error: 'refused-destination', response: null }
    expect(await send({ url: target.url }, { exceptions: [] })).toMatchObject(refused)
    for (const addresses of [['127.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['::ffff:127.0.0.1']]) {
      const guard = { exceptions: [], lookup: answering(...addresses) }
      expect(await send({ url }, guard)).toMatchObject(refused)
    }
    expect(target.connections()).toBe(0)
  })

  it('by a name that changes after the check, because the checked address is used', async () => {
    const checked = await listen((_, response) => response.end('checked'))
    const hidden = await listen((_, response) => response.end('hidden'), {
      host: OTHER_LOOPBACK,
      port: checked.port,
    })
    let lookups = 0
    const lookup = async () => [{ address: lookups++ === 0 ? '127.0.0.1' : OTHER_LOOPBACK }]
    // The checked address stands for a public one, because tests must not use the Internet. No other is allowed.
    const guard = { exceptions: exceptions('127.0.0.1'), lookup }

    // The receiver does not use TLS, but the address is chosen before that matters.
    const url = `https://rebinding.example.com:${checked.port}/`
    expect(await send({ url }, guard)).toMatchObject({ error: 'tls' })
    expect([lookups, checked.connections(), hidden.connections()]).toEqual([1, 1, 0])

    expect(await send({ url }, guard)).toMatchObject({ error: 'refused-destination' })
    expect([lookups, checked.connections(), hidden.connections()]).toEqual([2, 1, 0])
  })

  it.each([301, 302, 303, 307, 308])('by a redirect with %i', async (status) => {
    const target = await listen((_, response) => response.end('secret'))
    const receiver = await listen((_, response) => response.writeHead(status, { location: target.url }).end())
    expect(await sendTo(receiver)).toMatchObject({ status, error: 'redirect', response: '' })
    expect(target.connections()).toBe(0)
  })
})

describe('every failure has a name', () => {
  it.each<[what: string, error: string, talk: (socket: Socket) => void]>([
    ['hangs up', 'reset', (socket) => socket.once('data', () => socket.end())],
    ['resets', 'reset', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['talks nonsense', 'invalid-answer', (socket) => socket.end('hello\r\n\r\n')],
    [
      'sends endless headers',
      'invalid-answer',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\na: ${'b'.repeat(1e6)}`),
    ],
    ['switches protocols', 'invalid-answer', (socket) => socket.write(SWITCH)],
    ['says nothing', 'timeout', () => {}],
    ['never comes to the point', 'timeout', (socket) => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n')],
    ['sends headers slowly', 'timeout', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'a: b\r\n')],
  ])('a receiver that %s: %s', async (_, error, talk) => {
    const receiver = await listenTcp(talk)
    const timeoutMs = error === 'timeout' ? 200 : 60_000
    expect(await sendTo(receiver, timeoutMs)).toMatchObject({ status: null, error, response: null })
  })

  it('nothing is listening', async () => {
    const receiver = await listenTcp(() => {})
    receiver.server.close()
    expect(await sendTo(receiver)).toMatchObject({ status: null, error: 'connection-refused' })
  })

  it('the name is unknown', async () => {
    const lookup = () => Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }))
    const attempt = await send({ url: 'https://gone.example.com/' }, { exceptions: [], lookup })
    expect(attempt).toMatchObject({ status: null, error: 'dns' })
  })

  it('the name is not resolved in time', async () => {
    const guard = { exceptions: [], lookup: () => new Promise<never>(() => {}) }
    const attempt = await send({ url: 'https://slow.example.com/', timeoutMs: 50 }, guard)
    expect(attempt).toMatchObject({ status: null, error: 'timeout' })
  })
})

describe('a response', () => {
  it('without an end is cut after the first KiB, and the connection is closed', async () => {
    const receiver = await listenTcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      drip(socket, 'x'.repeat(64 * 1024))
    })
    const attempt = await sendTo(receiver, 10_000)
    expect(attempt).toMatchObject({ status: 200, error: null, response: 'x'.repeat(1_024) })
    await expect.poll(() => receiver.open()).toBe(0)
  })

  it.each<[what: string, talk: (socket: Socket) => void]>([
    ['trickles', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n\r\nok', '')],
    ['breaks off', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok')],
  ])('that %s still counts by its status', async (_, talk) => {
    const receiver = await listenTcp(talk)
    const attempt = await sendTo(receiver, 5_000)
    expect(attempt).toMatchObject({ status: 200, error: null, response: 'ok' })
    await expect.poll(() => receiver.open()).toBe(0)
  })

  it('is stored as valid text', async () => {
    const bytes = Buffer.concat([Buffer.from('a\0b'), Buffer.from([0xff]), Buffer.from('ä'.repeat(600))])
    const receiver = await listen((_, response) => response.end(bytes))
    // Four bytes and 510 two-byte characters are 1,024 bytes.
    expect((await sendTo(receiver)).response).toBe(`a\ufffdb\ufffd${'ä'.repeat(510)}`)
    const odd = await listen((_, response) => response.end(`x${'ä'.repeat(600)}`))
    expect((await sendTo(odd)).response).toBe(`x${'ä'.repeat(511)}`)
  })
})

describe('the environment', () => {
  it('cannot set a proxy', async () => {
    const proxy = await listen((_, response) => response.end('proxy'))
    const receiver = await listen((_, response) => response.end('receiver'))
    const script = `
      import { sendWebhook } from ${JSON.stringify(fileURLToPath(new URL('send-webhook.ts', import.meta.url)))}
      const request = { url: ${JSON.stringify(receiver.url)}, headers: {}, body: '{}' }
      const guard = { exceptions: ${JSON.stringify(exceptions('127.0.0.1'))} }
      console.log((await sendWebhook(request, guard)).response)`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env: {
        ...process.env,
        NODE_USE_ENV_PROXY: '1',
        HTTP_PROXY: proxy.url,
        http_proxy: proxy.url,
        NO_PROXY: '',
      },
    })
    expect(stdout).toBe('receiver\n')
    expect(proxy.connections()).toBe(0)
  })
})

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'

function send(request: Partial<WebhookRequest> & { readonly url: string }, guard?: Guard) {
  const own = { exceptions: exceptions('127.0.0.1') }
  return sendWebhook({ headers: {}, body: '{}', timeoutMs: 60_000, ...request }, guard ?? own)
}

function sendTo({ url }: { readonly url: string }, timeoutMs = 60_000) {
  return send({ url, timeoutMs })
}

function exceptions(list: string): readonly GuardException[] {
  return list.split(',').flatMap((text) => parseGuardException(text) ?? [])
}

function answering(...addresses: readonly string[]) {
  return async () => addresses.map((address) => ({ address }))
}
