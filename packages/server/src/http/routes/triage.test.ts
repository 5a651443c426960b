import { ISSUE_STATUSES, type IssueStatus, TRANSITIONS } from '@bugle/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../../../test-support/start-app.ts'

let api: TestApp
let project: TestProject
let now = Date.UTC(2026, 10, 15, 9)

beforeAll(async () => {
  api = await startApp({ clock: () => now })
  project = await api.addProject()
})
afterAll(() => api[Symbol.asyncDispose]())

interface Wish {
  readonly key?: string
  readonly ifMatch?: string
  readonly type?: string
}

async function submit(body: Record<string, unknown> = {}) {
  const answer = await api.send('POST', '/v1/issues', {
    key: project.publicKey,
    body: { title: 'Blank screen', ...body },
  })
  expect([200, 201]).toContain(answer.status)
  return answer.body
}

const patch = (id: string, body: unknown, { key = project.secretKey, ifMatch, type }: Wish = {}) =>
  api.send('PATCH', `/v1/issues/${id}`, {
    key,
    body,
    headers: {
      'content-type': type ?? 'application/merge-patch+json',
      ...(ifMatch && { 'if-match': ifMatch }),
    },
  })

const get = async (path: string, key = project.secretKey) => (await api.send('GET', path, { key })).body
const history = async (id: string) => (await get(`/v1/issues/${id}/events`)).data

/** Brings a new issue into a status, by moves that are allowed. */
async function issueIn(status: IssueStatus): Promise<string> {
  const { id } = await submit()
  if (status !== 'open') expect((await patch(id, { status })).status).toBe(200)
  return id
}

describe('the states of an issue', () => {
  const pairs = ISSUE_STATUSES.flatMap((from) => ISSUE_STATUSES.map((to) => [from, to] as const))

  it.each(pairs)('%s → %s', async (from, to) => {
    const id = await issueIn(from)
    const before = await get(`/v1/issues/${id}`)
    const events = (await history(id)).length
    const { status, body } = await patch(id, { status: to })
    const after = await get(`/v1/issues/${id}`)
    expect(before.allowedTransitions).toEqual(TRANSITIONS[from])

    if (from === to) {
      expect([status, body]).toEqual([200, before])
      expect(await history(id)).toHaveLength(events)
    } else if (TRANSITIONS[from].includes(to)) {
      expect([status, body.status, body.version]).toEqual([200, to, before.version + 1])
      const [event] = (await history(id)).slice(events)
      expect(event).toMatchObject({ type: 'issue.status_changed', changes: [{ member: 'status', from, to }] })
      expect(await history(id)).toHaveLength(events + 1)
    } else {
      expect([status, body.code]).toEqual([409, 'invalid-transition'])
      expect(body).toMatchObject({ from, to, allowed: ['open'] })
      expect(after).toEqual(before)
      expect(await history(id)).toHaveLength(events)
    }
  })
})

