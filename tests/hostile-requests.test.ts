import { METHODS } from 'node:http'
import { gzipSync } from 'node:zlib'
import {
  type Endpoint,
  endpoints,
  MAX_BODY_BYTES,
  MAX_EMAIL_CHARS,
  MAX_PASSWORD_CHARS,
} from '@bugle/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { cpuMsDuring } from '../packages/server/test-support/cpu-time.ts'
import { startApp, type TestApp, type TestProject } from '../packages/server/test-support/start-app.ts'
import { exchange, outcomeOf, requestBytes } from './support/raw-socket.ts'

/** No request may delay other clients by as much work as this. */
const MAX_CPU_MS = 2_000

let api: TestApp
let project: TestProject
let stored: number

beforeAll(async () => {
  api = await startApp()
  project = await api.addProject()
  stored = await countEvents()
})
afterAll(() => api[Symbol.asyncDispose]())

// Whatever was sent, nothing is stored and the next request is served.
afterEach(async () => {
  const { value, cpuMs } = await cpuMsDuring(() => api.send('GET', '/readyz'))
  expect(value.status).toBe(200)
  expect(cpuMs).toBeLessThan(MAX_CPU_MS)
  expect(await countEvents()).toBe(stored)
})

async function countEvents(): Promise<number> {
  return (await api.app.storage.events.window(project.id, ['open', 'security'])).end
}

async function send(bytes: string | Uint8Array): Promise<string> {
  return outcomeOf(await exchange(api.url, bytes))
}

const REPORT = '{"title":"Smuggled"}'
const post = (body: string | undefined, ...headers: readonly string[]) =>
  requestBytes({
    method: 'POST',
    path: '/v1/issues',
    key: project.publicKey,
    ...(body !== undefined && { body }),
    headers,
  })
/** A submission whose body has no length, or more than one. */
const postFramed = (framing: readonly string[], rest: string) =>
  requestBytes({
    method: 'POST',
    path: '/v1/issues',
    key: project.publicKey,
    headers: ['Content-Type: application/json', ...framing],
  }) + rest
const SMUGGLED = () => post(REPORT)
const CHUNKED = 'Transfer-Encoding: chunked'

