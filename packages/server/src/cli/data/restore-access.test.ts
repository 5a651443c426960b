import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { startApp } from '../../../test-support/start-app.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'

it('a restore ends all sign-ins and one-time links, and says that other access is as it was then', async () => {
  using folder = temporaryFolder()
  const databaseUrl = `sqlite:${join(folder.path, 'bugle.db')}`
  const bugle = (line: string) => runBugle(line.split(' '), { BUGLE_DATABASE_URL: databaseUrl })
  const copy = join(folder.path, 'copy.db')
  const before = await startApp({ databaseUrl })
  const project = await before.addProject()
  const cookie = await before.addUser({ role: 'admin' })
  const { token } = await before.addToken()
  const created = await bugle('user add --email new@a.example --name New --role viewer --json')
  await before[Symbol.asyncDispose]()
  const [, linkToken] = /#link=(.+)$/.exec(JSON.parse(created.stdout).link) ?? []
  expect((await bugle(`backup ${copy}`)).code).toBe(0)

  const { code, stdout } = await bugle(`restore ${copy} --force`)
  expect(code).toBe(0)
  expect(stdout).toContain(
    'All sign-ins and one-time links have ended. Keys, access tokens, people and their rights are as they were when the backup was made: remove again what has been removed since.',
  )
  await using after = await startApp({ databaseUrl })
  expect((await after.send('GET', '/session', { key: cookie })).status).toBe(401)
  const read = await after.send('POST', '/session/link', { body: { token: linkToken } })
  expect(read.body.code).toBe('link-invalid')
  for (const key of [token, project.secretKey])
    expect((await after.send('GET', `/v1/issues?projectId=${project.slug}`, { key })).status).toBe(200)
})
