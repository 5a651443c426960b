import { describe, expect, it } from 'vitest'
import { currentVersion, markNewer, markOlder } from '../../test-support/newer-schema.ts'
import { startApp, type TestApp } from '../../test-support/start-app.ts'
import { temporaryPostgresDatabase, temporarySqliteDatabase } from '../../test-support/temporary-database.ts'
import { withClient } from '../../test-support/with-client.ts'

const WHY =
  'The database has schema version 999, from a newer release of Bugle that is incompatible with this one. Run that release or a newer one.'

describe.each([
  ['SQLite', temporarySqliteDatabase],
  ['PostgreSQL', temporaryPostgresDatabase],
])('on %s', (_, createDatabase) => {
  it('a server whose database a newer release has migrated refuses every request and says why', async () => {
    await using database = await createDatabase()
    await using api = await startApp({ databaseUrl: database.url })
    const { publicKey, secretKey } = await api.addProject()
    const submit = () => api.send('POST', '/v1/issues', { key: publicKey, body: { title: 'Blank' } })
    expect((await submit()).status).toBe(201)
    await markNewer(database.url)
    await expect.poll(async () => (await readiness(api)).body.detail).toBe(WHY)
    expect(await readiness(api)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    const refused = await submit()
    expect([refused.status, refused.body.detail]).toEqual([503, WHY])
    expect((await api.send('GET', '/v1/issues', { key: secretKey })).status).toBe(503)
    // It is alive: restarting it would not help.
    expect((await api.send('GET', '/healthz')).status).toBe(200)
  })

  it('writes nothing from the moment of the migration, even before the server has noticed it', async () => {
    await using database = await createDatabase()
    await using api = await startApp({ databaseUrl: database.url, intervals: { nodeBeat: 3_600_000 } })
    const { publicKey, secretKey } = await api.addProject()
    const submit = () => api.send('POST', '/v1/issues', { key: publicKey, body: { title: 'Blank' } })
    const list = async () => (await api.send('GET', '/v1/issues', { key: secretKey })).body.data
    const { id } = (await submit()).body
    // Its rows are known by now, so that the next one is stored by a single statement.
    for (let stored = 1; stored < 4; stored++) expect((await submit()).status).toBe(201)
    const before = await list()
    await markNewer(database.url)
    const attempts = [
      ...[await submit(), await submit()],
      await api.send('PATCH', `/v1/issues/${id}`, { key: secretKey, body: { status: 'resolved' } }),
      await api.send('POST', `/v1/issues/${id}/comments`, {
        key: secretKey,
        body: { commentId: 'late', text: 'Late' },
      }),
    ]
    expect(attempts.map(({ status }) => status)).toEqual([503, 503, 503, 503])
    expect(await list()).toEqual(before)
  })

  it.each([
    ['of an earlier version', 1, 'An earlier database was restored while the server was running'],
    ['missing', undefined, 'The database has no Bugle schema.'],
  ])('a server is not ready while the schema is %s, and then goes on', async (_, age, why) => {
    await using database = await createDatabase()
    await using api = await startApp({ databaseUrl: database.url })
    const { publicKey } = await api.addProject()
    const submit = () => api.send('POST', '/v1/issues', { key: publicKey, body: { title: 'Blank' } })
    await markOlder(database.url, age ?? currentVersion(database.url))
    await expect.poll(async () => (await readiness(api)).body.detail).toContain(why)
    expect((await submit()).status).toBe(503)
    await markOlder(database.url, 0)
    await expect.poll(async () => (await readiness(api)).status).toBe(200)
    expect((await submit()).status).toBe(201)
  })

  it('ends live streams, so that their readers go to another server', async () => {
    await using database = await createDatabase()
    await using api = await startApp({ databaseUrl: database.url })
    const { secretKey } = await api.addProject()
    const headers = { authorization: `Bearer ${secretKey}`, accept: 'text/event-stream' }
    const stream = await fetch(`${api.url}/v1/events`, { headers })
    expect(stream.status).toBe(200)
    await markNewer(database.url)
    expect(await stream.text()).not.toContain('event:')
  })

  it('a server goes on if the newer release allows it, and can be started', async () => {
    await using database = await createDatabase()
    await using api = await startApp({ databaseUrl: database.url })
    const { publicKey: key } = await api.addProject()
    await markNewer(database.url, 1)
    const submit = (to: TestApp) => to.send('POST', '/v1/issues', { key, body: { title: 'Blank' } })
    await using next = await startApp({ databaseUrl: database.url })
    for (const node of [api, next, api, next]) {
      await node.app.storage.beat()
      expect([(await readiness(node)).status, (await submit(node)).status]).toEqual([200, 201])
    }
  })
})

it('a server whose tables are dropped and restored is not ready meanwhile', async () => {
  await using database = await temporaryPostgresDatabase()
  await using api = await startApp({ databaseUrl: database.url })
  const { publicKey } = await api.addProject()
  await withClient(database.url, (client) => client.query('ALTER SCHEMA public RENAME TO away'))
  await expect
    .poll(async () => (await readiness(api)).body.detail)
    .toContain('The database has no Bugle schema.')
  await withClient(database.url, (client) => client.query('ALTER SCHEMA away RENAME TO public'))
  await expect.poll(async () => (await readiness(api)).status).toBe(200)
  const { status } = await api.send('POST', '/v1/issues', { key: publicKey, body: { title: 'Blank' } })
  expect(status).toBe(201)
})

function readiness(api: TestApp) {
  return api.send('GET', '/readyz')
}
