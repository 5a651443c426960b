import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRandom } from '../../packages/server/src/demo/random.ts'
import { startApp, type TestApp } from '../../packages/server/test-support/start-app.ts'
import { type PostgresServer, startPostgres } from '../../packages/server/test-support/start-postgres.ts'
import { setClockBack } from './clock.ts'
import { addDatabase, query } from './databases.ts'
import { IS_LONG, PATIENT, rounds, SEED } from './effort.ts'
import { expectIntact } from './expect-intact.ts'
import { note } from './figures.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { type DatabaseProxy, startProxy } from './proxy.ts'
import { settleAll, startSending } from './send.ts'

/** Longer than a connection may be silent. */
const LONG_STALL_MS = 20_000

const random = createRandom(SEED)
let postgres: PostgresServer
let databaseUrl: string
let proxy: DatabaseProxy
let api: TestApp
let key: string
let ledger: Ledger

beforeAll(async () => {
  postgres = await startPostgres()
  databaseUrl = await addDatabase(postgres)
  proxy = await startProxy(databaseUrl)
  api = await startApp({ databaseUrl: proxy.url })
  key = (await api.addProject()).secretKey
  ledger = createLedger(random)
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
  await postgres.stop()
})

interface Outage {
  readonly what: string
  /** Whether reports have to be refused in the meantime. */
  readonly isTotal: boolean
  begin(): Promise<void>
  end(): Promise<void>
}

const OUTAGES: readonly Outage[] = [
  {
    what: 'killed, and started again',
    isTotal: true,
    begin: () => postgres.kill(),
    end: () => postgres.restart(),
  },
  {
    what: 'shut down, and started again',
    isTotal: true,
    begin: () => postgres.shutDown(),
    end: () => postgres.restart(),
  },
  {
    what: 'unreachable',
    isTotal: true,
    begin: async () => proxy.refuse(true),
    end: async () => proxy.refuse(false),
  },
  {
    what: 'cut off in the middle of responses',
    isTotal: false,
    async begin() {
      for (let cut = 0; cut < 10; cut++) {
        await sleep(random.integer(10, 60))
        proxy.cut()
      }
    },
    end: async () => {},
  },
  {
    what: 'slow',
    isTotal: false,
    begin: async () => proxy.delay(20),
    end: async () => proxy.delay(0),
  },
  {
    what: 'silent for a while',
    isTotal: IS_LONG,
    async begin() {
      proxy.delay(IS_LONG ? LONG_STALL_MS : 700)
      await sleep(IS_LONG ? LONG_STALL_MS : 0)
    },
    end: async () => proxy.delay(0),
  },
  {
    what: 'out of connections',
    isTotal: true,
    begin: () => limitConnections(0),
    end: () => limitConnections(-1),
  },
]

describe('a database that is', () => {
  test.each(OUTAGES)(
    '$what loses nothing that was acknowledged',
    PATIENT,
    async ({ what, isTotal, begin, end }) => {
      const count = rounds({ short: 1, long: what.startsWith('silent') ? 2 : 5 })
      const before = ledger.receipts.size
      for (let round = 1; round <= count; round++) {
        await using sending = startSending({ url: api.url, key, ledger })
        await sending.reaches(20)
        await begin()
        await sleep(random.integer(100, 400))
        // Its result may be a second old.
        if (isTotal) await expect.poll(async () => (await api.send('GET', '/readyz')).status).toBe(503)
        await end()
        await expect.poll(async () => (await api.send('GET', '/readyz')).status).toBe(200)
        await sending.stop()
      }
      await settleAll({ url: api.url, key, ledger })
      const findings = await expectIntact(databaseUrl, ledger)
      expect(findings.acknowledged).toBe(ledger.sent.size)
      note({
        fault: `PostgreSQL: ${what}`,
        rounds: count,
        ...findings,
        acknowledged: findings.acknowledged - before,
      })
    },
  )
})

test('PostgreSQL: a clock that is set back an hour changes no order and loses nothing', PATIENT, async () => {
  await setClockBack('PostgreSQL', await addDatabase(postgres))
})

test('PostgreSQL: a database that a newer release has migrated is refused', async () => {
  const url = await addDatabase(postgres)
  const app = await startApp({ databaseUrl: url })
  await app[Symbol.asyncDispose]()
  await query(url, 'UPDATE schema_version SET version = 99; UPDATE catalog SET oldest_schema = 99')
  await expect(startApp({ databaseUrl: url })).rejects.toThrow('The database has schema version 99')
})

/** Sets how many connections its owner may have, and closes the current ones. */
async function limitConnections(count: number): Promise<void> {
  const { username } = new URL(databaseUrl)
  await query(postgres.url, `ALTER ROLE ${username} CONNECTION LIMIT ${count}`)
  await query(
    postgres.url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${username}'`,
  )
}
