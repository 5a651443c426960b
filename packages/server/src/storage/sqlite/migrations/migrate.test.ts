import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import {
  expectInService,
  expectKept,
  expectPositionsGoOn,
  fixtureOf,
  keptVersions,
  type Tables,
} from '../../../../test-support/schemas/upgrade.ts'
import { temporaryFolder } from '../../../../test-support/temporary-folder.ts'
import { numberOf, projectSeqOf } from '../driver/row-keys.ts'
import { inspectSqlite } from '../maintenance/inspect.ts'
import { openSqliteInline } from '../sqlite-storage.ts'
import { SCHEMA_VERSION } from './migrate.ts'

it('a database of every earlier version is kept to try it with', () => {
  const earlier = Array.from({ length: SCHEMA_VERSION - 1 }, (_, index) => index + 1)
  expect(keptVersions('sqlite')).toEqual(earlier)
})

it.each(keptVersions('sqlite'))('version %i is brought up to date with everything in it', async (version) => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  const before = createFixture(path, version)
  const storage = openSqliteInline(path)
  expect(storage.migration).toEqual({ from: version, to: SCHEMA_VERSION })
  using now = new DatabaseSync(path, { readOnly: true })
  expectKept(before, readTables(now))
  await expectInService(storage)
  await storage.close()
  await using inspection = inspectSqlite(path)
  expect(await inspection.listDamage()).toEqual([])
  expect((await inspection.audit()).faults).toEqual([])
})

it.each(keptVersions('sqlite'))(
  'readers go on from every position that version %i gave them',
  async (version) => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'bugle.db')
    const events = createFixture(path, version).get('events') ?? []
    const openBefore = events.filter(({ lane }) => lane === 0).map(({ row }) => numberOf(Number(row)))
    const storage = openSqliteInline(path)
    await expectPositionsGoOn(storage, openBefore)
    await storage.close()
  },
)

/** Writes a database of an earlier version, and returns what is in it. */
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
