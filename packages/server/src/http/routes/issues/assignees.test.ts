import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'
import { NO_REMOVAL, startApp, type UserOptions } from '../../../../test-support/start-app.ts'
import { startReceiver } from '../../../../test-support/start-receiver.ts'
import { hashToken } from '../../../domain/projects/keys.ts'
import { createAssignmentClearing } from '../../../workers/clear-assignments.ts'

const stage = setIssueStage({ intervals: NO_REMOVAL })
const NO_PERSON = 'usr_01m8z3v9q8e1r8m6n0p4s2t7wx'
const SORTS = ['newest', 'oldest', 'updated', 'reports', 'priority']

async function addPerson(options: UserOptions = {}) {
  const cookie = await stage.api.addUser(options)
  const found = await stage.api.app.storage.signIns.findByHash(hashToken(cookie.split('=')[1] ?? ''))
  if (found === undefined) throw new Error('no one is signed in with this cookie')
  return { cookie, id: found.user.id }
}

async function startProject(options: Parameters<typeof stage.api.addProject>[0] = {}) {
  const own = await stage.api.addProject(options)
  const key = own.secretKey
  return {
    own,
    report: async (body: object = {}): Promise<{ id: string; issueNumber: number }> =>
      stage.report(body, own.publicKey),
    change: (id: string, body: object, by: string = key) => stage.change(id, body, { key: by }),
    read: (path: string, by: string = key) =>
      stage.api.send('GET', path.replace('{p}', own.slug), { key: by }),
    async list(query: string, by: string = key): Promise<readonly number[]> {
      const { body } = await stage.api.send('GET', `/v1/issues?projectId=${own.slug}&${query}`, { key: by })
      return body.data.map(({ issueNumber }: { issueNumber: number }) => issueNumber)
    },
  }
}

const ascending = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other)

