import { MAX_ISSUE_LABELS, MAX_LABELS } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'
import { NO_REMOVAL } from '../../../../test-support/start-app.ts'
import { createLabelRemoval } from '../../../workers/remove-labels.ts'

const stage = setIssueStage({ intervals: NO_REMOVAL })
const SORTS = ['newest', 'oldest', 'updated', 'reports', 'priority']

async function startProject(options: Parameters<typeof stage.api.addProject>[0] = {}) {
  const own = await stage.api.addProject(options)
  const key = own.secretKey
  const { labels } = stage.api.app.storage
  return {
    own,
    async define(...names: readonly string[]): Promise<void> {
      for (const name of names)
        await labels.create({ projectId: own.id, name, colour: '#1a7f37', createdAt: stage.now })
      await refreshed(own.id, names.length)
    },
    report: async (body: object = {}): Promise<{ id: string }> => stage.report(body, own.publicKey),
    change: (id: string, body: object) => stage.change(id, body, { key }),
    read: (path: string) => stage.api.send('GET', path.replace('{p}', own.slug), { key }),
    async list(query: string): Promise<readonly number[]> {
      const { body } = await stage.api.send('GET', `/v1/issues?projectId=${own.slug}&${query}`, { key })
      const numbers = body.data.map(({ issueNumber }: { issueNumber: number }) => issueNumber)
      return numbers.toSorted((one: number, other: number) => one - other)
    },
  }
}

/** Waits until the server has noticed: other processes change labels. */
async function refreshed(projectId: string, atLeast: number): Promise<void> {
  const path = `/v1/projects/${projectId}/labels`
  const key = await stage.api.addKey({})
  const count = async () => (await stage.api.send('GET', path, { key })).body.data.length
  await expect.poll(count).toBeGreaterThanOrEqual(atLeast)
}