describe('a request with an ambiguous length is refused, and what follows it is not read', () => {
  test.each<[name: string, bytes: () => string]>([
    ['a length and chunks', () => postFramed(['Content-Length: 5', CHUNKED], `0\r\n\r\n${SMUGGLED()}`)],
    ['chunks and a length', () => postFramed([CHUNKED, 'Content-Length: 5'], `0\r\n\r\n${SMUGGLED()}`)],
    ['two lengths', () => postFramed(['Content-Length: 2', 'Content-Length: 0'], `{}${SMUGGLED()}`)],
    [
      'the same length twice',
      () => postFramed(['Content-Length: 2', 'Content-Length: 2'], `{}${SMUGGLED()}`),
    ],
    ['a list of lengths', () => postFramed(['Content-Length: 2, 2'], `{}${SMUGGLED()}`)],
    ['a length with a sign', () => postFramed(['Content-Length: +2'], `{}${SMUGGLED()}`)],
    ['a negative length', () => postFramed(['Content-Length: -2'], SMUGGLED())],
    [
      'a length that is too large for a number',
      () => postFramed([`Content-Length: ${'9'.repeat(30)}`], '{}'),
    ],
    ['a space before the colon', () => postFramed(['Transfer-Encoding : chunked'], `0\r\n\r\n${SMUGGLED()}`)],
    [
      'chunks and something after them',
      () => postFramed(['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'),
    ],
    ['chunks twice', () => postFramed([CHUNKED, CHUNKED], '2\r\n{}\r\n0\r\n\r\n')],
    ['almost chunks', () => postFramed(['Transfer-Encoding: xchunked'], '2\r\n{}\r\n0\r\n\r\n')],
    ['a chunk that is too large for a number', () => postFramed([CHUNKED], 'FFFFFFFFFFFFFFFFFF\r\n{}')],
    ['a chunk whose size is not a number', () => postFramed([CHUNKED], 'two\r\n{}\r\n0\r\n\r\n')],
    ['a chunk that is longer than announced', () => postFramed([CHUNKED], '1\r\n{}\r\n0\r\n\r\n')],
    ['an extension without end', () => postFramed([CHUNKED], `2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`)],
    ['line feeds alone', () => SMUGGLED().replaceAll('\r\n', '\n')],
    ['a header that continues on the next line', () => post(REPORT, 'X-Folded: a\r\n b')],
    ['NUL in a header', () => post(REPORT, 'X-Nul: a\0b')],
    ['a carriage return in a header', () => post(REPORT, 'X-Split: a\rSet-Cookie: b')],
    ['a header without a name', () => post(REPORT, ': nameless')],
    ['a space in the address', () => requestBytes({ path: '/v1/is sues' })],
    ['no address', () => requestBytes({ path: '' })],
    ['a method that is none', () => requestBytes({ method: 'SUBMIT', path: '/v1/issues' })],
    ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a TLS handshake', () => '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03'],
    ['no HTTP at all', () => '\r\n\r\n\0\0\0\0'],
  ])('%s', async (_, bytes) => {
    expect(await send(Buffer.from(bytes(), 'latin1'))).toBe('400 bad-request')
  })

  test('a request without a Host', async () => {
    expect(await send('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')).toBe('400 bad-request')
    expect(await send('GET /healthz HTTP/1.0\r\n\r\n')).toBe('200')
  })

  test('headers that are too many or too large', async () => {
    const many = Array.from({ length: 3_000 }, (_, n) => `X-${n}: x`)
    expect(await send(post(REPORT, ...many))).toBe('431 headers-too-large')
    expect(await send(post(REPORT, `X-Large: ${'x'.repeat(20_000)}`))).toBe('431 headers-too-large')
    expect(await send(requestBytes({ path: `/${'x'.repeat(70_000)}` }))).toBe('431 headers-too-large')
  })

  test('a tunnel is closed without a response', async () => {
    expect(await send(requestBytes({ method: 'CONNECT', path: 'example.com:443' }))).toBe('closed')
  })
})

describe('other protocol features are not supported', () => {
  test('an unknown expectation is ignored', async () => {
    expect(await send(post('{}', 'Expect: the-moon'))).toBe('422 validation-failed')
    expect(await send(post('{}', 'Expect: 100-continue'))).toBe('100, 422 validation-failed')
  })

  test('a protocol upgrade is ignored', async () => {
    const upgrade = ['Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']
    expect(await send(requestBytes({ path: '/healthz', headers: upgrade }))).toBe('200')
  })

  test('a request is not echoed', async () => {
    expect(await send(requestBytes({ method: 'TRACE', path: '/healthz' }))).toBe('405 method-not-allowed')
  })

  test('nothing from a request becomes a header of the response', async () => {
    const path = '/v1/issues?q=%0d%0aSet-Cookie:%20a=b%0d%0a%0d%0a&pageSize=1'
    const received = await exchange(api.url, requestBytes({ path, key: project.secretKey }))
    expect(outcomeOf(received)).toBe('200')
    expect(received).toMatch(/\r\nlink: /)
    expect(received).not.toMatch(/\r\nset-cookie/i)
  })
})

describe('the server does not wait for a body that is announced but never sent', () => {
  const typed = (method: string, path: string, type = 'application/json', ...more: readonly string[]) =>
    requestBytes({ method, path, key: project.secretKey, headers: [`Content-Type: ${type}`, ...more] })

  test.each<[name: string, bytes: () => string, outcome: string]>([
    ['a report', () => typed('POST', '/v1/issues'), '400 malformed-body'],
    [
      'a report that is expected',
      () => typed('POST', '/v1/issues', 'application/json', 'Expect: 100-continue'),
      '100, 400 malformed-body',
    ],
    [
      'a report of a closing page',
      () => requestBytes({ method: 'POST', path: '/v1/issues', headers: ['Content-Type: text/plain'] }),
      '401 credentials-required',
    ],
    ['of another type', () => typed('POST', '/v1/issues', 'text/html'), '415 unsupported-media-type'],
    ['a deletion', () => typed('DELETE', '/v1/issues/x'), '404 not-found'],
    ['the end of a session', () => typed('DELETE', '/v1/session'), '404 not-found'],
    ['a question', () => typed('GET', '/v1/issues'), '200'],
    ['a question about headers', () => typed('HEAD', '/v1/issues'), '200'],
    ['an unknown address', () => typed('POST', '/v1/nothing'), '404 not-found'],
    ['another method', () => typed('POST', '/healthz'), '405 method-not-allowed'],
    ['a method of few', () => typed('QUERY', '/v1/issues'), '405 method-not-allowed'],
  ])('%s', async (_, bytes, outcome) => {
    expect(await send(bytes())).toBe(outcome)
  })
})

describe('a method that is not served is refused', () => {
  const methods = METHODS.filter((method) => method !== 'CONNECT')
  const allowed = ['GET', 'HEAD', 'POST', 'OPTIONS']

  test.each(methods.filter((method) => !allowed.includes(method)))('%s', async (method) => {
    const received = await exchange(api.url, requestBytes({ method, path: '/v1/issues' }))
    expect(outcomeOf(received)).toBe('405 method-not-allowed')
    expect(received).toContain(`\r\nallow: ${allowed.join(', ')}\r\n`)
    expect(await send(requestBytes({ method, path: '/nope' }))).toBe('404 not-found')
  })
})

describe('the server does not wait for an unexpected body', () => {
  /** The beginning of a large body; the rest is never sent. */
  const begun = (method: string, path: string) =>
    `${requestBytes({
      method,
      path,
      key: project.secretKey,
      headers: ['Content-Type: application/json', `Content-Length: ${MAX_BODY_BYTES}`],
    })}{"`

  test.each([
    ['POST', '/nope', '404 not-found'],
    ['QUERY', '/nope', '404 not-found'],
    ['PUT', '/v1/issues', '405 method-not-allowed'],
    ['PROPFIND', '/v1/issues', '405 method-not-allowed'],
    ['DELETE', '/v1/issues/x', '404 not-found'],
    ['POST', '/v1/webhooks/x/test', '404 not-found'],
    ['POST', '/session', '413 content-too-large'],
    ['POST', '/session/link', '413 content-too-large'],
    ['POST', '/v1/webhooks', '413 content-too-large'],
  ])('%s %s', async (method, path, outcome) => {
    expect(await send(begun(method, path))).toBe(outcome)
  })

  test('even if its type is invalid', async () => {
    const headers = ['Content-Type: nonsense', 'Content-Length: 2']
    const bytes = requestBytes({ method: 'DELETE', path: '/v1/issues/x', key: project.secretKey, headers })
    expect(await send(`${bytes}{}`)).toBe('404 not-found')
  })
})

describe('a body that an endpoint accepts', () => {
  const endpointsWithBody = Object.values<Endpoint>(endpoints).filter(({ body }) => body !== undefined)

  test.each(endpointsWithBody.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s is accepted up to its own limit, and no further',
    async (_, { method, path, maxBodyBytes = Number.NaN }) => {
      const url = path.replace('{id}', 'x')
      const cookie = await api.addUser({ role: 'admin' })
      const fill = (length: number) => `{"x":"${'x'.repeat(length - 8)}"}`
      const key = path.startsWith('/v1/') ? project.secretKey : cookie
      const post = (body: string) => api.send(method, url, { key, body })
      expect((await post(fill(maxBodyBytes))).status).not.toBe(413)
      const { status, body } = await post(fill(maxBodyBytes + 1))
      expect([status, body.detail]).toEqual([
        413,
        `The body has more than ${maxBodyBytes.toLocaleString('en')} bytes.`,
      ])
    },
  )

  test('leaves room for every character to be escaped', async () => {
    const face = (count: number) => '\\ud83d\\ude00'.repeat(count)
    const body = `{"email":"${face(MAX_EMAIL_CHARS)}","password":"${face(MAX_PASSWORD_CHARS)}"}`
    expect((await api.send('POST', '/session', { body })).body.code).toBe('sign-in-failed')
  })
})

describe('a malicious body is refused immediately', () => {
  const deep = (open: string, close: string) => {
    const depth = Math.floor((MAX_BODY_BYTES - 100) / (open.length + close.length))
    return open.repeat(depth) + close.repeat(depth)
  }
  const many = (member: (n: number) => string) => {
    const members: string[] = []
    for (let bytes = 0; bytes < MAX_BODY_BYTES - 100; bytes += (members.at(-1)?.length ?? 0) + 1)
      members.push(member(members.length))
    return members.slice(0, -1).join(',')
  }

  test.each<[name: string, body: string, outcome: string]>([
    ['arrays in arrays', deep('[', ']'), '400 malformed-body'],
    ['arrays in arrays without an end', '['.repeat(MAX_BODY_BYTES - 100), '400 malformed-body'],
    [
      'metadata in metadata',
      `{"title":"x","metadata":${deep('{"a":', '}').replace('{}', '{"a":1}')}}`,
      '400 malformed-body',
    ],
    ['objects in objects', deep('{"a":', '}').replace(':}', ':1}'), '400 malformed-body'],
    ['thousands of members', `{${many((n) => `"m${n}":1`)}}`, '422 validation-failed'],
    ['thousands of members that almost fit', `{${many((n) => `"titl${n}":""`)}}`, '422 validation-failed'],
    [
      'thousands of metadata',
      `{"title":"x","metadata":{${many((n) => `"m${n}":{}`)}}}`,
      '422 validation-failed',
    ],
    ['the same member thousands of times', `{${many(() => '"title":[]')}}`, '422 validation-failed'],
    ['a name without end', `{"${'n'.repeat(MAX_BODY_BYTES - 100)}":1}`, '422 validation-failed'],
    ['a number beyond numbers', '{"title":"x","metadata":{"a":1e999}}', '422 validation-failed'],
    ['thousands of digits', `{"title":"x","metadata":{"a":${'9'.repeat(200_000)}}}`, '422 validation-failed'],
    ['a prototype', '{"title":"x","__proto__":{"category":"security"}}', '422 validation-failed'],
    ['a prototype in metadata', '{"title":"x","metadata":{"__proto__":"x"}}', '422 validation-failed'],
    ['a constructor', '{"title":"x","constructor":{"prototype":{"x":1}}}', '422 validation-failed'],
    ['one byte too many', `{"title":"${'x'.repeat(MAX_BODY_BYTES)}"}`, '413 content-too-large'],
    ['a byte order mark', '\ufeff{"title":"x"}', '400 malformed-body'],
  ])('%s', async (_, body, outcome) => {
    const { value, cpuMs } = await cpuMsDuring(() => send(post(body)))
    expect(value).toBe(outcome)
    expect(cpuMs).toBeLessThan(MAX_CPU_MS)
  })

  test('one that is larger than announced is never read to the end', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    expect(await send(postFramed([CHUNKED], chunk.repeat(20)))).toMatch(/^(413 content-too-large|closed)$/)
  })

  test('text that is not UTF-8', async () => {
    const bytes = Buffer.from(post('{"title":"\xff\xfe"}'.replace('\xff\xfe', 'ab')), 'latin1')
    bytes.set([0xff, 0xfe], bytes.length - 4)
    expect(await send(bytes)).toBe('400 malformed-body')
    const key = Buffer.from(post(REPORT, 'Idempotency-Key: caf\xe9'), 'latin1')
    expect(await send(key)).toBe('400 invalid-parameter')
  })

  test('one that is compressed is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000)).toString('latin1')
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'identity', 'gzip, gzip'])
      expect(await send(post(bomb.slice(0, 100), `Content-Encoding: ${encoding}`))).toBe(
        '415 unsupported-media-type',
      )
    expect(await send(postFramed(['Transfer-Encoding: gzip, chunked'], '2\r\n{}\r\n0\r\n\r\n'))).toBe(
      '415 unsupported-media-type',
    )
  })
})

