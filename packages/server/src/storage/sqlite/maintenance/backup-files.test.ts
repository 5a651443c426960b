import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test-support/temporary-folder.ts'
import type { FileName, FileStore } from '../../files/file-store.ts'
import { createFolderStore, folderOf } from '../../files/folder-store.ts'
import { openFrozen, openWriter } from '../driver/connection.ts'
import { migrate } from '../migrations/migrate.ts'
import { copySqlite } from './backup.ts'
import { checkPackedFiles, packFiles } from './backup-files.ts'

/** More than are read in one step. */
const FILES = 501

it('packs thousands of files without a journal on the disk for each, and finds all of them', async () => {
  using folder = temporaryFolder()
  const [database, copy] = [join(folder.path, 'bugle.db'), join(folder.path, 'copy.db')]
  const store = createFolderStore(folderOf(database), async () => {})
  {
    using db = openWriter(database)
    migrate(db)
    const add = db.prepare(
      'INSERT INTO files (project, digest, object, size, stored_at, is_suspect) VALUES (1, ?, ?, ?, 0, 0)',
    )
    for (let number = 0; number < FILES; number++) {
      const bytes = Buffer.from(`file ${number}`)
      const digest = createHash('sha256').update(bytes).digest()
      const name: FileName = `1/${number.toString(16).padStart(32, '0')}`
      await store.put({ name, size: bytes.length, sha256: digest.toString('hex') }, only(bytes))
      add.run(digest, name, bytes.length)
    }
  }
  await copySqlite(database, copy, () => {})
  const journals: boolean[] = []
  const watched: FileStore = {
    ...store,
    async *read(...place) {
      for await (const bytes of store.read(...place)) {
        yield bytes
        journals.push(existsSync(`${copy}-journal`))
      }
    },
  }
  const shown: number[] = []
  await packFiles(copy, { database, store: watched }, (done) => shown.push(done))
  expect(journals).toEqual(new Array(FILES).fill(false))
  expect(shown).toEqual(Array.from({ length: FILES + 1 }, (_, index) => index))
  using packed: DatabaseSync = openFrozen(copy)
  expect(checkPackedFiles(packed, () => {})).toEqual({
    count: FILES,
    faults: [],
    lostFiles: [],
    lostCount: 0,
  })
})

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
