import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { PATIENCE } from '../packages/server/src/http/gates/patience.ts'
import { parsePrometheus } from '../packages/server/test-support/parse-prometheus.ts'
import { soon } from '../packages/server/test-support/soon.ts'
import { startApp, type TestApp, type TestProject } from '../packages/server/test-support/start-app.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { exchange, openSocket, outcomeOf, type RawSocket, requestBytes } from './support/raw-socket.ts'
import {
  type Keys,
  METRICS_TOKEN,
  startFirstServer,
  startServer,
  type TestServer,
} from './support/start-server.ts'

/** The responses to this many requests would fill every buffer several times. */
const DEAF_REQUESTS = 200
const REPORT = '{"title":"Report"}'

describe('slow clients', () => {
  const patience = { ...PATIENCE, headersMs: 2_000, requestMs: 2_500, idleMs: 3_000, checkMs: 50 }
  let api: TestApp
  let project: TestProject

  beforeAll(async () => {
    api = await startApp({ patience, environment: { BUGLE_METRICS_TOKEN: METRICS_TOKEN } })
    project = await api.addProject()
  })
  afterAll(() => api[Symbol.asyncDispose]())
  afterEach(async () => {
    await expectAnswer(api.url)
    expect((await api.app.storage.events.window(project.id, ['open', 'security'])).end).toBe(stored)
  })

  let stored = 0
  const submission = () =>
    requestBytes({ method: 'POST', path: '/v1/issues', key: project.publicKey, body: REPORT })

  test('with slow headers get 408, and are disconnected', async () => {
    using slow = await openSocket(api.url)
    await drip(slow, submission())
    expect(outcomeOf(await slow.closed)).toBe('408 request-timeout')
  })

  test('with a slow body get 408, and are disconnected; nothing is stored', async () => {
    using slow = await openSocket(api.url)
    slow.write(submission().slice(0, -REPORT.length))
    await drip(slow, REPORT.slice(0, -1))
    expect(outcomeOf(await slow.closed)).toBe('408 request-timeout')
  })

  test('that send nothing are disconnected', async () => {
    using silent = await openSocket(api.url)
    expect(outcomeOf(await silent.closed)).toBe('408 request-timeout')
  })

  test('that do not read the response are disconnected, and little is buffered for them', async () => {
    using deaf = await openSocket(api.url)
    deaf.socket.pause()
    deaf.write(
      requestBytes({ path: '/openapi.json' }).replace('Connection: close\r\n', '').repeat(DEAF_REQUESTS),
    )
    await expectAnswer(api.url)
    await soon(async () => expect(await countConnections(api)).toBe(0))
    const answered = await read(api, 'bugle_http_request_duration_seconds_count', { route: '/openapi.json' })
    expect(answered).toBeLessThan(DEAF_REQUESTS / 2)
  })

  test('that disconnect after half of their body: nothing is stored', async () => {
    using half = await openSocket(api.url)
    half.write(submission().slice(0, -5))
    await soon(async () => expect(await countConnections(api)).toBeGreaterThan(0))
    half.socket.end()
    expect(outcomeOf(await half.closed)).toMatch(/^(closed|400 bad-request)$/)
  })

  test('that close their side after the body get a response', async () => {
    using half = await openSocket(api.url)
    half.socket.end(submission())
    expect(outcomeOf(await half.closed)).toBe('201')
    stored++
  })
})

