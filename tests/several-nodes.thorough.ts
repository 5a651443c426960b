import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { soon } from '../packages/server/test-support/soon.ts'
import { type Receiver, startReceiver } from '../packages/server/test-support/start-receiver.ts'
import { callNode } from './support/nodes/call-node.ts'
import {
  addProjects,
  type Cluster,
  type KeyedProject,
  revokeKeys,
  startCluster,
} from './support/nodes/cluster.ts'
import { expectNoGaps, expectNothingLost, expectRightCounts } from './support/nodes/expect-rows.ts'
import { type Follower, followFeed, followStream } from './support/nodes/follow-events.ts'
import { type Ledger, runLoad } from './support/nodes/mixed-load.ts'
import { countNodes, readRows, type StoredRows } from './support/nodes/stored-rows.ts'

const NODES = 4
const LOAD_MS = Number(process.env['BUGLE_TEST_LOAD_SECONDS'] ?? 20) * 1_000
/** Far more than is sent here; only the sharing matters. */
const SUBMIT_LIMIT = 9_600_000
const SETTINGS = {
  BUGLE_RATE_LIMITS: `submit=${SUBMIT_LIMIT},project=9999999,secret=9999999`,
  BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1',
  BUGLE_LOG_LEVEL: 'fatal',
}
/** A timeout for what hangs. */
const PATIENCE_MS = 120_000
/** The claims of a killed node are held for this long, plus a margin. */
const LEASE_PATIENCE_MS = 300_000
/** Before a lease expires, only a node that did not hold it can have sent a message again. */
const SHORTEST_LEASE_MS = 15_000

let cluster: Cluster
let projects: readonly KeyedProject[]
let receiver: Receiver
const sentAt = new Map<string, number[]>()

beforeAll(async () => {
  cluster = await startCluster(NODES, SETTINGS)
  receiver = await startReceiver()
  receiver.react(({ headers }) => {
    const id = headers['webhook-id'] ?? ''
    sentAt.set(id, [...(sentAt.get(id) ?? []), performance.now()])
    return { status: 200 }
  })
  projects = await addProjects(cluster, ['weather', 'maps', 'chat'])
})
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
})

const node = (index: number) => cluster.nodes[index % NODES] ?? failing(`there is no node ${index}`)

/** The number of reports per minute that a node accepts: its share. */
async function limitAt(index: number): Promise<number> {
  const [project] = projects
  const body = { title: 'Limited' }
  const answer = await callNode(node(index).url, {
    method: 'POST',
    path: '/v1/issues',
    key: project?.key ?? '',
    body,
  })
  return Number(/"submit";q=(\d+)/.exec(String(answer?.headers['ratelimit-policy']))?.[1])
}

