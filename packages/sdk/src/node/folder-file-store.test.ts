import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../server/test-support/temporary-folder.ts'
import { createFolderFileStore } from './folder-file-store.ts'

test('files survive the process, in the order of their reports', async () => {
  using folder = temporaryFolder()
  const first = createFolderFileStore(folder.path)
  const entry = { sha256: 'a', size: 3, publicKey: 'bgl_pub_test', isReady: false }
  for (const submissionId of ['2', '1']) {
    await first._put({ ...entry, submissionId, id: `${submissionId}.a` }, new Uint8Array([1, 2, 3]))
  }
  const second = createFolderFileStore(folder.path)
  await second._put({ ...entry, submissionId: '1', id: '1.a', isReady: true })
  expect((await second._list()).map(({ id, isReady }) => [id, isReady])).toEqual([
    ['1.a', true],
    ['2.a', false],
  ])
  expect([...((await second._read('1.a')) ?? [])]).toEqual([1, 2, 3])
  await second._remove('1.a')
  expect(await first._read('1.a')).toBeUndefined()
  expect(await first._list()).toHaveLength(1)
})
