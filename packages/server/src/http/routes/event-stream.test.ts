import { connect, type Socket } from 'node:net'
import type { Event } from '@bugle/contract'
import { EventSource } from 'eventsource'
import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../test-support/issue-stage.ts'
import { BLIND_SCOPES } from '../../../test-support/start-app.ts'
import { hashToken } from '../../domain/projects/keys.ts'

const stage = setIssueStage({ isOnDisk: true })
const { report, change } = stage

describe('the live stream', () => {
  it('tells each event as it happens', async () => {
    const own = await stage.api.addProject()
    await report({}, own.publicKey)
    const reader = follow(own.secretKey)
    await reader.opened
    const { id } = await report({}, own.publicKey)
    await change(id, { status: 'closed' }, { key: own.secretKey })
    await expect
      .poll(() => reader.events.map(({ type }) => type), { timeout: 2_000 })
      .toEqual(['issue.created', 'issue.status_changed'])
    expect(reader.events.every(({ issueId }) => issueId === id)).toBe(true)
    reader.source.close()
  })

  it('starts where it is told to', async () => {
    const own = await stage.api.addProject()
    for (let index = 0; index < 5; index++) await report({}, own.publicKey)
    const reader = follow(own.secretKey, '?after=2')
    await expect
      .poll(() => reader.events.map(({ position }) => position), { timeout: 2_000 })
      .toEqual([3, 4, 5])
    reader.source.close()
  })

  it('says so when the place to resume from is not in the log', async () => {
    const own = await stage.api.addProject()
    await report({}, own.publicKey)
    const reader = follow(own.secretKey, '?after=77')
    await expect.poll(() => reader.resets, { timeout: 2_000 }).toEqual([1])
    reader.source.close()
  })

  it('begins anew when the reader now sees other lanes than where it was', async () => {
    const own = await stage.api.addProject()
    await report({}, own.publicKey)
    await report({ category: 'security' }, own.publicKey)
    const blind = await stage.api.addKey({ project: own, scopes: BLIND_SCOPES })
    expect(await firstItem(blind, '1.open')).toBe('')
    expect(await firstItem(blind, '2.open')).toContain('event: stream.reset')
    expect(await firstItem(blind, '1.all')).toContain('event: stream.reset')
    expect(await firstItem(own.secretKey, '1.open')).toContain('id: 2.all\nevent: stream.reset')
    expect(await firstItem(own.secretKey, '1.all')).toContain('id: 2.all\nevent: issue.created')
  })

  it('begins anew when the rights of a reader change while it reads', async () => {
    const own = await stage.api.addProject()
    await report({}, own.publicKey)
    await report({ category: 'security' }, own.publicKey)
    const cookie = await stage.api.addUser({ email: 'reader@example.com', canSeeSecurity: true })
    const cut = new AbortController()
    const response = await fetch(`${stage.api.url}/v1/events?projectId=${own.slug}`, {
      headers: { cookie, accept: 'text/event-stream' },
      signal: cut.signal,
    })
    let received = ''
    const reading = (async () => {
      for await (const chunk of response.body ?? []) received += Buffer.from(chunk).toString()
    })().catch(() => {})
    const reader = await stage.api.app.storage.users.find('reader@example.com')
    await stage.api.app.storage.users.update(reader?.id ?? 'usr_', { canSeeSecurity: false })
    await expect.poll(() => received, { timeout: 5_000 }).toContain('id: 1.open\nevent: stream.reset')
    await report({ category: 'security' }, own.publicKey)
    await report({}, own.publicKey)
    await expect.poll(() => received, { timeout: 5_000 }).toContain('id: 2.open\nevent: issue.created')
    expect(received.match(/issue\.created/g)).toHaveLength(2)
    cut.abort()
    await reading
  })

  it('leaves nothing behind on a connection when it is refused', async () => {
    const own = await stage.api.addProject()
    let held: Socket | undefined
    stage.api.app.server.server.once('request', ({ socket }) => (held = socket))
    const request = [
      'GET /v1/events?projectId=elsewhere HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${own.secretKey}`,
      'Accept: text/event-stream',
      '\r\n',
    ].join('\r\n')
    const client = connect(Number(new URL(stage.api.url).port), '127.0.0.1')
    let received = ''
    client.on('data', (chunk) => (received += chunk))
    const answered = (count: number) =>
      expect.poll(() => received.split('HTTP/1.1 404').length - 1, { timeout: 5_000 }).toBe(count)
    client.write(request)
    await answered(1)
    const before = held?.listenerCount('close')
    client.write(request.repeat(50))
    await answered(51)
    expect(held?.listenerCount('close')).toBe(before)
    client.destroy()
  })

  it('ends within a second when the key is revoked', async () => {
    const own = await stage.api.addProject()
    const key = await stage.api.addKey({ project: own, scopes: ['events:read'] })
    const response = await fetch(`${stage.api.url}/v1/events`, {
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const stored = await stage.api.app.storage.keys.findByHash(hashToken(key))
    await stage.api.app.storage.keys.revoke(stored?.id ?? 'key_', stage.now)
    const began = performance.now()
    for await (const _ of response.body ?? []);
    expect(performance.now() - began).toBeLessThan(1_500)
  })

  it('serves hundreds of readers at once', async () => {
    const own = await stage.api.addProject()
    const readers = Array.from({ length: 300 }, () => follow(own.secretKey))
    await Promise.all(readers.map(({ opened }) => opened))
    for (let index = 0; index < 5; index++) await report({}, own.publicKey)
    await expect
      .poll(() => readers.filter(({ events }) => events.length === 5).length, { timeout: 10_000 })
      .toBe(300)
    for (const { source } of readers) source.close()
  })

  it('keeps nothing for a reader that does not read', async () => {
    const own = await stage.api.addProject()
    const socket = connect(Number(new URL(stage.api.url).port), '127.0.0.1')
    socket.write(
      `GET /v1/events?after=0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.secretKey}\r\nAccept: text/event-stream\r\n\r\n`,
    )
    socket.pause()
    const before = process.memoryUsage().heapUsed
    for (let sent = 0; sent < 3_000; sent += 500) {
      await Promise.all(Array.from({ length: 500 }, () => report({ title: 'x'.repeat(200) }, own.publicKey)))
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
      await Promise.all(Array.from({ length: 50 }, () => report({}, key)))
    }
  }

  it('sees each once, in order, by resuming the feed', { timeout: 60_000 }, async () => {
    const own = await stage.api.addProject()
    const writing = write(own.publicKey)
    const seen: number[] = []
    let cuts = 0
    let after = 0
    while (seen.length < EVENTS) {
      const cut = new AbortController()
      if (cuts < 100) setTimeout(() => cut.abort(), Math.random() * 20)
      try {
        const response = await fetch(`${stage.api.url}/v1/events?after=${after}&limit=173`, {
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
    const own = await stage.api.addProject()
    const writing = write(own.publicKey)
    const seen: number[] = []
    let cuts = 0
    const source = new EventSource(`${stage.api.url}/v1/events?after=0`, {
      // A connection that breaks somewhere in the middle, again and again.
      fetch: async (url, init) => {
        const cut = new AbortController()
        const headers = { ...init?.headers, authorization: `Bearer ${own.secretKey}` }
        const signals = [cut.signal, ...(init?.signal ? [init.signal] : [])]
        const response = await fetch(url, { ...init, headers, signal: AbortSignal.any(signals) })
        // Only now: a reader that has never been answered waits three seconds before each new connection.
        if (cuts < 100) {
          // Any other reason would be taken for the reader's own wish to stop.
          setTimeout(() => cut.abort(new TypeError('connection lost')), 10 + Math.random() * 60)
          cuts++
        }
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

/** What a stream says first, within a moment, to a reader that was here; nothing if there is no news. */
async function firstItem(key: string, lastEventId: string): Promise<string> {
  const cut = AbortSignal.timeout(300)
  let received = ''
  try {
    const response = await fetch(`${stage.api.url}/v1/events`, {
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'text/event-stream',
        'last-event-id': lastEventId,
      },
      signal: cut,
    })
    for await (const chunk of response.body ?? []) received += Buffer.from(chunk).toString()
  } catch (error) {
    if (!cut.aborted) throw error
  }
  return received.replace(/^retry: \d+\n\n/, '')
}

/** Follows a project with the npm client `eventsource`, as a program of somebody else would. */
function follow(key: string, query = '') {
  const events: Event[] = []
  const resets: number[] = []
  const source = new EventSource(`${stage.api.url}/v1/events${query}`, {
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
