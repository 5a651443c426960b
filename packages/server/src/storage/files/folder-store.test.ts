import { randomBytes } from 'node:crypto'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { describeFileStore } from '../suites/file-store.contract.ts'
import { type FileName, FileStoreUnavailable } from './file-store.ts'
import { createFolderStore } from './folder-store.ts'

describeFileStore('folder', async () => {
  const folder = temporaryFolder()
  return {
    store: createFolderStore(join(folder.path, 'files')),
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  }
})

test('removes files of interrupted uploads once they are old enough', async () => {
  using folder = temporaryFolder()
  const store = createFolderStore(folder.path)
  await mkdir(join(folder.path, 'unfinished'))
  for (const name of ['old', 'new']) await writeFile(join(folder.path, 'unfinished', name), 'x')
  const now = Date.now()
  await utimes(join(folder.path, 'unfinished', 'old'), now / 1_000 - 7_200, now / 1_000 - 7_200)
  expect(await store.removeUnfinished(now - 3_600_000)).toBe(1)
  expect(await readdir(join(folder.path, 'unfinished'))).toEqual(['new'])
})

test.skipIf(process.platform === 'win32')(
  'makes every folder above a file durable, even if another process created it',
  async () => {
    using place = temporaryFolder()
    const folder = join(place.path, 'files')
    for (const project of ['1', '1', '2']) {
      const synced: string[] = []
      const store = createFolderStore(folder, async (path) => void synced.push(path))
      const name = `${project}/${randomBytes(16).toString('hex')}` as FileName
      await store.put({ name, size: 0, sha256: '' }, nothing())
      expect(synced).toEqual([join(folder, project), folder, place.path])
    }
  },
)

test('an unusable folder is not reported as an error of the client', async () => {
  using folder = temporaryFolder()
  await writeFile(join(folder.path, 'files'), 'a file is in the way')
  const store = createFolderStore(join(folder.path, 'files'))
  const name = `1/${randomBytes(16).toString('hex')}` as const
  await expect(store.put({ name, size: 0, sha256: '' }, nothing())).rejects.toThrow(FileStoreUnavailable)
})

async function* nothing(): AsyncGenerator<Uint8Array> {}
