import { ISSUE_STATUSES, type IssueStatus, TRANSITIONS } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'

const stage = setIssueStage()
const { report, change, get, history } = stage

describe('the states of an issue', () => {
  const pairs = ISSUE_STATUSES.flatMap((from) => ISSUE_STATUSES.map((to) => [from, to] as const))

  it.each(pairs)('%s → %s', async (from, to) => {
    const id = await issueIn(from)
    const before = await get(`/v1/issues/${id}`)
    const events = (await history(id)).length
    const { status, body } = await change(id, { status: to })
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
  it('affects only the given fields, and is one event', async () => {
    const { id } = await report({ description: 'Long story', priority: 'low' })
    const before = await get(`/v1/issues/${id}`)
    stage.pass(60_000)
    const { status, body, headers } = await change(id, {
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
      updatedAt: new Date(stage.now).toISOString(),
    })
    expect(headers.get('etag')).toBe('"2.1.full"')
    const [created, changed] = await history(id)
    expect(created).toMatchObject({ type: 'issue.created', issueId: id, changes: [], note: null })
    expect(changed).toMatchObject({
      type: 'issue.updated',
      createdAt: new Date(stage.now).toISOString(),
      note: 'See crash 12',
      reason: null,
      actor: { kind: 'key' },
      changes: [
        { member: 'priority', from: 'low', to: 'critical' },
        { member: 'title', from: 'Blank screen', to: 'New title' },
      ],
    })
  })

  it('removes optional values with null, and does not copy descriptions into the history', async () => {
    const { id } = await report({ description: 'Password is hunter2' })
    const { body } = await change(id, { description: null, fixedIn: { appVersion: '2.0' } })
    expect(body).toMatchObject({ description: null, fixedIn: { appVersion: '2.0', buildNumber: null } })
    expect((await change(id, { fixedIn: null })).body.fixedIn).toBeNull()
    expect(JSON.stringify(await history(id))).not.toContain('hunter2')
  })

  it('merges the release of a fix, field by field', async () => {
    const { id } = await report()
    const fixedIn = async (patch: object | null) => (await change(id, { fixedIn: patch })).body.fixedIn
    expect(await fixedIn({ appVersion: '2.4.0', buildNumber: '498' })).toEqual({
      appVersion: '2.4.0',
      buildNumber: '498',
    })
    expect(await fixedIn({ buildNumber: '499' })).toEqual({ appVersion: '2.4.0', buildNumber: '499' })
    expect(await fixedIn({ appVersion: '2.4.1' })).toEqual({ appVersion: '2.4.1', buildNumber: '499' })
    const refused = await change(id, { fixedIn: { appVersion: null } })
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '#/fixedIn/appVersion'])
    expect(await fixedIn({ buildNumber: null })).toEqual({ appVersion: '2.4.1', buildNumber: null })
    expect(await fixedIn({ appVersion: null })).toBeNull()
    expect(await fixedIn({ appVersion: '3.0', buildNumber: '1' })).not.toBeNull()
    expect(await fixedIn(null)).toBeNull()
  })

  it.each([
    ['nothing', {}],
    [
      'what is already so',
      { priority: 'medium', title: 'Blank screen', description: null, fixedIn: null, status: 'open' },
    ],
    ['an empty note', { note: null }],
  ])('to %s does nothing', async (_, body) => {
    const { id } = await report()
    const before = await get(`/v1/issues/${id}`)
    stage.pass(1_000)
    const answer = await change(id, body)
    expect([answer.status, answer.body]).toEqual([200, before])
    expect(await history(id)).toHaveLength(1)
  })

  it('may be only a note', async () => {
    const { id } = await report()
    expect((await change(id, { note: 'Asked the reporter' })).body.version).toBe(2)
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
    const { id } = await report()
    const answer = await change(id, body)
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, pointer])
    expect(await history(id)).toHaveLength(1)
  })

  it('is sent as a merge patch or as JSON, and as nothing else', async () => {
    const { id } = await report()
    expect((await change(id, { status: 'acknowledged' }, { type: 'application/json' })).status).toBe(200)
    expect((await change(id, '{"status":"open"}', { type: 'text/plain' })).status).toBe(415)
    expect((await change(id, '{"status":"open"}', { type: 'application/json-patch+json' })).status).toBe(415)
  })

  it('needs the scope, and the issue', async () => {
    const { id } = await report()
    const reader = await stage.api.addKey({ project: stage.project, scopes: ['issues:read'] })
    expect((await change(id, { status: 'closed' }, { key: reader })).status).toBe(403)
    expect((await change(id, { status: 'closed' }, { key: stage.project.publicKey })).status).toBe(403)
    const other = await stage.api.addProject()
    expect((await change(id, { status: 'closed' }, { key: other.secretKey })).status).toBe(404)
    expect((await change('iss_nonsense', { status: 'closed' })).status).toBe(404)
  })
})

describe('If-Match', () => {
  it('allows one of two concurrent changes, and refuses the other', async () => {
    const { id } = await report()
    const answers = await Promise.all(
      (['resolved', 'wontfix'] as const).map((status) => change(id, { status }, { ifMatch: '"1.1.full"' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
    expect(await history(id)).toHaveLength(2)
  })

  it('is optional: without it both changes are made in some order, and the history shows it', async () => {
    const { id } = await report()
    const answers = await Promise.all([
      change(id, { status: 'acknowledged' }),
      change(id, { status: 'in_progress' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const [, first, second] = await history(id)
    expect(second.changes[0].from).toBe(first.changes[0].to)
    expect((await get(`/v1/issues/${id}`)).version).toBe(3)
  })

  it('compares only the version, so that a noisy crash can still be changed', async () => {
    const { id } = await report({ fingerprint: 'noisy' })
    await report({ fingerprint: 'noisy' })
    expect((await change(id, { status: 'acknowledged' }, { ifMatch: '"1.1.full"' })).status).toBe(200)
  })

  it.each([
    ['*', 200],
    ['"7.1.full", "1.9.public"', 200],
    ['"2.1.full"', 412],
    ['"nonsense"', 412],
    ['W/"1.1.full"', 412],
    ['1', 412],
  ])('%s: %i', async (ifMatch, status) => {
    const { id } = await report()
    expect((await change(id, { priority: 'high' }, { ifMatch })).status).toBe(status)
  })
})

describe('history', () => {
  it('is paged by cursor, oldest first', async () => {
    const { id } = await report()
    for (let index = 0; index < 6; index++) await change(id, { note: `Note ${index}` })
    const first = await get(`/v1/issues/${id}/events?pageSize=4`)
    const rest = await get(`/v1/issues/${id}/events?pageSize=4&cursor=${first.pagination.nextCursor}`)
    const notes = [...first.data, ...rest.data].map((event: { note: string | null }) => event.note)
    expect(notes).toEqual([null, 'Note 0', 'Note 1', 'Note 2', 'Note 3', 'Note 4', 'Note 5'])
    expect(rest.pagination).toMatchObject({ hasMore: false, nextCursor: null })
    const other = await report()
    expect(
      (
        await stage.api.send('GET', `/v1/issues/${other.id}/events?cursor=${first.pagination.nextCursor}`, {
          key: stage.project.secretKey,
        })
      ).status,
    ).toBe(400)
  })
})

/** Moves a new issue to a status through allowed changes. */
async function issueIn(status: IssueStatus): Promise<string> {
  const { id } = await report()
  if (status !== 'open') expect((await change(id, { status })).status).toBe(200)
  return id
}