describe('a malicious path is not found', () => {
  test.each([
    ['/v1/issues/%2e%2e', '404 not-found'],
    ['/v1/issues/..%2f..%2fprojects', '404 not-found'],
    ['/%2e%2e/%2e%2e/%2e%2e/etc/passwd', '404 not-found'],
    ['/../../../etc/passwd', '404 not-found'],
    ['/problems/..%2f..%2fpackage.json', '404 not-found'],
    ['/assets/..%2f..%2fpackage.json', '404 not-found'],
    ['/assets/%2e%2e%2findex.html', '404 not-found'],
    ['/problems/__proto__', '404 not-found'],
    ['/v1/projects/__proto__', '404 not-found'],
    ['/v1/projects/constructor', '404 not-found'],
    ['/v1/issues/%00', '404 not-found'],
    ['/v1/issues/iss_%00', '404 not-found'],
    ['/v1/projects/%F0%9F%92%A9', '404 not-found'],
    ['//v1/issues', '404 not-found'],
    ['/v1//issues', '404 not-found'],
    ['/v1/issues/', '404 not-found'],
    ['/V1/issues', '404 not-found'],
    ['/v1/issues;jsessionid=1', '404 not-found'],
    ['/v1/issues%2f', '404 not-found'],
    ['/v1/issues/%', '400 bad-request'],
    ['/v1/issues/%zz', '400 bad-request'],
    ['/v1/issues/%ff', '400 bad-request'],
    ['/v1/issues?__proto__=x', '400 invalid-parameter'],
    ['/v1/issues?status[]=open', '400 invalid-parameter'],
    ['/v1/issues?q=%00', '200'],
    ['/v1/issues?branch=%00', '400 invalid-parameter'],
    ['/v1/projects/%00', '404 not-found'],
    ['/v1/webhooks/%00', '404 not-found'],
    ['/v1/issues?q=%ff', '200'],
    [`/v1/issues/${'x'.repeat(12_000)}`, '404 not-found'],
    [`/v1/projects/${'x'.repeat(12_000)}`, '404 not-found'],
    [`/v1/issues?cursor=${'x'.repeat(12_000)}`, '400 invalid-cursor'],
    [`/v1/issues?${'a=1&'.repeat(3_000)}`, '400 invalid-parameter'],
  ])('%s', async (path, outcome) => {
    expect(await send(requestBytes({ path, key: project.secretKey }))).toBe(outcome)
  })
})
