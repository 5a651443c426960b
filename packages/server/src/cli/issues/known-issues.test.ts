import { expect, test } from 'vitest'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { startApp } from '../../../test-support/start-app.ts'

test('an issue is published, shown with its title and unpublished', async () => {
  await using app = await startApp()
  const { publicKey: key, secretKey } = await app.addProject()
  await app.send('POST', '/v1/issues', { key, body: { title: 'Blank' } })
  const bugle = (...args: string[]) =>
    runBugle(['issues', ...args], { BUGLE_URL: app.url, BUGLE_KEY: secretKey })
  const known = async () => JSON.parse((await bugle('show', '1', '--json')).stdout).issue.known
  expect(await bugle('publish', '1', 'The screen is blank', '--text', 'Wait.')).toMatchObject({
    code: 0,
    stdout: '#1 is published as a known issue.\n',
  })
  expect(await known()).toEqual({ title: 'The screen is blank', text: 'Wait.' })
  await bugle('publish', '1', 'It is blank')
  expect(await known()).toEqual({ title: 'It is blank', text: 'Wait.' })
  expect((await bugle('show', '1')).stdout).toMatch(/known issue +It is blank/)
  expect(await bugle('publish', '1', ' ')).toMatchObject({ code: 2 })
  expect(await bugle('unpublish', '1')).toMatchObject({ code: 0, stdout: '#1 is no longer published.\n' })
  expect(await known()).toBeNull()
})
