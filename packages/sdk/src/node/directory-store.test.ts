import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
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

test('a file has its name only when it is complete, and is for the user alone', async () => {
  const path = makeFolder()
  writeFileSync(join(path, 'half.123.tmp'), '{"tit')
  const store = createDirectoryStore(path)
  await store.put('whole', 'text')
  expect([...(await store.readAll()).keys()]).toEqual(['whole'])
  expect(statSync(join(path, 'whole.json')).mode & 0o777).toBe(0o600)
})

test('what is still being written when the process ends is written then', () => {
  const path = makeFolder()
  const store = createDirectoryStore(path)
  void store.put('late', 'text').catch(() => {})
  store.finishNow()
  expect(readdirSync(path)).toContain('late.json')
  expect(readFileSync(join(path, 'late.json'), 'utf8')).toBe('text')
})