describe('a body', () => {
  // The request timeout is longer than a test may take: only the rule for bodies can refuse one.
  const patience = { ...PATIENCE, requestMs: 600_000, bodyMs: 500, slowestBytesPerSecond: 2_000, checkMs: 50 }
  const LARGE_REPORT = JSON.stringify({ title: 'Large', description: 'x'.repeat(10_000) })

  test.each([
    ['/v1/issues', LARGE_REPORT],
    ['/session', '{"email":"ada@example.com","password":"wrong"}'],
  ])('that arrives too slowly at %s is refused before the request timeout', async (path, body) => {
    await using api = await startApp({ patience })
    const { publicKey: key } = await api.addProject()
    using slow = await openSocket(api.url)
    const began = performance.now()
    slow.write(requestBytes({ method: 'POST', path, key, body }).slice(0, -body.length))
    await drip(slow, body)
    expect(outcomeOf(await slow.closed)).toBe('408 request-timeout')
    expect(performance.now() - began).toBeGreaterThan(patience.bodyMs)
  })

  test('that goes on long after an early response is cut off', async () => {
    await using api = await startApp({ patience })
    using endless = await openSocket(api.url)
    const path = `/v1/submissions/unknown/attachments/${'0'.repeat(64)}`
    const request = requestBytes({ method: 'PUT', path, headers: ['Content-Length: 1000000'] })
    // The server counts from its response, which this process may see later.
    const began = performance.now()
    endless.write(request.replace('Connection: close\r\n', ''))
    await endless.waitFor(/credentials-required","requestId/)
    while (!endless.socket.closed && performance.now() - began < 60_000) {
      endless.write('x')
      await sleep(50)
    }
    expect(endless.socket.closed).toBe(true)
    expect(performance.now() - began).toBeGreaterThan(patience.bodyMs)
  })

  test('that ends soon after an early response does not end the connection', async () => {
    await using api = await startApp({ patience })
    using client = await openSocket(api.url)
    const path = `/v1/submissions/unknown/attachments/${'0'.repeat(64)}`
    const request = requestBytes({ method: 'PUT', path, headers: ['Content-Length: 10'] })
    client.write(request.replace('Connection: close\r\n', ''))
    await client.waitFor(/credentials-required","requestId/)
    client.write('0123456789')
    await sleep(2 * patience.bodyMs)
    client.write(requestBytes({ path: '/readyz' }))
    expect(outcomeOf(await client.closed)).toMatch(/^401 .*, 200$/)
  })

  test('that is slow, but not too slow, is accepted', async () => {
    await using api = await startApp({ patience })
    const { publicKey: key } = await api.addProject()
    using steady = await openSocket(api.url)
    const body = JSON.stringify({ title: 'Large', description: 'x'.repeat(32_000) })
    const headers = [
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    ]
    steady.write(requestBytes({ method: 'POST', path: '/v1/issues', key, headers }))
    await steady.waitFor(/100 Continue/)
    // Most of it at once: then only a pause of many seconds would make it too slow.
    const began = performance.now()
    let sent = body.length - 2_000
    steady.write(body.slice(0, sent))
    for (; sent < body.length; sent += 100) {
      await sleep(80)
      steady.write(body.slice(sent, sent + 100))
    }
    expect(performance.now() - began).toBeGreaterThan(patience.bodyMs)
    expect(outcomeOf(await steady.closed)).toBe('100, 201')
  })
})

describe('clients that pipeline requests', () => {
  test('get all responses, in order, up to the first malformed request', async () => {
    await using api = await startApp()
    const { publicKey: key } = await api.addProject()
    const requests = Array.from({ length: 50 }, (_, n) =>
      requestBytes({ method: 'POST', path: '/v1/issues', key, body: `{"title":"Report ${n}"}` }).replace(
        'Connection: close\r\n',
        '',
      ),
    )
    const received = await exchange(api.url, `${requests.join('')}NONSENSE\r\n\r\n${requests[0]}`)
    expect(outcomeOf(received)).toBe([...requests.map(() => '201'), '400 bad-request'].join(', '))
    const titles = [...received.matchAll(/"title":"Report (\d+)"/g)].map(([, n]) => Number(n))
    expect(titles).toEqual(requests.map((_, n) => n))
  })
})

