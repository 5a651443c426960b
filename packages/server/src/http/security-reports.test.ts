import { beforeAll, describe, expect, it } from 'vitest'
import { setIssueStage } from '../../test-support/issue-stage.ts'
import { BLIND_SCOPES } from '../../test-support/start-app.ts'

const stage = setIssueStage()
let blindKey: string

beforeAll(async () => {
  blindKey = await stage.api.addKey({ project: stage.project, scopes: BLIND_SCOPES })
})

const submit = async (body: object) =>
  stage.api.send('POST', '/v1/issues', {
    key: stage.project.publicKey,
    body: { title: 'Token leaks', ...body },
  })
const get = (path: string, key = blindKey) => stage.api.send('GET', path, { key })
const change = (id: string, body: object, key = blindKey) =>
  stage.api.send('PATCH', `/v1/issues/${id}`, { key, body })
const figures = async (key = blindKey) => {
  const {
    intake: _,
    generatedAt: __,
    ...rest
  } = (await get(`/v1/projects/${stage.project.slug}/stats`, key)).body
  return rest
}

describe('a security report', () => {
  it('gets the usual response, also when it is repeated, but its submitter cannot see it', async () => {
    const report = { category: 'security', submissionId: 'once' }
    const first = await submit(report)
    const again = await submit(report)
    expect(first.status).toBe(201)
    expect(Object.keys(first.body)).toEqual(['id', 'issueNumber', 'title', 'status', 'createdAt'])
    expect([again.status, again.body]).toEqual([201, first.body])
    expect((await get(first.headers.get('location') ?? '')).status).toBe(404)
    expect((await get(`/v1/issues/${first.body.id}`, stage.project.publicKey)).status).toBe(403)
    expect((await get(`/v1/issues/${first.body.id}`, stage.project.secretKey)).body.category).toBe('security')
  })

  it('is never joined by a public report, which becomes a separate issue', async () => {
    const hidden = await submit({ category: 'security', fingerprint: 'same' })
    const open = await submit({ category: 'bug', fingerprint: 'same' })
    const joined = await submit({ category: 'crash', fingerprint: 'same' })
    expect([open.status, joined.status, joined.body.id]).toEqual([201, 200, open.body.id])
    expect((await get(`/v1/issues/${open.body.id}`, stage.project.secretKey)).body.reportCount).toBe(2)
    expect((await get(`/v1/issues/${hidden.body.id}`, stage.project.secretKey)).body.reportCount).toBe(1)
  })

  it('is not found by any search, whether indexed or not', async () => {
    const word = async (key?: string) => (await get('/v1/issues?q=aardvark', key)).body
    const { body } = await submit({ category: 'security', description: 'An aardvark' })
    expect((await word()).pagination.totalCount).toBe(0)
    expect((await word(stage.project.secretKey)).data[0].id).toBe(body.id)
    await change(body.id, { category: 'bug' }, stage.project.secretKey)
    expect((await word()).data.map(({ id }: { id: string }) => id)).toEqual([body.id])
    await change(body.id, { category: 'security' }, stage.project.secretKey)
    expect(await word()).toMatchObject({ data: [], pagination: { totalCount: 0, hasMore: false } })
  })

  it('loses its fingerprint when it enters the lane if another issue there has it', async () => {
    await submit({ category: 'security', fingerprint: 'taken' })
    for (const [fingerprint, kept] of [
      ['taken', null],
      ['free', 'free'],
    ] as const) {
      const { id } = (await submit({ fingerprint })).body
      // A caller who can no longer see the issue does not learn which one it collided with.
      expect((await change(id, { category: 'security' })).body.fingerprint).toBeNull()
      expect((await get(`/v1/issues/${id}`, stage.project.secretKey)).body.fingerprint).toBe(kept)
    }
    const before = (await submit({ fingerprint: 'taken' })).body
    expect(await submit({ fingerprint: 'taken' })).toMatchObject({ status: 200, body: { id: before.id } })
  })

  it('is shown once to the caller whose change hides it, and then not found', async () => {
    const { id } = (await submit({ category: 'bug' })).body
    const moved = await change(id, { category: 'security', note: 'Look at this' })
    expect([moved.status, moved.body.category, moved.body.version]).toEqual([200, 'security', 2])
    const answers = [
      await get(`/v1/issues/${id}`),
      await change(id, { category: 'bug' }),
      await change(id, { category: 'security' }),
      await get(`/v1/issues/${id}/events`),
      await get(`/v1/issues/${id}/reports`),
      await stage.api.send('DELETE', `/v1/issues/${id}`, { key: blindKey }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
    expect((await get(`/v1/issues/${id}`, stage.project.secretKey)).body.version).toBe(2)
  })

  it('that is moved back is visible again with its history; counters, search and lists follow', async () => {
    const empty = await figures()
    const all = await figures(stage.project.secretKey)
    const { id } = (await submit({ title: 'Pangolin', fingerprint: 'back', platform: 'ios' })).body
    await submit({ fingerprint: 'back' })
    await change(id, { status: 'resolved' })
    const visible = await figures()
    const issues = async () => (await get('/v1/issues?q=pangolin&status=resolved')).body

    await change(id, { category: 'security' })
    expect(await figures()).toEqual(empty)
    expect((await issues()).pagination.totalCount).toBe(0)
    expect((await figures(stage.project.secretKey)).totals.issues).toBe(all.totals.issues + 1)

    await change(id, { category: 'bug' }, stage.project.secretKey)
    expect(await figures()).toEqual(visible)
    expect((await issues()).data.map((issue: { id: string }) => issue.id)).toEqual([id])
    const { body: issue } = await get(`/v1/issues/${id}`)
    expect(issue).toMatchObject({ version: 4, fingerprint: 'back', reportCount: 2, status: 'resolved' })
    const { data: events } = (await get(`/v1/issues/${id}/events`)).body
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'issue.created',
      'issue.status_changed',
      'issue.updated',
      'issue.updated',
    ])
    expect((await get(`/v1/issues/${id}/reports`)).body.data).toHaveLength(2)
  })

  describe('leaves no trace', () => {
    it('in the response to another report with its fingerprint', async () => {
      const { id } = (await submit({ category: 'security', fingerprint: 'guessed' })).body
      await change(id, { status: 'resolved' }, stage.project.secretKey)
      const { status, body } = await submit({ category: 'security', fingerprint: 'guessed' })
      expect([status, body.status]).toEqual([201, 'open'])
    })

    // The third side channel: submission ids are unique in the whole project, so a guessed id gets 409 (docs/decisions/security-reports.md).
    it('except that its submission id is taken', async () => {
      await submit({ category: 'security', submissionId: 'guessed' })
      const { status, body } = await submit({ title: 'Another', submissionId: 'guessed' })
      expect([status, body.code]).toEqual([409, 'submission-conflict'])
    })
  })
})