describe('a change', () => {
  it('touches only the members that are given, and is one event', async () => {
    const { id } = await submit({ description: 'Long story', priority: 'low' })
    const before = await get(`/v1/issues/${id}`)
    now += 60_000
    const { status, body, headers } = await patch(id, {
      priority: 'critical',
      title: 'New title',
      note: 'See crash 12',
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      priority: 'critical',
      title: 'New title',
      version: 2,
      updatedAt: new Date(now).toISOString(),
    })
    expect(headers.get('etag')).toBe('"2.1.full"')
    const [created, changed] = await history(id)
    expect(created).toMatchObject({ type: 'issue.created', issueId: id, changes: [], note: null })
    expect(changed).toMatchObject({
      type: 'issue.updated',
      createdAt: new Date(now).toISOString(),
      note: 'See crash 12',
      reason: null,
      actor: { kind: 'key' },
      changes: [
        { member: 'priority', from: 'low', to: 'critical' },
        { member: 'title', from: 'Blank screen', to: 'New title' },
      ],
    })
  })

  it('removes with null what may be empty, and does not copy descriptions into the history', async () => {
    const { id } = await submit({ description: 'Password is hunter2' })
    const { body } = await patch(id, { description: null, fixedIn: { appVersion: '2.0' } })
    expect(body).toMatchObject({ description: null, fixedIn: { appVersion: '2.0', buildNumber: null } })
    expect((await patch(id, { fixedIn: null })).body.fixedIn).toBeNull()
    expect(JSON.stringify(await history(id))).not.toContain('hunter2')
  })

  it.each([
    ['nothing', {}],
    [
      'what is already so',
      { priority: 'medium', title: 'Blank screen', description: null, fixedIn: null, status: 'open' },
    ],
    ['an empty note', { note: null }],
  ])('to %s does nothing', async (_, body) => {
    const { id } = await submit()
    const before = await get(`/v1/issues/${id}`)
    now += 1_000
    const answer = await patch(id, body)
    expect([answer.status, answer.body]).toEqual([200, before])
    expect(await history(id)).toHaveLength(1)
  })

  it('may be only a note', async () => {
    const { id } = await submit()
    expect((await patch(id, { note: 'Asked the reporter' })).body.version).toBe(2)
    expect((await history(id)).at(-1)).toMatchObject({
      type: 'issue.updated',
      changes: [],
      note: 'Asked the reporter',
    })
  })

  it.each([
    ['an unknown member', { assignee: 'me' }, '#/assignee'],
    ['a member of the server', { issueNumber: 5 }, '#/issueNumber'],
    ['a status that is none', { status: 'done' }, '#/status'],
    ['a null status', { status: null }, '#/status'],
    ['a null title', { title: null }, '#/title'],
    ['a blank title', { title: '  ' }, '#/title'],
    ['half a release', { fixedIn: { buildNumber: '5' } }, '#/fixedIn/appVersion'],
    ['a long note', { note: 'x'.repeat(4_097) }, '#/note'],
    ['no object', [], '#'],
  ])('with %s is refused', async (_, body, pointer) => {
    const { id } = await submit()
    const answer = await patch(id, body)
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, pointer])
    expect(await history(id)).toHaveLength(1)
  })

  it('is sent as a merge patch or as JSON, and as nothing else', async () => {
    const { id } = await submit()
    expect((await patch(id, { status: 'acknowledged' }, { type: 'application/json' })).status).toBe(200)
    expect((await patch(id, '{"status":"open"}', { type: 'text/plain' })).status).toBe(415)
    expect((await patch(id, '{"status":"open"}', { type: 'application/json-patch+json' })).status).toBe(415)
  })

  it('needs the scope, and the issue', async () => {
    const { id } = await submit()
    const reader = await api.addKey({ project, scopes: ['issues:read'] })
    expect((await patch(id, { status: 'closed' }, { key: reader })).status).toBe(403)
    expect((await patch(id, { status: 'closed' }, { key: project.publicKey })).status).toBe(403)
    const other = await api.addProject()
    expect((await patch(id, { status: 'closed' }, { key: other.secretKey })).status).toBe(404)
    expect((await patch('iss_nonsense', { status: 'closed' })).status).toBe(404)
  })
})

