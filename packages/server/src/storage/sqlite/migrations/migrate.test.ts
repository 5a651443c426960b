import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { dumpSchema } from '../../../../test-support/schemas/dump-sqlite.ts'
import {
  expectInService,
  expectKept,
  expectPositionsGoOn,
  expectReportsKnown,
  fixtureOf,
  keptVersions,
  type Tables,
} from '../../../../test-support/schemas/upgrade.ts'
import { temporaryFolder } from '../../../../test-support/temporary-folder.ts'
import { oldestUserOf } from '../../maintenance/schema-versions.ts'
import type { MigrationStep } from '../../storage.ts'
import { numberOf, projectSeqOf } from '../driver/row-keys.ts'
import { inspectSqlite } from '../maintenance/inspect.ts'
import { openMigratedSqlite, openSqliteStorage } from '../sqlite-storage.ts'
import { migrate, SCHEMA_VERSION, schemaVersion } from './migrate.ts'
import { MIGRATIONS } from './migrations.ts'

it('there is a fixture of every earlier version', () => {
  const earlier = Array.from({ length: SCHEMA_VERSION - 1 }, (_, index) => index + 1)
  expect(keptVersions('sqlite')).toEqual(earlier)
})

it.each(keptVersions('sqlite'))('version %i is migrated with all its data', async (version) => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  const before = createFixture(path, version)
  const storage = await openMigratedSqlite(path)
  expect(storage.migration).toMatchObject({ from: version, to: SCHEMA_VERSION })
  using now = new DatabaseSync(path, { readOnly: true })
  expectKept(before, readTables(now))
  await expectReportsKnown(storage, `sqlite-${version}`)
  await expectInService(storage)
  await storage.close()
  await using inspection = inspectSqlite(path)
  expect(await inspection.listDamage()).toEqual([])
  expect((await inspection.audit()).faults).toEqual([])
})

it('a new database has the schema that the migrations lead to', () => {
  using created = new DatabaseSync(':memory:')
  migrate(created)
  using migrated = new DatabaseSync(':memory:')
  for (const { sql } of MIGRATIONS) migrated.exec(sql)
  migrated.exec(`UPDATE catalog SET oldest_schema = ${oldestUserOf(MIGRATIONS)}`)
  expect(dumpSchema(created)).toEqual(dumpSchema(migrated))
  expect(schemaVersion(created)).toBe(SCHEMA_VERSION)
})

it('each step is announced, but not those of a new database', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  createFixture(path, 12)
  const steps: MigrationStep[] = []
  const open = async (file: string) =>
    (await openMigratedSqlite(file, (step) => void steps.push(step))).close()
  await open(path)
  const count = SCHEMA_VERSION - 12
  expect(steps).toEqual(
    Array.from({ length: count }, (_, index) => ({
      ...{ step: index + 1, steps: count, toVersion: 13 + index },
    })),
  )
  await open(path)
  await open(join(folder.path, 'new.db'))
  expect(steps).toHaveLength(count)
})

it('a server announces the steps that its writer thread takes', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  createFixture(path, 13)
  const steps: number[] = []
  const onMigrationStep = ({ toVersion }: MigrationStep) => void steps.push(toVersion)
  const onCrash = (error: Error) => {
    throw error
  }
  const storage = await openSqliteStorage({ path, onCrash, onMigrationStep })
  expect(storage.migration).toEqual({ from: 13, to: SCHEMA_VERSION, copy: `${path}.before-migration` })
  await storage.close()
  expect(steps).toEqual(Array.from({ length: SCHEMA_VERSION - 13 }, (_, index) => 14 + index))
})

it.each(keptVersions('sqlite'))('readers continue from every position of version %i', async (version) => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  const events = createFixture(path, version).get('events') ?? []
  const openBefore = events.filter(({ lane }) => lane === 0).map(({ row }) => numberOf(Number(row)))
  const storage = await openMigratedSqlite(path)
  await expectPositionsGoOn(storage, openBefore)
  await storage.close()
})

/** Writes a database of an earlier version, and returns its rows. */
function createFixture(path: string, version: number): Tables {
  using db = new DatabaseSync(path, { defensive: false })
  db.exec(`BEGIN; ${fixtureOf('sqlite', version)} COMMIT;`)
  return readTables(db)
}

function readTables(db: DatabaseSync): Tables {
  const tables = db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'search%'",
    )
    .all()
  return new Map(
    tables.map(({ name }) => [
      String(name),
      db
        .prepare(`SELECT * FROM ${name}`)
        .all()
        .map((row) => asNow(String(name), row)),
    ]),
  )
}

/** A row as this release stores it: migrations have renamed columns, and split the keys of webhooks. */
function asNow(table: string, row: Record<string, unknown>): Record<string, unknown> {
  const { project_seq: project, webhook_row: webhookRow, ...kept } = row
  if (project !== undefined) return { ...kept, project }
  if (webhookRow !== undefined) return { ...kept, ...splitKey(webhookRow, 'webhook') }
  if (table !== 'webhooks' || row['row'] === undefined) return row
  const { row: key, ...webhook } = row
  return { ...webhook, ...splitKey(key, 'number') }
}

function splitKey(key: unknown, name: string): Record<string, number> {
  return { project: projectSeqOf(Number(key)), [name]: numberOf(Number(key)) }
}
