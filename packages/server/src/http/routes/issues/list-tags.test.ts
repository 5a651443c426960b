import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../../../../test-support/start-app.ts'

let api: TestApp
let project: TestProject
let team: string

beforeAll(async () => {
  api = await startApp()
  project = await api.addProject()
  team = await api.addKey({ project, scopes: ['issues:read'] })
})
afterAll(() => api[Symbol.asyncDispose]())

const list = (key: string | undefined, headers = {}, query = 'pageSize=100') =>
  api.send('GET', `/v1/issues?projectId=${project.slug}&${query}`, { ...(key && { key }), headers })

async function tagOf(key?: string, query?: string): Promise<string> {
  const { headers, status } = await list(key, {}, query)
  expect(status).toBe(200)
  return headers.get('etag') ?? ''
}

async function submit(body: object): Promise<string> {
  const answer = await api.send('POST', '/v1/issues', { key: project.publicKey, body })
  return answer.body.id
}

function change(id: string, body: object) {
  return api.send('PATCH', `/v1/issues/${id}`, { key: project.secretKey, body })
}

describe('the tag of a list', () => {
  it('gives a 304 until something in the list changes', async () => {
    const id = await submit({ title: 'Kept', fingerprint: 'kept' })
    const steps: readonly (() => Promise<unknown>)[] = [
      () => submit({ title: 'Another' }),
      () => submit({ title: 'Kept', fingerprint: 'kept' }),
      () => change(id, { status: 'resolved' }),
      () => change(id, { title: 'Other' }),
      () => change(id, { priority: 'low' }),
      () => change(id, { category: 'security' }),
      () => change(id, { category: 'bug' }),
      () => submit({ title: 'Kept', fingerprint: 'kept' }),
      () => api.send('DELETE', `/v1/issues/${id}`, { key: project.secretKey }),
    ]
    for (const step of steps) {
      const tags = await Promise.all([team, project.secretKey].map((key) => tagOf(key)))
      expect(new Set(tags).size).toBe(2)
      for (const [index, key] of [team, project.secretKey].entries()) {
        const known = await list(key, { 'if-none-match': tags[index] })
        expect(known).toMatchObject({ status: 304, body: undefined })
        expect(known.headers.get('etag')).toBe(tags[index])
      }
      await step()
      for (const [index, key] of [team, project.secretKey].entries())
        expect((await list(key, { 'if-none-match': tags[index] })).status, String(step)).toBe(200)
    }
  })

  it('differs for other queries, and for callers who see other issues', async () => {
    const tags = [
      await tagOf(team),
      await tagOf(team, 'pageSize=50'),
      await tagOf(team, 'pageSize=100&page=2'),
      await tagOf(team, 'pageSize=100&sort=oldest'),
      await tagOf(team, 'pageSize=100&status=open'),
      await tagOf(team, 'pageSize=100&q=kept'),
      await tagOf(project.secretKey),
    ]
    expect(new Set(tags).size).toBe(tags.length)
  })

  it('does not change with the security lane, for callers who do not see it', async () => {
    const before = await tagOf(team)
    const full = await tagOf(project.secretKey)
    const id = await submit({ title: 'Hidden', category: 'security', fingerprint: 'hidden' })
    await submit({ title: 'Hidden', category: 'security', fingerprint: 'hidden' })
    await change(id, { priority: 'critical' })
    await change(id, { status: 'resolved' })
    await api.send('DELETE', `/v1/issues/${id}`, { key: project.secretKey })
    expect(await tagOf(team)).toBe(before)
    expect(await tagOf(project.secretKey)).not.toBe(full)
  })
})
