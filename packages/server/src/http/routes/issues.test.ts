import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../../../test-support/start-app.ts'
import { mintId, ordinalOf } from '../../ids.ts'

let api: TestApp
let project: TestProject

beforeAll(async () => {
  api = await startApp()
  project = await api.addProject()
})
afterAll(() => api[Symbol.asyncDispose]())

const submit = (body: unknown, headers?: Record<string, string>, key = project.publicKey) =>
  api.send('POST', '/v1/issues', { key, body, ...(headers && { headers }) })

const retrieve = (id: string, headers?: Record<string, string>, key = project.secretKey) =>
  api.send('GET', `/v1/issues/${id}`, { key, ...(headers && { headers }) })

async function issueCount(): Promise<number> {
  return (await api.send('GET', '/v1/issues', { key: project.secretKey })).body.pagination.totalCount
}

describe('a submission', () => {
  it('answers 201 with exactly the record of the specification, and where the issue is', async () => {
    const { status, body, headers } = await submit({ title: 'Settings screen stays blank' })
    expect(status).toBe(201)
    expect(Object.keys(body)).toEqual(['id', 'issueNumber', 'title', 'status', 'createdAt'])
    expect(body).toMatchObject({ title: 'Settings screen stays blank', status: 'open' })
    expect(headers.get('location')).toBe(`/v1/issues/${body.id}`)
    expect(headers.get('bugle-version')).toMatch(/^\d+\.\d+\.\d+$/)
    expect(headers.get('idempotency-replayed')).toBeNull()
  })

  it('is retrieved in full, with every member present', async () => {
    const sent = {
      title: 'Crash on start',
      description: 'Stack:\n<script>alert(1)</script>',
      category: 'crash',
      priority: 'high',
      appVersion: '2.4.1',
      buildNumber: '512',
      osVersion: 'iOS 26.1',
      deviceModel: 'iPhone 17',
      platform: 'iOS',
      branch: 'release/2.4',
      submissionId: 'full-1',
      occurredAt: '2026-11-15T10:00:00.5+01:00',
      metadata: { locale: 'de-CH', free: 12.5, isPro: false },
      sdk: { name: '@bugle/sdk', version: '0.1.0' },
    }
    const { body: record } = await submit(sent)
    const { body: issue } = await retrieve(record.id)
    expect(issue).toEqual({
      ...sent,
      ...record,
      platform: 'ios',
      occurredAt: '2026-11-15T09:00:00.500Z',
      projectId: project.id,
      fingerprint: null,
      reportCount: 1,
      lastReportedAt: record.createdAt,
      fixedIn: null,
      updatedAt: record.createdAt,
      version: 1,
      allowedTransitions: ['acknowledged', 'in_progress', 'resolved', 'closed', 'wontfix'],
    })
  })

  it('takes null for absent, except for the title', async () => {
    const { body } = await submit({
      title: 'x',
      description: null,
      category: null,
      priority: null,
      metadata: null,
      sdk: null,
    })
    expect((await retrieve(body.id)).body).toMatchObject({
      description: null,
      category: 'bug',
      priority: 'medium',
      metadata: null,
    })
    expect((await submit({ title: null })).status).toBe(422)
  })

  it('keeps text as it was sent, and mends half a surrogate pair', async () => {
    const title = '  \u202e"><img src=x> 🎺 \\u0007 '
    const { body } = await submit({ title, description: 'half \ud83c pair' })
    expect(body.title).toBe(title)
    expect((await retrieve(body.id)).body.description).toBe('half \ufffd pair')
  })

  it('counts characters, not units or bytes', async () => {
    expect((await submit({ title: '🎺'.repeat(256) })).status).toBe(201)
    expect((await submit({ title: '🎺'.repeat(257) })).status).toBe(422)
    expect((await submit({ title: 'x', description: '語'.repeat(32_768) })).status).toBe(201)
  })

  it('takes the last of repeated members', async () => {
    expect((await submit('{"title":"first","title":"second"}')).body.title).toBe('second')
  })
})

