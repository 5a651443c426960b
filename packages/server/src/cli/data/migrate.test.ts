import { readdirSync, readFileSync, statfsSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { fixtureOf, keptVersions } from '../../../test-support/schemas/upgrade.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { SCHEMA_VERSION } from '../../storage/sqlite/migrations/migrate.ts'

const EARLIER = Math.max(...keptVersions('sqlite'))

/** A database of the previous schema version. */
function setUp() {
  const folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  {
    using db = new DatabaseSync(path, { defensive: false })
    db.exec(`PRAGMA journal_mode = WAL; BEGIN; ${fixtureOf('sqlite', EARLIER)} COMMIT;`)
  }
  return {
    folder: folder.path,
    path,
    copy: `${path}.before-migration`,
    bugle: (line: string) => runBugle(line.split(' '), { BUGLE_DATABASE_URL: `sqlite:${path}` }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

function versionOf(path: string): number {
  using db = new DatabaseSync(path, { readOnly: true })
  return (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
}

describe('a database of an earlier release', () => {
  it('is not migrated by a command that only uses it', async () => {
    using place = setUp()
    const file = join(place.folder, 'export.ndjson')
    writeFileSync(file, '')
    for (const line of ['project list', 'export -', 'demo', `import ${file}`, 'doctor --rebuild-search']) {
      const { code, stdout, stderr } = await place.bugle(line)
      expect([line, code, stdout]).toEqual([line, 1, ''])
      expect(stderr).toContain(
        `The database has schema version ${EARLIER}, but this release of Bugle needs ${SCHEMA_VERSION}. Run "bugle migrate", or start the server, which migrates it too.\n`,
      )
    }
    expect(versionOf(place.path)).toBe(EARLIER)
  })

  it('is migrated after a copy was made, which replaces the earlier one', async () => {
    using place = setUp()
    writeFileSync(place.copy, 'an earlier copy')
    const { code, stdout } = await place.bugle('migrate')
    expect([code, stdout]).toEqual([
      0,
      `Migrated the schema from version ${EARLIER} to ${SCHEMA_VERSION}. The database as it was before is in ${place.copy}; delete it when you no longer need it.\n`,
    ])
    expect([versionOf(place.path), versionOf(place.copy)]).toEqual([SCHEMA_VERSION, EARLIER])
    expect(statSync(place.copy).mode & 0o777).toBe(0o600)
    expect((await place.bugle('project list')).code).toBe(0)
    expect(readdirSync(place.folder).sort()).toEqual(['bugle.db', 'bugle.db.before-migration'])
  })

  it('is not migrated while another process has it open', async () => {
    using place = setUp()
    {
      using other = new DatabaseSync(place.path, { readOnly: true })
      other.prepare('SELECT count(*) FROM projects').get()
      const { code, stderr } = await place.bugle('migrate')
      expect(code).toBe(1)
      expect(stderr).toContain('but another process has it open')
      expect([
        versionOf(place.path),
        readdirSync(place.folder).includes('bugle.db.before-migration'),
      ]).toEqual([EARLIER, false])
    }
    expect((await place.bugle('migrate')).code).toBe(0)
  })

  it('is not migrated if the copy might not fit on the disk', async () => {
    using place = setUp()
    const { bavail, bsize } = statfsSync(place.folder)
    const before = readFileSync(place.path)
    // A sparse file: it takes no space, and SQLite ignores what follows its pages.
    truncateSync(place.path, Math.ceil((bavail * bsize) / 1.05 / 4_096) * 4_096)
    const { code, stderr } = await place.bugle('migrate')
    expect(code).toBe(1)
    expect(stderr).toMatch(/requires [\d.]+ GiB of free disk space in .*, but only [\d.]+ GiB is free/)
    truncateSync(place.path, before.length)
    expect(readFileSync(place.path).equals(before)).toBe(true)
    expect(readdirSync(place.folder).filter((name) => name.includes('migration'))).toEqual([])
  })
})
