import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../../server/test-support/temporary-folder.ts'
import { describeStore } from '../../test-support/store-suite.ts'
import { createDirectoryStore } from './directory-store.ts'

const folders: Disposable[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) folder[Symbol.dispose]()
})

function makeFolder(): string {
  const folder = temporaryFolder()
  folders.push(folder)
  return folder.path
}

describeStore('a folder', () => {
  const path = makeFolder()
  return { first: createDirectoryStore(path), second: createDirectoryStore(path) }
})

test('a file gets its name only when it is complete, and only the user can read it', async () => {
  const path = makeFolder()
  writeFileSync(join(path, 'half.123.tmp'), '{"tit')
  const store = createDirectoryStore(path)
  await store._put('whole', 'text')
  expect([...(await store._readAll()).keys()]).toEqual(['whole'])
  expect(statSync(join(path, 'whole.json')).mode & 0o777).toBe(0o600)
})

test('a report is a file when the call returns', () => {
  const path = makeFolder()
  void createDirectoryStore(path)._put('late', 'text')
  expect(readdirSync(path)).toEqual(['late.json'])
  expect(readFileSync(join(path, 'late.json'), 'utf8')).toBe('text')
})

test('a link in place of a file is not followed', async () => {
  const path = makeFolder()
  const other = join(makeFolder(), 'precious')
  writeFileSync(other, 'mine')
  const store = createDirectoryStore(path)
  symlinkSync(other, join(path, 'linked.json'))
  symlinkSync(other, join(path, `draft.${process.pid}.tmp`))
  expect([...(await store._readAll())]).toEqual([])
  expect(() => store._readNow('linked')).toThrow()
  expect(() => store._putNow('draft', 'overwritten')).toThrow()
  store._putNow('linked', 'ours')
  expect(readFileSync(other, 'utf8')).toBe('mine')
  expect(store._readNow('linked')).toBe('ours')
})
