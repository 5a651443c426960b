import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { addProject, plainReport } from '../../../test-support/plain-reports.ts'
import { runBugle, spawnBugle, startBugle } from '../../../test-support/run-bugle.ts'
import { type PostgresServer, startPostgres } from '../../../test-support/start-postgres.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { openPostgresStorage } from './postgres-storage.ts'

/** Long enough for several attempts to listen. */
const RETRIES_MS = 4_000

/** Two servers with the same data. The primary changes from test to test. */
let one: PostgresServer
let other: PostgresServer
let project: ProjectRecord

beforeAll(async () => {
  one = await startPostgres()
  const storage = await openPostgresStorage(one.url)
  project = await addProject(storage)
  await storage.close()
  await one.shutDown()
  other = await startPostgres({ copyOf: one.dataFolder })
  await Promise.all([one.restart(), other.restartAsReplica()])
})
afterAll(async () => {
  await one.stop()
  await other.stop()
})

/** The address of several servers, in this order. */
function urlOfAll(...servers: readonly PostgresServer[]): string {
  const hosts = servers.map(({ url }) => new URL(url).host)
  return `postgres://postgres@${hosts.join(',')}/postgres?target_session_attrs=read-write`
}

async function query(server: PostgresServer, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

it('a server on a replica exits with a message', async () => {
  const outcome = await spawnBugle(['serve'], { BUGLE_DATABASE_URL: other.url, BUGLE_PORT: '0' })
  expect(outcome).toMatchObject({ code: 1, stdout: '' })
  expect(outcome.stderr).toMatch(
    /^bugle: The database postgres:.* could not be opened\. .*accepts no writes.*\n$/,
  )
  expect(outcome.stderr).toContain('is a replica')
})

it('a command reads from a replica, and explains why it cannot write', async () => {
  const settings = { BUGLE_DATABASE_URL: other.url }
  expect(await runBugle(['project', 'list'], settings)).toMatchObject({ code: 0, stderr: '' })
  const refused = await runBugle(['project', 'create', '--name', 'Maps', '--slug', 'maps'], settings)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^bugle: The database accepts no writes\. .*\n$/)
})

it('of several hosts, the first that accepts writes is used, and after a failover the next', async () => {
  const storage = await openPostgresStorage(urlOfAll(other, one))
  expect(await storage.issues.submit(plainReport(project))).toMatchObject({ kind: 'stored' })
  const count = async (server: PostgresServer) => query(server, 'SELECT count(*)::int AS count FROM issues')
  expect([await count(one), await count(other)]).toEqual([[{ count: 1 }], [{ count: 0 }]])

  await one.restartAsReplica()
  await expect(storage.issues.submit(plainReport(project))).rejects.toThrow('No database host')
  await expect(storage.probe()).rejects.toThrow('No database host')
  await query(other, 'SELECT pg_promote()')
  expect(await storage.issues.submit(plainReport(project))).toMatchObject({ kind: 'stored' })
  expect(await count(other)).toEqual([{ count: 1 }])
  await storage.close()
})

it('a node on a replica leaves no connections behind, and stops on request', async () => {
  const server = startBugle(['serve'], {
    BUGLE_DATABASE_URL: other.url,
    BUGLE_PORT: '0',
    BUGLE_LOG_LEVEL: 'silent',
  })
  const exit = once(server, 'exit')
  onTestFinished(() => void server.kill('SIGKILL'))
  let printed = ''
  server.stdout.on('data', (chunk) => (printed += chunk))
  // It prints its address, then how to sign in: by then it has read the database.
  await expect.poll(() => printed).toMatch(/\n.+\n/)
  await other.restartAsReplica()
  await sleep(RETRIES_MS)
  const listeners = "application_name = 'bugle' AND query LIKE 'LISTEN%'"
  const [left] = await query(other, `SELECT count(*)::int AS count FROM pg_stat_activity WHERE ${listeners}`)
  server.kill('SIGTERM')
  // A shutdown that takes too long ends with another code.
  const [code] = await exit
  expect({ left, code }).toEqual({ left: { count: expect.toSatisfy((count) => count <= 1) }, code: 0 })
})
