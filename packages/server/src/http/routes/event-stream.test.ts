import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Event } from '@bugle/contract'
import { EventSource } from 'eventsource'
import { describe, expect, it } from 'vitest'
import { describeCutReaders } from '../../../test-support/cut-readers.ts'
import { setIssueStage } from '../../../test-support/issue-stage.ts'
import { BLIND_SCOPES } from '../../../test-support/start-app.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { hashToken } from '../../domain/projects/keys.ts'

const stage = setIssueStage({ isOnDisk: true })
const { report, change } = stage
const DEAF_READERS = 60
/** For each of them: a step of the log, and the buffers at both ends of the connection. */
const MAX_KEPT_BYTES = 384 * 1_024

describe('the live stream', () => {
  it('sends each event as it happens', async () => {
    const own = await stage.api.addProject()
    await report({}, own.publicKey)
    const reader = follow(own.secretKey)
    await reader.opened
    const { id } = await report({}, own.publicKey)
    await change(id, { status: 'closed' }, { key: own.secretKey })
    await expect
      .poll(() => reader.events.map(({ type }) => type))
      .toEqual(['issue.created', 'issue.status_changed'])
    expect(reader.events.every(({ issueId }) => issueId === id)).toBe(true)
    reader.source.close()
  })

  it('starts at the requested position', async () => {
    const own = await stage.api.addProject()
    for (let index = 0; index < 5; index++) await report({}, own.publicKey)
    const reader = follow(own.secretKey, '?after=2')
    await expect.poll(() => reader.events.map(({ position }) => position)).toEqual([3, 4, 5])
    reader.source.close()
  })

  it('sends a reset if the position to resume from is not in the log', async () => {
    const own = await stage.api.addProject()
    await report({}, own.publicKey)
    const reader = follow(own.secretKey, '?after=77')
    await expect.poll(() => reader.resets).toEqual([1])
    reader.source.close()
  })

  it('sends a reset if the reader now sees other lanes than before', async () => {
    const own = await stage.api.addProject()
    await report({}, own.publicKey)
    await report({ category: 'security' }, own.publicKey)
    const blind = await stage.api.addKey({ project: own, scopes: BLIND_SCOPES })
    expect(await firstItem(blind, '2.open')).toContain('event: stream.reset')
    expect(await firstItem(blind, '1.all')).toContain('event: stream.reset')
    expect(await firstItem(own.secretKey, '1.open')).toContain('id: 2.all\nevent: stream.reset')
    expect(await firstItem(own.secretKey, '1.all')).toContain('id: 2.all\nevent: issue.created')
    // It resumes where it was: the next item is the next event.
    const next = await firstItem(blind, '1.open', () => report({}, own.publicKey))
    expect(next).toContain('id: 2.open\nevent: issue.created')
  })

  it('sends a reset if the permissions of a reader change while it reads', async () => {
    const own = await stage.api.addProject()
    await report({}, own.publicKey)
    await report({ category: 'security' }, own.publicKey)
    const cookie = await stage.api.addUser({ email: 'reader@example.com', canSeeSecurity: true })
    // The last person with this right would keep it.
    await stage.api.addUser({ canSeeSecurity: true })
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
    await expect.poll(() => received).toContain('id: 1.open\nevent: stream.reset')
    await report({ category: 'security' }, own.publicKey)
    await report({}, own.publicKey)
    await expect.poll(() => received).toContain('id: 2.open\nevent: issue.created')
    expect(received.match(/issue\.created/g)).toHaveLength(2)
    cut.abort()
    await reading
  })

  it('leaves no listeners on a connection when it is refused', async () => {
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
      expect.poll(() => received.split('HTTP/1.1 404').length - 1).toBe(count)
    client.write(request)
    await answered(1)
    const before = held?.listenerCount('close')
    client.write(request.repeat(50))
    await answered(51)
    expect(held?.listenerCount('close')).toBe(before)
    client.destroy()
  })

  it('ends at the next check of permissions when the key is revoked', async () => {
    const own = await stage.api.addProject()
    const key = await stage.api.addKey({ project: own, scopes: ['events:read'] })
    const response = await fetch(`${stage.api.url}/v1/events`, {
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const stored = await stage.api.app.storage.keys.findByHash(hashToken(key))
    await stage.api.app.storage.keys.revoke(stored?.id ?? 'key_', stage.now)
    // Before the next heartbeat, when it would check its caller anyway.
    expect(await response.text()).toBe('retry: 3000\n\n')
  })

  it('serves hundreds of readers at once', async () => {
    const own = await stage.api.addProject()
    const readers = Array.from({ length: 300 }, () => follow(own.secretKey))
    await Promise.all(readers.map(({ opened }) => opened))
    for (let index = 0; index < 5; index++) await report({}, own.publicKey)
    await expect.poll(() => readers.filter(({ events }) => events.length === 5).length).toBe(300)
    for (const { source } of readers) source.close()
  })

  it('buffers little for readers that do not read', async () => {
    const own = await stage.api.addProject()
    for (let sent = 0; sent < 3_000; sent += 500)
      await Promise.all(Array.from({ length: 500 }, () => report({}, own.publicKey)))
    await using door = await openDoor(stage.api.app.server.server)
    const enter = () => {
      const client = door.connect()
      client.write(streamRequest(own.secretKey))
      return client
    }
    const before = memoryInUse()
    const deaf = Array.from({ length: DEAF_READERS }, enter)
    // Readers take turns: when one has read everything, each of the others has had the same opportunity.
    let told = ''
    for await (const chunk of enter()) {
      told += chunk
      if (told.includes('"position":3000')) break
    }
    // Far more than is buffered, and than fits into the buffer of a socket.
    expect(Buffer.byteLength(told)).toBeGreaterThan(2 * MAX_KEPT_BYTES)
    told = ''
    expect(memoryInUse() - before).toBeLessThan(DEAF_READERS * MAX_KEPT_BYTES)
    for (const client of deaf) client.destroy()
  })
})

describeCutReaders(stage, { events: 1_500, cuts: 40 })

function streamRequest(key: string): string {
  return `GET /v1/events?after=0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nAccept: text/event-stream\r\n\r\n`
}

/** A second listener, on a Unix socket: TCP would buffer megabytes for a client that does not read. */
async function openDoor(server: HttpServer) {
  const folder = temporaryFolder()
  const path = join(folder.path, 'door.sock')
  const sockets: Socket[] = []
  const door = createServer((socket) => {
    sockets.push(socket)
    server.emit('connection', socket)
  })
  door.listen(path)
  await once(door, 'listening')
  return {
    connect: () => connect(path),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      door.close()
      await once(door, 'close')
      folder[Symbol.dispose]()
    },
  }
}

function memoryInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** The first item that a resumed stream sends; `afterwards` runs once it is open. */
async function firstItem(
  key: string,
  lastEventId: string,
  afterwards: () => Promise<unknown> = async () => {},
): Promise<string> {
  const response = await fetch(`${stage.api.url}/v1/events`, {
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      'last-event-id': lastEventId,
    },
  })
  await afterwards()
  let received = ''
  for await (const chunk of response.body ?? []) {
    received += Buffer.from(chunk).toString()
    const [, item] = /^retry: \d+\n\n([\s\S]+?)\n\n/.exec(received) ?? []
    if (item !== undefined) return item
  }
  throw new Error(`the stream ended: ${received}`)
}

/** Follows a project with the npm client `eventsource`, as a third-party program would. */
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
