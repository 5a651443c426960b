import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'

const stage = setIssueStage()
const { report, get } = stage

describe('deletion', () => {
  it('removes the issue with its reports and its history, and frees its submission ids', async () => {
    const { id } = await report({ fingerprint: 'gone', submissionId: 'gone-1' })
    await report({ fingerprint: 'gone', submissionId: 'gone-2', title: 'Second' })
    const before = await get(`/v1/projects/${stage.project.slug}/stats`)
    expect(
      (await stage.api.send('DELETE', `/v1/issues/${id}`, { key: stage.project.secretKey })).status,
    ).toBe(204)
    for (const path of ['', '/events', '/reports']) {
      expect(
        (await stage.api.send('GET', `/v1/issues/${id}${path}`, { key: stage.project.secretKey })).status,
      ).toBe(404)
    }
    const after = await get(`/v1/projects/${stage.project.slug}/stats`)
    expect(after.totals).toEqual({
      ...before.totals,
      issues: before.totals.issues - 1,
      reports: before.totals.reports - 2,
      open: before.totals.open - 1,
    })
    const again = await report({ fingerprint: 'gone', submissionId: 'gone-2', title: 'Second' })
    expect(again.id).not.toBe(id)
    expect(again).not.toHaveProperty('reportCount')
  })

  it('does not free the number', async () => {
    const { id, issueNumber } = await report()
    await stage.api.send('DELETE', `/v1/issues/${id}`, { key: stage.project.secretKey })
    expect((await report()).issueNumber).toBe(issueNumber + 1)
  })

  it('honours If-Match, and does not delete an issue that has changed since', async () => {
    const { id } = await report({ fingerprint: 'guarded' })
    const remove = (ifMatch: string) =>
      stage.api.send('DELETE', `/v1/issues/${id}`, {
        key: stage.project.secretKey,
        headers: { 'if-match': ifMatch },
      })
    const known = (await stage.retrieve(id)).headers.get('etag') ?? ''
    await stage.change(id, { status: 'acknowledged' })
    for (const stale of [known, '"1"', 'W/"2"', '"nonsense"']) {
      const { status, body } = await remove(stale)
      expect([status, body.code]).toEqual([412, 'precondition-failed'])
    }
    expect((await stage.retrieve(id)).body.status).toBe('acknowledged')
    const current = (await stage.retrieve(id)).headers.get('etag') ?? ''
    await report({ fingerprint: 'guarded' })
    expect((await remove(current)).status).toBe(204)
    expect((await remove('*')).status).toBe(404)
  })

  it.each<[string, Record<string, string>, string | undefined]>([
    ['no body', {}, undefined],
    ['a media type and no body', { 'content-type': 'application/json' }, undefined],
    ['a media type and an empty body', { 'content-type': 'application/json' }, ''],
    ['a media type with a parameter', { 'content-type': 'application/json; charset=utf-8' }, ''],
  ])('is possible with %s', async (_, headers, body) => {
    const { id } = await report()
    const { status } = await stage.api.send('DELETE', `/v1/issues/${id}`, {
      key: stage.project.secretKey,
      headers,
      ...(body !== undefined && { body }),
    })
    expect(status).toBe(204)
  })

  it('needs the scope, and works once', async () => {
    const { id } = await report()
    const triager = await stage.api.addKey({
      project: stage.project,
      scopes: ['issues:read', 'issues:triage'],
    })
    expect((await stage.api.send('DELETE', `/v1/issues/${id}`, { key: triager })).status).toBe(403)
    expect(
      (await stage.api.send('DELETE', `/v1/issues/${id}`, { key: stage.project.secretKey })).status,
    ).toBe(204)
    expect(
      (await stage.api.send('DELETE', `/v1/issues/${id}`, { key: stage.project.secretKey })).status,
    ).toBe(404)
  })
})
