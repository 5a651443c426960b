import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { declare, sha256Of } from '../../../test-support/attachment-stage.ts'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { startApp, type TestApp } from '../../../test-support/start-app.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** An issue with a file that was received under a hostile name, and one that was not. */
async function setUp() {
  const { publicKey: key, secretKey } = await app.addProject()
  const submissionId = randomUUID()
  const attachments = [declare('the log', '../../\u202egpj.exe\n'), declare('never sent', 'b.txt')]
  await app.send('POST', '/v1/issues', { key, body: { title: 'Files', submissionId, attachments } })
  const path = `/v1/submissions/${submissionId}/attachments/${sha256Of('the log')}`
  const { body } = await app.send('PUT', path, { key, body: 'the log' })
  const settings = { BUGLE_URL: app.url, BUGLE_KEY: secretKey }
  return { id: body.id, bugle: (...args: string[]) => runBugle(['issues', ...args], settings) }
}

test('lists files with their state, size and name', async () => {
  const { id, bugle } = await setUp()
  const { code, stdout } = await bugle('attachments', '1')
  expect(code).toBe(0)
  expect(stdout).toMatch(new RegExp(`^${id} +1 +received +7 bytes +gpj\\.exe$`, 'm'))
  expect(stdout).toMatch(/not received yet +10 bytes +b\.txt$/m)
})

test('saves what was received, in the chosen folder only, and overwrites nothing', async () => {
  using folder = temporaryFolder()
  const { id, bugle } = await setUp()
  const to = join(folder.path, 'files')
  const { code, stdout } = await bugle('download', '1', '--to', to)
  expect([code, stdout.trim()]).toEqual([0, join(to, '1-gpj.exe')])
  expect(readFileSync(join(to, '1-gpj.exe'), 'utf8')).toBe('the log')
  expect(readdirSync(folder.path)).toEqual(['files'])
  writeFileSync(join(to, '1-gpj.exe'), 'mine')
  const again = await bugle('download', '1', '--to', to, '--file', id)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('already exists')])
  expect(readFileSync(join(to, '1-gpj.exe'), 'utf8')).toBe('mine')
})

test('a file that the issue does not have is an error', async () => {
  const { bugle } = await setUp()
  const { code, stderr } = await bugle('download', '1', '--file', 'att_other')
  expect([code, stderr]).toEqual([1, expect.stringContaining('has no file att_other')])
})
