import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attempt } from '@bugle/contract'
import { describe, expect, test } from 'vitest'
import { soon } from '../packages/server/test-support/soon.ts'
import { startApp } from '../packages/server/test-support/start-app.ts'
import { type Receiver, startReceiver } from '../packages/server/test-support/start-receiver.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { type Client, isCut, openClient, workThrough } from './support/load.ts'
import { startFirstServer, startServer, type TestServer } from './support/start-server.ts'

const ALLOWED = { BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1' }
const EVENTS = 1_000
const WEBHOOK_TIMEOUT_MS = 1_000
const KILLS = 3
const EVENTS_UNTIL_KILLED = 150
/** Less than the remaining lease of a killed server: the next one does not wait for it. */
const SOONER_THAN_A_LEASE_MS = 20_000

describe(`three endpoints and ${EVENTS} events`, { timeout: 900_000 }, () => {
  test('the good one gets everything first, the flaky one after its retries, and the dead one delays no other', async () => {
    using folder = temporaryFolder()
    await using good = await startReceiver()
    await using flaky = await startReceiver()
    await using dead = await startReceiver()
    flaky.react((_, nth) => ({ status: nth <= 2 ? 500 : 200 }))
    dead.react(() => 'hang')

    let skippedMs = 0
    await using api = await startApp({
      databaseUrl: `sqlite:${join(folder.path, 'bugle.db')}`,
      environment: ALLOWED,
      clock: () => Date.now() + skippedMs,
      webhookTimeoutMs: WEBHOOK_TIMEOUT_MS,
    })
    const project = await api.addProject()
    const key = project.secretKey
    const idTo = async ({ url }: Receiver): Promise<string> =>
      (await api.send('POST', '/v1/webhooks', { key, body: { url } })).body.id
    const [, , deadId] = [await idTo(good), await idTo(flaky), await idTo(dead)]

    await using client = openClient(api.url, project.publicKey)
    await workThrough(numbersTo(EVENTS), (n) => client.submit({ title: `Report ${n}` }))
    // Its second attempt is minutes away: the first attempts of all others precede it.
    const first = await soon(async () => {
      const { body } = await api.send('GET', `/v1/webhooks/${deadId}/deliveries/1`, { key })
      expect(body.attempts).toHaveLength(1)
      return body
    })
    await soon(() => expect(good.taken.size).toBe(EVENTS))
    expect(positionsOf(good)).toEqual(numbersTo(EVENTS))

    await soon(() => expect(leastAttempts(flaky)).toBe(1))
    expect(flaky.taken.size).toBe(0)
    skippedMs += 6_000
    await soon(() => expect(leastAttempts(flaky)).toBe(2))
    skippedMs += 70_000
    await soon(() => expect(flaky.taken.size).toBe(EVENTS))
    expect(positionsOf(flaky)).toEqual(numbersTo(EVENTS))

    const [attempt]: readonly Attempt[] = first.attempts
    expect(attempt).toMatchObject({ httpStatus: null, error: 'timeout' })
    const waited =
      Date.parse(first.nextAttemptAt) - Date.parse(attempt?.attemptedAt ?? '') - WEBHOOK_TIMEOUT_MS
    expect(waited).toBeGreaterThanOrEqual(4_500)
    // The next delay is a minute; recording the result may take a while.
    expect(waited).toBeLessThan(30_000)
    expect(dead.received.length).toBeGreaterThanOrEqual(8)
    expect(dead.taken.size).toBe(0)
  })
})

describe('a server that is killed while it delivers', { timeout: 600_000 }, () => {
  test('loses nothing, and a receiver that deduplicates by webhook-id sees each event once', async () => {
    using folder = temporaryFolder()
    await using receiver = await startReceiver()
    // Accepts some messages, and never responds to the others until the server is killed.
    receiver.react(() => (receiver.received.length % 2 === 0 ? 'hang' : { status: 200 }))
    const database = join(folder.path, 'bugle.db')
    const { server: firstServer, keys } = await startFirstServer(database)
    await firstServer.end('SIGTERM')

    let acknowledged = 0
    for (let kill = 1; kill <= KILLS; kill++) {
      await using server = await startServer(database, ALLOWED)
      if (kill === 1) await addWebhook(server.url, keys.secretKey, receiver)
      await using client = openClient(server.url, keys.secretKey)
      acknowledged += await submitUntilKilled(client, server, receiver)
    }
    const takenBefore = receiver.taken.size

    receiver.react(() => ({ status: 200 }))
    await using server = await startServer(database, ALLOWED)
    await using client = openClient(server.url, keys.secretKey)
    const { body } = await client.get('/v1/issues?pageSize=1')
    const stored: number = body.pagination.totalCount
    expect(stored).toBeGreaterThanOrEqual(acknowledged)
    await soon(() => expect(receiver.taken.size).toBe(stored), { timeout: SOONER_THAN_A_LEASE_MS })
    expect(takenBefore).toBeGreaterThan(0)
    expect(takenBefore).toBeLessThan(stored)
    // One id for each event, even if it was sent twice.
    expect(positionsOf(receiver)).toEqual(numbersTo(stored))
    expect(idsOf(receiver).size).toBe(stored)
    await soon(
      async () => {
        const { body: list } = await client.get('/v1/webhooks')
        expect(list.data[0]).toMatchObject({ pendingDeliveries: 0, failingSince: null, status: 'active' })
        // Deliveries that arrived but were not recorded before the kill are sent again.
      },
      { timeout: SOONER_THAN_A_LEASE_MS },
    )
  })
})

describe('a server that is stopped while it delivers', { timeout: 600_000 }, () => {
  test('does not wait for receivers that hang', async () => {
    using folder = temporaryFolder()
    await using receiver = await startReceiver()
    receiver.react(() => 'hang')
    const database = join(folder.path, 'bugle.db')
    const { server: firstServer, keys } = await startFirstServer(database)
    await firstServer.end('SIGTERM')
    await using server = await startServer(database, ALLOWED)
    await addWebhook(server.url, keys.secretKey, receiver)
    await using client = openClient(server.url, keys.secretKey)
    await client.submit({ title: 'Report' })
    await soon(() => expect(receiver.received).toHaveLength(1))
    // Waiting for the receiver would exceed the shutdown timeout, which causes another exit code.
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
  })
})

async function addWebhook(url: string, key: string, receiver: Receiver): Promise<void> {
  const { status } = await fetch(`${url}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: receiver.url }),
  })
  expect(status).toBe(201)
}

/** Kills the server under load; returns how many reports it acknowledged before. */
async function submitUntilKilled(client: Client, server: TestServer, receiver: Receiver): Promise<number> {
  const killAfter = randomInt(50, EVENTS_UNTIL_KILLED)
  let answered = 0
  let killed: Promise<unknown> | undefined
  const kill = async () => {
    await soon(() => expect(receiver.received.length).toBeGreaterThan(0))
    await sleep(randomInt(200))
    await server.end('SIGKILL')
  }
  await workThrough(numbersTo(EVENTS_UNTIL_KILLED), async (n) => {
    try {
      const { status } = await client.submit({ title: `Report ${n}` })
      expect(status).toBe(201)
      answered++
    } catch (error) {
      if (!isCut(error)) throw error
    }
    if (answered >= killAfter) killed ??= kill()
  })
  await killed
  return answered
}

function idsOf({ received }: Receiver): ReadonlySet<string | undefined> {
  return new Set(received.map(({ headers }) => headers['webhook-id']))
}

/** The lowest number of times that any message arrived; 0 while one is missing. */
function leastAttempts({ received }: Receiver): number {
  const counts = Map.groupBy(received, ({ headers }) => headers['webhook-id'])
  return counts.size < EVENTS ? 0 : Math.min(...[...counts.values()].map(({ length }) => length))
}

/** The positions of the events that arrived, without duplicates. */
function positionsOf({ received }: Receiver): readonly number[] {
  const positions: Set<number> = new Set(received.map(({ text }) => JSON.parse(text).data.position))
  return [...positions].sort((a, b) => a - b)
}

function numbersTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
