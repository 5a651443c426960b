import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../../../test-support/start-app.ts'
import { type PostgresServer, startPostgres } from '../../../test-support/start-postgres.ts'

/** A separate server, because it is stopped during the test. */
let server: PostgresServer
let api: TestApp
let project: TestProject

beforeAll(async () => {
  server = await startPostgres()
  api = await startApp({ databaseUrl: server.url })
  project = await api.addProject()
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await server.stop()
})

const submit = (title: string) =>
  api.send('POST', '/v1/issues', { key: project.publicKey, body: { title, submissionId: title } })

it('responds with 503 while the database is unavailable, and recovers by itself', async () => {
  expect((await submit('before')).status).toBe(201)
  await server.kill()

  const refused = await submit('meanwhile')
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  // Its result may be a second old.
  await expect.poll(async () => (await api.send('GET', '/readyz')).status).toBe(503)
  expect((await api.send('GET', '/healthz')).status).toBe(200)

  await server.restart()
  await expect.poll(async () => (await api.send('GET', '/readyz')).status).toBe(200)
  expect((await submit('before')).headers.get('idempotency-replayed')).toBe('true')
  expect((await submit('after')).body.issueNumber).toBe(2)
})
