import { createHash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { createWorld, PUBLIC_KEY, settle, type World } from '../../../test-support/fake-world.ts'
import { close, report, start } from '../api.ts'
import { createMemoryFileStore, type FileStore } from './file-store.ts'
import { enableFilesIn } from './files.ts'
import { sha256 } from './sha256.ts'

const MIB = 2 ** 20
const DAY_MS = 86_400_000

afterEach(() => close(0))

function startWith(store: FileStore): { readonly world: World; readonly uploads: string[] } {
  const world = createWorld()
  const uploads: string[] = []
  const { fetch } = world.platform
  world.platform.fetch = async (url, request) => {
    if (request.method !== 'PUT') return fetch(url, request)
    uploads.push(url.slice(url.lastIndexOf('/') + 1))
    return new Response('{"id": "att_1"}', { status: 201 })
  }
  start({ endpoint: 'https://bugs.example', publicKey: PUBLIC_KEY }, () => world.platform)
  enableFilesIn(() => store)
  return { world, uploads }
}

/** Files of reports that have been sent, one of each day before today, the oldest first. */
async function keepFiles(store: FileStore, now: number, days: readonly number[]): Promise<void> {
  for (const day of days) {
    const time = (now - day * DAY_MS).toString(16).padStart(12, '0')
    const submissionId = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
    const file = { submissionId, sha256: `day-${day}`, size: 1, publicKey: PUBLIC_KEY, isReady: true }
    await store._put({ ...file, id: `${submissionId}.${file.sha256}` }, new Uint8Array(1))
  }
}

/** A server behind a proxy that responds to some uploads itself. */
async function startBehindProxy(
  days: readonly number[],
  answer: (name: string) => Response | Promise<never>,
): Promise<{
  readonly world: World
  readonly uploads: string[]
  readonly left: () => Promise<readonly string[]>
}> {
  const store = createMemoryFileStore()
  const world = createWorld()
  const uploads: string[] = []
  await keepFiles(store, world.platform._now(), days)
  const { fetch } = world.platform
  world.platform.fetch = async (url, request) => {
    if (request.method !== 'PUT') return fetch(url, request)
    const name = url.slice(url.lastIndexOf('/') + 1)
    uploads.push(name)
    return answer(name)
  }
  start({ endpoint: 'https://bugs.example', publicKey: PUBLIC_KEY }, () => world.platform)
  enableFilesIn(() => store)
  await settle()
  return { world, uploads, left: async () => (await store._list()).map(({ sha256 }) => sha256) }
}

const received = () => new Response('{"id": "att_1"}', { status: 201 })
const noResponse = () => Promise.reject(new TypeError('Failed to fetch'))

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

test('a report declares its files, and each is sent once', async () => {
  const store = createMemoryFileStore()
  const { world, uploads } = startWith(store)
  await report({
    title: 'Two files',
    attachments: [
      new Blob(['one'], { type: 'text/plain;charset=utf-8' }),
      { name: 'two.txt', content: 'two', contentType: 'no type' },
      { name: 'again.txt', content: new TextEncoder().encode('two') },
    ],
  })
  await settle()
  expect(world.received[0]?.attachments).toEqual([
    { name: 'file-1', contentType: 'text/plain', size: 3, sha256: hashOf('one') },
    { name: 'two.txt', contentType: 'application/octet-stream', size: 3, sha256: hashOf('two') },
  ])
  expect(uploads.sort()).toEqual([hashOf('one'), hashOf('two')].sort())
  expect(await store._list()).toEqual([])
})

test('the oldest files are dropped first, and counted', async () => {
  const store = createMemoryFileStore()
  const world = createWorld()
  world.isOnline = false
  world.answer = () => undefined
  for (const number of [1, 2, 3, 4, 5]) {
    const submissionId = `01a1e661-c5c2-7000-8000-00000000000${number}`
    const file = { submissionId, sha256: 'a', size: 10 * MIB, publicKey: PUBLIC_KEY, isReady: true }
    await store._put({ ...file, id: `${submissionId}.a` }, new Uint8Array(1))
    // Its report has not been sent.
    world.stored.set(submissionId, JSON.stringify({ title: 'x', submissionId, publicKey: PUBLIC_KEY }))
  }
  start({ endpoint: 'https://bugs.example', publicKey: PUBLIC_KEY }, () => world.platform)
  enableFilesIn(() => store)
  await report({ title: 'Newest', attachments: [{ name: 'a.txt', content: 'a' }] })
  const left = (await store._list()).map(({ submissionId }) => submissionId.at(-1))
  expect(left.slice(0, 4)).toEqual(['2', '3', '4', '5'])
  expect(left).toHaveLength(5)
  const reports = [...world.stored.values()].filter((text) => text.includes('"title"'))
  expect(reports).toHaveLength(6)
  expect(reports.find((text) => text.includes('Newest'))).toContain('"bugle.dropped.file":1')
})

test.each([
  ['refuses', () => new Response('<h1>Request Entity Too Large</h1>', { status: 413 })],
  ['has no response for', noResponse],
  ['fails at', () => new Response('<h1>Bad Gateway</h1>', { status: 502 })],
])('a file that a proxy %s does not hold up the others', async (_, refuse) => {
  const { world, uploads, left } = await startBehindProxy([4, 3, 2, 1], (name) =>
    ['day-4', 'day-3'].includes(name) ? refuse() : received(),
  )
  for (let seconds = 0; seconds < 20; seconds++) await world.pass(1_000)
  expect(await left()).toEqual(['day-4', 'day-3'])
  expect(uploads.filter((name) => name === 'day-2')).toHaveLength(1)
  // It is not sent again with every file that arrives later.
  expect(uploads.filter((name) => name === 'day-4').length).toBeLessThan(6)
})

test('a file that a proxy refuses lets the next one go on at once', async () => {
  const { uploads, left } = await startBehindProxy([3, 2, 1], (name) =>
    name === 'day-1' ? received() : new Response('', { status: 413 }),
  )
  expect(uploads).toEqual(['day-3', 'day-2', 'day-1'])
  expect(await left()).toEqual(['day-3', 'day-2'])
})

test.each([
  [503, '10'],
  [429, '10'],
  [502, null],
])('a proxy that responds with %d and Retry-After %s stops all files', async (status, retryAfter) => {
  const headers = retryAfter === null ? {} : { 'retry-after': retryAfter }
  const { uploads } = await startBehindProxy([2, 1], () => new Response('', { status, headers }))
  expect(uploads).toEqual(['day-2'])
})

test('a file is dropped after 30 days, whatever has responded', async () => {
  const { world, left } = await startBehindProxy([32, 31, 29], () => new Response('', { status: 413 }))
  expect(await left()).toEqual(['day-29'])
  await world.pass(2 * DAY_MS)
  expect(await left()).toEqual([])
  await report({ title: 'Counts what was dropped' })
  expect(world.received[0]?.metadata).toEqual({ 'bugle.dropped.file': 3 })
})

test('a file is not dropped while nothing has responded', async () => {
  const { world, left } = await startBehindProxy([31, 1], noResponse)
  await world.pass(DAY_MS)
  expect(await left()).toEqual(['day-31', 'day-1'])
})

test('files that are too large or too many are not kept, and the text is', async () => {
  const { world } = startWith(createMemoryFileStore())
  const small = Array.from({ length: 11 }, (_, index) => ({ name: `${index}.txt`, content: `text ${index}` }))
  const large = { name: 'large.bin', content: new Uint8Array(10 * MIB + 1) }
  const result = await report({ title: 'Too much', attachments: [large, ...small] })
  expect(result).toMatchObject({ status: 'sent', trimmed: ['attachments.large.bin', 'attachments.10.txt'] })
  expect(world.received[0]?.attachments).toHaveLength(10)
  expect(world.received[0]?.metadata).toEqual({ 'bugle.dropped.file': 2 })
})

test('a store that never responds does not hold up the text', async () => {
  const { world } = startWith({ ...createMemoryFileStore(), _put: () => new Promise(() => {}) })
  const result = report({ title: 'Waits', attachments: [{ name: 'a.txt', content: 'a' }] })
  await settle()
  await world.pass(10_000)
  expect(await result).toMatchObject({ status: 'sent', trimmed: ['attachments.a.txt'] })
})

test.each([0, 1, 55, 56, 63, 64, 65, 1_000, 100_000])('our own SHA-256 is right for %i bytes', (length) => {
  const bytes = new Uint8Array(length).map((_, index) => index % 251)
  expect(Buffer.from(sha256(bytes)).toString('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
})
