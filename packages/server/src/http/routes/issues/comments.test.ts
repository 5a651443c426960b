import { MAX_COMMENT_CHARS, MAX_COMMENT_ID_CHARS } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'
import { type Answer, BLIND_SCOPES } from '../../../../test-support/start-app.ts'

const stage = setIssueStage()
const { report, get, history, retrieve } = stage

const send = (method: string, path: string, body?: object, key = stage.project.secretKey) =>
  stage.api.send(method, path, { key, ...(body && { body }) })
const comment = (id: string, body: object, key?: string): Promise<Answer> =>
  send('POST', `/v1/issues/${id}/comments`, body, key)
const textsOf = async (id: string) =>
  (await get(`/v1/issues/${id}/comments`)).data.map((one: { text: string }) => one.text)

describe('a comment', () => {
  it('is stored once per id, and shows who wrote it', async () => {
    const { id } = await report()
    const ada = await stage.api.addUser({ name: 'Ada', role: 'triager' })
    const first = await comment(id, { commentId: 'a', text: 'Hello **you**' }, ada)
    expect([first.status, first.body]).toMatchObject([
      201,
      {
        id: 'a',
        issueId: id,
        text: 'Hello **you**',
        audience: 'team',
        author: { kind: 'user', name: 'Ada' },
        mentions: [],
        editedAt: null,
      },
    ])
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    const again = await comment(id, { commentId: 'a', text: 'Hello **you**', audience: 'team' }, ada)
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const other = await comment(id, { commentId: 'a', text: 'Goodbye' }, ada)
    expect([other.status, other.body.code]).toEqual([409, 'comment-conflict'])
    // The same id is free on another issue, and a key is an author too.
    const { id: second } = await report()
    const byKey = await comment(second, { commentId: 'a', text: 'Goodbye' })
    expect(byKey.body).toMatchObject({ author: { kind: 'key' }, text: 'Goodbye' })
    expect(await textsOf(id)).toEqual(['Hello **you**'])
  })

  it('does not change the issue, but its number of comments and its tag', async () => {
    const { id } = await report()
    const before = await retrieve(id)
    await comment(id, { commentId: 'a', text: 'One' })
    const after = await retrieve(id, { 'if-none-match': before.headers.get('etag') ?? '' })
    expect(after.status).toBe(200)
    expect(after.body).toEqual({ ...before.body, commentCount: 1 })
    const list = await get('/v1/issues')
    expect(list.data.find((one: { id: string }) => one.id === id).commentCount).toBe(1)
    const ifMatch = before.headers.get('etag') ?? ''
    expect((await stage.change(id, { priority: 'low' }, { ifMatch })).status).toBe(200)
    await send('DELETE', `/v1/issues/${id}/comments/a`)
    expect((await retrieve(id)).body).toMatchObject({ commentCount: 0, priority: 'low' })
  })

  it('is edited by its author, deleted by its author, and both are in the history', async () => {
    const { id } = await report()
    const ada = await stage.api.addUser({ name: 'Ada' })
    const bob = await stage.api.addUser({ name: 'Bob', role: 'triager' })
    const path = `/v1/issues/${id}/comments/a`
    await comment(id, { commentId: 'a', text: 'My password is hunter2' }, ada)
    for (const key of [bob, stage.project.secretKey])
      expect((await send('PATCH', path, { text: 'Mine' }, key)).body.code).toBe('not-author')
    expect((await send('DELETE', path, undefined, bob)).body.code).toBe('not-author')
    const edited = await send('PATCH', path, { text: 'My password is swordfish' }, ada)
    expect(edited.body).toMatchObject({ text: 'My password is swordfish', editedAt: expect.any(String) })
    expect((await send('PATCH', path, { text: 'My password is swordfish' }, ada)).body).toEqual(edited.body)
    const [, created, updated] = await history(id)
    expect(created).toMatchObject({
      type: 'comment.created',
      actor: { name: 'Ada' },
      changes: [{ member: 'comment', from: null, to: 'a' }],
      comment: edited.body,
    })
    expect(updated).toMatchObject({ type: 'comment.updated', comment: edited.body })

    expect((await send('DELETE', path, undefined, ada)).status).toBe(204)
    expect((await send('DELETE', path, undefined, ada)).status).toBe(404)
    expect((await send('PATCH', path, { text: 'Back' }, ada)).status).toBe(404)
    expect((await comment(id, { commentId: 'a', text: 'My password is hunter2' }, ada)).status).toBe(409)
    const events = await history(id)
    expect(events.map(({ type, comment: own }: Answer['body']) => [type, own])).toEqual([
      ['issue.created', null],
      ['comment.created', null],
      ['comment.updated', null],
      ['comment.deleted', null],
    ])
    expect(await textsOf(id)).toEqual([])
    const feed = await stage.api.send('GET', '/v1/events?limit=1000', { key: stage.project.secretKey })
    expect(feed.text).not.toMatch(/hunter2|swordfish/)
  })

  it.each([
    ['no text', { commentId: 'a' }],
    ['an empty text', { commentId: 'a', text: '' }],
    ['a blank text', { commentId: 'a', text: ' \n' }],
    ['a text that is too long', { commentId: 'a', text: 'x'.repeat(MAX_COMMENT_CHARS + 1) }],
    ['NUL', { commentId: 'a', text: 'a\0b' }],
    ['no id', { text: 'x' }],
    ['an id that is too long', { commentId: 'x'.repeat(MAX_COMMENT_ID_CHARS + 1), text: 'x' }],
    ['an id that is not safe in a path', { commentId: '../x', text: 'x' }],
    ['an unknown audience', { commentId: 'a', text: 'x', audience: 'everyone' }],
    ['a report, but not for reporters', { commentId: 'a', text: 'x', reportId: 'rep_1' }],
    ['an unknown report', { commentId: 'a', text: 'x', audience: 'reporters', reportId: 'rep_1' }],
    ['an id that only messages of reporters have', { commentId: '1.a', text: 'x' }],
    ['another field', { commentId: 'a', text: 'x', author: 'usr_1' }],
  ])('is refused with %s', async (_, body) => {
    const { id } = await report()
    const { status, body: problem } = await comment(id, body)
    expect([status, problem.code]).toEqual([422, 'validation-failed'])
    expect(await textsOf(id)).toEqual([])
    expect(await history(id)).toHaveLength(1)
  })

  it('can be deleted by anyone who may delete issues, also if its author is gone', async () => {
    const { id } = await report()
    const bob = await stage.api.addUser({ name: 'Bob', role: 'triager' })
    const admin = await stage.api.addUser({ name: 'Cleo', role: 'admin' })
    await comment(id, { commentId: 'a', text: 'My password is hunter2' }, bob)
    expect((await send('DELETE', `/v1/issues/${id}/comments/a`, undefined, admin)).status).toBe(204)
    expect(await textsOf(id)).toEqual([])
    expect((await history(id)).at(-1)).toMatchObject({ type: 'comment.deleted', actor: { name: 'Cleo' } })
  })

  it.each(['%00', 'a%00b', '..%2Fx', 'x'.repeat(MAX_COMMENT_ID_CHARS + 1)])(
    'is not found by %s',
    async (commentId) => {
      const { id } = await report()
      const path = `/v1/issues/${id}/comments/${commentId}`
      const key = stage.project.secretKey
      expect((await stage.api.send('PATCH', path, { key, body: { text: 'x' } })).status).toBe(404)
      expect((await stage.api.send('DELETE', path, { key })).status).toBe(404)
    },
  )

  it('is stored as written, however hostile it is', async () => {
    const { id } = await report()
    const text = '<script>alert(1)</script> [x](javascript:alert(1)) \u001b[31m \u202egpj.exe'
    await comment(id, { commentId: 'a', text })
    const longest = '🐞'.repeat(MAX_COMMENT_CHARS)
    await comment(id, { commentId: 'b', text: longest })
    expect(await textsOf(id)).toEqual([text, longest])
  })
})

