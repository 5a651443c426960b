import { expect, it } from 'vitest'
import {
  expectInService,
  expectKept,
  expectPositionsGoOn,
  expectReportsKnown,
  fixtureOf,
  keptVersions,
  type Tables,
} from '../../../../test-support/schemas/upgrade.ts'
import { emptyPostgresDatabase } from '../../../../test-support/temporary-database.ts'
import { withClient } from '../../../../test-support/with-client.ts'
import { inspectPostgres } from '../maintenance/inspect.ts'
import { openPostgresForCommand, openPostgresStorage } from '../postgres-storage.ts'
import { SCHEMA_VERSION } from './migrate.ts'

it('a database without our tables is not changed by a command that must not create them', async () => {
  await using database = await emptyPostgresDatabase()
  await expect(openPostgresForCommand(database.url, 'use')).rejects.toThrow('There is no Bugle database.')
  expect(await readTables(database.url)).toEqual(new Map())
  await (await openPostgresStorage(database.url)).close()
  await (await openPostgresForCommand(database.url, 'use')).close()
})

it('there is a fixture of every earlier version', () => {
  const earlier = Array.from({ length: SCHEMA_VERSION - 1 }, (_, index) => index + 1)
  expect(keptVersions('postgres')).toEqual(earlier)
})

it.each(keptVersions('postgres'))('version %i is migrated with all its data', async (version) => {
  await using database = await emptyPostgresDatabase()
  await withClient(database.url, (client) => client.query(fixtureOf('postgres', version)))
  const before = await readTables(database.url)

  const storage = await openPostgresStorage(database.url)
  expect(storage.migration).toEqual({ from: version, to: SCHEMA_VERSION })
  expectKept(before, await readTables(database.url))
  await expectReportsKnown(storage, `postgres-${version}`)
  await expectInService(storage)
  await storage.close()
  await using inspection = await inspectPostgres(database.url)
  expect(await inspection.listDamage()).toEqual([])
  expect((await inspection.audit()).faults).toEqual([])
})

it('each step is announced, but not those of a new database', async () => {
  await using database = await emptyPostgresDatabase()
  await withClient(database.url, (client) => client.query(fixtureOf('postgres', 14)))
  const versions: number[] = []
  const open = (url: string) =>
    openPostgresForCommand(url, 'migrate', ({ toVersion }) => void versions.push(toVersion))
  await (await open(database.url)).close()
  expect(versions).toEqual(Array.from({ length: SCHEMA_VERSION - 14 }, (_, index) => 15 + index))
  await using empty = await emptyPostgresDatabase()
  for (const { url } of [database, empty]) await (await open(url)).close()
  expect(versions).toHaveLength(SCHEMA_VERSION - 14)
})

it.each(keptVersions('postgres'))('readers continue from every position of version %i', async (version) => {
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
})

it('vacuums every table that grows before a fifth of it is dead', async () => {
  await using database = await emptyPostgresDatabase()
  await (await openPostgresStorage(database.url)).close()
  const rows = await withClient(database.url, (client) =>
    client.query<{ name: string; options: string[] | null }>(
      `SELECT relname AS name, reloptions AS options FROM pg_class
       WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    ),
  )
  const settled = rows.rows.filter(({ options }) =>
    options?.some((option) => option.startsWith('autovacuum_vacuum_scale_factor')),
  )
  expect(settled.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'projects',
      'counters',
      'seen_values',
      'issues',
      'events',
      'search',
      'deliveries',
    ]),
  )
})

function readTables(url: string): Promise<Tables> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      // The index is rebuilt if necessary; the recount checks it.
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('schema_version', 'search')",
    )
    const tables = new Map<string, readonly Record<string, unknown>[]>()
    for (const { name } of rows) tables.set(name, (await client.query(`SELECT * FROM ${name}`)).rows)
    return tables
  })
}
