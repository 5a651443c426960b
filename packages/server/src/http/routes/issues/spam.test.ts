import { randomUUID } from 'node:crypto'
import { SPAM_DAYS } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'
import type { Answer, TestProject } from '../../../../test-support/start-app.ts'
import { enforceRetention } from '../../../workers/retention.ts'

const stage = setIssueStage({ isOnDisk: true, environment: { BUGLE_TRUST_PROXY: '127.0.0.1' } })
const DAY_MS = 86_400_000

async function startProject(overrides: { readonly isPublic?: boolean } = {}) {
  const own: TestProject = await stage.api.addProject(overrides)
  const key = own.secretKey
  const get = async (path: string, by: string | null = key): Promise<Answer> =>
    stage.api.send('GET', path, by === null ? {} : { key: by })
  const submit = (body: object = {}, address = '192.0.2.1') =>
    stage.api.send('POST', '/v1/issues', {
      key: own.publicKey,
      body: { title: 'Blank screen', ...body },
      headers: { 'x-forwarded-for': address },
    })
  return {
    own,
    key,
    get,
    submit,
    report: async (body?: object, address?: string): Promise<string> => (await submit(body, address)).body.id,
    mark: (id: string, body: object = {}, headers = {}) =>
      stage.api.send('POST', `/v1/issues/${id}/spam`, { key, body, headers }),
    unmark: (id: string, headers = {}) => stage.api.send('DELETE', `/v1/issues/${id}/spam`, { key, headers }),
    idsIn: async (query = ''): Promise<string[]> =>
      (await get(`/v1/issues?${query}`)).body.data.map(({ id }: { id: string }) => id),
  }
}