describe('an assignee', () => {
  it('is set, shown, recorded with names, and removed', async () => {
    const { report, change, read } = await startProject()
    const ada = await addPerson({ name: 'Ada', role: 'triager' })
    const bob = await addPerson({ name: 'Bob', role: 'viewer' })
    const { id } = await report()
    expect((await read(`/v1/issues/${id}`)).body.assigneeId).toBeNull()
    const assigned = await change(id, { assigneeId: bob.id }, ada.cookie)
    expect(assigned.body).toMatchObject({ assigneeId: bob.id, version: 2 })
    expect((await read('/v1/issues?projectId={p}')).body.data[0].assigneeId).toBe(bob.id)
    expect((await change(id, { assigneeId: bob.id })).body.version).toBe(2)
    expect((await change(id, { assigneeId: ada.id, status: 'in_progress' })).body.version).toBe(3)
    expect((await change(id, { assigneeId: null })).body.assigneeId).toBeNull()

    const { data } = (await read(`/v1/issues/${id}/events`)).body
    expect(data[0]).not.toHaveProperty('names')
    expect(data.slice(1)).toMatchObject([
      {
        type: 'issue.updated',
        actor: { name: 'Ada' },
        changes: [{ member: 'assigneeId', from: null, to: bob.id }],
        names: { [bob.id]: 'Bob' },
      },
      {
        type: 'issue.status_changed',
        changes: [
          { member: 'status', from: 'open', to: 'in_progress' },
          { member: 'assigneeId', from: bob.id, to: ada.id },
        ],
        names: { [bob.id]: 'Bob', [ada.id]: 'Ada' },
      },
      { changes: [{ member: 'assigneeId', from: ada.id, to: null }], names: { [ada.id]: 'Ada' } },
    ])
  })

  it('must be a person who has access to the project', async () => {
    const { own, report, change, read } = await startProject()
    const stranger = await addPerson({ projects: [stage.project] })
    const guest = await addPerson({ projects: [own], role: 'viewer' })
    const { id } = await report()
    const refusals = new Set<string>()
    for (const assigneeId of [stranger.id, NO_PERSON, 'ada', own.id]) {
      const { status, body } = await change(id, { assigneeId })
      expect(body.errors).toMatchObject([{ pointer: '#/assigneeId', code: 'unknown' }])
      refusals.add(JSON.stringify([status, body.errors]))
    }
    expect(refusals.size).toBe(1)
    expect((await read(`/v1/issues/${id}`)).body).toMatchObject({ assigneeId: null, version: 1 })
    expect((await change(id, { assigneeId: guest.id })).status).toBe(200)
  })

  it('is not shown to anonymous readers, nor can they filter by it', async () => {
    const { own, report, change } = await startProject({ isPublic: true })
    const ada = await addPerson()
    const { id } = await report()
    await change(id, { assigneeId: ada.id })
    const anonymous = (path: string) => stage.api.send('GET', path)
    expect((await anonymous(`/v1/issues/${id}`)).body.assigneeId).toBeNull()
    const { body } = await anonymous(`/v1/issues?projectId=${own.slug}`)
    expect(body.data).toMatchObject([{ id, assigneeId: null }])
    for (const assignee of ['none', 'me', ada.id])
      expect((await anonymous(`/v1/issues?projectId=${own.slug}&assignee=${assignee}`)).status).toBe(401)
    expect((await anonymous(`/v1/projects/${own.slug}/people`)).status).toBe(401)
    expect((await anonymous(`/v1/projects/${own.slug}/stats`)).body.byAssignee).toBeNull()
  })

  it('is a filter of lists in every order, of counts and of statistics', async () => {
    const { own, report, change, read, list } = await startProject()
    const [ada, bob] = [await addPerson(), await addPerson()]
    const issues = []
    for (let number = 1; number <= 6; number++) issues.push(await report({ title: `Issue ${number}` }))
    for (const { id } of issues.slice(0, 3)) await change(id, { assigneeId: ada.id })
    await change(issues[3]?.id ?? '', { assigneeId: bob.id, status: 'resolved' })
    for (const sort of SORTS) {
      const found = async (query: string, by?: string) => ascending(await list(`${query}&sort=${sort}`, by))
      expect(await found(`assignee=${ada.id}`)).toEqual([1, 2, 3])
      expect(await found(`assignee=${ada.id},${bob.id}`)).toEqual([1, 2, 3, 4])
      expect(await found('assignee=none')).toEqual([5, 6])
      expect(await found(`assignee=none,${bob.id}`)).toEqual([4, 5, 6])
      expect(await found('assignee=me', bob.cookie)).toEqual([4])
      expect(await found('assignee=me&status=open', bob.cookie)).toEqual([])
      expect(await found(`assignee=${NO_PERSON}`)).toEqual([])
      expect(await found(`assignee=${ada.id}&q=issue`)).toEqual([1, 2, 3])
    }
    const counts = (await read(`/v1/issues/counts?projectId=${own.slug}&assignee=me`, ada.cookie)).body
    expect(counts).toMatchObject({ total: 3, byStatus: { open: 3, resolved: 0 } })
    for (const query of ['', '?createdWithinDays=7'])
      expect((await read(`/v1/projects/{p}/stats${query}`)).body.byAssignee).toEqual([
        { value: ada.id, count: 3, includesRest: false },
        { value: bob.id, count: 1, includesRest: false },
      ])
  })

  it('is paged by cursor in every order, each issue once', async () => {
    const { report, change, read } = await startProject()
    const ada = await addPerson()
    for (let number = 1; number <= 9; number++) {
      const { id } = await report({ priority: ['low', 'high', 'critical'][number % 3] })
      if (number % 2 === 1) await change(id, { assigneeId: ada.id })
    }
    for (const sort of SORTS) {
      const seen: number[] = []
      let cursor = ''
      do {
        const path = `/v1/issues?projectId={p}&assignee=${ada.id}&sort=${sort}&pageSize=2${cursor}`
        const { body } = await read(path)
        expect(body.pagination.totalCount).toBe(5)
        seen.push(...body.data.map(({ issueNumber }: { issueNumber: number }) => issueNumber))
        cursor = body.pagination.nextCursor === null ? '' : `&cursor=${body.pagination.nextCursor}`
      } while (cursor !== '')
      expect({ sort, seen: ascending(seen) }).toEqual({ sort, seen: [1, 3, 5, 7, 9] })
    }
  })

  it('is "me" only for a person', async () => {
    const { read } = await startProject()
    const { status, body } = await read('/v1/issues?projectId={p}&assignee=me')
    expect([status, body.errors]).toMatchObject([400, [{ parameter: 'assignee', code: 'not-allowed' }]])
    expect((await read('/v1/issues?projectId={p}&assignee=ada')).status).toBe(400)
  })

  it('is named in a message for Slack, as plain text', async () => {
    await using receiver = await startReceiver()
    await using api = await startApp({ environment: { BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1' } })
    const project = await api.addProject()
    await api.addUser({ name: '<!channel> *Ada*\u202e', email: 'ada@example.com' })
    const user = await api.app.storage.users.find('ada@example.com')
    const hook = { url: receiver.url, format: 'slack', eventTypes: ['issue.updated'] }
    await api.send('POST', '/v1/webhooks', { key: project.secretKey, body: hook })
    const { body } = await api.send('POST', '/v1/issues', {
      key: project.publicKey,
      body: { title: 'Blank' },
    })
    for (const assigneeId of [user?.id, null])
      await api.send('PATCH', `/v1/issues/${body.id}`, { key: project.secretKey, body: { assigneeId } })
    await expect.poll(() => receiver.received.length).toBe(2)
    const texts = receiver.received.map(({ text }) => JSON.parse(text).blocks[0].text.text)
    expect(texts.toSorted()).toEqual([
      `${project.name} #1 is no longer assigned to anyone: “Blank”`,
      `${project.name} #1 was assigned to &lt;!channel&gt; *Ada*: “Blank”`,
    ])
  })
})

describe('a security issue', () => {
  it('is assigned only to people who may see it', async () => {
    const { report, change, read } = await startProject()
    const [ada, bob] = [await addPerson({ canSeeSecurity: true }), await addPerson()]
    const { id } = await report({ category: 'security' })
    const { status, body } = await change(id, { assigneeId: bob.id })
    expect([status, body.errors]).toMatchObject([422, [{ pointer: '#/assigneeId', code: 'not-allowed' }]])
    expect((await read(`/v1/issues/${id}`)).body).toMatchObject({ assigneeId: null, version: 1 })
    expect((await change(id, { assigneeId: ada.id })).body.assigneeId).toBe(ada.id)
    expect((await change(id, { status: 'acknowledged' })).body.assigneeId).toBe(ada.id)
  })

  it('loses an assignee who may not see it when it becomes one, and keeps one who may', async () => {
    const { report, change, read } = await startProject()
    const [ada, bob] = [await addPerson({ canSeeSecurity: true }), await addPerson()]
    for (const [assigneeId, kept] of [
      [bob.id, null],
      [ada.id, ada.id],
    ] as const) {
      const { id } = await report()
      await change(id, { assigneeId })
      expect((await change(id, { category: 'security' })).body.assigneeId).toBe(kept)
      const { data } = (await read(`/v1/issues/${id}/events`)).body
      const members = data.at(-1).changes.map(({ member }: { member: string }) => member)
      expect(members).toEqual(kept === null ? ['category', 'assigneeId'] : ['category'])
    }
  })

  it('does not reveal to a caller without permission who may see it', async () => {
    const { own, report, change } = await startProject()
    const [ada, bob] = [await addPerson({ canSeeSecurity: true }), await addPerson()]
    const blind = await addPerson({ role: 'triager' })
    const answers = new Set<string>()
    for (const { id: assigneeId } of [ada, bob]) {
      const first = await report()
      await change(first.id, { assigneeId })
      const moved = await change(first.id, { category: 'security' }, blind.cookie)
      const both = await change((await report()).id, { category: 'security', assigneeId }, blind.cookie)
      for (const { status, body } of [moved, both]) answers.add(JSON.stringify([status, body.assigneeId]))
    }
    expect([...answers]).toEqual(['[200,null]'])
    const path = `/v1/projects/${own.slug}/people?forSecurity=true`
    expect((await stage.api.send('GET', path, { key: blind.cookie })).status).toBe(403)
  })
})

describe('people', () => {
  it('are listed by id and name, page by page: those who have access to the project', async () => {
    const { own, read } = await startProject()
    const list = async (query = '', by?: string) =>
      (await read(`/v1/projects/{p}/people?pageSize=100${query}`, by)).body.data
    const before = await list()
    stage.pass(1_000)
    const guest = await addPerson({ name: 'Guest', role: 'viewer', projects: [own] })
    stage.pass(1_000)
    await addPerson({ name: 'Stranger', projects: [stage.project] })
    const ada = await addPerson({ name: 'Ada', canSeeSecurity: true })
    const [first, second] = [
      { id: guest.id, name: 'Guest' },
      { id: ada.id, name: 'Ada' },
    ]
    expect((await list()).slice(before.length)).toEqual([first, second])
    expect(await list('', guest.cookie)).toHaveLength(before.length + 2)
    const sighted = await list('&forSecurity=true')
    expect(sighted).toContainEqual(second)
    expect(sighted).not.toContainEqual(first)

    const seen: object[] = []
    let cursor = ''
    do {
      const { data, pagination } = (await read(`/v1/projects/{p}/people?pageSize=2${cursor}`)).body
      seen.push(...data)
      cursor = pagination.nextCursor === null ? '' : `&cursor=${pagination.nextCursor}`
    } while (cursor !== '')
    expect(seen).toEqual(await list())
    expect((await read('/v1/projects/{p}/people?cursor=WyJ4IiwxXQ')).body.code).toBe('invalid-cursor')
  })
})

describe('a person who loses access', () => {
  const clearing = (graceMs: number) =>
    createAssignmentClearing({ storage: stage.api.app.storage, clock: () => stage.now, graceMs })

  it('loses their issues in steps, with a reason in the history', async () => {
    const { report, change, read, list } = await startProject()
    const ada = await addPerson({ name: 'Ada' })
    const { id } = await report()
    await change(id, { assigneeId: ada.id })
    for (let number = 0; number < 60; number++) await change((await report()).id, { assigneeId: ada.id })
    await stage.api.app.storage.users.delete(ada.id)
    const step = clearing(0)
    await step()
    expect(await list(`assignee=${ada.id}&pageSize=100`)).toHaveLength(11)
    await step()
    expect(await list(`assignee=${ada.id}`)).toEqual([])
    await step()
    expect(await stage.api.app.storage.users.nextUnassignment()).toBeUndefined()
    expect((await read(`/v1/issues/${id}`)).body).toMatchObject({ assigneeId: null, version: 3 })
    expect((await read(`/v1/issues/${id}/events`)).body.data.at(-1)).toMatchObject({
      actor: { kind: 'system' },
      changes: [{ member: 'assigneeId', from: ada.id, to: null }],
      reason: 'The assignee no longer has access to this issue.',
    })
  })

  it('keeps issues that they still see: other projects, and visible issues', async () => {
    const [one, other] = [await startProject(), await startProject()]
    const ada = await addPerson({ canSeeSecurity: true })
    // The last person with this right would keep it.
    await addPerson({ canSeeSecurity: true })
    for (const project of [one, other])
      for (const category of ['bug', 'security'])
        await project.change((await project.report({ category })).id, { assigneeId: ada.id })
    const { users } = stage.api.app.storage
    const left = async () => [await one.list(`assignee=${ada.id}`), await other.list(`assignee=${ada.id}`)]
    const step = clearing(0)

    await users.update(ada.id, { name: 'Countess' })
    expect(await users.nextUnassignment()).toBeUndefined()
    await users.update(ada.id, { canSeeSecurity: false })
    await step()
    expect(await left()).toEqual([[1], [1]])
    await users.update(ada.id, { projectIds: [one.own.id] })
    await step()
    expect(await left()).toEqual([[1], []])
    await step()
    expect(await users.nextUnassignment()).toBeUndefined()
  })

  it('is checked again after a while, because a change may have been in progress', async () => {
    const { own, report, list } = await startProject()
    const ada = await addPerson()
    const { id } = await report()
    const { users, issues } = stage.api.app.storage
    await users.delete(ada.id)
    const step = clearing(10_000)
    await step()
    const command = {
      projectId: own.id,
      issueId: id as `iss_${string}`,
      lanes: ['open'] as const,
      actor: null,
    }
    await issues.change({ ...command, patch: { assigneeId: ada.id }, ifVersions: null, at: stage.now })
    stage.pass(9_000)
    await step()
    expect(await list(`assignee=${ada.id}`)).toEqual([])
    expect(await users.nextUnassignment()).toBeDefined()
    stage.pass(2_000)
    await step()
    expect(await users.nextUnassignment()).toBeUndefined()
  })
})
