import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { fixtureOf, keptVersions } from '../../../test-support/schemas/upgrade.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'

it.each(keptVersions('sqlite'))(
  'a backup with schema version %i is checked and restored',
  async (version) => {
    using folder = temporaryFolder()
    const backup = join(folder.path, 'old.db')
    {
      using db = new DatabaseSync(backup, { defensive: false })
      db.exec(`BEGIN; ${fixtureOf('sqlite', version)} COMMIT;`)
    }
    const settings = { BUGLE_DATABASE_URL: `sqlite:${join(folder.path, 'bugle.db')}` }
    const checked = await runBugle(['backup', backup, '--check'], settings)
    expect([checked.code, checked.stderr]).toEqual([0, ''])
    expect(checked.stdout).toContain(`8 issues`)
    expect(checked.stdout).toContain(`(schema version ${version})`)
    expect(readdirSync(folder.path)).toEqual(['old.db'])
    const restored = await runBugle(['restore', backup], settings)
    expect([restored.code, restored.stderr]).toEqual([0, ''])
    expect((await runBugle(['migrate'], settings)).code).toBe(0)
    const listed = await runBugle(['project', 'list', '--json'], settings)
    expect([listed.code, JSON.parse(listed.stdout)]).toMatchObject([0, [{ slug: 'weather' }]])
  },
)

it('the backup of a database of an earlier release leaves it as it is', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  const version = Math.min(...keptVersions('sqlite'))
  {
    using db = new DatabaseSync(path, { defensive: false })
    db.exec(`BEGIN; ${fixtureOf('sqlite', version)} COMMIT;`)
  }
  const before = readFileSync(path)
  const copy = join(folder.path, 'copy.db')
  const { code, stdout } = await runBugle(['backup', copy], { BUGLE_DATABASE_URL: `sqlite:${path}` })
  expect([code, stdout]).toEqual([0, expect.stringContaining(`(schema version ${version})`)])
  expect(readFileSync(path).equals(before)).toBe(true)
})
