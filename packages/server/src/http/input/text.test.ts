import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../../../test-support/start-app.ts'

const LONE_SURROGATE = '\ud800'
const REPLACEMENT = '\ufffd'

let api: TestApp
let project: TestProject
let issueId: string

beforeAll(async () => {
  api = await startApp()
  project = await api.addProject({ isPublic: true })
  const { body } = await api.send('POST', '/v1/issues', { key: project.publicKey, body: { title: 'Report' } })
  issueId = body.id
})
afterAll(() => api[Symbol.asyncDispose]())

describe('NUL in a query is refused, with the name of the parameter', () => {
  it.each([
    ['branch', '?branch=%00'],
    ['branch', '?branch=main,a%00b'],
    ['appVersion', '?appVersion=1.0%00'],
    ['platform', '?platform=%00'],
    ['projectId', '?projectId=%00'],
  ])('%s', async (parameter, query) => {
    for (const key of [project.secretKey, undefined]) {
      const search = query.includes('projectId') ? query : `${query}&projectId=${project.slug}`
      const answer = await api.send('GET', `/v1/issues${search}`, key === undefined ? {} : { key })
      expect(answer.status).toBe(400)
      expect(answer.body.errors).toContainEqual(expect.objectContaining({ parameter, code: 'nul' }))
    }
  })

  it('except for a cursor, which has its own error', async () => {
    const answer = await api.send('GET', '/v1/issues?cursor=%00', { key: project.secretKey })
    expect(answer.body.code).toBe('invalid-cursor')
  })

  it('except for a search, which accepts any text', async () => {
    const answer = await api.send('GET', '/v1/issues?q=report%00', { key: project.secretKey })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toHaveLength(1)
  })
})

describe('NUL in a body is refused, with its location', () => {
  it.each([
    ['POST', '/v1/webhooks', { url: 'https://example.com/\0' }, '#/url'],
    ['PATCH', '/v1/issues/ID', { fixedIn: { appVersion: '1\0' } }, '#/fixedIn/appVersion'],
    ['PATCH', '/v1/issues/ID', { note: 'a\0b' }, '#/note'],
    ['POST', '/session', { email: 'ada\0@example.com', password: 'correct horse' }, '#/email'],
  ])('%s %s %j', async (method, path, body, pointer) => {
    const answer = await api.send(method, path.replace('ID', issueId), {
      ...(path.startsWith('/v1') && { key: project.secretKey }),
      body,
    })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toEqual([expect.objectContaining({ pointer, code: 'nul' })])
  })

  it('together with every other fault', async () => {
    const body = { url: `\0${'x'.repeat(3_000)}`, name: '\0', eventTypes: ['\0'] }
    const { body: problem } = await api.send('POST', '/v1/webhooks', { key: project.secretKey, body })
    const faults = problem.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)
    expect(faults.toSorted()).toEqual([
      '#/eventTypes/0 choice',
      '#/eventTypes/0 nul',
      '#/name nul',
      '#/url nul',
      '#/url too-long',
    ])
  })
})

describe('an unpaired surrogate becomes U+FFFD', () => {
  it('in the version of a fix', async () => {
    const body = {
      status: 'resolved',
      fixedIn: { appVersion: `2.0${LONE_SURROGATE}`, buildNumber: LONE_SURROGATE },
    }
    const answer = await api.send('PATCH', `/v1/issues/${issueId}`, { key: project.secretKey, body })
    expect(answer.status).toBe(200)
    expect(answer.body.fixedIn).toEqual({ appVersion: `2.0${REPLACEMENT}`, buildNumber: REPLACEMENT })
  })

  it("in a webhook's url", async () => {
    const body = { url: `https://example.com/${LONE_SURROGATE}` }
    const answer = await api.send('POST', '/v1/webhooks', { key: project.secretKey, body })
    expect(answer.status).toBe(201)
    expect(answer.body.url).toBe(`https://example.com/${REPLACEMENT}`)
  })

  it('in metadata names, the last of which counts', async () => {
    const title = 'Names'
    const text = `{"title":"${title}","metadata":{"a\\ud800":1,"a\\udfff":"\\udc00"}}`
    const { body: created } = await api.send('POST', '/v1/issues', { key: project.secretKey, body: text })
    const { body: issue } = await api.send('GET', `/v1/issues/${created.id}`, { key: project.secretKey })
    expect(issue.metadata).toEqual({ [`a${REPLACEMENT}`]: REPLACEMENT })
  })

  it('but a pair stays as it is', async () => {
    const text = '{"title":"\\ud83d\\ude00"}'
    const { body: created } = await api.send('POST', '/v1/issues', { key: project.secretKey, body: text })
    expect(created.title).toBe('\u{1f600}')
  })
})
