import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import {
  expectInService,
  expectKept,
  fixtureOf,
  keptVersions,
  type Tables,
} from '../../../test-support/schemas/upgrade.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { inspectSqlite } from './inspect.ts'
import { SCHEMA_VERSION } from './migrate.ts'
import { openSqliteInline } from './sqlite-storage.ts'

it('a database of every earlier version is kept to try it with', () => {
  const earlier = Array.from({ length: SCHEMA_VERSION - 1 }, (_, index) => index + 1)
  expect(keptVersions('sqlite')).toEqual(earlier)
})

it.each(keptVersions('sqlite'))('version %i is brought up to date with everything in it', async (version) => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  using old = new DatabaseSync(path, { defensive: false })
  old.exec(`BEGIN; ${fixtureOf('sqlite', version)} COMMIT;`)
  const before = readTables(old)
  old.close()

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

function readTables(db: DatabaseSync): Tables {
  const tables = db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'search%'",
    )
    .all()
  return new Map(tables.map(({ name }) => [String(name), db.prepare(`SELECT * FROM ${name}`).all()]))
}
