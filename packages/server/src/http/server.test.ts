import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type Endpoint, endpoints } from '@bugle/contract'
import { sentryEndpoints } from '@bugle/contract/sentry'
import { settingsEndpoints } from '@bugle/contract/settings'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../test-support/start-app.ts'
import { ASSETS_PATH, DASHBOARD_PATHS } from './routes/pages/dashboard.ts'
import { DOCUMENT_PATHS } from './routes/pages/documents.ts'
import { PUBLIC_PAGE_PATH } from './routes/pages/public-page.ts'
import { REPORTS_PAGE_PATH } from './routes/pages/reports-page.ts'
import { SDK_BUILD_PATH, SDK_PATH } from './routes/pages/sdk.ts'

/** What is served besides the operations. */
const PAGES: readonly string[] = [
  ...DOCUMENT_PATHS,
  ...DASHBOARD_PATHS,
  ASSETS_PATH,
  SDK_PATH,
  SDK_BUILD_PATH,
  REPORTS_PAGE_PATH,
  PUBLIC_PAGE_PATH,
]

let api: TestApp

beforeAll(async () => {
  api = await startApp()
})
afterAll(() => api[Symbol.asyncDispose]())

describe('the endpoint table', () => {
  it('matches the served routes exactly', () => {
    const served = [...api.app.server.servedMethods]
      .filter(([path]) => !PAGES.includes(path))
      .flatMap(([path, methods]) => [...methods].map((method) => `${method} ${path}`))
      .filter((route) => !/^(?:HEAD|OPTIONS) /.test(route))
    const described = Object.values<Endpoint>({ ...endpoints, ...settingsEndpoints, ...sentryEndpoints }).map(
      ({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    )
    expect(served.sort()).toEqual(described.sort())
  })

  it('names each endpoint like its key, and has each address once', () => {
    for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) expect(endpoint.name).toBe(name)
    for (const [name, endpoint] of Object.entries<Endpoint>({ ...settingsEndpoints, ...sentryEndpoints }))
      expect(endpoint.name).toBe(name)
    const addresses = Object.values<Endpoint>({ ...endpoints, ...settingsEndpoints, ...sentryEndpoints }).map(
      ({ method, path }) => `${method} ${path}`,
    )
    expect(new Set(addresses).size).toBe(addresses.length)
  })
})

describe('every response', () => {
  it.each([
    ['GET', '/nowhere', 404, 'not-found'],
    ['GET', '/v2/issues', 404, 'not-found'],
    ['POST', '/v1/issues/x/y', 404, 'not-found'],
    ['GET', '/v1/issues/%zz', 400, 'bad-request'],
    ['PUT', '/v1/issues', 405, 'method-not-allowed'],
    ['DELETE', '/v1/projects/x', 405, 'method-not-allowed'],
    ['POST', '/healthz', 405, 'method-not-allowed'],
    ['GET', '/problems/unheard-of', 404, 'not-found'],
  ])('%s %s is a problem with status %i', async (method, path, status, code) => {
    const answer = await api.send(method, path)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(answer.body).toMatchObject({ type: `/problems/${code}`, status, instance: path })
    expect(answer.headers.get('x-request-id')).toBe(answer.body.requestId)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('bugle-version')).not.toBeNull()
  })

  it('to a wrong method lists the allowed ones', async () => {
    expect((await api.send('PUT', '/v1/issues')).headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
    expect((await api.send('OPTIONS', '/healthz')).headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })

  it('to a HEAD request has no body', async () => {
    const { status, text } = await api.send('HEAD', '/healthz')
    expect([status, text]).toEqual([200, ''])
  })

  it.each([
    ['no HTTP at all', 'HELLO\r\n\r\n', 400, 'bad-request'],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers-too-large',
    ],
  ])('to %s is a problem too', async (_, bytes, status, code) => {
    const text = await exchange(api.url, bytes)
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({ status, code })
  })
})

describe('health', () => {
  it('is available to anyone', async () => {
    expect((await api.send('GET', '/healthz')).body).toEqual({ status: 'ok' })
    expect((await api.send('GET', '/readyz')).body).toEqual({ status: 'ok' })
  })

  it('is not ready when the storage cannot be written', async () => {
    await using broken = await startApp()
    await broken.app.storage.close()
    const { status, headers } = await broken.send('GET', '/readyz')
    expect([status, headers.get('retry-after')]).toEqual([503, '2'])
    expect((await broken.send('GET', '/healthz')).status).toBe(200)
  })
})

describe('documents', () => {
  it.each(
    DOCUMENT_PATHS.map((path) =>
      path.replace(':code', 'validation-failed').replace(':name', 'getting-started'),
    ),
  )('%s is served to anyone', async (path) => {
    const { status, headers, text } = await api.send('GET', path)
    expect(status).toBe(200)
    expect(text.length).toBeGreaterThan(500)
    if (path !== '/openapi.json')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

describe('the OpenAPI document', () => {
  const ask = (headers: Record<string, string>) => fetchRaw(`${api.url}/openapi.json`, headers)

  it.each([
    ['identity', undefined, (bytes: Buffer) => bytes],
    ['gzip', 'gzip', gunzipSync],
    ['gzip, br', 'br', brotliDecompressSync],
    ['gzip;q=0.5, br;q=0', 'gzip', gunzipSync],
    ['gzip;q=0', undefined, (bytes: Buffer) => bytes],
  ] as const)('is sent in a coding that the client accepts: %s', async (accepted, coding, unpack) => {
    const plain = await ask({})
    const sent = await ask({ 'accept-encoding': accepted })
    expect(sent.headers['content-encoding']).toBe(coding)
    expect(sent.headers['vary']).toBe('Accept-Encoding')
    expect(sent.headers['content-length']).toBe(String(sent.bytes.length))
    expect(unpack(sent.bytes).equals(plain.bytes)).toBe(true)
    if (coding !== undefined) expect(sent.bytes.length).toBeLessThan(plain.bytes.length / 5)
  })

  it('is not sent again to a client that has it', async () => {
    const tags = new Set<string>()
    for (const accepted of ['identity', 'gzip', 'br']) {
      const first = await ask({ 'accept-encoding': accepted })
      const tag = first.headers['etag'] ?? ''
      tags.add(tag)
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const again = await ask({ 'accept-encoding': accepted, 'if-none-match': known })
        expect([again.status, again.bytes.length, again.headers['etag']]).toEqual([304, 0, tag])
      }
      expect((await ask({ 'accept-encoding': accepted, 'if-none-match': '"other"' })).status).toBe(200)
    }
    expect(tags.size).toBe(3)
  })
})

/** The bytes as they were sent: `fetch` would decompress them. */
async function fetchRaw(url: string, headers: Record<string, string>) {
  const [message] = (await once(get(url, { headers }), 'response')) as [IncomingMessage]
  const bytes = Buffer.concat(await message.toArray())
  return { status: message.statusCode, headers: message.headers, bytes }
}

/** Writes raw bytes, and reads until the server closes the connection. */
function exchange(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
}
