import { expect, it } from 'vitest'
import { markNewer } from '../../test-support/newer-schema.ts'
import { startApp, type TestApp } from '../../test-support/start-app.ts'
import { temporaryDatabase } from '../../test-support/temporary-database.ts'

const WHY =
  'The database has schema version 999, from a newer release of Bugle that is incompatible with this one. Run that release or a newer one.'

it('a server whose database a newer release has migrated refuses every request and says why', async () => {
  await using database = await temporaryDatabase()
  await using api = await startApp({ databaseUrl: database.url })
  const { publicKey, secretKey } = await api.addProject()
  const submit = () => api.send('POST', '/v1/issues', { key: publicKey, body: { title: 'Blank' } })
  expect((await submit()).status).toBe(201)
  await markNewer(database.url)
  await expect.poll(async () => (await readiness(api)).status).toBe(503)
  expect((await readiness(api)).body).toMatchObject({ code: 'unavailable', detail: WHY })
  const refused = await submit()
  expect([refused.status, refused.body.detail]).toEqual([503, WHY])
  expect((await api.send('GET', '/v1/issues', { key: secretKey })).status).toBe(503)
  // It is alive: restarting it would not help.
  expect((await api.send('GET', '/healthz')).status).toBe(200)
})

it('ends live streams, so that their readers go to another server', async () => {
  await using database = await temporaryDatabase()
  await using api = await startApp({ databaseUrl: database.url })
  const { secretKey } = await api.addProject()
  const headers = { authorization: `Bearer ${secretKey}`, accept: 'text/event-stream' }
  const stream = await fetch(`${api.url}/v1/events`, { headers })
  expect(stream.status).toBe(200)
  await markNewer(database.url)
  expect(await stream.text()).not.toContain('event:')
})

it('a server goes on if the newer release allows it, and can be started', async () => {
  await using database = await temporaryDatabase()
  await using api = await startApp({ databaseUrl: database.url })
  const { publicKey: key } = await api.addProject()
  await markNewer(database.url, 1)
  const submit = (to: TestApp) => to.send('POST', '/v1/issues', { key, body: { title: 'Blank' } })
  await using next = await startApp({ databaseUrl: database.url })
  for (const node of [api, next]) {
    await node.app.storage.beat()
    expect([(await readiness(node)).status, (await submit(node)).status]).toEqual([200, 201])
  }
})

function readiness(api: TestApp) {
  return api.send('GET', '/readyz')
}