describe('thousands of connections', () => {
  const folder = temporaryFolder()
  const database = join(folder.path, 'bugle.db')
  let keys: Keys

  beforeAll(async () => {
    const first = await startFirstServer(database)
    keys = first.keys
    await first.server.end('SIGTERM')
  })
  afterAll(() => folder[Symbol.dispose]())

  test('that send nothing cost little, and others are served', async () => {
    await using server = await startServer(database, { BUGLE_MAX_CONNECTIONS_PER_ADDRESS: '5000' })
    const before = await read(server, 'process_resident_memory_bytes')
    using _ = await openMany(server, 3_000)
    await expectAnswer(server.url)
    expect(await read(server, 'bugle_http_connections')).toBeGreaterThan(3_000)
    expect((await read(server, 'process_resident_memory_bytes')) - before).toBeLessThan(150_000_000)
  })

  test.runIf(process.platform === 'linux')('that arrive at once wait for a busy server', async () => {
    await using server = await startServer(database)
    const { hostname, port } = new URL(server.url)
    // It accepts nothing, as while other work fills its turns: connections wait in the system.
    process.kill(server.pid, 'SIGSTOP')
    const sockets = Array.from({ length: 1_100 }, () => connect(Number(port), hostname))
    try {
      const connected = () => sockets.filter(({ readyState }) => readyState === 'open').length
      await expect.poll(connected).toBe(sockets.length)
    } finally {
      for (const socket of sockets) socket.destroy()
      process.kill(server.pid, 'SIGCONT')
    }
    await expectAnswer(server.url)
  })

  test('beyond the limit are closed for new ones, except those with requests in progress', async () => {
    await using server = await startServer(database, { BUGLE_MAX_CONNECTIONS: '100' })
    using stream = await openStream(server, keys.secretKey)
    using idle = await openMany(server, 300)
    await expectAnswer(server.url)
    expect(await read(server, 'bugle_http_connections')).toBeLessThanOrEqual(100)
    expect(await read(server, 'bugle_http_connections_turned_away_total', { which: 'idle' })).toBeGreaterThan(
      200,
    )
    await soon(() => expect(idle.countClosed()).toBeGreaterThan(200))
    await submit(server, keys.publicKey)
    await stream.waitFor(/event: issue\.created/)
  })

  test('with requests in progress do not exceed the limit', async () => {
    await using server = await startServer(database, { BUGLE_MAX_CONNECTIONS: '10' })
    const streams = await Promise.all(Array.from({ length: 10 }, () => openStream(server, keys.secretKey)))
    expect(outcomeOf(await exchange(server.url, requestBytes({ path: '/healthz' })))).toBe('closed')
    streams.pop()?.[Symbol.dispose]()
    await soon(() => expectAnswer(server.url))
    for (const stream of streams) stream[Symbol.dispose]()
  })

  /** Submissions that send only the headers and one byte of the body. */
  const sendHalf = (server: TestServer, count: number, headers: readonly string[] = []) => {
    const half = requestBytes({
      method: 'POST',
      path: '/v1/issues',
      key: keys.publicKey,
      headers: ['Content-Type: application/json', 'Content-Length: 2000', ...headers],
    })
    return openMany(server, count, `${half}{`)
  }

  test('that send half of their body leave room for others, also from the same address', async () => {
    await using server = await startServer(database, {
      BUGLE_MAX_CONNECTIONS: '150',
      BUGLE_MAX_CONNECTIONS_PER_ADDRESS: '100',
    })
    using stream = await openStream(server, keys.secretKey)
    using half = await sendHalf(server, 600)
    for (let n = 0; n < 5; n++) {
      await expectAnswer(server.url)
      await submit(server, keys.publicKey)
    }
    await stream.waitFor(/event: issue\.created/)
    await soon(() => expect(half.countClosed()).toBeGreaterThan(500))
    expect(await read(server, 'bugle_http_connections')).toBeLessThanOrEqual(100)
    expect(await read(server, 'bugle_http_connections_turned_away_total', { which: 'new' })).toBe(0)
  })

  test('of one address do not affect those of another', async () => {
    await using server = await startServer(database, { BUGLE_MAX_CONNECTIONS: '100' })
    const others = await Promise.all(Array.from({ length: 20 }, () => openSocket(server.url, '127.0.0.2')))
    using half = await sendHalf(server, 300)
    await soon(() => expect(half.countClosed()).toBeGreaterThanOrEqual(220))
    expect(others.filter(({ socket }) => socket.destroyed || socket.readableEnded)).toEqual([])
    for (const other of others) other[Symbol.dispose]()
  })

  test('are closed the slowest first', async () => {
    await using server = await startServer(database, { BUGLE_MAX_CONNECTIONS_PER_ADDRESS: '20' })
    using steady = await openSocket(server.url)
    const body = JSON.stringify({ title: 'Steady', description: 'x'.repeat(32_000) })
    const bytes = requestBytes({ method: 'POST', path: '/v1/issues', key: keys.publicKey, body })
    steady.write(bytes.slice(0, 1_000))
    using half = await sendHalf(server, 15)
    // By now they have had enough time to send.
    for (let sent = 1_000; sent < 31_000; sent += 6_000) {
      steady.write(bytes.slice(sent, sent + 6_000))
      await sleep(300)
    }
    using more = await sendHalf(server, 15)
    await soon(() => expect(half.countClosed()).toBeGreaterThan(8))
    expect(more.countClosed()).toBe(0)
    steady.write(bytes.slice(31_000))
    expect(outcomeOf(await steady.closed)).toBe('201')
  })

  test('behind a proxy are counted by the address that it forwards', async () => {
    await using server = await startServer(database, {
      BUGLE_MAX_CONNECTIONS_PER_ADDRESS: '20',
      BUGLE_TRUST_PROXY: '127.0.0.1',
    })
    using one = await sendHalf(server, 10, ['X-Forwarded-For: 203.0.113.1'])
    using many = await sendHalf(server, 100, ['X-Forwarded-For: 203.0.113.2'])
    await soon(() => expect(many.countClosed()).toBe(80))
    expect(one.countClosed()).toBe(0)
    using idle = await openMany(server, 100)
    await expectAnswer(server.url)
    expect([idle.countClosed(), one.countClosed(), many.countClosed()]).toEqual([0, 0, 80])
  })

  test('that disconnect in the middle leave no entry in the log', async () => {
    await using server = await startServer(database, { BUGLE_LOG_LEVEL: 'warn' })
    const whole = requestBytes({ method: 'POST', path: '/v1/issues', key: keys.publicKey, body: REPORT })
    for (let bytes = 20; bytes < whole.length; bytes += 20) {
      using broken = await openSocket(server.url)
      broken.write(whole.slice(0, bytes))
      broken.socket.resetAndDestroy()
    }
    await expectAnswer(server.url)
    await server.end('SIGTERM')
    expect(server.stderr).toBe('')
  })
})

