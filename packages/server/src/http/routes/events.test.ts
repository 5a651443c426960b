import type { Event } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../test-support/issue-stage.ts'

const stage = setIssueStage()
const { report, change } = stage

const feed = (query: string, key?: string) => stage.get(`/v1/events${query}`, key)

describe('the feed', () => {
  it('lists events in order', async () => {
    const own = await stage.api.addProject()
    const { id, issueNumber } = await report({ fingerprint: 'f' }, own.publicKey)
    await report({ fingerprint: 'f' }, own.publicKey)
    await change(id, { status: 'resolved', note: 'Done' }, { key: own.secretKey })
    await report({ fingerprint: 'f' }, own.publicKey)
    await change(id, { priority: 'high' }, { key: own.secretKey })
    await stage.api.send('DELETE', `/v1/issues/${id}`, { key: own.secretKey })
    const gone = await feed('', own.secretKey)
    // The events of an issue are deleted with it; the event of the deletion stays.
    expect(gone.data).toEqual([
      expect.objectContaining({
        type: 'issue.deleted',
        issueId: id,
        issueNumber,
        projectId: own.id,
        position: 7,
      }),
    ])
    const other = await report({}, own.publicKey)
    await change(other.id, { status: 'closed' }, { key: own.secretKey })
    const rest = await feed(`?after=${gone.nextAfter}`, own.secretKey)
    expect(rest.data.map(({ type, issueId }: Event) => [type, issueId])).toEqual([
      ['issue.created', other.id],
      ['issue.status_changed', other.id],
    ])
    expect(rest).toMatchObject({ hasMore: false, reset: false })
    expect(await feed(`?after=${rest.nextAfter}`, own.secretKey)).toEqual({
      data: [],
      nextAfter: rest.nextAfter,
      hasMore: false,
      reset: false,
    })
  })

  it('can be paged through with its links', async () => {
    const own = await stage.api.addProject()
    for (let index = 0; index < 5; index++) await report({}, own.publicKey)
    const seen: number[] = []
    let path: string | undefined = '/v1/events?limit=2&type=issue.created&after=1'
    while (path !== undefined) {
      const { body, headers } = await stage.api.send('GET', path, { key: own.secretKey })
      seen.push(...body.data.map(({ position }: Event) => position))
      const link: string = headers.get('link') ?? ''
      expect(link).toContain('</v1/events?limit=2&type=issue.created>; rel="first"')
      path = /<([^>]*)>; rel="next"/.exec(link)?.[1]
    }
    expect(seen).toEqual([2, 3, 4, 5])
  })

  it.each([
    'text/event-stream;q=0',
    'text/event-stream;q=0, */*',
    'text/event-stream;q=0.1, application/json',
  ])('is not a stream for Accept: %s', async (accept) => {
    const { status, headers } = await stage.api.send('GET', '/v1/events', {
      key: stage.project.secretKey,
      headers: { accept },
    })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  })

  it('continues where it ended, whatever the limit and the types', async () => {
    const own = await stage.api.addProject()
    for (let index = 0; index < 12; index++) {
      const { id } = await report({}, own.publicKey)
      if (index % 4 === 0) await change(id, { status: 'closed' }, { key: own.secretKey })
    }
    for (const [query, count] of [
      ['', 15],
      ['&type=issue.status_changed', 3],
      ['&type=issue.created,issue.deleted', 12],
    ] as const) {
      const seen: number[] = []
      let after = 0
      for (;;) {
        const part = await feed(`?limit=2&after=${after}${query}`, own.secretKey)
        seen.push(...part.data.map(({ position }: Event) => position))
        after = part.nextAfter
        if (!part.hasMore) break
      }
      expect(seen).toHaveLength(count)
      expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
    }
  })

  it('reports a reset if the next events are no longer kept, and keeps the history of issues', async () => {
    const own = await stage.api.addProject()
    const { id } = await report({ fingerprint: 'old' }, own.publicKey)
    await report({ fingerprint: 'old' }, own.publicKey)
    await change(id, { status: 'closed' }, { key: own.secretKey })
    const expiry = stage.now + 1
    stage.pass(1_000)
    await report({}, own.publicKey)
    while (await stage.api.app.storage.events.expireSome(own.id, expiry));
    expect(await feed('?after=1', own.secretKey)).toMatchObject({
      reset: true,
      data: [{ type: 'issue.created', position: 4 }],
    })
    expect(await feed('', own.secretKey)).toMatchObject({ reset: false, data: [{ position: 4 }] })
    expect(await feed('?after=3', own.secretKey)).toMatchObject({ reset: false, data: [{ position: 4 }] })
    expect(await feed('?after=99', own.secretKey)).toMatchObject({ reset: true })
    const history = await stage.api.send('GET', `/v1/issues/${id}/events`, { key: own.secretKey })
    expect(history.body.data.map(({ type }: Event) => type)).toEqual([
      'issue.created',
      'issue.status_changed',
    ])
  })

  it('hides the security lane from those without the scope', async () => {
    const own = await stage.api.addProject()
    const hidden = await report({ category: 'security' }, own.publicKey)
    const seen = await report({}, own.publicKey)
    const key = await stage.api.addKey({ project: own, scopes: ['events:read', 'issues:read'] })
    expect((await feed('', key)).data.map(({ issueId }: Event) => issueId)).toEqual([seen.id])
    expect((await feed('', own.secretKey)).data).toHaveLength(2)
    await change(seen.id, { category: 'security' }, { key: own.secretKey })
    expect((await feed('', key)).data).toEqual([])
    await change(hidden.id, { category: 'bug' }, { key: own.secretKey })
    expect((await feed('', key)).data.map(({ issueId }: Event) => issueId)).toEqual([hidden.id, hidden.id])
  })

  it('needs the scope', async () => {
    const key = await stage.api.addKey({ project: stage.project, scopes: ['issues:read'] })
    expect((await stage.api.send('GET', '/v1/events', { key })).status).toBe(403)
    expect((await stage.api.send('GET', '/v1/events', { key: stage.project.publicKey })).status).toBe(403)
    expect((await stage.api.send('GET', '/v1/events')).status).toBe(401)
  })
})
