import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../server/test-support/temporary-folder.ts'
import { runLocked } from './lock-file.ts'

test('only one task runs, and the lock is released afterwards in any case', async () => {
  using folder = temporaryFolder()
  const lock = join(folder.path, 'lock')
  expect(await runLocked(lock, async () => {})).toBe(true)
  await expect(runLocked(lock, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(existsSync(lock)).toBe(false)
})

test('the lock of a running process is respected', async () => {
  using folder = temporaryFolder()
  const lock = join(folder.path, 'lock')
  writeFileSync(lock, String(process.ppid))
  let ran = false
  expect(
    await runLocked(lock, async () => {
      ran = true
    }),
  ).toBe(false)
  expect(ran).toBe(false)
})

test('the lock of a dead process is taken over', async () => {
  using folder = temporaryFolder()
  const lock = join(folder.path, 'lock')
  const { pid } = spawnSync(process.execPath, ['--eval', ''])
  writeFileSync(lock, String(pid))
  expect(await runLocked(lock, async () => {})).toBe(true)
})
