import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { spawnBugle } from '../../packages/server/test-support/run-bugle.ts'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'
import { settingsFor } from '../support/start-server.ts'

test('a database that a newer release has migrated is refused, and not changed', async () => {
  using folder = temporaryFolder()
  const database = join(folder.path, 'bugle.db')
  expect((await spawnBugle(['migrate'], settingsFor(database))).code).toBe(0)
  {
    using db = new DatabaseSync(database)
    db.exec('PRAGMA user_version = 99; UPDATE catalog SET oldest_schema = 99')
  }
  const before = digestOf(database)
  for (const command of ['serve', 'project list']) {
    const refused = await spawnBugle(command.split(' '), settingsFor(database))
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('The database has schema version 99, from a newer release of Bugle')
  }
  expect(digestOf(database)).toBe(before)
})

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
