import { connect, type Socket } from 'node:net'
import { type EventFeed, MAX_FEED_SIZE } from '@bugle/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../test-support/issue-stage.ts'
import type { TestProject } from '../../../test-support/start-app.ts'
import { reportFor } from '../../../test-support/storage-stage.ts'
import { watchTurns } from '../../../test-support/watch-turns.ts'

const EVENTS = 20_000

/** Marks the start of an event; a chunk may end in the middle of it. */
const MARKER = '\nevent: '

const stage = setIssueStage({ isOnDisk: true })

let own: TestProject
let written = 0

beforeAll(async () => {
  own = await stage.api.addProject()
  const { issues } = stage.api.app.storage
  for (; written < EVENTS; written += 500)
    await Promise.all(Array.from({ length: 500 }, () => issues.submit(reportFor(own))))
})

describe('while clients read a long log', () => {
  it.each([
    ['five readers that want all of it', { count: 5, query: 'after=0', isReading: true }],
    ['thirty readers that never read', { count: 30, query: 'after=0', isReading: false }],
    [
      'thirty readers whose filter matches nothing',
      { count: 30, query: 'after=0&type=webhook.paused', isReading: true },
    ],
  ])('the event loop is not blocked: %s', async (_, { count, query, isReading }) => {
    const turns = watchTurns()
    const readers = Array.from({ length: count }, () => openReader(query, isReading))
    const least = () => Math.min(...readers.map(({ received }) => received()))
    await Promise.all(readers.map(({ opened }) => opened))
    expect((await stage.api.send('GET', '/v1/projects', { key: own.secretKey })).status).toBe(200)
    // Another request was served in between: no reader has reached the end of the log by then.
    expect(least()).toBeLessThan(written)
    await stage.report({ title: 'Beside' }, own.publicKey)
    written++
    if (isReading && !query.includes('type')) await expect.poll(least).toBe(written)
    expect(turns.stop()).toBeNull()
    for (const { socket } of readers) socket.destroy()
  })

  it('the event loop is not blocked: thirty clients that request the longest page', async () => {
    const turns = watchTurns()
    const path = `/v1/events?after=0&limit=${MAX_FEED_SIZE}`
    const headers = { authorization: `Bearer ${own.secretKey}` }
    const pages = await Promise.all(
      Array.from({ length: 30 }, async () => (await fetch(stage.api.url + path, { headers })).text()),
    )
    expect(turns.stop()).toBeNull()
    expect(new Set(pages).size).toBe(1)
    const { data, nextAfter, hasMore } = JSON.parse(pages[0] ?? '') as EventFeed
    expect(data.map(({ position }) => position)).toEqual(
      Array.from({ length: MAX_FEED_SIZE }, (_, index) => index + 1),
    )
    expect([nextAfter, hasMore]).toEqual([MAX_FEED_SIZE, true])
  })

  it('a step is sent as one chunk', async () => {
    const { socket, chunks, received } = openReader('after=0', true)
    await expect.poll(received).toBe(written)
    expect(chunks()).toBeLessThan(EVENTS / 50)
    socket.destroy()
  })
})

/** A reader without a parser, so that the test itself uses little CPU time. */
function openReader(query: string, isReading: boolean) {
  const socket: Socket = connect(Number(new URL(stage.api.url).port), '127.0.0.1')
  let received = 0
  let chunks = 0
  /** What may be the start of a marker. */
  let rest = ''
  socket.setEncoding('latin1')
  socket.write(
    `GET /v1/events?${query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.secretKey}\r\nAccept: text/event-stream\r\n\r\n`,
  )
  const opened = new Promise<void>((resolve) => {
    socket.once('data', () => {
      if (!isReading) socket.pause()
      resolve()
    })
  })
  socket.on('data', (text: string) => {
    const seen = rest + text
    received += seen.split(MARKER).length - 1
    rest = seen.slice(1 - MARKER.length)
    // In chunked encoding, the length of each chunk is a line by itself.
    chunks += text.match(/^[0-9a-f]+\r$/gm)?.length ?? 0
  })
  return { socket, opened, received: () => received, chunks: () => chunks }
}
