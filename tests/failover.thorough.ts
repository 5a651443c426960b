import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { type PostgresServer, startPostgres } from '../packages/server/test-support/start-postgres.ts'
import { canLimitPostgres, startCrampedPostgres } from './faults/limited-postgres.ts'
import { addProjects, startCluster } from './support/nodes/cluster.ts'
import { expectIntact } from './support/nodes/expect-rows.ts'
import { type Ledger, runLoad } from './support/nodes/mixed-load.ts'
import { readRows } from './support/nodes/stored-rows.ts'

const NODES = 2
const LOAD_MS = Number(process.env['BUGLE_TEST_LOAD_SECONDS'] ?? 12) * 1_000
const SETTINGS = {
  BUGLE_RATE_LIMITS: 'submit=9999999,project=9999999,secret=9999999',
  BUGLE_LOG_LEVEL: 'fatal',
}
/** A connection is terminated this often. */
const TERMINATION_MS = 100
const PATIENCE_MS = 120_000

test('when the primary dies, its synchronous replica takes over, and nothing is lost', async () => {
  const { primary, replica } = await startReplicatedPostgres()
  const url = urlOfAll(primary, replica)
  await using cluster = await startCluster(NODES, SETTINGS, { postgres: primary, url })
  const projects = await addProjects(cluster, ['weather', 'maps'])
  await requireReplica(primary)

  async function failOver(): Promise<void> {
    await sleep(LOAD_MS * 0.4)
    await primary.kill()
    await query(replica, 'SELECT pg_promote()')
  }
  const [ledger] = await Promise.all([runLoad(cluster, projects, LOAD_MS), failOver()])

  expectRealLoad(ledger)
  const rows = await Promise.all(projects.map(({ slug }) => readRows(replica.url, slug)))
  expectIntact(ledger, projects, rows)
})

test('connections that are terminated at random lose nothing', async () => {
  await using cluster = await startCluster(NODES, SETTINGS)
  const projects = await addProjects(cluster, ['weather', 'maps'])
  const end = performance.now() + LOAD_MS
  let terminated = 0

  async function terminateConnections(): Promise<void> {
    const client = await connect(cluster.postgres)
    while (performance.now() < end) {
      const { rowCount } = await client.query(TERMINATE_ONE)
      terminated += rowCount ?? 0
      await sleep(TERMINATION_MS)
    }
    await client.end()
  }
  const [ledger] = await Promise.all([runLoad(cluster, projects, LOAD_MS), terminateConnections()])

  expect(terminated).toBeGreaterThan(10)
  expectRealLoad(ledger)
  const rows = await Promise.all(projects.map(({ slug }) => readRows(cluster.postgres.url, slug)))
  expectIntact(ledger, projects, rows)
})

const CAN_LIMIT = canLimitPostgres()
if (!CAN_LIMIT)
  process.stdout.write('skipped: a full disk, because this machine does not allow mounting one\n')

test.skipIf(!CAN_LIMIT)('a disk that is full for a while loses nothing', async () => {
  const { postgres, fill, free } = await startCrampedPostgres()
  await using cluster = await startCluster(NODES, SETTINGS, { postgres, url: postgres.url })
  const projects = await addProjects(cluster, ['weather', 'maps'])

  async function fillForAWhile(): Promise<void> {
    await sleep(LOAD_MS * 0.3)
    fill()
    await sleep(LOAD_MS * 0.3)
    free()
  }
  const [ledger] = await Promise.all([runLoad(cluster, projects, LOAD_MS), fillForAWhile()])

  expectRealLoad(ledger)
  const rows = await Promise.all(projects.map(({ slug }) => readRows(postgres.url, slug)))
  expectIntact(ledger, projects, rows)
})

/** Only interrupted or limited requests failed, and there were some. */
function expectRealLoad({ statuses, stored, named, notes }: Ledger): void {
  process.stdout.write(
    `answers ${JSON.stringify(statuses)}, acknowledged: ${stored.length} without an id, ${named.length} with one, ` +
      `${notes.length} changes\n`,
  )
  const unexpected = Object.keys(statuses).filter(
    (status) => !['0', '200', '201', '409', '503'].includes(status),
  )
  expect(unexpected).toEqual([])
  for (const part of [stored, named, notes]) expect(part.length).toBeGreaterThan(5)
}

/** A primary, and a replica that follows it. */
async function startReplicatedPostgres(): Promise<{ primary: PostgresServer; replica: PostgresServer }> {
  const primary = await startPostgres()
  await primary.shutDown()
  const { url, dataFolder } = primary
  const replica = await startPostgres({ copyOf: dataFolder, primary: url })
  onTestFinished(() => replica.stop())
  await primary.restart()
  return { primary, replica }
}

/** From now on, the primary acknowledges a commit once the replica has it too. */
async function requireReplica(primary: PostgresServer): Promise<void> {
  const follows = () => query(primary, "SELECT FROM pg_stat_replication WHERE state = 'streaming'")
  await expect.poll(async () => (await follows()).length, { timeout: PATIENCE_MS }).toBe(1)
  await query(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'")
  await query(primary, 'SELECT pg_reload_conf()')
  const isSynchronous = () => query(primary, "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'")
  await expect.poll(async () => (await isSynchronous()).length, { timeout: PATIENCE_MS }).toBe(1)
}

const TERMINATE_ONE = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = 'bugle' ORDER BY random() LIMIT 1`

function urlOfAll(...servers: readonly PostgresServer[]): string {
  return `postgres://postgres@${servers.map(({ url }) => new URL(url).host).join(',')}/postgres`
}

async function connect(server: PostgresServer): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  return client
}

async function query(server: PostgresServer, text: string): Promise<readonly object[]> {
  const client = await connect(server)
  const { rows } = await client.query(text)
  await client.end()
  return rows
}