describe('spam', () => {
  it('is in no list, search, count or statistic until the mark is removed', async () => {
    const { own, get, report, mark, unmark, idsIn } = await startProject()
    const [spam, other] = [await report({ appVersion: '1.0' }), await report()]
    const { status, body, headers } = await mark(spam)
    expect([status, body.version, headers.get('etag')]).toEqual([200, 2, '"2.1.full"'])
    expect(body.spamAt).toBe(new Date(stage.now).toISOString())
    expect((await mark(spam)).body.version).toBe(2)
    expect(await idsIn()).toEqual([other])
    expect(await idsIn('q=blank')).toEqual([other])
    expect(await idsIn('spam=true')).toEqual([spam])
    expect(await idsIn('spam=true&q=blank&sort=updated')).toEqual([spam])
    expect((await get('/v1/issues/counts')).body.total).toBe(1)
    expect((await get('/v1/issues/counts?spam=true')).body.total).toBe(1)
    const stats = async () => (await get(`/v1/projects/${own.slug}/stats`)).body
    expect((await stats()).byStatus).toMatchObject({ open: 1 })
    expect((await get(`/v1/projects/${own.slug}/versions`)).body.data).toEqual([])
    expect((await get(`/v1/issues/${spam}`)).body.spamAt).not.toBeNull()
    const history = (await get(`/v1/issues/${spam}/events`)).body.data
    expect(history.map(({ type }: { type: string }) => type)).toEqual([
      'issue.created',
      'issue.marked_as_spam',
    ])

    expect((await unmark(spam)).body).toMatchObject({ spamAt: null, version: 3 })
    expect(await idsIn()).toEqual([other, spam])
    expect((await stats()).byStatus).toMatchObject({ open: 2 })
    expect((await get(`/v1/projects/${own.slug}/versions`)).body.data).toHaveLength(1)
  })

  it('is not shown to anonymous readers of a public project, who cannot ask for it either', async () => {
    const { own, get, report, mark } = await startProject({ isPublic: true })
    const spam = await report()
    expect((await get(`/v1/issues/${spam}`, null)).body.spamAt).toBeNull()
    await mark(spam)
    expect((await get(`/v1/issues/${spam}`, null)).status).toBe(401)
    expect((await get(`/v1/projects/${own.slug}/issues/1`, null)).status).toBe(401)
    expect((await get(`/v1/issues?projectId=${own.slug}`, null)).body.data).toEqual([])
    expect((await get(`/v1/issues?projectId=${own.slug}&spam=true`, null)).status).toBe(401)
  })

  it('is merged with nothing: the mark separates duplicates, and nothing can be merged into spam', async () => {
    const { key, get, report, mark, unmark } = await startProject()
    const [target, one, other] = [await report(), await report(), await report()]
    const merge = (id: string, into: string) =>
      stage.api.send('POST', `/v1/issues/${id}/merge`, { key, body: { into } })
    for (const id of [one, other]) expect((await merge(id, target)).status).toBe(200)
    expect((await mark(one)).body).toMatchObject({ duplicateOf: null, status: 'open' })
    expect((await get(`/v1/issues/${target}`)).body).toMatchObject({ duplicateCount: 1, reportCount: 2 })
    expect((await mark(target)).body).toMatchObject({ duplicateCount: 0, reportCount: 1 })
    expect((await get(`/v1/issues/${other}`)).body).toMatchObject({ duplicateOf: null, status: 'open' })
    for (const [id, into] of [
      [other, target],
      [target, other],
      [target, one],
    ] as const)
      expect((await merge(id, into)).body).toMatchObject({
        code: 'validation-failed',
        errors: [{ pointer: '#/into', code: 'unknown' }],
      })
    await unmark(target)
    expect((await merge(other, target)).status).toBe(200)
    expect(await stage.findFaults()).toEqual([])
  })

  it('is marked only in the version that the person saw', async () => {
    const { report, mark, unmark } = await startProject()
    const spam = await report()
    expect((await mark(spam, {}, { 'if-match': '"7.1.full"' })).body.code).toBe('precondition-failed')
    expect((await mark(spam, {}, { 'if-match': '"1.1.full"' })).status).toBe(200)
    expect((await unmark(spam, { 'if-match': '"1.1.full"' })).body.code).toBe('precondition-failed')
    expect((await mark(spam, { blockSenders: true })).status).toBe(422)
  })

  it('can be marked and unmarked with a bulk change, also by a filter', async () => {
    const { key, report, idsIn } = await startProject()
    const content = { fingerprint: 'same', appVersion: '1.0' }
    const [first, second, third] = [await report(content), await report(), await report()]
    await report(content)
    const bulk = (body: object) =>
      stage.api.send('POST', '/v1/issues/bulk', { key, body: { bulkId: randomUUID(), ...body } })
    const issues = [first, second].map((id) => ({ id, version: 1 }))
    expect((await bulk({ action: 'mark_spam', issues })).body).toMatchObject({ changedCount: 2 })
    expect(await idsIn()).toEqual([third])
    expect((await bulk({ action: 'mark_spam', issues, patch: {} })).status).toBe(422)
    const filter = { spam: true }
    expect((await bulk({ action: 'unmark_spam', filter, count: 3 })).body.code).toBe('selection-changed')
    expect((await bulk({ action: 'unmark_spam', filter, count: 2 })).body).toMatchObject({ changedCount: 2 })
    expect(await idsIn()).toEqual([third, second, first])
    expect(await stage.findFaults()).toEqual([])
  })

  it('is stored as such if its sender is blocked, with the usual response, until it is unblocked', async () => {
    const { get, submit, report, mark, unmark, idsIn } = await startProject()
    const spam = await report({}, '192.0.2.1')
    await mark(spam, { blockSender: true })
    // The block works within a second, like everything that servers keep in memory.
    await expect
      .poll(async () => {
        const { body } = await submit({}, '192.0.2.1')
        return (await get(`/v1/issues/${body.id}`)).body.spamAt
      })
      .not.toBeNull()
    const seen = await idsIn()
    const { status, body } = await submit({ fingerprint: 'f' }, '192.0.2.1')
    expect([status, Object.keys(body), body.status]).toEqual([
      201,
      ['id', 'issueNumber', 'title', 'status', 'createdAt'],
      'open',
    ])
    expect((await submit({ fingerprint: 'f' }, '192.0.2.1')).status).toBe(200)
    expect(await idsIn()).toEqual(seen)
    const honest = await report({ fingerprint: 'f' }, '192.0.2.2')
    expect((await idsIn())[0]).toBe(honest)
    // Also on another day, with another key.
    stage.pass(DAY_MS)
    expect((await get(`/v1/issues/${await report({}, '192.0.2.1')}`)).body.spamAt).not.toBeNull()
    await unmark(spam)
    await expect
      .poll(async () => (await get(`/v1/issues/${await report({}, '192.0.2.1')}`)).body.spamAt)
      .toBeNull()
    expect(await stage.findFaults()).toEqual([])
  })

  it('is deleted after a while, and senders are no longer known', async () => {
    const { own, get, report, mark, submit, idsIn } = await startProject()
    const [spam, other] = [await report({}, '192.0.2.9'), await report()]
    await mark(spam, { blockSender: true })
    const { storage } = stage.api.app
    const retention = { storage, eventDays: 30, deliveryDays: 30, auditDays: null }
    stage.pass(SPAM_DAYS * DAY_MS)
    await enforceRetention({ ...retention, clock: () => stage.now })
    expect(await idsIn('spam=true')).toEqual([spam])
    stage.pass(DAY_MS)
    await enforceRetention({ ...retention, clock: () => stage.now })
    expect(await idsIn('spam=true')).toEqual([])
    expect((await get(`/v1/issues/${spam}`)).status).toBe(404)
    expect(await idsIn()).toEqual([other])
    expect(await storage.senders.listBlocked(own.id)).toEqual([])
    await expect
      .poll(async () => (await get(`/v1/issues/${(await submit({}, '192.0.2.9')).body.id}`)).body.spamAt)
      .toBeNull()
    expect(await stage.findFaults()).toEqual([])
  })
})
