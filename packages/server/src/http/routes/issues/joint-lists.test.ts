import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fewAtATime } from '../../../../test-support/few-at-a-time.ts'
import { startApp, type TestApp, type TestProject } from '../../../../test-support/start-app.ts'
import { makeProject } from '../../../domain/projects/projects.ts'

let api: TestApp
const projects: TestProject[] = []
/** A key for all projects, without the security lane. */
let everywhere: string

beforeAll(async () => {
  api = await startApp()
  everywhere = await api.addKey({ scopes: ['issues:read'] })
  for (let index = 0; index < 3; index++) projects.push(await api.addProject())
  for (const project of projects)
    for (const body of [
      { title: 'Blank screen', category: 'bug', priority: 'low' },
      { title: 'Crash', category: 'crash', priority: 'high' },
      { title: 'Hole', category: 'security', priority: 'critical' },
    ])
      await api.send('POST', '/v1/issues', { key: project.publicKey, body })
})
afterAll(() => api[Symbol.asyncDispose]())

const list = (key: string, query = '') => api.send('GET', `/v1/issues?${query}`, { key })

async function listAll(key: string, query: string): Promise<readonly string[]> {
  const seen: string[] = []
  let cursor = ''
  for (;;) {
    const { status, body } = await list(key, `${query}&pageSize=2${cursor}`)
    expect(status).toBe(200)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    if (!body.pagination.hasMore) return seen
    cursor = `&cursor=${body.pagination.nextCursor}`
  }
}

const titlesOf = (issues: readonly { title: string }[]) => issues.map(({ title }) => title).toSorted()

/** On PostgreSQL, each takes a transaction. */
const MANY = process.env['BUGLE_TEST_DATABASE'] === 'postgres' ? 1_100 : 10_001

describe('a key for very many projects', () => {
  it('lists the issues of all of them', async () => {
    await using own = await startApp()
    const { storage } = own.app
    const [first, last] = [await own.addProject(), await own.addProject()]
    await fewAtATime(
      Array.from({ length: MANY - 2 }, (_, index) => index),
      async (index) => {
        const name = `many-${index}`
        const { isPublic, defaultBranch, createdAt } = first
        await storage.projects.create(makeProject({ name, slug: name, isPublic, defaultBranch, createdAt }))
      },
    )
    for (const { publicKey: key, name } of [first, last])
      await own.send('POST', '/v1/issues', { key, body: { title: name } })
    const key = await own.addKey({ scopes: ['issues:read'] })
    const page = await own.send('GET', '/v1/issues?pageSize=1', { key })
    expect([page.status, page.body.pagination.totalCount]).toEqual([200, 2])
    const { nextCursor } = page.body.pagination
    const rest = await own.send('GET', `/v1/issues?pageSize=1&cursor=${nextCursor}`, { key })
    expect(titlesOf([...page.body.data, ...rest.body.data])).toEqual([first.name, last.name])
  })
})

