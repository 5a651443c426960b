import pg from 'pg'
import { expect, it } from 'vitest'
import {
  expectInService,
  expectKept,
  expectPositionsGoOn,
  fixtureOf,
  keptVersions,
  type Tables,
} from '../../../../test-support/schemas/upgrade.ts'
import { emptyPostgresDatabase } from '../../../../test-support/temporary-database.ts'
import { inspectPostgres } from '../maintenance/inspect.ts'
import { openExistingPostgres, openPostgresStorage } from '../postgres-storage.ts'
import { SCHEMA_VERSION } from './migrate.ts'

it('a database without our tables stays as it is, for a command that must not create them', async () => {
  await using database = await emptyPostgresDatabase()
  await expect(openExistingPostgres(database.url)).rejects.toThrow('There is no Bugle database.')
  expect(await readTables(database.url)).toEqual(new Map())
  await (await openPostgresStorage(database.url)).close()
  await (await openExistingPostgres(database.url)).close()
})

it('a database of every earlier version is kept to try it with', () => {
  const earlier = Array.from({ length: SCHEMA_VERSION - 1 }, (_, index) => index + 1)
  expect(keptVersions('postgres')).toEqual(earlier)
})

it.each(keptVersions('postgres'))(
  'version %i is brought up to date with everything in it',
  async (version) => {
    await using database = await emptyPostgresDatabase()
    await withClient(database.url, (client) => client.query(fixtureOf('postgres', version)))
    const before = await readTables(database.url)

    const storage = await openPostgresStorage(database.url)
    expect(storage.migration).toEqual({ from: version, to: SCHEMA_VERSION })
    expectKept(before, await readTables(database.url))
    await expectInService(storage)
    await storage.close()
    await using inspection = await inspectPostgres(database.url)
    expect(await inspection.listDamage()).toEqual([])
    expect((await inspection.audit()).faults).toEqual([])
  },
)

it.each(keptVersions('postgres'))(
  'readers go on from every position that version %i gave them',
  async (version) => {
    await using database = await emptyPostgresDatabase()
    await withClient(database.url, (client) => client.query(fixtureOf('postgres', version)))
    const events = (await readTables(database.url)).get('events') ?? []
    const openBefore = events.filter(({ lane }) => lane === 0).map(({ position }) => Number(position))
    const storage = await openPostgresStorage(database.url)
    await expectPositionsGoOn(
      storage,
      openBefore.sort((one, other) => one - other),
    )
    await storage.close()
  },
)

function readTables(url: string): Promise<Tables> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      // The index is made anew where need be; the recount looks after it.
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('schema_version', 'search')",
    )
    const tables = new Map<string, readonly Record<string, unknown>[]>()
    for (const { name } of rows) tables.set(name, (await client.query(`SELECT * FROM ${name}`)).rows)
    return tables
  })
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return work(client).finally(() => client.end())
}
