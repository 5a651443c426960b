import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startApp, type TestProject } from '../packages/server/test-support/start-app.ts'
import { startReceiver } from '../packages/server/test-support/start-receiver.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'

test('an event at the position of a lost one has another webhook-id', async () => {
  using folder = temporaryFolder()
  const [database, copy] = [join(folder.path, 'bugle.db'), join(folder.path, 'copy.db')]
  const environment = { BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1' }
  const start = () => startApp({ databaseUrl: `sqlite:${database}`, environment })
  await using receiver = await startReceiver()
  const told = () => receiver.received.map(({ headers, text }) => [headers['webhook-id'], JSON.parse(text)])

  let project: TestProject
  {
    await using before = await start()
    project = await before.addProject()
    const body = { url: receiver.url }
    await before.send('POST', '/v1/webhooks', { key: project.secretKey, body })
  }
  copyFileSync(database, copy)

  const report = async (title: string) => {
    await using app = await start()
    const seen = receiver.received.length
    await app.send('POST', '/v1/issues', { key: project.publicKey, body: { title } })
    await expect.poll(() => receiver.received.length).toBeGreaterThan(seen)
  }
  await report('lost')
  // Later commits are lost, as after a failover to a replica that was behind.
  copyFileSync(copy, database)
  await report('kept')

  const [[lostId, lost] = [], [keptId, kept] = []] = told()
  expect([lost.data.issue.title, kept.data.issue.title]).toEqual(['lost', 'kept'])
  expect(lost.data.position).toBe(kept.data.position)
  expect(keptId).not.toBe(lostId)
})
