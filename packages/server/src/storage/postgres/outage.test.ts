import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../../../test-support/start-app.ts'
import { type PostgresServer, startPostgres } from '../../../test-support/start-postgres.ts'

/** A server of its own, because it is stopped on the way. */
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

it('answers 503 while the database is away, and goes on by itself when it is back', async () => {
  expect((await submit('before')).status).toBe(201)
  await server.kill()

  const refused = await submit('meanwhile')
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await api.send('GET', '/readyz')).status).toBe(503)
  expect((await api.send('GET', '/healthz')).status).toBe(200)

  await server.restart()
  await expect.poll(async () => (await api.send('GET', '/readyz')).status, { timeout: 5_000 }).toBe(200)
  expect((await submit('before')).headers.get('idempotency-replayed')).toBe('true')
  expect((await submit('after')).body.issueNumber).toBe(2)
})

it('loses nothing that was acknowledged when it is stopped under load', async () => {
  const own = await api.addProject()
  const acknowledged = new Set<string>()
  let isOver = false
  const load = Array.from({ length: 20 }, async (_, worker) => {
    for (let number = 0; !isOver; number++) {
      const title = `${worker}-${number}`
      const body = { title, submissionId: title }
      const { status } = await api.send('POST', '/v1/issues', { key: own.publicKey, body })
      if (status === 201) acknowledged.add(title)
      else await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  await pause(500)
  await server.kill()
  await pause(300)
  await server.restart()
  await pause(500)
  isOver = true
  await Promise.all(load)

  const stored = new Map<string, number>()
  for (let cursor = ''; ; ) {
    const query = `?pageSize=100&sort=oldest${cursor && `&cursor=${cursor}`}`
    const { body } = await api.send('GET', `/v1/issues${query}`, { key: own.secretKey })
    for (const issue of body.data) stored.set(issue.title, issue.issueNumber)
    if (body.pagination.nextCursor === null) break
    cursor = body.pagination.nextCursor
  }
  expect([...acknowledged].filter((title) => !stored.has(title))).toEqual([])
  expect([...stored.values()]).toEqual(Array.from(stored, (_, index) => index + 1))
  expect(acknowledged.size).toBeGreaterThan(50)
})