describe('labels', () => {
  it('are listed by name, and set by name on issues, whatever the case', async () => {
    const { define, report, change, read } = await startProject()
    await define('ui', 'Needs design', 'backend')
    expect((await read('/v1/projects/{p}/labels')).body.data).toMatchObject([
      { name: 'backend', colour: '#1a7f37' },
      { name: 'Needs design' },
      { name: 'ui' },
    ])
    const { id } = await report()
    expect((await read(`/v1/issues/${id}`)).body.labels).toEqual([])
    const { body } = await change(id, { labels: ['UI', 'needs design', 'ui'] })
    expect(body).toMatchObject({ labels: ['Needs design', 'ui'], version: 2 })
    expect((await read('/v1/issues?projectId={p}')).body.data[0].labels).toEqual(['Needs design', 'ui'])
    expect((await change(id, { labels: ['ui', 'needs design'] })).body.version).toBe(2)
    expect((await change(id, { labels: ['backend'] })).body.labels).toEqual(['backend'])
    expect((await change(id, { labels: null })).body.labels).toEqual([])
    const { data } = (await read(`/v1/issues/${id}/events`)).body
    expect(data.slice(1).map(({ changes }: { changes: object }) => changes)).toEqual([
      [{ member: 'labels', from: [], to: ['ui', 'Needs design'] }],
      [{ member: 'labels', from: ['ui', 'Needs design'], to: ['backend'] }],
      [{ member: 'labels', from: ['backend'], to: [] }],
    ])
  })

  it('must exist, and are limited in number', async () => {
    const { own, define, report, change } = await startProject()
    await define(...Array.from({ length: MAX_LABELS }, (_, index) => `l${index}`))
    const { labels } = stage.api.app.storage
    const more = { projectId: own.id, colour: '#1a7f37', createdAt: 0 }
    expect(await labels.create({ ...more, name: 'one more' })).toBe('too-many')
    expect(await labels.create({ ...more, name: 'L7' })).toBe('name-taken')
    expect(await labels.update(own.id, 'l7', { name: 'L8' })).toBe('name-taken')
    expect(await labels.update(own.id, 'l7', { name: 'L7' })).toMatchObject({ number: 8, name: 'L7' })
    const { id } = await report()
    const unknown = await change(id, { labels: ['l1', 'nowhere'] })
    expect([unknown.status, unknown.body.errors]).toMatchObject([
      422,
      [{ pointer: '#/labels/1', code: 'unknown' }],
    ])
    const names = Array.from({ length: MAX_ISSUE_LABELS + 1 }, (_, index) => `l${index}`)
    expect((await change(id, { labels: names })).status).toBe(422)
    expect((await change(id, { labels: names.slice(1) })).body.labels).toHaveLength(MAX_ISSUE_LABELS)
  })

  it('are not shown to anonymous readers, nor can they filter by them', async () => {
    const { own, define, report, change } = await startProject({ isPublic: true })
    await define('ui')
    const { id } = await report()
    await change(id, { labels: ['ui'] })
    const anonymous = (path: string) => stage.api.send('GET', path)
    expect((await anonymous(`/v1/issues/${id}`)).body.labels).toBeNull()
    expect((await anonymous(`/v1/issues?projectId=${own.slug}`)).body.data[0].labels).toBeNull()
    expect((await anonymous(`/v1/issues?projectId=${own.slug}&label=ui`)).status).toBe(401)
    expect((await anonymous(`/v1/projects/${own.slug}/labels`)).status).toBe(401)
    expect((await anonymous(`/v1/projects/${own.slug}/stats`)).body.byLabel).toBeNull()
  })

  it('are a filter of lists in every order, of counts and of statistics', async () => {
    const { define, report, change, read, list } = await startProject()
    await define('ui', 'backend', 'a,b')
    const sets = [['ui'], ['ui', 'backend'], ['backend'], [], ['a,b'], ['ui']]
    for (const [index, labels] of sets.entries()) {
      const { id } = await report({ title: `Issue ${index}`, category: index === 5 ? 'security' : 'bug' })
      await change(id, { labels, ...(index === 0 && { status: 'resolved' }) })
    }
    for (const sort of SORTS) {
      const found = (query: string) => list(`${query}&sort=${sort}`)
      expect(await found('label=ui')).toEqual([1, 2, 6])
      expect(await found('label=UI,backend')).toEqual([1, 2, 3, 6])
      expect(await found('label=a\\,b')).toEqual([5])
      expect(await found('label=nowhere')).toEqual([])
      expect(await found('label=ui,nowhere&status=open')).toEqual([2, 6])
      expect(await found('label=ui&q=issue')).toEqual([1, 2, 6])
    }
    const { body: counts } = await read('/v1/issues/counts?projectId={p}&label=ui,backend')
    expect(counts).toMatchObject({ total: 4, byStatus: { open: 3, resolved: 1 } })
    for (const query of ['', '?createdWithinDays=7'])
      expect((await read(`/v1/projects/{p}/stats${query}`)).body.byLabel).toEqual([
        { value: 'ui', count: 3, includesRest: false },
        { value: 'backend', count: 2, includesRest: false },
        { value: 'a,b', count: 1, includesRest: false },
      ])
  })

  it('follow an issue into the other lane and back', async () => {
    const { own, define, report, change, list } = await startProject()
    await define('ui')
    const blind = await stage.api.addKey({ project: own, scopes: ['issues:read'] })
    const { id } = await report()
    await change(id, { labels: ['ui'], category: 'security' })
    const seen = async () => {
      const path = `/v1/issues?projectId=${own.slug}&label=ui`
      return (await stage.api.send('GET', path, { key: blind })).body.pagination.totalCount
    }
    expect([await list('label=ui'), await seen()]).toEqual([[1], 0])
    await change(id, { category: 'bug' })
    expect([await list('label=ui'), await seen()]).toEqual([[1], 1])
    await stage.api.send('DELETE', `/v1/issues/${id}`, { key: own.secretKey })
    expect([await list('label=ui'), await seen()]).toEqual([[], 0])
  })

  it('can be renamed: issues show the new name, and tags of responses change', async () => {
    const { own, define, report, change, read, list } = await startProject()
    await define('ui')
    const { id } = await report()
    await change(id, { labels: ['ui'] })
    const tags = async () =>
      [await read(`/v1/issues/${id}`), await read('/v1/issues?projectId={p}')].map(({ headers }) =>
        headers.get('etag'),
      )
    const before = await tags()
    expect(await tags()).toEqual(before)
    await stage.api.app.storage.labels.update(own.id, 'UI', { name: 'Interface' })
    await expect.poll(async () => (await read(`/v1/issues/${id}`)).body.labels).toEqual(['Interface'])
    const after = await tags()
    expect(after.filter((tag, index) => tag === before[index])).toEqual([])
    expect(await list('label=interface')).toEqual([1])
    const ifMatch = after[0] ?? ''
    const { status } = await stage.change(id, { priority: 'low' }, { key: own.secretKey, ifMatch })
    expect(status).toBe(200)
  })

  it('disappear when they are deleted, and are taken from issues in steps', async () => {
    const { own, define, report, change, read, list } = await startProject()
    await define('ui', 'old')
    const { storage } = stage.api.app
    for (let number = 0; number < 60; number++) await change((await report()).id, { labels: ['old', 'ui'] })
    const { id } = await report()
    await change(id, { labels: ['old'] })
    expect(await storage.labels.delete(own.id, 'Old')).toBe('deleted')
    expect(await storage.labels.delete(own.id, 'old')).toBe('missing')
    await expect.poll(async () => (await read(`/v1/issues/${id}`)).body.labels).toEqual([])
    expect(await list('label=old')).toEqual([])
    const step = createLabelRemoval({ storage, clock: () => stage.now, graceMs: 0 })
    const left = async () => (await storage.stats.read(own.id, ['open'])).counts.label.get('2') ?? 0
    // The server itself is at work, too.
    for (let steps = 0; steps < 10 && (await storage.labels.nextDeleted()) !== undefined; steps++)
      await step()
    expect(await left()).toBe(0)
    expect(await storage.labels.nextDeleted()).toBeUndefined()
    expect(await list('label=ui&pageSize=100')).toHaveLength(60)
    expect((await read(`/v1/issues/${id}`)).body.version).toBe(2)
  })
})