describe('a list without projectId', () => {
  it('contains the issues of all projects, last changed first', async () => {
    const { body } = await list(everywhere)
    expect(body.data).toHaveLength(6)
    expect(new Set(body.data.map(({ projectId }: { projectId: string }) => projectId)).size).toBe(3)
    const times = body.data.map(({ updatedAt }: { updatedAt: string }) => updatedAt)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(body.pagination).toEqual({
      page: null,
      pageSize: 25,
      hasMore: false,
      nextCursor: null,
      totalCount: 6,
    })
  })

  it('contains only projects and lanes that the caller has access to', async () => {
    const [first, second] = projects as [TestProject, TestProject]
    const member = await api.addUser({ projects: [first, second] })
    const { body } = await list(member)
    expect(titlesOf(body.data)).toEqual(['Blank screen', 'Blank screen', 'Crash', 'Crash'])
    expect(body.pagination.totalCount).toBe(4)
    const sighted = await api.addUser({ projects: [second], canSeeSecurity: true })
    expect(titlesOf((await list(sighted)).body.data)).toEqual(['Blank screen', 'Crash', 'Hole'])
    const { body: nothing } = await list(await api.addUser({ projects: [] }))
    expect(nothing).toMatchObject({ data: [], pagination: { totalCount: 0, hasMore: false } })
  })

  it('is the list of its project for a key that has one', async () => {
    const { body } = await list(projects[0]?.secretKey ?? '')
    expect(titlesOf(body.data)).toEqual(['Blank screen', 'Crash', 'Hole'])
    expect(body.pagination.page).toBe(1)
  })

  it.each(['updated', 'reports', 'priority'])('is read with cursors, by %s', async (sort) => {
    const { body } = await list(everywhere, `sort=${sort}`)
    const ids = body.data.map(({ id }: { id: string }) => id)
    expect(await listAll(everywhere, `sort=${sort}`)).toEqual(ids)
    expect(new Set(ids).size).toBe(6)
  })

  it('takes filters', async () => {
    expect(titlesOf((await list(everywhere, 'category=crash')).body.data)).toEqual([
      'Crash',
      'Crash',
      'Crash',
    ])
    expect((await list(everywhere, 'status=resolved')).body.data).toEqual([])
    expect((await list(everywhere, 'priority=low&category=crash')).body).toMatchObject({
      data: [],
      pagination: { totalCount: null },
    })
  })

  it('finds what is assigned to the person who asks', async () => {
    const { token, user } = await api.addToken({ canSeeSecurity: true })
    for (const { secretKey } of projects.slice(1)) {
      const { body } = await list(secretKey, 'category=security')
      const path = `/v1/issues/${body.data[0].id}`
      await api.send('PATCH', path, { key: secretKey, body: { assigneeId: user.id } })
    }
    const { body } = await list(token, 'assignee=me')
    expect(titlesOf(body.data)).toEqual(['Hole', 'Hole'])
    expect(body.pagination.totalCount).toBe(2)
    // Someone who may not see the lane learns nothing from the same filter.
    const { body: hidden } = await list(everywhere, `assignee=${user.id}`)
    expect(hidden).toMatchObject({ data: [], pagination: { totalCount: 0 } })
    expect((await list(everywhere, 'assignee=me')).body.code).toBe('invalid-parameter')
  })

  it('shows the labels of each project', async () => {
    const [first, second] = projects as [TestProject, TestProject]
    for (const [project, name] of [
      [first, 'mine'],
      [second, 'theirs'],
    ] as const) {
      await api.app.storage.labels.create({ projectId: project.id, name, colour: '#000000', createdAt: 0 })
      const { body } = await list(project.secretKey, 'category=crash')
      const path = `/v1/issues/${body.data[0].id}`
      // Labels are cached, and the cache is refreshed twice a second.
      const request = { key: project.secretKey, body: { labels: [name] } }
      const label = async () => (await api.send('PATCH', path, request)).status
      await expect.poll(label, { timeout: 30_000 }).toBe(200)
    }
    const { body } = await list(everywhere, 'category=crash&sort=updated')
    const labels = new Map(
      body.data.map(({ projectId, labels }: { projectId: string; labels: string[] }) => [projectId, labels]),
    )
    expect(labels.get(first.id)).toEqual(['mine'])
    expect(labels.get(second.id)).toEqual(['theirs'])
  })

  it.each([
    ['q=blank', 'q'],
    ['label=ui', 'label'],
    ['reporter=ada', 'reporter'],
    ['fingerprint=x', 'fingerprint'],
    ['page=2', 'page'],
    ['sort=newest', 'sort'],
    ['sort=oldest', 'sort'],
  ])('refuses what works only in one project: %s', async (query, parameter) => {
    const { status, body } = await list(everywhere, query)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'invalid-parameter', errors: [{ parameter }] })
  })

  it('refuses a cursor of another list', async () => {
    const { body } = await list(everywhere, 'pageSize=1')
    const { nextCursor } = body.pagination
    const { body: refused } = await list(everywhere, `pageSize=1&status=open&cursor=${nextCursor}`)
    expect(refused.code).toBe('invalid-cursor')
    const { body: other } = await list(projects[0]?.secretKey ?? '', `cursor=${nextCursor}`)
    expect(other.code).toBe('invalid-cursor')
  })

  it('gets a 304 until something changes that the caller can see', async () => {
    const { headers } = await list(everywhere)
    const etag = headers.get('etag') ?? ''
    const again = () => api.send('GET', '/v1/issues', { key: everywhere, headers: { 'if-none-match': etag } })
    expect((await again()).status).toBe(304)
    const [project] = projects as [TestProject]
    const report = (category: string) =>
      api.send('POST', '/v1/issues', { key: project.publicKey, body: { title: 'New', category } })
    await report('security')
    expect((await again()).status).toBe(304)
    await report('bug')
    expect((await again()).status).toBe(200)
  })
})
