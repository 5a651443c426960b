import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test-support/temporary-folder.ts'
import { createGroupCommit } from './group-commit.ts'
import { hostInline } from './writer-host.ts'

it('a full disk is named', async () => {
  using folder = temporaryFolder()
  const { host, writer } = hostInline(join(folder.path, 'bugle.db'))
  const { page_count: pages } = writer.db.prepare('PRAGMA page_count').get() as { page_count: number }
  // The file cannot grow, as on a full disk; SQLite reports the same error.
  writer.db.exec(`PRAGMA max_page_count = ${pages}`)
  const writes = createGroupCommit(host)
  const files = new Map([['bugle.js', Buffer.alloc(1_000_000)]])
  await expect(writes.run('keepSdkBuild', { id: '0.1.0-0123456789abcdef', files }, 1)).rejects.toThrow(
    'The disk of the database is full.',
  )
  await writes.close()
})
