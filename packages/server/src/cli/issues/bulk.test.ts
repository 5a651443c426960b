import { afterAll, beforeAll, expect, test } from 'vitest'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { startApp, type TestApp } from '../../../test-support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app[Symbol.asyncDispose]())

async function setUp() {
  const { publicKey: key, secretKey } = await app.addProject()
  for (const platform of ['web', 'ios', 'web'])
    await app.send('POST', '/v1/issues', { key, body: { title: 'Blank', platform } })
  return (...args: string[]) => runBugle(['issues', ...args], { BUGLE_URL: app.url, BUGLE_KEY: secretKey })
}

test('a bulk change is confirmed with the number of issues that match', async () => {
  const bugle = await setUp()
  const wanted = ['bulk', '--platform', 'web', '--set-priority', 'low', '--set-status', 'closed']
  expect(await bugle(...wanted)).toMatchObject({
    code: 0,
    stdout: '2 issues match. Nothing was changed: add --count 2 to confirm.\n',
  })
  const { code, stderr } = await bugle(...wanted, '--count', '3')
  expect([code, stderr]).toEqual([1, expect.stringContaining('Nothing was changed')])
  expect(await bugle(...wanted, '--count', '2')).toMatchObject({
    code: 0,
    stdout: 'Changed 2 of 2 issues.\n',
  })
  const listed = JSON.parse((await bugle('list', '--json')).stdout) as { priority: string; status: string }[]
  expect(listed.map(({ priority, status }) => `${priority} ${status}`)).toEqual([
    'low closed',
    'medium open',
    'low closed',
  ])
})

test('issues are deleted together', async () => {
  const bugle = await setUp()
  expect(await bugle('bulk', '--platform', 'web', '--delete', '--count', '2')).toMatchObject({
    code: 0,
    stdout: 'Deleted 2 issues.\n',
  })
  expect(JSON.parse((await bugle('list', '--json')).stdout)).toMatchObject([{ platform: 'ios' }])
})

test('wrong uses are explained', async () => {
  const bugle = await setUp()
  for (const args of [
    [],
    ['--delete', '--set-status', 'closed'],
    ['--set-status', 'gone'],
    ['--set-priority', 'low', '--count', '0'],
    ['--set-priority', 'low', '--count', '1001'],
  ])
    expect(await bugle('bulk', ...args)).toMatchObject({ code: 2 })
})
