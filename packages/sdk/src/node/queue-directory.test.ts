import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../../server/test-support/temporary-folder.ts'
import { createQueueDirectory } from './queue-directory.ts'

const SCOPE = 'bugle-https%3A%2F%2Fbugs.example'
const OURS = `bugle-${process.getuid?.()}`

let folder: ReturnType<typeof temporaryFolder>
let temporary: string
beforeEach(() => {
  folder = temporaryFolder()
  temporary = join(folder.path, 'tmp')
  mkdirSync(temporary)
  vi.stubEnv('TMPDIR', temporary)
  // A user without a home folder, as is usual for services: the temporary folder is used.
  vi.stubEnv('XDG_STATE_HOME', '/dev/null/state')
})
afterEach(() => {
  vi.unstubAllEnvs()
  folder[Symbol.dispose]()
})

test('the state folder, or a temporary one, is created for the user only', () => {
  const created = createQueueDirectory(SCOPE, undefined)
  expect(created).toBe(join(temporary, OURS, SCOPE))
  expect([created, join(created, '..')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700])
  vi.stubEnv('XDG_STATE_HOME', join(folder.path, 'state'))
  expect(createQueueDirectory(SCOPE, undefined)).toBe(join(folder.path, 'state/bugle', SCOPE))
})

test('a folder given by the app is used, even if it is a link of the app', () => {
  symlinkSync(temporary, join(folder.path, 'data'))
  expect(createQueueDirectory(SCOPE, join(folder.path, 'data'))).toBe(join(folder.path, 'data', SCOPE))
})

test.each<[what: string, prepare: () => void]>([
  ['a link', () => symlinkSync(join(folder.path, 'trap'), join(temporary, OURS))],
  [
    'a folder with a link in it',
    () => {
      mkdirSync(join(temporary, OURS), { mode: 0o700 })
      symlinkSync(join(folder.path, 'trap'), join(temporary, OURS, SCOPE))
    },
  ],
  [
    'a folder that others can write to',
    () => {
      mkdirSync(join(temporary, OURS))
      chmodSync(join(temporary, OURS), 0o777)
    },
  ],
])('%s that already exists is refused, and nothing is written to its target', (_, prepare) => {
  const trap = join(folder.path, 'trap')
  mkdirSync(trap)
  prepare()
  expect(() => createQueueDirectory(SCOPE, undefined)).toThrow('no folder can be written to')
  expect(readdirSync(trap)).toEqual([])
})

test.runIf(process.getuid?.() === 0)('a folder of another user is refused at every level', async () => {
  const { chownSync } = await import('node:fs')
  mkdirSync(join(temporary, OURS), { mode: 0o700 })
  chownSync(join(temporary, OURS), 65_534, 65_534)
  expect(() => createQueueDirectory(SCOPE, undefined)).toThrow('no folder can be written to')
  chownSync(join(temporary, OURS), 0, 0)
  mkdirSync(join(temporary, OURS, SCOPE), { mode: 0o700 })
  chownSync(join(temporary, OURS, SCOPE), 65_534, 65_534)
  expect(() => createQueueDirectory(SCOPE, undefined)).toThrow('no folder can be written to')
})
