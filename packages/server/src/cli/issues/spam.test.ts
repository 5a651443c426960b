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
  for (const title of ['Buy now', 'Blank']) await app.send('POST', '/v1/issues', { key, body: { title } })
  const bugle = (...args: string[]) =>
    runBugle(['issues', ...args], { BUGLE_URL: app.url, BUGLE_KEY: secretKey })
  const titles = async (...args: string[]) =>
    (JSON.parse((await bugle('list', '--json', ...args)).stdout) as { title: string }[]).map(
      ({ title }) => title,
    )
  return { bugle, titles }
}

test('an issue is marked as spam, listed as such and shown again', async () => {
  const { bugle, titles } = await setUp()
  expect(await bugle('spam', '1', '--block-sender')).toMatchObject({
    code: 0,
    stdout: '#1 is marked as spam, and will be deleted in 30 days.\n',
  })
  expect(await titles()).toEqual(['Blank'])
  expect(await titles('--spam')).toEqual(['Buy now'])
  expect(await bugle('not-spam', '1')).toMatchObject({ code: 0, stdout: '#1 is not marked as spam.\n' })
  expect(await titles()).toEqual(['Blank', 'Buy now'])
})

test('issues are marked together', async () => {
  const { bugle, titles } = await setUp()
  expect(await bugle('bulk', '--mark-spam', '--count', '2')).toMatchObject({
    code: 0,
    stdout: 'Changed 2 of 2 issues.\n',
  })
  expect(await titles()).toEqual([])
  expect(await bugle('bulk', '--spam', '--not-spam', '--count', '2')).toMatchObject({ code: 0 })
  expect(await titles('--spam')).toEqual([])
  for (const args of [
    ['--mark-spam', '--delete'],
    ['--not-spam', '--set-status', 'closed'],
  ])
    expect(await bugle('bulk', ...args)).toMatchObject({ code: 2 })
})
