import { connect } from 'node:net'
import type { Event } from '@bugle/contract'
import { EventSource } from 'eventsource'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../../../test-support/start-app.ts'
import { type TemporaryDatabase, temporaryDatabase } from '../../../test-support/temporary-database.ts'
import { hashToken } from '../../domain/keys.ts'

let api: TestApp
let project: TestProject
let now = Date.UTC(2026, 10, 15, 9)
let database: TemporaryDatabase

beforeAll(async () => {
  database = await temporaryDatabase()
  api = await startApp({ clock: () => now, databaseUrl: database.url })
  project = await api.addProject()
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const submit = async (body: Record<string, unknown>, key = project.publicKey) =>
  (await api.send('POST', '/v1/issues', { key, body: { title: 'Blank screen', ...body } })).body
const patch = (id: string, body: unknown, key = project.secretKey) =>
  api.send('PATCH', `/v1/issues/${id}`, { key, body })
const feed = async (query: string, key = project.secretKey) =>
  (await api.send('GET', `/v1/events${query}`, { key })).body

describe('the feed', () => {
  it('tells what happened, in order', async () => {
    const own = await api.addProject()
    const { id, issueNumber } = await submit({ fingerprint: 'f' }, own.publicKey)
    await submit({ fingerprint: 'f' }, own.publicKey)
    await patch(id, { status: 'resolved', note: 'Done' }, own.secretKey)
    await submit({ fingerprint: 'f' }, own.publicKey)
    await patch(id, { priority: 'high' }, own.secretKey)
    await api.send('DELETE', `/v1/issues/${id}`, { key: own.secretKey })
    const gone = await feed('', own.secretKey)
    // What happened to an issue goes with it; that it was deleted stays.
    expect(gone.data).toEqual([
      expect.objectContaining({
        type: 'issue.deleted',
        issueId: id,
        issueNumber,
        projectId: own.id,
        position: 7,
      }),
    ])
    const other = await submit({}, own.publicKey)
    await patch(other.id, { status: 'closed' }, own.secretKey)
    const rest = await feed(`?after=${gone.nextAfter}`, own.secretKey)
    expect(rest.data.map(({ type, issueId }: Event) => [type, issueId])).toEqual([
      ['issue.created', other.id],
      ['issue.status_changed', other.id],
    ])
    expect(rest).toMatchObject({ hasMore: false, reset: false })
    expect(await feed(`?after=${rest.nextAfter}`, own.secretKey)).toEqual({
      data: [],
      nextAfter: rest.nextAfter,
      hasMore: false,
      reset: false,
    })
  })

  it('goes on where it ended, whatever the limit and the types', async () => {
    const own = await api.addProject()
    for (let index = 0; index < 12; index++) {
      const { id } = await submit({}, own.publicKey)
      if (index % 4 === 0) await patch(id, { status: 'closed' }, own.secretKey)
    }
    for (const [query, count] of [
      ['', 15],
      ['&type=issue.status_changed', 3],
      ['&type=issue.created,issue.deleted', 12],
    ] as const) {
      const seen: number[] = []
      let after = 0
      for (;;) {
        const part = await feed(`?limit=2&after=${after}${query}`, own.secretKey)
        seen.push(...part.data.map(({ position }: Event) => position))
        after = part.nextAfter
        if (!part.hasMore) break
      }
      expect(seen).toHaveLength(count)
      expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
    }
  })

  it('says so when what comes next is no longer kept, and keeps the history of issues', async () => {
    const own = await api.addProject()
    const { id } = await submit({ fingerprint: 'old' }, own.publicKey)
    await submit({ fingerprint: 'old' }, own.publicKey)
    await patch(id, { status: 'closed' }, own.secretKey)
    const expiry = now + 1
    now += 1_000
    await submit({}, own.publicKey)
    while (await api.app.storage.events.expireSome(own.id, expiry));
    expect(await feed('?after=1', own.secretKey)).toMatchObject({
      reset: true,
      data: [{ type: 'issue.created', position: 4 }],
    })
    expect(await feed('', own.secretKey)).toMatchObject({ reset: false, data: [{ position: 4 }] })
    expect(await feed('?after=3', own.secretKey)).toMatchObject({ reset: false, data: [{ position: 4 }] })
    expect(await feed('?after=99', own.secretKey)).toMatchObject({ reset: true })
    const history = await api.send('GET', `/v1/issues/${id}/events`, { key: own.secretKey })
    expect(history.body.data.map(({ type }: Event) => type)).toEqual([
      'issue.created',
      'issue.status_changed',
    ])
  })

  it('hides the security lane from those without the scope', async () => {
    const own = await api.addProject()
    const hidden = await submit({ category: 'security' }, own.publicKey)
    const seen = await submit({}, own.publicKey)
    const key = await api.addKey({ project: own, scopes: ['events:read', 'issues:read'] })
    expect((await feed('', key)).data.map(({ issueId }: Event) => issueId)).toEqual([seen.id])
    expect((await feed('', own.secretKey)).data).toHaveLength(2)
    await patch(seen.id, { category: 'security' }, own.secretKey)
    expect((await feed('', key)).data).toEqual([])
    await patch(hidden.id, { category: 'bug' }, own.secretKey)
    expect((await feed('', key)).data.map(({ issueId }: Event) => issueId)).toEqual([hidden.id, hidden.id])
  })

  it('needs the scope', async () => {
    const key = await api.addKey({ project, scopes: ['issues:read'] })
    expect((await api.send('GET', '/v1/events', { key })).status).toBe(403)
    expect((await api.send('GET', '/v1/events', { key: project.publicKey })).status).toBe(403)
    expect((await api.send('GET', '/v1/events')).status).toBe(401)
  })
})

/** Follows a project with the npm client `eventsource`, as a program of somebody else would. */
function follow(key: string, query = '') {
  const events: Event[] = []
  const resets: number[] = []
  const source = new EventSource(`${api.url}/v1/events${query}`, {
    fetch: (url, init) =>
      fetch(url, { ...init, headers: { ...init?.headers, authorization: `Bearer ${key}` } }),
  })
  for (const type of [
    'issue.created',
    'issue.status_changed',
    'issue.updated',
    'issue.deleted',
    'issue.reported',
  ]) {
    source.addEventListener(type, (message) => events.push(JSON.parse(message.data)))
  }
  source.addEventListener('stream.reset', (message) => resets.push(JSON.parse(message.data).position))
  return {
    events,
    resets,
    source,
    opened: new Promise((resolve) => source.addEventListener('open', resolve, { once: true })),
  }
}

describe('the live stream', () => {
  it('tells each event as it happens', async () => {
    const own = await api.addProject()
    await submit({}, own.publicKey)
    const reader = follow(own.secretKey)
    await reader.opened
    const { id } = await submit({}, own.publicKey)
    await patch(id, { status: 'closed' }, own.secretKey)
    await expect
      .poll(() => reader.events.map(({ type }) => type), { timeout: 2_000 })
      .toEqual(['issue.created', 'issue.status_changed'])
    expect(reader.events.every(({ issueId }) => issueId === id)).toBe(true)
    reader.source.close()
  })

  it('starts where it is told to', async () => {
    const own = await api.addProject()
    for (let index = 0; index < 5; index++) await submit({}, own.publicKey)
    const reader = follow(own.secretKey, '?after=2')
    await expect
      .poll(() => reader.events.map(({ position }) => position), { timeout: 2_000 })
      .toEqual([3, 4, 5])
    reader.source.close()
  })

  it('says so when the place to resume from is not in the log', async () => {
    const own = await api.addProject()
    await submit({}, own.publicKey)
    const reader = follow(own.secretKey, '?after=77')
    await expect.poll(() => reader.resets, { timeout: 2_000 }).toEqual([1])
    reader.source.close()
  })

  it('ends within a second when the key is revoked', async () => {
    const own = await api.addProject()
    const key = await api.addKey({ project: own, scopes: ['events:read'] })
    const response = await fetch(`${api.url}/v1/events`, {
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const stored = await api.app.storage.keys.findByHash(hashToken(key))
    await api.app.storage.keys.revoke(stored?.id ?? 'key_', now)
    const began = performance.now()
    for await (const _ of response.body ?? []);
    expect(performance.now() - began).toBeLessThan(1_500)
  })

  it('serves hundreds of readers at once', async () => {
    const own = await api.addProject()
    const readers = Array.from({ length: 300 }, () => follow(own.secretKey))
    await Promise.all(readers.map(({ opened }) => opened))
    for (let index = 0; index < 5; index++) await submit({}, own.publicKey)
    await expect
      .poll(() => readers.filter(({ events }) => events.length === 5).length, { timeout: 10_000 })
      .toBe(300)
    for (const { source } of readers) source.close()
  })

  it('keeps nothing for a reader that does not read', async () => {
    const own = await api.addProject()
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
    socket.write(
      `GET /v1/events?after=0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.secretKey}\r\nAccept: text/event-stream\r\n\r\n`,
    )
    socket.pause()
    const before = process.memoryUsage().heapUsed
    for (let sent = 0; sent < 3_000; sent += 500) {
      await Promise.all(Array.from({ length: 500 }, () => submit({ title: 'x'.repeat(200) }, own.publicKey)))
    }
    global.gc?.()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(150 * 1024 * 1024)
    socket.destroy()
  })
})

describe('a reader that is cut off a hundred times while ten thousand events are written', () => {
  const EVENTS = 10_000

  async function write(key: string): Promise<void> {
    for (let written = 0; written < EVENTS; written += 50) {
      await Promise.all(Array.from({ length: 50 }, () => submit({}, key)))
    }
  }

  it('sees each once, in order, by resuming the feed', { timeout: 60_000 }, async () => {
    const own = await api.addProject()
    const writing = write(own.publicKey)
    const seen: number[] = []
    let cuts = 0
    let after = 0
    while (seen.length < EVENTS) {
      const cut = new AbortController()
      if (cuts < 100) setTimeout(() => cut.abort(), Math.random() * 20)
      try {
        const response = await fetch(`${api.url}/v1/events?after=${after}&limit=173`, {
          headers: { authorization: `Bearer ${own.secretKey}` },
          signal: cut.signal,
        })
        const part = (await response.json()) as { data: Event[]; nextAfter: number }
        seen.push(...part.data.map(({ position }) => position))
        after = part.nextAfter
      } catch (error) {
        if (!cut.signal.aborted) throw error
        cuts++
      }
    }
    await writing
    expect(seen).toEqual(Array.from({ length: EVENTS }, (_, index) => index + 1))
    expect(cuts).toBeGreaterThan(20)
  })

  it('sees each once, in order, by resuming the stream', { timeout: 60_000 }, async () => {
    const own = await api.addProject()
    const writing = write(own.publicKey)
    const seen: number[] = []
    let cuts = 0
    const source = new EventSource(`${api.url}/v1/events?after=0`, {
      // A connection that breaks somewhere in the middle, again and again.
      fetch: async (url, init) => {
        const cut = new AbortController()
        if (cuts < 100) {
          // Any other reason would be taken for the reader's own wish to stop.
          setTimeout(() => cut.abort(new TypeError('connection lost')), 10 + Math.random() * 60)
          cuts++
        }
        const headers = { ...init?.headers, authorization: `Bearer ${own.secretKey}` }
        const signals = [cut.signal, ...(init?.signal ? [init.signal] : [])]
        const response = await fetch(url, { ...init, headers, signal: AbortSignal.any(signals) })
        return withoutDelay(response)
      },
    })
    source.addEventListener('issue.created', (message) => seen.push(JSON.parse(message.data).position))
    await writing
    await expect.poll(() => seen.length, { timeout: 50_000 }).toBeGreaterThanOrEqual(EVENTS)
    source.close()
    expect(seen).toEqual(Array.from({ length: EVENTS }, (_, index) => index + 1))
  })
})

/** The server asks to wait three seconds before each new connection: a hundred of them would take five minutes. */
function withoutDelay(response: Response): Response {
  const hurry = new TransformStream<string, string>({
    transform: (chunk, stream) => stream.enqueue(chunk.replace('retry: 3000', 'retry: 1')),
  })
  const body = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(hurry)
    .pipeThrough(new TextEncoderStream())
  const { status, headers } = response
  const hurried = new Response(body ?? null, { status, headers })
  Object.defineProperty(hurried, 'url', { value: response.url })
  return hurried
}