describe('If-Match', () => {
  it('lets one of two concurrent moves through, and tells the other', async () => {
    const { id } = await submit()
    const answers = await Promise.all(
      (['resolved', 'wontfix'] as const).map((status) => patch(id, { status }, { ifMatch: '"1.1.full"' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
    expect(await history(id)).toHaveLength(2)
  })

  it('is not needed: then both moves are made in some order, and the history shows it', async () => {
    const { id } = await submit()
    const answers = await Promise.all([
      patch(id, { status: 'acknowledged' }),
      patch(id, { status: 'in_progress' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const [, first, second] = await history(id)
    expect(second.changes[0].from).toBe(first.changes[0].to)
    expect((await get(`/v1/issues/${id}`)).version).toBe(3)
  })

  it('compares the version alone: a noisy crash can still be moved', async () => {
    const { id } = await submit({ fingerprint: 'noisy' })
    await submit({ fingerprint: 'noisy' })
    expect((await patch(id, { status: 'acknowledged' }, { ifMatch: '"1.1.full"' })).status).toBe(200)
  })

  it.each([
    ['*', 200],
    ['"7.1.full", "1.9.public"', 200],
    ['"2.1.full"', 412],
    ['"nonsense"', 412],
    ['W/"1.1.full"', 412],
    ['1', 412],
  ])('%s: %i', async (ifMatch, status) => {
    const { id } = await submit()
    expect((await patch(id, { priority: 'high' }, { ifMatch })).status).toBe(status)
  })
})

describe('deletion', () => {
  it('removes the issue with its reports and its history, and frees its submission ids', async () => {
    const { id } = await submit({ fingerprint: 'gone', submissionId: 'gone-1' })
    await submit({ fingerprint: 'gone', submissionId: 'gone-2', title: 'Second' })
    const before = await get(`/v1/projects/${project.slug}/stats`)
    expect((await api.send('DELETE', `/v1/issues/${id}`, { key: project.secretKey })).status).toBe(204)
    for (const path of ['', '/events', '/reports']) {
      expect((await api.send('GET', `/v1/issues/${id}${path}`, { key: project.secretKey })).status).toBe(404)
    }
    const after = await get(`/v1/projects/${project.slug}/stats`)
    expect(after.totals).toEqual({
      ...before.totals,
      issues: before.totals.issues - 1,
      reports: before.totals.reports - 2,
      open: before.totals.open - 1,
    })
    const again = await submit({ fingerprint: 'gone', submissionId: 'gone-2', title: 'Second' })
    expect(again.id).not.toBe(id)
    expect(again).not.toHaveProperty('reportCount')
  })

  it('does not give its number away again', async () => {
    const { id, issueNumber } = await submit()
    await api.send('DELETE', `/v1/issues/${id}`, { key: project.secretKey })
    expect((await submit()).issueNumber).toBe(issueNumber + 1)
  })

  it('needs the scope, and works once', async () => {
    const { id } = await submit()
    const triager = await api.addKey({ project, scopes: ['issues:read', 'issues:triage'] })
    expect((await api.send('DELETE', `/v1/issues/${id}`, { key: triager })).status).toBe(403)
    expect((await api.send('DELETE', `/v1/issues/${id}`, { key: project.secretKey })).status).toBe(204)
    expect((await api.send('DELETE', `/v1/issues/${id}`, { key: project.secretKey })).status).toBe(404)
  })
})

describe('reports with the same fingerprint', () => {
  it('are counted on one issue, and each says what it was answered', async () => {
    const first = await submit({ fingerprint: 'f1', appVersion: '1.0', platform: 'ios' })
    now += 1_000
    const body = {
      title: 'Other words',
      fingerprint: 'f1',
      appVersion: '1.1',
      platform: 'android',
      submissionId: 'j1',
    }
    const second = await api.send('POST', '/v1/issues', { key: project.publicKey, body })
    expect(second.status).toBe(200)
    expect(second.body).toEqual({ ...first, title: 'Other words', reportCount: 2 })
    await submit({ fingerprint: 'f1' })
    const replayed = await api.send('POST', '/v1/issues', { key: project.publicKey, body })
    expect([replayed.status, replayed.body]).toEqual([200, second.body])

    const issue = await get(`/v1/issues/${first.id}`)
    expect(issue).toMatchObject({ title: 'Blank screen', reportCount: 3, version: 1, appVersion: '1.0' })
    expect(issue.lastReportedAt).toBe(new Date(now).toISOString())
    const reports = await get(`/v1/issues/${first.id}/reports`)
    expect(
      reports.data.map((report: Record<string, unknown>) => [
        report['reportNumber'],
        report['appVersion'],
        report['platform'],
      ]),
    ).toEqual([
      [3, null, null],
      [2, '1.1', 'android'],
      [1, '1.0', 'ios'],
    ])
    expect(reports.pagination).toMatchObject({ hasMore: false, totalCount: 3 })
  })

  it('are walked by cursor', async () => {
    const { id } = await submit({ fingerprint: 'walked' })
    for (let index = 0; index < 6; index++) await submit({ fingerprint: 'walked' })
    const seen: number[] = []
    let cursor = ''
    do {
      const { data, pagination } = await get(`/v1/issues/${id}/reports?pageSize=3${cursor}`)
      seen.push(...data.map((report: { reportNumber: number }) => report.reportNumber))
      cursor = pagination.nextCursor && `&cursor=${pagination.nextCursor}`
    } while (cursor)
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1])
  })

  it('reopen a resolved issue from a later release, with the reason', async () => {
    const { id } = await submit({ fingerprint: 'r1', appVersion: '2.3.0' })
    await patch(id, { status: 'resolved', fixedIn: { appVersion: '2.4.0', buildNumber: '498' } })
    const late = await submit({ fingerprint: 'r1', appVersion: '2.3.9' })
    expect(late.status).toBe('resolved')
    const regressed = await submit({ fingerprint: 'r1', appVersion: '2.4.1', buildNumber: '512' })
    expect(regressed.status).toBe('open')
    const last = (await history(id)).at(-1)
    expect(last).toMatchObject({
      type: 'issue.regressed',
      actor: { kind: 'system', id: null },
      changes: [{ member: 'status', from: 'resolved', to: 'open' }],
    })
    expect(last.reason).toContain('2.4.1 (512) is not older than the fix, 2.4.0 (498)')
    expect(await get(`/v1/issues/${id}`)).toMatchObject({ status: 'open', reportCount: 3, version: 2 })
  })

  it.each(['closed', 'wontfix'] as const)('leave an issue that is %s as it is', async (status) => {
    const fingerprint = `final-${status}`
    const { id } = await submit({ fingerprint })
    await patch(id, { status })
    expect((await submit({ fingerprint })).status).toBe(status)
    expect(await get(`/v1/issues/${id}`)).toMatchObject({ status, reportCount: 2 })
  })

  it('of other projects stay apart', async () => {
    await submit({ fingerprint: 'shared' })
    const other = await api.addProject()
    const { status } = await api.send('POST', '/v1/issues', {
      key: other.publicKey,
      body: { title: 'x', fingerprint: 'shared' },
    })
    expect(status).toBe(201)
  })
})

describe('history', () => {
  it('is walked by cursor, oldest first', async () => {
    const { id } = await submit()
    for (let index = 0; index < 6; index++) await patch(id, { note: `Note ${index}` })
    const first = await get(`/v1/issues/${id}/events?pageSize=4`)
    const rest = await get(`/v1/issues/${id}/events?pageSize=4&cursor=${first.pagination.nextCursor}`)
    const notes = [...first.data, ...rest.data].map((event: { note: string | null }) => event.note)
    expect(notes).toEqual([null, 'Note 0', 'Note 1', 'Note 2', 'Note 3', 'Note 4', 'Note 5'])
    expect(rest.pagination).toMatchObject({ hasMore: false, nextCursor: null })
    const other = await submit()
    expect(
      (
        await api.send('GET', `/v1/issues/${other.id}/events?cursor=${first.pagination.nextCursor}`, {
          key: project.secretKey,
        })
      ).status,
    ).toBe(400)
  })
})

describe('lists', () => {
  it('filter, search and sort', async () => {
    const own = await api.addProject()
    const add = async (body: Record<string, unknown>) => {
      now += 1_000
      await api.send('POST', '/v1/issues', { key: own.publicKey, body })
    }
    await add({
      title: 'Crash on Start',
      category: 'crash',
      priority: 'high',
      platform: 'iOS',
      appVersion: '1.0',
      branch: 'main',
    })
    await add({
      title: 'Übersicht bleibt leer',
      description: '設定画面が壊れた',
      platform: 'android',
      appVersion: '1.1',
    })
    await add({
      title: 'Slow start',
      category: 'performance',
      priority: 'low',
      platform: 'ios',
      appVersion: '1.1',
      fingerprint: 'slow',
    })
    await add({ title: 'Slow start again', fingerprint: 'slow' })
    const list = async (query: string) => {
      const { data, pagination } = await get(`/v1/issues?${query}`, own.secretKey)
      expect(pagination.totalCount).toBe(data.length)
      return data.map((issue: { issueNumber: number }) => issue.issueNumber)
    }
    expect(await list('platform=IOS')).toEqual([3, 1])
    expect(await list('category=crash,performance&sort=oldest')).toEqual([1, 3])
    expect(await list('appVersion=1.1&priority=medium')).toEqual([2])
    expect(await list('branch=main')).toEqual([1])
    expect(await list('q=start')).toEqual([3, 1])
    expect(await list('q=sta*&sort=oldest')).toEqual([1, 3])
    expect(await list('q=%22slow start%22')).toEqual([3])
    expect(await list('q=ubersicht')).toEqual([2])
    expect(await list(`q=${encodeURIComponent('画面')}`)).toEqual([2])
    expect(await list('q=nothing here')).toEqual([])
    expect(await list('sort=reports')).toEqual([3, 2, 1])
    expect(await list('sort=priority')).toEqual([1, 2, 3])
    expect(await list('sort=updated')).toEqual([3, 2, 1])
    expect(await list(`createdAfter=${new Date(now - 2_000).toISOString()}`)).toEqual([3, 2])
    expect(await list(`createdBefore=${new Date(now - 2_000).toISOString()}`)).toEqual([1])
  })

  it.each(['"', '*', 'AND', 'NOT (', 'a"b*c', '-x', 'NEAR(a b)', '\\', ':', '^a', '{}', '%00', '💥', '𝒳'])(
    'find no fault with the search %s',
    async (q) => {
      expect(
        (await api.send('GET', `/v1/issues?q=${encodeURIComponent(q)}`, { key: project.secretKey })).status,
      ).toBe(200)
    },
  )
})

describe('projects', () => {
  it('are listed as far as the key reaches', async () => {
    const own = await get('/v1/projects')
    expect(own.data.map(({ id }: { id: string }) => id)).toEqual([project.id])
    const instance = await api.addKey({})
    const seen: string[] = []
    let cursor = ''
    do {
      const { data, pagination } = await get(`/v1/projects?pageSize=2${cursor}`, instance)
      seen.push(...data.map(({ slug }: { slug: string }) => slug))
      cursor = pagination.nextCursor && `&cursor=${pagination.nextCursor}`
    } while (cursor)
    expect(seen).toContain(project.slug)
    expect(new Set(seen).size).toBe(seen.length)
    const narrow = await api.addKey({ scopes: ['issues:read'] })
    expect((await api.send('GET', '/v1/projects', { key: narrow })).status).toBe(403)
  })

  it('show their public keys, and never a secret one', async () => {
    const { data } = await get(`/v1/projects/${project.slug}/keys`)
    expect(data.map(({ token }: { token: string }) => token)).toEqual([project.publicKey])
    expect(
      (await api.send('GET', `/v1/projects/${project.slug}/keys`, { key: project.publicKey })).status,
    ).toBe(403)
  })

  it('tell their statistics', async () => {
    const own = await api.addProject()
    const send = (body: unknown) => api.send('POST', '/v1/issues', { key: own.publicKey, body })
    const { body: one } = await send({
      title: 'One',
      platform: 'ios',
      appVersion: '1.0',
      submissionId: 'one',
    })
    await send({ title: 'One', platform: 'ios', appVersion: '1.0', submissionId: 'one' })
    await send({ title: 'Two', fingerprint: 'f', category: 'crash' })
    await send({ title: 'Two', fingerprint: 'f', category: 'crash' })
    await send({ titel: 'Three' })
    await send('{')
    now += 600_000
    await patch(one.id, { status: 'resolved' }, { key: own.secretKey })
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    const stats = await get(`/v1/projects/${own.slug}/stats?days=2`, own.secretKey)
    expect(stats).toMatchObject({
      projectId: own.id,
      days: 2,
      totals: { issues: 2, reports: 3, open: 1 },
      byStatus: { open: 1, resolved: 1, closed: 0 },
      byCategory: { bug: 1, crash: 1, security: 0 },
      byPlatform: [{ value: 'ios', count: 1 }],
      byAppVersion: [{ value: '1.0', count: 1 }],
      timeToAcknowledge: { medianSeconds: 600, count: 1 },
      timeToResolve: { medianSeconds: 600, count: 1 },
      intake: {
        received: 6,
        stored: 2,
        joined: 1,
        replayed: 1,
        limited: 0,
        refused: { 'malformed-body': 1, 'validation-failed': 1 },
      },
    })
    expect(stats.series.at(-1)).toEqual({
      date: new Date(now).toISOString().slice(0, 10),
      created: 2,
      resolved: 1,
      reports: 3,
    })
    expect(
      (await api.send('GET', `/v1/projects/${own.slug}/stats?days=366`, { key: own.secretKey })).status,
    ).toBe(400)
  })
})