describe('mentions', () => {
  it('name people who can see the issue, and reveal nothing about others', async () => {
    const own = await stage.api.addProject()
    const other = await stage.api.addProject()
    await stage.api.addUser({ name: 'Sighted Sue', canSeeSecurity: true, projects: [own] })
    await stage.api.addUser({ name: 'Blind Ben', projects: [own] })
    await stage.api.addUser({ name: 'Strange Sam', canSeeSecurity: true, projects: [other] })
    const text = '@sighted sue, @Blind Ben and @Strange Sam'
    const namesIn = ({ body }: Answer) => body.mentions.map(({ name }: { name: string }) => name)
    const { id } = await report({}, own.publicKey)
    const open = await comment(id, { commentId: 'a', text }, own.secretKey)
    expect(namesIn(open)).toEqual(['sighted sue', 'Blind Ben'])
    const { id: hidden } = await report({ category: 'security' }, own.publicKey)
    expect(namesIn(await comment(hidden, { commentId: 'a', text }, own.secretKey))).toEqual(['sighted sue'])
    const path = `/v1/issues/${id}/comments/a`
    expect(namesIn(await send('PATCH', path, { text: '@Blind Ben' }, own.secretKey))).toEqual(['Blind Ben'])
  })
})

describe('comments', () => {
  it('are listed oldest first, in pages that a long text cannot overfill', async () => {
    const { id } = await report()
    const ids = Array.from({ length: 40 }, (_, n) => `c${n}`)
    for (const commentId of ids) await comment(id, { commentId, text: commentId.padEnd(8_000, 'x') })
    for (const path of ['comments', 'events']) {
      const seen: string[] = []
      const sizes: number[] = []
      let cursor = ''
      do {
        const page = await get(`/v1/issues/${id}/${path}?pageSize=100${cursor}`)
        const shown = page.data.map((one: Answer['body']) => one.comment ?? one)
        seen.push(...shown.map((one: { id: string }) => one.id))
        sizes.push(page.data.length)
        cursor = page.pagination.nextCursor && `&cursor=${page.pagination.nextCursor}`
      } while (cursor)
      expect(seen.filter((one) => one?.startsWith('c'))).toEqual(ids)
      expect(sizes).toHaveLength(2)
    }
    const { pagination } = await get(`/v1/issues/${id}/comments?pageSize=3`)
    expect(pagination).toMatchObject({ totalCount: 40, hasMore: true })
    const feed = await get('/v1/events?limit=1000&type=comment.created')
    expect(feed.data.length).toBeGreaterThan(0)
  })

  it('of a hidden issue are hidden, and follow it between the lanes', async () => {
    const blind = await stage.api.addKey({ project: stage.project, scopes: BLIND_SCOPES })
    const { id } = await report()
    await comment(id, { commentId: 'a', text: 'A quagga' }, blind)
    await stage.change(id, { category: 'security' })
    const path = `/v1/issues/${id}/comments`
    expect((await send('GET', path, undefined, blind)).status).toBe(404)
    expect((await comment(id, { commentId: 'b', text: 'x' }, blind)).status).toBe(404)
    expect((await send('PATCH', `${path}/a`, { text: 'x' }, blind)).status).toBe(404)
    expect((await send('DELETE', `${path}/a`, undefined, blind)).status).toBe(404)
    const feed = await stage.api.send('GET', '/v1/events?limit=1000', { key: blind })
    expect(feed.text).not.toContain('quagga')
    await stage.change(id, { category: 'bug' })
    expect((await send('GET', path, undefined, blind)).body.data).toHaveLength(1)
    const shown = await stage.api.send('GET', '/v1/events?limit=1000', { key: blind })
    expect(shown.text).toContain('quagga')
  })

  it('are not shown to anonymous readers of a public project, nor counted for them', async () => {
    const own = await stage.api.addProject({ isPublic: true })
    const { id } = await report({}, own.publicKey)
    const before = await stage.api.send('GET', `/v1/issues/${id}`)
    await comment(id, { commentId: 'a', text: 'Between us' }, own.secretKey)
    const after = await stage.api.send('GET', `/v1/issues/${id}`)
    expect(after.body).toEqual({ ...before.body, commentCount: null })
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'))
    for (const key of [undefined, own.publicKey]) {
      const answer = await stage.api.send(
        'GET',
        `/v1/issues/${id}/comments`,
        key === undefined ? {} : { key },
      )
      expect(answer.status).toBe(key === undefined ? 401 : 403)
    }
  })

  it('are in the feed only for callers who may read issues', async () => {
    const { id } = await report()
    await comment(id, { commentId: 'a', text: 'An okapi' })
    for (const [scopes, isShown] of [
      [['events:read'], false],
      [['events:read', 'issues:read'], true],
    ] as const) {
      const key = await stage.api.addKey({ project: stage.project, scopes })
      const feed = await stage.api.send('GET', '/v1/events?limit=1000&type=comment.created', { key })
      const event = feed.body.data.find((one: { issueId: string }) => one.issueId === id)
      expect([event.changes, event.comment !== null]).toEqual([
        [{ member: 'comment', from: null, to: 'a' }],
        isShown,
      ])
      expect(feed.text.includes('okapi')).toBe(isShown)
    }
  })

  it('are gone with their issue', async () => {
    const { id } = await report()
    await comment(id, { commentId: 'a', text: 'A flamingo' })
    await send('DELETE', `/v1/issues/${id}`)
    expect((await send('GET', `/v1/issues/${id}/comments`)).status).toBe(404)
    const feed = await stage.api.send('GET', '/v1/events?limit=1000', { key: stage.project.secretKey })
    expect(feed.text).not.toContain('flamingo')
  })
})
