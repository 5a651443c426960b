import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { declare, sha256Of } from '../../../../test-support/attachment-stage.ts'
import { startApp, type TestApp, type TestProject } from '../../../../test-support/start-app.ts'

let api: TestApp
let project: TestProject

beforeAll(async () => {
  api = await startApp()
  project = await api.addProject()
})
afterAll(() => api[Symbol.asyncDispose]())

const create = (key: string, body: object, place = project) =>
  api.send('POST', `/v1/projects/${place.slug}/issues`, {
    key,
    body: { submissionId: randomUUID(), title: 'The printer is broken', ...body },
  })

const upload = (key: string, submissionId: string, bytes: string, sha256 = sha256Of(bytes)) =>
  api.send('PUT', `/v1/projects/${project.slug}/submissions/${submissionId}/attachments/${sha256}`, {
    key,
    body: bytes,
  })

describe('an issue of the team', () => {
  it('is reported by the person who creates it', async () => {
    const { token, user } = await api.addToken({ role: 'triager', projects: [project] })
    const { status, body, headers } = await create(token, { category: 'crash', priority: 'high' })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`/v1/issues/${body.id}`)
    const { body: issue } = await api.send('GET', `/v1/issues/${body.id}`, { key: project.secretKey })
    expect(issue).toMatchObject({
      title: 'The printer is broken',
      category: 'crash',
      priority: 'high',
      reporter: { id: user.id, name: user.name, email: user.email },
      reporterCount: 1,
    })
    const { body: history } = await api.send('GET', `/v1/issues/${body.id}/events`, {
      key: project.secretKey,
    })
    expect(history.data[0]).toMatchObject({ type: 'issue.created', actor: { kind: 'user', id: user.id } })
  })

  it('is stored once for each submission id', async () => {
    const { token } = await api.addToken({ projects: [project] })
    const submissionId = randomUUID()
    const first = await create(token, { submissionId })
    const again = await create(token, { submissionId })
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const other = await create(token, { submissionId, title: 'Something else' })
    expect(other).toMatchObject({ status: 409, body: { code: 'submission-conflict' } })
  })

  it('can be hidden from the person who creates it', async () => {
    const { token } = await api.addToken({ role: 'triager', projects: [project] })
    const { status, body } = await create(token, { category: 'security' })
    expect(status).toBe(201)
    expect((await api.send('GET', `/v1/issues/${body.id}`, { key: token })).status).toBe(404)
  })

  it('can have files, which are uploaded by the team', async () => {
    const { token } = await api.addToken({ role: 'triager', projects: [project] })
    const submissionId = randomUUID()
    const { body } = await create(token, { submissionId, attachments: [declare('ink', 'ink.txt')] })
    const received = await upload(token, submissionId, 'ink')
    expect(received.status).toBe(201)
    expect((await upload(token, submissionId, 'ink')).status).toBe(200)
    expect((await upload(token, submissionId, 'not declared')).status).toBe(404)
    expect((await upload(token, submissionId, 'inc', sha256Of('ink'))).body.code).toBe('digest-mismatch')
    expect((await upload(project.publicKey, submissionId, 'ink')).status).toBe(403)
    const files = await api.send('GET', `/v1/issues/${body.id}/attachments`, { key: token })
    expect(files.body.data).toMatchObject([{ name: 'ink.txt', state: 'received' }])
  })

  it.each([
    [{ title: '' }, 422],
    [{ submissionId: 'with spaces' }, 422],
    [{ reporter: { id: 'someone else' } }, 422],
    [{ attachments: [declare('x'.repeat(10), '')] }, 422],
  ])('is refused with %j', async (body, status) => {
    expect((await create(project.secretKey, body)).status).toBe(status)
  })
})
