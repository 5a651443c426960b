import { randomUUID } from 'node:crypto'
import { MAX_ISSUE_LABELS } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'
import type { Answer, TestProject } from '../../../../test-support/start-app.ts'

const stage = setIssueStage()

interface Selected {
  readonly id: string
  readonly version: number
}

async function startProject(count: number) {
  const own: TestProject = await stage.api.addProject()
  const key = own.secretKey
  const issues: Selected[] = []
  for (let index = 0; index < count; index++) {
    const { id } = await stage.report({ platform: index === 0 ? 'ios' : 'web' }, own.publicKey)
    issues.push({ id, version: 1 })
  }
  const get = async (path: string): Promise<Answer['body']> =>
    (await stage.api.send('GET', path, { key })).body
  return {
    own,
    key,
    issues,
    change: (body: object, by = key) =>
      stage.api.send('POST', '/v1/issues/bulk', {
        key: by,
        body: { bulkId: randomUUID(), action: 'change', ...body },
      }),
    get,
    list: async (): Promise<readonly Answer['body'][]> => (await get('/v1/issues?sort=oldest')).data,
  }
}

describe('bulk changes', () => {
  it('change status, priority and labels of the named issues, with an event each', async () => {
    const { own, issues, change, list, get } = await startProject(3)
    const { labels } = stage.api.app.storage
    for (const name of ['ui', 'old'])
      await labels.create({ projectId: own.id, name, colour: '#1a7f37', createdAt: stage.now })
    await expect
      .poll(async () => (await get(`/v1/projects/${own.slug}/labels`)).data.length)
      .toBeGreaterThanOrEqual(2)
    const [first, second] = issues
    await stage.change(first?.id ?? '', { labels: ['old'] }, { key: own.secretKey })
    const selected = [{ ...first, version: 2 }, second]
    const patch = { status: 'acknowledged', priority: 'high', addLabels: ['UI'], removeLabels: ['old'] }
    const { status, body, headers } = await change({
      bulkId: 'one',
      issues: selected,
      patch: { ...patch, note: 'Triage' },
    })
    expect([status, headers.get('idempotency-replayed')]).toEqual([200, null])
    expect(body).toEqual({ bulkId: 'one', action: 'change', matchedCount: 2, changedCount: 2 })
    const expected = { status: 'acknowledged', priority: 'high', labels: ['ui'] }
    expect(await list()).toMatchObject([
      { ...expected, version: 3 },
      { ...expected, version: 2 },
      { status: 'open', priority: 'medium', labels: [], version: 1 },
    ])
    const { data } = await get(`/v1/issues/${second?.id}/events`)
    expect(data).toHaveLength(2)
    expect(data[1]).toMatchObject({ type: 'issue.status_changed', note: 'Triage' })
    expect(data[1].changes.map(({ member }: { member: string }) => member).toSorted()).toEqual([
      'labels',
      'priority',
      'status',
    ])
    const counts = (await get('/v1/issues/counts')).byStatus
    expect(counts).toMatchObject({ open: 1, acknowledged: 2 })
  })

  it('apply to the issues that match a filter, if as many match as the person saw', async () => {
    const { change, list } = await startProject(3)
    const filter = { platform: ['web'], status: ['open'] }
    const patch = { status: 'closed' }
    for (const count of [1, 3, 1_000]) {
      const { status, body } = await change({ filter, count, patch })
      expect([status, body.code]).toEqual([409, 'selection-changed'])
    }
    expect((await list()).every(({ version }) => version === 1)).toBe(true)
    expect((await change({ filter, count: 2, patch })).body).toMatchObject({ matchedCount: 2 })
    expect((await list()).map(({ status }) => status)).toEqual(['open', 'closed', 'closed'])
  })

  it('change nothing if one of the issues has changed, is missing or is of another project', async () => {
    const { issues, change, list } = await startProject(2)
    const stranger = await stage.report()
    const [first, second] = issues
    const others = [
      { ...second, version: 2 },
      { id: stranger.id, version: 1 },
      { id: 'iss_7zzzzzzzzzzzzzzzzzzzzzzzzz', version: 1 },
      { id: 'x', version: 1 },
    ]
    for (const other of others) {
      for (const action of [{ patch: { priority: 'low' } }, { action: 'delete' }]) {
        const { status, body } = await change({ issues: [first, other], ...action })
        expect([status, body.code]).toEqual([409, 'selection-changed'])
      }
    }
    expect((await list()).map(({ version }) => version)).toEqual([1, 1])
    expect((await stage.retrieve(stranger.id)).body.version).toBe(1)
  })

  it('change nothing if one of the issues cannot change to the status', async () => {
    const { own, issues, change, list } = await startProject(2)
    const [first, second] = issues
    await stage.change(second?.id ?? '', { status: 'resolved' }, { key: own.secretKey })
    const selected = [first, { ...second, version: 2 }]
    const { status, body } = await change({ issues: selected, patch: { status: 'closed' } })
    expect([status, body.code, body.from]).toEqual([409, 'invalid-transition', 'resolved'])
    expect((await list()).map((issue) => issue.status)).toEqual(['open', 'resolved'])
    const moved = await change({ issues: selected, patch: { status: 'resolved' } })
    expect(moved.body).toMatchObject({ matchedCount: 2, changedCount: 1 })
  })

  it('assign a person who has access, and no one else', async () => {
    const { own, issues, change, list } = await startProject(1)
    const { storage } = stage.api.app
    const email = `${randomUUID()}@example.com`
    await stage.api.addUser({ email, role: 'triager', canSeeSecurity: false, projects: [own] })
    const person = await storage.users.find(email)
    const unknown = await change({ issues, patch: { assigneeId: 'usr_01m8z3v9q8e1r8m6n0p4s2t7wx' } })
    expect([unknown.status, unknown.body.errors[0].pointer]).toEqual([422, '#/patch/assigneeId'])
    expect((await change({ issues, patch: { assigneeId: person?.id } })).status).toBe(200)
    expect((await list())[0]).toMatchObject({ assigneeId: person?.id, version: 2 })
    const again = issues.map(({ id }) => ({ id, version: 2 }))
    expect((await change({ issues: again, patch: { assigneeId: null } })).status).toBe(200)
    expect((await list())[0]).toMatchObject({ assigneeId: null, version: 3 })
  })

  it('refuse a security issue for a person who may not see it, without changing the others', async () => {
    const { own, issues, change, list } = await startProject(1)
    const email = `${randomUUID()}@example.com`
    await stage.api.addUser({ email, role: 'triager', canSeeSecurity: false, projects: [own] })
    const person = await stage.api.app.storage.users.find(email)
    const hidden = await stage.report({ category: 'security' }, own.publicKey)
    const selected = [...issues, { id: hidden.id, version: 1 }]
    const patch = { assigneeId: person?.id }
    const refused = await change({ issues: selected, patch })
    expect([refused.status, refused.body.errors[0].code]).toEqual([422, 'not-allowed'])
    const blind = await stage.api.addKey({ project: own, scopes: ['issues:read', 'issues:triage'] })
    const unseen = await change({ issues: selected, patch }, blind)
    expect([unseen.status, unseen.body.code]).toEqual([409, 'selection-changed'])
    expect((await list()).map(({ assigneeId }) => assigneeId)).toEqual([null, null])
  })

  it('delete issues with issues:delete, once per id', async () => {
    const { own, issues, change, list, get } = await startProject(3)
    const triager = await stage.api.addKey({ project: own, scopes: ['issues:read', 'issues:triage'] })
    const selected = issues.slice(0, 2)
    const deletion = { bulkId: 'gone', issues: selected, action: 'delete' }
    expect((await change(deletion, triager)).body.code).toBe('insufficient-scope')
    const first = await change(deletion)
    expect(first.body).toEqual({ bulkId: 'gone', action: 'delete', matchedCount: 2, changedCount: 2 })
    const second = await change(deletion)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
    expect((await list()).map(({ id }) => id)).toEqual([issues[2]?.id])
    const { data } = await get('/v1/events?type=issue.deleted')
    expect(data.map(({ issueId }: { issueId: string }) => issueId)).toEqual(selected.map(({ id }) => id))
    expect((await get('/v1/issues/counts')).total).toBe(1)
  })

  it('repeat the response of a filter that no longer matches, and refuse the id for another change', async () => {
    const { own, issues, change, list } = await startProject(2)
    const close = { bulkId: 'close', filter: { status: ['open'] }, count: 2, patch: { status: 'closed' } }
    const first = await change(close)
    expect(first.status).toBe(200)
    expect((await change(close)).body).toEqual(first.body)
    expect((await list()).map(({ version }) => version)).toEqual([2, 2])
    const other = await change({ ...close, patch: { status: 'resolved' } })
    expect([other.status, other.body.code]).toEqual([409, 'bulk-conflict'])
    // The id of another key.
    const key = await stage.api.addKey({ project: own, scopes: ['issues:read', 'issues:triage'] })
    const selected = issues.map(({ id }) => ({ id, version: 2 }))
    const own2 = await change({ bulkId: 'close', issues: selected, patch: { priority: 'low' } }, key)
    expect(own2.status).toBe(200)
  })

  it('happen once if the same request arrives several times at once', async () => {
    const { issues, change, list } = await startProject(2)
    const move = { bulkId: 'together', issues, patch: { priority: 'critical' } }
    const answers = await Promise.all([change(move), change(move), change(move)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await list()).map(({ version }) => version)).toEqual([2, 2])
  })

  it('refuse what does not belong together, and more labels than an issue can have', async () => {
    const { own, issues, change, get } = await startProject(1)
    const patch = { priority: 'low' }
    const wrong = [
      { patch },
      { issues, filter: {}, count: 1, patch },
      { filter: {}, patch },
      { issues, count: 1, patch },
      { issues },
      { issues, patch: {} },
      { issues, patch, action: 'delete' },
      { issues: [], patch },
      { issues: Array.from({ length: 1_001 }, () => issues[0]), patch },
      { issues, patch: { title: 'x' } },
      { issues, patch, bulkId: 'with space' },
      { issues, patch: { addLabels: ['unknown'] } },
    ]
    for (const body of wrong) expect((await change(body)).status).toBe(422)
    const names = Array.from({ length: MAX_ISSUE_LABELS + 1 }, (_, n) => `label ${n}`)
    const { labels } = stage.api.app.storage
    for (const name of names)
      await labels.create({ projectId: own.id, name, colour: '#1a7f37', createdAt: stage.now })
    await expect
      .poll(async () => (await get(`/v1/projects/${own.slug}/labels`)).data.length)
      .toBeGreaterThanOrEqual(names.length)
    expect((await change({ issues, patch: { addLabels: names.slice(1) } })).status).toBe(200)
    const selected = issues.map(({ id }) => ({ id, version: 2 }))
    const full = await change({ issues: selected, patch: { addLabels: names.slice(0, 1) } })
    expect([full.status, full.body.errors[0].code]).toEqual([422, 'too-many'])
  })
})