describe('a bad submission names every fault, and stores nothing', () => {
  const title = 'x'
  it.each<[string, unknown, [pointer: string, code: string][]]>([
    ['missing title', {}, [['#/title', 'required']]],
    ['empty title', { title: '' }, [['#/title', 'too-short']]],
    ['blank title', { title: ' \n\t\u00a0' }, [['#/title', 'blank']]],
    ['257 characters', { title: 'x'.repeat(257) }, [['#/title', 'too-long']]],
    [
      'wrong types',
      { title: 5, description: {}, appVersion: 2.4, sdk: 'me' },
      [
        ['#/title', 'type'],
        ['#/description', 'type'],
        ['#/appVersion', 'type'],
        ['#/sdk', 'type'],
      ],
    ],
    [
      'unknown member',
      { titel: 'x' },
      [
        ['#/title', 'required'],
        ['#/titel', 'unknown'],
      ],
    ],
    ['unknown category', { title, category: 'oops' }, [['#/category', 'choice']]],
    ['unknown priority', { title, priority: 'urgent' }, [['#/priority', 'choice']]],
    [
      'members of the server',
      { title, id: 'x', status: 'closed', issueNumber: 1 },
      [
        ['#/id', 'server-owned'],
        ['#/status', 'server-owned'],
        ['#/issueNumber', 'server-owned'],
      ],
    ],
    [
      'NUL',
      { title: 'a\0b', branch: '\0' },
      [
        ['#/title', 'nul'],
        ['#/branch', 'nul'],
      ],
    ],
    [
      'NUL in metadata',
      { title, metadata: { a: '\0', 'b\0': 1 } },
      [
        ['#/metadata/b\0', 'name'],
        ['#/metadata/a', 'nul'],
      ],
    ],
    [
      'nested metadata',
      { title, metadata: { a: { b: 1 }, c: null, d: [1] } },
      [
        ['#/metadata/a', 'type'],
        ['#/metadata/c', 'type'],
        ['#/metadata/d', 'type'],
      ],
    ],
    [
      'too much metadata',
      { title, metadata: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 1])) },
      [['#/metadata', 'too-many']],
    ],
    [
      'long metadata',
      { title, metadata: { ['k'.repeat(65)]: 1, a: 'x'.repeat(1_025) } },
      [
        [`#/metadata/${'k'.repeat(64)}…`, 'name'],
        ['#/metadata/a', 'too-long'],
      ],
    ],
    ['platform', { title, platform: 'my phone' }, [['#/platform', 'pattern']]],
    ['submission id', { title, submissionId: 'with space' }, [['#/submissionId', 'pattern']]],
    ['a day that is none', { title, occurredAt: '2026-02-30T00:00:00Z' }, [['#/occurredAt', 'format']]],
    ['a time without offset', { title, occurredAt: '2026-02-03T00:00:00' }, [['#/occurredAt', 'format']]],
    ['half an sdk', { title, sdk: { name: 'x' } }, [['#/sdk/version', 'required']]],
    ['an array', [], [['#', 'type']]],
    ['a text', '"title"', [['#', 'type']]],
    ['null', 'null', [['#', 'type']]],
    ['__proto__', '{"title":"x","__proto__":{"isAdmin":true}}', [['#/__proto__', 'unknown']]],
    [
      '__proto__ in metadata',
      '{"title":"x","metadata":{"__proto__":"x"}}',
      [['#/metadata/__proto__', 'name']],
    ],
    [
      'deep nesting',
      `{"title":"x","description":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      [['#/description', 'type']],
    ],
    ['publicKey in JSON', { title, publicKey: 'bgl_pub_x' }, [['#/publicKey', 'unknown']]],
  ])('%s', async (_, body, faults) => {
    const before = await issueCount()
    const answer = await submit(body)
    expect(answer.status).toBe(422)
    expect(answer.body.code).toBe('validation-failed')
    const found = answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [
      pointer,
      code,
    ])
    expect(found.sort()).toEqual([...faults].sort())
    expect(await issueCount()).toBe(before)
  })

  it('hints at the nearest name', async () => {
    for (const [wrong, right] of [
      ['titel', 'title'],
      ['app_version', 'appVersion'],
      ['Descripton', 'description'],
    ]) {
      const { body } = await submit({ title, [wrong as string]: 'x' })
      expect(body.errors[0].detail).toContain(`Did you mean ${right}?`)
    }
    expect((await submit({ title, zzzzzz: 1 })).body.errors[0].detail).not.toContain('Did you mean')
  })

  it('lists at most a hundred faults', async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`unknown${index}`, 1]))
    const { body } = await submit({ title, ...many })
    expect(body.errors).toHaveLength(100)
    expect(body.detail).toContain('5000 members')
  })

  it.each<[string, string | Uint8Array, Record<string, string>, number, string]>([
    ['broken JSON', '{"title":', {}, 400, 'malformed-body'],
    ['an empty body', '', {}, 400, 'malformed-body'],
    ['invalid UTF-8', Buffer.from('{"title":"\xff\xfe"}', 'latin1'), {}, 400, 'malformed-body'],
    [
      'another media type',
      'title=x',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported-media-type',
    ],
    ['XML', '<title/>', { 'content-type': 'application/xml' }, 415, 'unsupported-media-type'],
    ['a compressed body', '{"title":"x"}', { 'content-encoding': 'gzip' }, 415, 'unsupported-media-type'],
    [
      '300 KiB',
      JSON.stringify({ title: 'x', description: 'x'.repeat(300 * 1024) }),
      {},
      413,
      'content-too-large',
    ],
  ])('%s', async (_, body, headers, status, code) => {
    const before = await issueCount()
    const answer = await submit(body, headers)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await issueCount()).toBe(before)
  })
})

describe('the same submission', () => {
  it('is answered alike, and stored once', async () => {
    const body = { title: 'Twice', submissionId: 'twice', metadata: { b: 1, a: 2 } }
    const first = await submit(body)
    const again = await submit({
      metadata: { a: 2, b: 1 },
      submissionId: 'twice',
      title: 'Twice',
      description: null,
      category: 'bug',
    })
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
  })

  it.each(['"header-1"', 'header-1'])('is named by the header %s as well', async (header) => {
    const { body } = await submit({ title: 'By header' }, { 'idempotency-key': header })
    expect((await retrieve(body.id)).body.submissionId).toBe('header-1')
    expect((await submit({ title: 'By header', submissionId: 'header-1' })).body).toEqual(body)
  })

  it('with other content is a conflict', async () => {
    await submit({ title: 'One', submissionId: 'clash' })
    const { status, body } = await submit({ title: 'Two', submissionId: 'clash' })
    expect([status, body.code]).toEqual([409, 'submission-conflict'])
  })

  it('leaves nothing behind when it is refused: its id is free', async () => {
    expect((await submit({ title: '', submissionId: 'free' })).status).toBe(422)
    expect((await submit({ title: 'good', submissionId: 'free' })).status).toBe(201)
  })

  it('must have one name, not two', async () => {
    const { status, body } = await submit({ title: 'x', submissionId: 'a' }, { 'idempotency-key': 'b' })
    expect([status, body.errors[0].pointer]).toEqual([422, '#/submissionId'])
    expect(
      (await submit({ title: 'x', submissionId: 'agreed' }, { 'idempotency-key': 'agreed' })).status,
    ).toBe(201)
  })

  it.each(['""', 'with space', 'x'.repeat(129)])('can not be named %s', async (header) => {
    const { status, body } = await submit({ title: 'x' }, { 'idempotency-key': header })
    expect([status, body.errors[0].header]).toEqual([400, 'Idempotency-Key'])
  })
})

describe('a page that is closing', () => {
  const beacon = (body: unknown, headers = {}) =>
    api.send('POST', '/v1/issues', {
      body: JSON.stringify(body),
      headers: { 'content-type': 'text/plain;charset=UTF-8', ...headers },
    })

  it('sends its key in a text/plain body', async () => {
    const { status, body } = await beacon({ title: 'Sent by a beacon', publicKey: project.publicKey })
    expect(status).toBe(201)
    expect((await retrieve(body.id)).body.title).toBe('Sent by a beacon')
  })

  it('names the same submission as one with a header would', async () => {
    const first = await beacon({ title: 'Both ways', submissionId: 'both', publicKey: project.publicKey })
    expect((await submit({ title: 'Both ways', submissionId: 'both' })).body).toEqual(first.body)
  })

  it.each([
    ['no key', undefined, 401, 'credentials-required'],
    ['a number', 5, 401, 'credentials-required'],
    ['a made-up key', 'bgl_pub_123', 401, 'invalid-credentials'],
  ])('with %s is refused', async (_, publicKey, status, code) => {
    const answer = await beacon({ title: 'x', ...(publicKey !== undefined && { publicKey }) })
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  it('can not use a secret key', async () => {
    expect((await beacon({ title: 'x', publicKey: project.secretKey })).body.code).toBe('invalid-credentials')
  })
})

describe('pages of other origins', () => {
  it('may ask first, without a key', async () => {
    const { status, headers } = await api.send('OPTIONS', '/v1/issues', {
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-methods')).toBe('POST')
    expect(headers.get('access-control-allow-headers')).toBe('Authorization, Content-Type, Idempotency-Key')
    expect(headers.get('access-control-max-age')).toBe('7200')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('can read every answer, errors too', async () => {
    for (const body of [{ title: 'x' }, { title: '' }, '{']) {
      const { headers } = await submit(body, { origin: 'https://app.example' })
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-expose-headers')).toContain('Retry-After')
    }
    const { headers } = await submit({ title: 'x' }, { origin: 'https://app.example' }, 'nonsense')
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  it('use a key only if its list names them', async () => {
    const key = await api.addKey({ project, kind: 'public', origins: ['https://app.example'] })
    expect((await submit({ title: 'x' }, { origin: 'https://app.example' }, key)).status).toBe(201)
    expect((await submit({ title: 'x' }, {}, key)).status).toBe(201)
    const { status, body } = await submit({ title: 'x' }, { origin: 'https://evil.example' }, key)
    expect([status, body.code]).toEqual([403, 'origin-not-allowed'])
  })

  it('never use a secret key', async () => {
    const { status, body } = await submit(
      { title: 'x' },
      { origin: 'https://app.example' },
      project.secretKey,
    )
    expect([status, body.code]).toEqual([403, 'secret-key-in-browser'])
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
    const answer = await api.send('POST', '/v1/issues', { body: { title: 'x' }, headers })
    expect([answer.status, answer.body.code]).toEqual([401, code])
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })

  it('with a wrong checksum are refused without a query', async () => {
    const wrong = project.publicKey.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    expect((await submit({ title: 'x' }, {}, wrong)).body.code).toBe('invalid-credentials')
  })

  it('submit with the scope, and not without', async () => {
    const may = await api.addKey({ project, scopes: ['issues:create'] })
    const mayNot = await api.addKey({ project, scopes: ['issues:read'] })
    expect((await submit({ title: 'x' }, {}, may)).status).toBe(201)
    const { status, body } = await submit({ title: 'x' }, {}, mayNot)
    expect([status, body.code]).toEqual([403, 'insufficient-scope'])
    expect(body.detail).toContain('issues:create')
  })

  it('for all projects can not submit, and must name the project they list', async () => {
    const key = await api.addKey({})
    expect((await submit({ title: 'x' }, {}, key)).status).toBe(403)
    const unnamed = await api.send('GET', '/v1/issues', { key })
    expect([unnamed.status, unnamed.body.errors[0].parameter]).toEqual([400, 'projectId'])
    for (const name of [project.id, project.slug]) {
      expect((await api.send('GET', `/v1/issues?projectId=${name}`, { key })).status).toBe(200)
    }
    expect((await api.send('GET', '/v1/issues?projectId=nowhere', { key })).status).toBe(404)
  })
})

describe('an issue', () => {
  it('is not modified while its tag holds', async () => {
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

  it('of another project answers byte for byte like one that does not exist', async () => {
    const other = await api.addProject()
    const { body } = await submit({ title: 'Theirs' }, {}, other.publicKey)
    const missing = mintId('iss', Date.now(), ordinalOf(other.id))
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
    const key = await api.addKey({ project, scopes: ['issues:create'] })
    for (const id of [body.id, mintId('iss', Date.now(), 1)]) {
      expect((await retrieve(id, {}, key)).body.code).toBe('insufficient-scope')
      expect((await retrieve(id, {}, project.publicKey)).body.code).toBe('insufficient-scope')
    }
  })

  it('of the category security exists only for those with the scope', async () => {
    const fresh = await api.addProject()
    const { body } = await submit({ title: 'Token leaks', category: 'security' }, {}, fresh.publicKey)
    expect((await retrieve(body.id, {}, fresh.secretKey)).status).toBe(200)
    const key = await api.addKey({ project: fresh, scopes: ['issues:read'] })
    expect((await retrieve(body.id, {}, key)).status).toBe(404)
    const list = await api.send('GET', '/v1/issues', { key })
    expect(list.body).toMatchObject({ data: [], pagination: { totalCount: 0, hasMore: false } })
  })
})

describe('a public project', () => {
  it('shows anyone its issues without the private members, and nothing else', async () => {
    const open = await api.addProject({ isPublic: true })
    const sent = {
      title: 'Seen',
      deviceModel: 'iPhone 17',
      submissionId: 's',
      metadata: { a: 1 },
      sdk: { name: 'n', version: '1' },
    }
    const { body } = await submit(sent, {}, open.publicKey)
    const hidden = await submit({ title: 'Hidden', category: 'security' }, {}, open.publicKey)
    const { body: issue } = await api.send('GET', `/v1/issues/${body.id}`)
    expect(issue).toMatchObject({
      title: 'Seen',
      deviceModel: null,
      submissionId: null,
      metadata: null,
      sdk: null,
    })
    const { body: list } = await api.send('GET', `/v1/issues?projectId=${open.slug}`)
    expect(
      list.data.map((item: { title: string; deviceModel: null }) => [item.title, item.deviceModel]),
    ).toEqual([['Seen', null]])
    expect(list.pagination.totalCount).toBe(1)

    const refused = await api.send('GET', `/v1/issues/${hidden.body.id}`)
    const missing = await api.send('GET', `/v1/issues/${mintId('iss', Date.now(), ordinalOf(open.id))}`)
    const closed = await api.send('GET', `/v1/issues/${(await submit({ title: 'x' })).body.id}`)
    for (const answer of [refused, missing, closed]) {
      expect([answer.status, answer.body.code]).toEqual([401, 'credentials-required'])
    }
  })

  it('tells the team and strangers apart in the tag', async () => {
    const open = await api.addProject({ isPublic: true })
    const { body } = await submit({ title: 'Seen' }, {}, open.publicKey)
    const stranger = await api.send('GET', `/v1/issues/${body.id}`)
    const team = await retrieve(body.id, {}, open.secretKey)
    expect(stranger.headers.get('etag')).not.toBe(team.headers.get('etag'))
  })
})
