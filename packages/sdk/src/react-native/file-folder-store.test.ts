import { expect, test } from 'vitest'
import { createFileFolderStore, type FileFolder } from './file-folder-store.ts'

const ENTRY = { sha256: 'a', size: 3, publicKey: 'bgl_pub_…', isReady: false }

function memoryFolder() {
  const files = new Map<string, Uint8Array>()
  const folder: FileFolder = {
    list: async () => [...files.keys()],
    async read(name) {
      const bytes = files.get(name)
      if (!bytes) throw new Error('no such file')
      return bytes
    },
    write: async (name, bytes) => void files.set(name, bytes),
    remove: async (name) => void files.delete(name),
  }
  return { files, folder }
}

test('files survive the app, in the order of their reports, and separately for each server', async () => {
  const { files, folder } = memoryFolder()
  const first = createFileFolderStore(folder, 'https://bugs.example.com/a')
  for (const submissionId of ['2', '1'])
    await first._put({ ...ENTRY, submissionId, id: `${submissionId}.a` }, new Uint8Array([1, 2, 3]))
  expect([...files.keys()].every((name) => /^[\w.-]+$/.test(name))).toBe(true)
  const second = createFileFolderStore(folder, 'https://bugs.example.com/a')
  await second._put({ ...ENTRY, submissionId: '1', id: '1.a', isReady: true })
  expect(await second._list()).toEqual([
    { ...ENTRY, submissionId: '1', id: '1.a', isReady: true },
    { ...ENTRY, submissionId: '2', id: '2.a' },
  ])
  expect([...((await second._read('1.a')) ?? [])]).toEqual([1, 2, 3])
  expect(await createFileFolderStore(folder, 'https://other.example')._list()).toEqual([])
  await second._remove('1.a')
  expect(await second._read('1.a')).toBeUndefined()
  expect(files.size).toBe(2)
})

test('what an interrupted start has left is removed', async () => {
  const { files, folder } = memoryFolder()
  const first = createFileFolderStore(folder, 's')
  for (const id of ['1.a', '2.a', '3.a'])
    await first._put({ ...ENTRY, submissionId: id, id }, new Uint8Array([1]))
  files.delete('s.1.a.json')
  files.set('s.2.a.json', new Uint8Array([123]))
  files.set('photo.bytes', new Uint8Array([1]))
  const second = createFileFolderStore(folder, 's')
  for (let time = 0; time < 2; time++) expect((await second._list()).map(({ id }) => id)).toEqual(['3.a'])
  expect([...files.keys()].sort()).toEqual(['photo.bytes', 's.3.a.bytes', 's.3.a.json'])
})