/** Sends a byte at intervals, until the server closes the connection. */
async function drip(raw: RawSocket, bytes: string): Promise<void> {
  for (const byte of bytes) {
    if (raw.socket.destroyed || raw.received !== '') return
    raw.write(byte)
    await sleep(50)
  }
}

/** If the server cannot respond, the test fails at its timeout. */
async function expectAnswer(url: string): Promise<void> {
  expect(outcomeOf(await exchange(url, requestBytes({ path: '/readyz' })))).toBe('200')
}

function countConnections({ app }: TestApp): Promise<number> {
  return new Promise((resolve, reject) =>
    app.server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}

/** Connections that send nothing, or only the given bytes. */
async function openMany({ url }: TestServer, count: number, greeting = '') {
  const sockets: RawSocket[] = []
  const open = async () => {
    const raw = await openSocket(url)
    if (greeting !== '') raw.write(greeting)
    return raw
  }
  while (sockets.length < count) {
    const length = Math.min(100, count - sockets.length)
    sockets.push(...(await Promise.all(Array.from({ length }, open))))
  }
  return {
    countClosed: () => sockets.filter(({ socket }) => socket.destroyed || socket.readableEnded).length,
    [Symbol.dispose]() {
      for (const { socket } of sockets) socket.destroy()
    },
  }
}

/** A busy connection: it follows the live stream. */
async function openStream({ url }: TestServer, key: string): Promise<RawSocket> {
  const stream = await openSocket(url)
  stream.write(requestBytes({ path: '/v1/events', key, headers: ['Accept: text/event-stream'] }))
  await stream.waitFor(/retry: \d+/)
  return stream
}

async function submit({ url }: TestServer, key: string): Promise<void> {
  const bytes = requestBytes({ method: 'POST', path: '/v1/issues', key, body: REPORT })
  expect(outcomeOf(await exchange(url, bytes))).toBe('201')
}

/** The value of a sample of the metrics. */
async function read(
  { url }: { readonly url: string },
  name: string,
  wanted: Readonly<Record<string, string>> = {},
): Promise<number> {
  const headers = { connection: 'close', authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`${url}/metrics`, { headers })).text()
  const samples = [...parsePrometheus(text).values()].flatMap(({ samples }) => samples)
  const found = samples.find(
    (sample) =>
      sample.name === name &&
      Object.entries(wanted).every(([label, value]) => sample.labels[label] === value),
  )
  return found?.value ?? Number.NaN
}
