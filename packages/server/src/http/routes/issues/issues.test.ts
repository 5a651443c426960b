import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'
import { mintId, projectNumberOf } from '../../../model/ids.ts'

const stage = setIssueStage()
const { submit, retrieve } = stage

describe('an issue', () => {
  it('is a 304 while its tag matches', async () => {
    const { body } = await submit({ title: 'Tagged' })
    const first = await retrieve(body.id)
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[^"]+"$/)
    expect(first.headers.get('vary')).toBe('Authorization, Cookie')
    for (const header of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, text } = await retrieve(body.id, { 'if-none-match': header })
      expect([status, text]).toEqual([304, ''])
    }
    expect((await retrieve(body.id, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('of another project gives the same response as one that does not exist, byte for byte', async () => {
    const other = await stage.api.addProject()
    const { body } = await submit({ title: 'Theirs' }, {}, other.publicKey)
    const missing = mintId('iss', Date.now(), projectNumberOf(other.id))
    const nowhere = mintId('iss', Date.now(), 12_345)
    const answers = await Promise.all([body.id, missing, nowhere, 'iss_nonsense'].map((id) => retrieve(id)))
    const [theirs, ...others] = answers.map(({ status, headers, text }) => ({
      status,
      headers: [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name)),
      text: text.replace(/"requestId":"\w+"/, '').replace(/"instance":"[^"]+"/, ''),
    }))
    for (const answer of others) expect(answer).toEqual(theirs)
    expect(theirs?.status).toBe(404)
  })

  it('needs the scope, whether or not it exists', async () => {
    const { body } = await submit({ title: 'x' })
    const key = await stage.api.addKey({ project: stage.project, scopes: ['issues:create'] })
    for (const id of [body.id, mintId('iss', Date.now(), 1)]) {
      expect((await retrieve(id, {}, key)).body.code).toBe('insufficient-scope')
      expect((await retrieve(id, {}, stage.project.publicKey)).body.code).toBe('insufficient-scope')
    }
  })

  it('of the category security exists only for callers with the scope', async () => {
    const fresh = await stage.api.addProject()
    const { body } = await submit({ title: 'Token leaks', category: 'security' }, {}, fresh.publicKey)
    expect((await retrieve(body.id, {}, fresh.secretKey)).status).toBe(200)
    const key = await stage.api.addKey({ project: fresh, scopes: ['issues:read'] })
    expect((await retrieve(body.id, {}, key)).status).toBe(404)
    const list = await stage.api.send('GET', '/v1/issues', { key })
    expect(list.body).toMatchObject({ data: [], pagination: { totalCount: 0, hasMore: false } })
  })
})

describe('an issue by its number', () => {
  const byNumber = (
    idOrSlug: string,
    number: number | string,
    headers: Record<string, string> = {},
    key = stage.project.secretKey,
  ) => stage.api.send('GET', `/v1/projects/${idOrSlug}/issues/${number}`, { key, headers })

  it('is the same response as by its id, with the same tag', async () => {
    const { body } = await submit({ title: 'Numbered' })
    const byId = await retrieve(body.id)
    for (const name of [stage.project.slug, stage.project.id]) {
      const found = await byNumber(name, body.issueNumber)
      expect([found.status, found.body]).toEqual([200, byId.body])
      expect(found.headers.get('etag')).toBe(byId.headers.get('etag'))
      expect(found.headers.get('vary')).toBe('Authorization, Cookie')
    }
    const tag = byId.headers.get('etag') ?? ''
    const unchanged = await byNumber(stage.project.slug, body.issueNumber, { 'if-none-match': tag })
    expect([unchanged.status, unchanged.text]).toEqual([304, ''])
  })

  it.each(['0', '-1', '1.5', '01', '1e3', '2147483648', '4294967297', '99999999999999999999', 'iss_1', 'x'])(
    'is not found by %s',
    async (number) => {
      await submit({ title: 'There is one' })
      expect((await byNumber(stage.project.slug, number)).body.code).toBe('not-found')
    },
  )

  it('counts within its project', async () => {
    const fresh = await stage.api.addProject()
    const { body } = await submit({ title: 'Theirs' }, {}, fresh.publicKey)
    expect(body.issueNumber).toBe(1)
    expect((await byNumber(fresh.slug, 1, {}, fresh.secretKey)).body.id).toBe(body.id)
    expect((await byNumber(fresh.slug, 1)).body.code).toBe('not-found')
    expect((await byNumber(fresh.slug, 2, {}, fresh.secretKey)).body.code).toBe('not-found')
  })

  it('of the category security exists only for callers with the scope', async () => {
    const fresh = await stage.api.addProject()
    await submit({ title: 'Token leaks', category: 'security' }, {}, fresh.publicKey)
    expect((await byNumber(fresh.slug, 1, {}, fresh.secretKey)).status).toBe(200)
    const key = await stage.api.addKey({ project: fresh, scopes: ['issues:read'] })
    expect((await byNumber(fresh.slug, 1, {}, key)).body.code).toBe('not-found')
  })
})

describe('keys', () => {
  it.each([
    ['none', undefined, 'credentials-required'],
    ['a typo', 'bgl_pub_', 'invalid-credentials'],
    ['another scheme', 'Basic', 'invalid-credentials'],
  ])('%s: 401 with WWW-Authenticate', async (_, scheme, code) => {
    const headers =
      scheme === undefined
        ? {}
        : { authorization: scheme === 'Basic' ? 'Basic eDp5' : `Bearer ${scheme}${'x'.repeat(36)}` }
    const answer = await stage.api.send('POST', '/v1/issues', { body: { title: 'x' }, headers })
    expect([answer.status, answer.body.code]).toEqual([401, code])
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })

  it('with a wrong checksum are refused without a query', async () => {
    const wrong = stage.project.publicKey.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    expect((await submit({ title: 'x' }, {}, wrong)).body.code).toBe('invalid-credentials')
  })

  it('submit with the scope, and not without', async () => {
    const may = await stage.api.addKey({ project: stage.project, scopes: ['issues:create'] })
    const mayNot = await stage.api.addKey({ project: stage.project, scopes: ['issues:read'] })
    expect((await submit({ title: 'x' }, {}, may)).status).toBe(201)
    const { status, body } = await submit({ title: 'x' }, {}, mayNot)
    expect([status, body.code]).toEqual([403, 'insufficient-scope'])
    expect(body.detail).toContain('issues:create')
  })

  it('for all projects cannot submit, and list the issues of all projects or of one', async () => {
    const key = await stage.api.addKey({})
    expect((await submit({ title: 'x' }, {}, key)).status).toBe(403)
    expect((await stage.api.send('GET', '/v1/issues', { key })).status).toBe(200)
    for (const name of [stage.project.id, stage.project.slug]) {
      expect((await stage.api.send('GET', `/v1/issues?projectId=${name}`, { key })).status).toBe(200)
    }
    expect((await stage.api.send('GET', '/v1/issues?projectId=nowhere', { key })).status).toBe(404)
  })
})

describe('a public project', () => {
  it('shows anyone its issues without the private fields, and nothing else', async () => {
    const open = await stage.api.addProject({ isPublic: true })
    const sent = {
      title: 'Seen',
      deviceModel: 'iPhone 17',
      submissionId: 's',
      metadata: { a: 1 },
      sdk: { name: 'n', version: '1' },
    }
    const { body } = await submit(sent, {}, open.publicKey)
    const hidden = await submit({ title: 'Hidden', category: 'security' }, {}, open.publicKey)
    const { body: issue } = await stage.api.send('GET', `/v1/issues/${body.id}`)
    expect(issue).toMatchObject({
      title: 'Seen',
      deviceModel: null,
      submissionId: null,
      metadata: null,
      sdk: null,
    })
    const { body: list } = await stage.api.send('GET', `/v1/issues?projectId=${open.slug}`)
    expect(
      list.data.map((item: { title: string; deviceModel: null }) => [item.title, item.deviceModel]),
    ).toEqual([['Seen', null]])
    expect(list.pagination.totalCount).toBe(1)

    const refused = await stage.api.send('GET', `/v1/issues/${hidden.body.id}`)
    const missing = await stage.api.send(
      'GET',
      `/v1/issues/${mintId('iss', Date.now(), projectNumberOf(open.id))}`,
    )
    const closed = await stage.api.send('GET', `/v1/issues/${(await submit({ title: 'x' })).body.id}`)
    for (const answer of [refused, missing, closed]) {
      expect([answer.status, answer.body.code]).toEqual([401, 'credentials-required'])
    }
  })

  it('has different tags for the team and for anonymous readers', async () => {
    const open = await stage.api.addProject({ isPublic: true })
    const { body } = await submit({ title: 'Seen' }, {}, open.publicKey)
    const stranger = await stage.api.send('GET', `/v1/issues/${body.id}`)
    const team = await retrieve(body.id, {}, open.secretKey)
    expect(stranger.headers.get('etag')).not.toBe(team.headers.get('etag'))
  })
})