describe(`${NODES} nodes on one database`, { timeout: 900_000 }, () => {
  test('start together on an empty database, and one of them creates the demo project', () => {
    expect(cluster.nodes.filter(({ printed }) => printed.includes('bgl_sec_'))).toHaveLength(1)
  })

  test('accept a new key immediately, and share the rate limits', async () => {
    await soon(async () => {
      for (const index of cluster.nodes.keys()) expect(await limitAt(index)).toBe(SUBMIT_LIMIT / NODES)
    })
  })

  test('no longer accept a key that was just revoked', async () => {
    const [project] = await addProjects(cluster, ['short-lived'])
    const key = project?.key ?? ''
    const read = async (url: string) => (await callNode(url, { path: '/v1/issues', key }))?.status
    const { nodes } = cluster
    expect(await Promise.all(nodes.map(({ url }) => read(url)))).toEqual([200, 200, 200, 200])
    if (project !== undefined) await revokeKeys(cluster, project)
    // Each node gets requests only until it refuses, because wrong keys have their own limit.
    const refusals = nodes.map(({ url }) =>
      vi.waitUntil(async () => {
        const status = await read(url)
        return status === 200 ? undefined : status
      }, PATIENCE_MS),
    )
    expect(await Promise.all(refusals)).toEqual([401, 401, 401, 401])
  })

  describe('under a mixed load, one of them killed, and the database stopped twice', () => {
    let ledger: Ledger
    let rows: readonly StoredRows[]
    let followers: readonly (readonly [Follower, Follower])[]

    beforeAll(async () => {
      for (const { key } of projects) {
        const call = {
          method: 'POST',
          path: '/v1/webhooks',
          key,
          body: { url: receiver.url, includeSecurity: true },
        } as const
        expect(await callNode(node(0).url, call)).toMatchObject({ status: 201 })
      }
      followers = projects.map(
        (project) => [followFeed(cluster, project), followStream(cluster, project)] as const,
      )
      const [finished] = await Promise.all([runLoad(cluster, projects, LOAD_MS), playTrouble()])
      ledger = finished
      rows = await Promise.all(projects.map(({ slug }) => readRows(cluster.postgres.url, slug)))
      await Promise.all(
        followers.flatMap((pair, index) => pair.map((one) => one.finish(rows[index]?.positions.at(-1) ?? 0))),
      )
    }, 900_000)

    /** A node is killed and restarted, and the database is shut down, then crashes. */
    async function playTrouble(): Promise<void> {
      const { postgres } = cluster
      await sleep(LOAD_MS * 0.15)
      expect(await node(3).end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
      await sleep(LOAD_MS * 0.15)
      await postgres.shutDown()
      await sleep(1_000)
      await postgres.restart()
      await sleep(LOAD_MS * 0.1)
      await node(3).restart()
      await sleep(LOAD_MS * 0.15)
      await postgres.kill()
      await sleep(500)
      await postgres.restart()
    }

    test('the load was real, and only interrupted or limited requests failed', () => {
      const { statuses, stored, named, notes } = ledger
      process.stdout.write(
        `answers ${JSON.stringify(statuses)}, acknowledged: ${stored.length} without an id, ${named.length} with one, ` +
          `${notes.length} changes; events ${rows.map(({ positions }) => positions.length)}\n`,
      )
      expect(
        Object.keys(statuses)
          .map(Number)
          .filter((status) => ![0, 200, 201, 409, 503].includes(status)),
      ).toEqual([])
      expect(statuses[503]).toBeGreaterThan(0)
      for (const part of [stored, named, notes]) expect(part.length).toBeGreaterThan(20)
    })

    test('nothing that was acknowledged is lost, and repeated submissions are stored once', () => {
      expectNothingLost(ledger, projects, rows)
    })

    test('issue numbers and event positions have no gaps', () => expectNoGaps(rows))

    test('readers of the feed and of the stream see each event once, in order', () => {
      for (const [index, pair] of followers.entries()) {
        for (const { seen } of pair) expect(seen).toEqual(rows[index]?.positions)
      }
    })

    test('the counters equal a recount', () => expectRightCounts(rows))

    test('every event is delivered to the webhook, by one node at a time', async () => {
      await soon(
        async () => {
          for (const { slug } of projects) {
            const { deliveries } = await readRows(cluster.postgres.url, slug)
            expect(deliveries.filter(({ status }) => status !== 'delivered')).toEqual([])
          }
        },
        { timeout: LEASE_PATIENCE_MS, interval: 500 },
      )
      const delivered = await Promise.all(projects.map(({ slug }) => readRows(cluster.postgres.url, slug)))
      const first = (index: number) => rows[index]?.deliveries[0]?.position ?? 0
      for (const [index, { deliveries, positions }] of delivered.entries()) {
        expect(deliveries.map(({ position }) => position)).toEqual(
          positions.filter((one) => one >= first(index)),
        )
        // Recorded once: a node that sent it again after a lease expired is not counted twice.
        expect(deliveries.filter(({ attempts }) => attempts !== 1)).toEqual([])
      }
      expect(receiver.taken.size).toBe(delivered.reduce((sum, { deliveries }) => sum + deliveries.length, 0))
      const hasty = [...sentAt].filter(([, times]) =>
        times.some((time, index) => index > 0 && time - (times[index - 1] ?? 0) < SHORTEST_LEASE_MS),
      )
      expect(hasty).toEqual([])
    })

    test('a killed node no longer counts after some seconds, a stopped one immediately', async () => {
      await soon(async () => expect(await limitAt(0)).toBe(SUBMIT_LIMIT / 4))
      await node(3).end('SIGKILL')
      await soon(async () => expect(await limitAt(0)).toBe(SUBMIT_LIMIT / 3))
      const before = await countNodes(cluster.postgres.url)
      expect(await node(2).end('SIGTERM')).toEqual({ code: 0, signal: null })
      expect(await countNodes(cluster.postgres.url)).toBeLessThan(before)
      await soon(async () => expect(await limitAt(0)).toBe(SUBMIT_LIMIT / 2))
      expect(await node(1).end('SIGTERM')).toEqual({ code: 0, signal: null })
      expect(await node(0).end('SIGTERM')).toEqual({ code: 0, signal: null })
    })
  })
})

function failing(message: string): never {
  throw new Error(message)
}
