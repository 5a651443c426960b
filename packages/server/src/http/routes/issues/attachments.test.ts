import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { declare, PNG, setAttachmentStage, sha256Of } from '../../../../test-support/attachment-stage.ts'

const stage = setAttachmentStage()
const { report, reportWith, put, attachments, download, submit } = stage

describe('a report with attachments', () => {
  it('is stored at once; its files are pending until they arrive', async () => {
    const submissionId = randomUUID()
    const { id } = await report({
      submissionId,
      attachments: [declare('first'), declare(PNG, 'a.png', 'image/png')],
    })
    const [note, image] = await attachments(id)
    expect(note).toMatchObject({ name: 'note.txt', size: 5, state: 'pending', reportNumber: 1, issueId: id })
    expect(image).toMatchObject({ state: 'pending', contentType: null, declaredType: 'image/png' })
    expect((await download(image.id)).status).toBe(404)

    const first = await put(submissionId, PNG)
    expect([first.status, first.body]).toEqual([
      201,
      { id: image.id, size: PNG.length, sha256: sha256Of(PNG), omitted: false },
    ])
    const again = await put(submissionId, PNG)
    expect([again.status, again.body]).toEqual([200, first.body])
    const [pending, received] = await attachments(id)
    expect(received).toMatchObject({ state: 'received', contentType: 'image/png', isInline: true })
    expect(pending.state).toBe('pending')
    const stats = await stage.get(`/v1/projects/${stage.project.slug}/stats`)
    expect(stats.attachments.pending).toBeGreaterThanOrEqual(1)
  })

  it('needs a submission id that can be part of a path', async () => {
    for (const submissionId of [undefined, 'a/b', 'a b'.replace(' ', '.'), 'ü']) {
      const { status, body } = await submit({ title: 'x', submissionId, attachments: [declare('a')] })
      expect([status, body.code]).toEqual([422, 'validation-failed'])
    }
    const named = await submit(
      { title: 'x', attachments: [declare('a')] },
      { 'idempotency-key': randomUUID() },
    )
    expect(named.status).toBe(201)
  })

  it.each([
    ['too many', Array.from({ length: 11 }, (_, index) => declare(String(index)))],
    ['one that is too large', [{ ...declare('a'), size: 10 * 1024 * 1024 + 1 }]],
    ['too large together', [1, 2, 3].map((n) => ({ ...declare(String(n)), size: 9 * 1024 * 1024 }))],
    ['a digest that is none', [{ ...declare('a'), sha256: 'A'.repeat(64) }]],
    ['no name', [{ ...declare('a'), name: '' }]],
    ['a name that is too long', [{ ...declare('a'), name: 'x'.repeat(256) }]],
    ['a type that is none', [{ ...declare('a'), contentType: 'text' }]],
    ['a negative size', [{ ...declare('a'), size: -1 }]],
    ['two sizes for one digest', [declare('a'), { ...declare('a'), size: 2 }]],
    ['an unknown field', [{ ...declare('a'), url: 'x' }]],
    ['an empty list', []],
  ])('is refused with %s, and nothing is stored', async (_, declared) => {
    const before = await stage.issueCount()
    const { status, body } = await submit({ title: 'x', submissionId: randomUUID(), attachments: declared })
    expect([status, body.code]).toEqual([422, 'validation-failed'])
    expect(await stage.issueCount()).toBe(before)
  })

  it('is the same submission only with the same attachments', async () => {
    const submissionId = randomUUID()
    const body = { title: 'Same', submissionId, attachments: [declare('a')] }
    const first = await submit(body)
    const again = await submit(body)
    expect([again.status, again.body]).toEqual([201, first.body])
    expect((await attachments(first.body.id)).length).toBe(1)
    expect((await submit({ ...body, attachments: [declare('b')] })).status).toBe(409)
    expect((await submit({ ...body, attachments: null })).status).toBe(409)
  })

  it('keeps the files of each report of an issue, newest first, page by page', async () => {
    const fingerprint = randomUUID()
    const { id } = await reportWith([{ bytes: 'one' }, { bytes: 'two' }], { fingerprint })
    await reportWith([{ bytes: 'three' }], { fingerprint })
    expect((await attachments(id)).map(({ reportNumber, size }) => [reportNumber, size])).toEqual([
      [2, 5],
      [1, 3],
      [1, 3],
    ])
    const page = await stage.get(`/v1/issues/${id}/attachments?pageSize=2`)
    const rest = await stage.get(
      `/v1/issues/${id}/attachments?pageSize=2&cursor=${page.pagination.nextCursor}`,
    )
    expect([page.data.length, rest.data.length, rest.pagination.hasMore]).toEqual([2, 1, false])
  })
})

describe('an upload', () => {
  it('is found only by its own submission and digest, in its own project', async () => {
    const submissionId = randomUUID()
    await report({ submissionId, attachments: [declare('a')] })
    const other = await stage.api.addProject()
    const refused = await Promise.all([
      put(randomUUID(), 'a'),
      put(submissionId, 'b'),
      put(submissionId, 'a', { key: other.publicKey }),
      put(submissionId, 'a', { sha256: 'x' }),
      put(submissionId, 'a', { sha256: sha256Of('a').toUpperCase() }),
    ])
    for (const { status, body, headers } of refused) {
      expect([status, body.code, body.detail]).toEqual([
        404,
        'not-found',
        'Not found, or not visible to you.',
      ])
      expect(headers.get('access-control-allow-origin')).toBe('*')
    }
    expect((await put(submissionId, 'a', { key: stage.project.secretKey })).status).toBe(201)
  })

  it('always needs the bytes, even of a file that the project already has', async () => {
    const bytes = randomBytes(1_000)
    await reportWith([{ bytes }])
    const submissionId = randomUUID()
    const { id } = await report({ submissionId, attachments: [declare(bytes)] })
    const wrong = await put(submissionId, randomBytes(1_000), { sha256: sha256Of(bytes) })
    expect([wrong.status, wrong.body.code]).toEqual([422, 'digest-mismatch'])
    expect((await attachments(id))[0].state).toBe('pending')
    expect((await put(submissionId, bytes)).status).toBe(201)
    expect((await put(submissionId, randomBytes(1_000), { sha256: sha256Of(bytes) })).status).toBe(422)
    expect((await download((await attachments(id))[0].id)).status).toBe(200)
  })

  it.each([
    ['longer than declared', 'abcd', 413, 'content-too-large'],
    ['shorter than declared', 'ab', 422, 'digest-mismatch'],
    ['other than declared', 'abd', 422, 'digest-mismatch'],
    ['empty', '', 422, 'digest-mismatch'],
  ])('that is %s stores nothing, with and without a length', async (_, bytes, status, code) => {
    const submissionId = randomUUID()
    const { id } = await report({ submissionId, attachments: [declare('abc')] })
    const known = await put(submissionId, bytes, { sha256: sha256Of('abc') })
    expect([known.status, known.body.code]).toEqual([status, code])
    const response = await fetch(
      `${stage.api.url}/v1/submissions/${submissionId}/attachments/${sha256Of('abc')}`,
      {
        method: 'PUT',
        headers: { authorization: `Bearer ${stage.project.publicKey}` },
        body: new Blob([bytes]).stream(),
        duplex: 'half',
      } as RequestInit,
    )
    expect(response.status).toBe(status)
    expect((await attachments(id))[0].state).toBe('pending')
    expect((await put(submissionId, 'abc')).status).toBe(201)
  })

  it('may be empty, if that was declared', async () => {
    const { attachmentIds } = await reportWith([{ bytes: '' }])
    const { status, text } = await download(attachmentIds[0] ?? '')
    expect([status, text]).toEqual([200, ''])
  })

  it('is not decoded', async () => {
    const submissionId = randomUUID()
    await report({ submissionId, attachments: [declare('a')] })
    const { status, body } = await put(submissionId, 'a', { headers: { 'content-encoding': 'gzip' } })
    expect([status, body.code]).toEqual([415, 'unsupported-media-type'])
  })

  it('is announced as an event', async () => {
    const { id, attachmentIds } = await reportWith([{ bytes: PNG, name: 'shot.png' }])
    const history = await stage.history(id)
    expect(history.at(-1)).toMatchObject({
      type: 'attachment.received',
      actor: { kind: 'key' },
      changes: [
        {
          member: 'attachment',
          from: null,
          to: { id: attachmentIds[0], name: 'shot.png', size: PNG.length, contentType: 'image/png' },
        },
      ],
    })
    const feed = await stage.get('/v1/events?type=attachment.received&limit=1000')
    expect(feed.data.at(-1)).toMatchObject({ issueId: id, type: 'attachment.received' })
  })

  it('of bytes that another project has is an upload like any other, and stored separately', async () => {
    const [known, unknown] = [randomBytes(1_000), randomBytes(1_000)]
    const { attachmentIds } = await reportWith([{ bytes: known }])
    const other = await stage.api.addProject()
    const answers = []
    for (const bytes of [known, unknown]) {
      const submissionId = randomUUID()
      const body = { title: 'Elsewhere', submissionId, attachments: [declare(bytes)] }
      await stage.api.send('POST', '/v1/issues', { key: other.publicKey, body })
      const options = { key: other.publicKey, sha256: sha256Of(bytes) }
      const wrong = await put(submissionId, Buffer.alloc(1_000), options)
      const right = await put(submissionId, bytes, options)
      const { id, sha256, ...receipt } = right.body
      answers.push([wrong.status, wrong.body.code, wrong.body.detail, right.status, receipt])
      expect((await download(attachmentIds[0] ?? '', {}, other.secretKey)).status).toBe(404)
      expect((await download(id, {}, other.secretKey)).status).toBe(200)
    }
    expect(answers[0]).toEqual(answers[1])
    while (!(await stage.api.app.storage.projects.delete(other.id)).isFinished);
    expect((await download(attachmentIds[0] ?? '')).status).toBe(200)
  })

  it.each([
    ['deleted', 'DELETE', '', null],
    ['redacted', 'POST', '/redact', 'file'],
  ] as const)('leaves no name in events once its report is %s', async (_, method, action, name) => {
    const fingerprint = randomUUID()
    await report({ fingerprint })
    const { id } = await reportWith([{ bytes: randomUUID(), name: 'hunter2.txt' }], { fingerprint })
    const named = async (path: string) => JSON.stringify(await stage.get(path)).includes('hunter2.txt')
    const paths = [`/v1/issues/${id}/events`, `/v1/events?type=attachment.received&limit=1000`]
    for (const path of paths) expect(await named(path)).toBe(true)
    const { data } = await stage.get(`/v1/issues/${id}/reports`)
    const done = await stage.api.send(method, `/v1/issues/${id}/reports/${data[0].id}${action}`, {
      key: stage.project.secretKey,
    })
    expect(done.status).toBeLessThan(300)
    for (const path of [...paths, `/v1/issues/${id}/attachments`]) expect(await named(path)).toBe(false)
    const event = (await stage.history(id)).find(
      ({ type }: { type: string }) => type === 'attachment.received',
    )
    expect(event).toMatchObject({ changes: [{ to: { name, size: 36 } }] })
  })

  it('of the same bytes under two names makes both visible', async () => {
    const submissionId = randomUUID()
    const { id } = await report({ submissionId, attachments: [declare('x', 'a.txt'), declare('x', 'b.txt')] })
    await put(submissionId, 'x')
    expect((await attachments(id)).map(({ state }) => state)).toEqual(['received', 'received'])
  })
})

describe('a download', () => {
  it('has the bytes, with headers that let a browser only show or save them', async () => {
    const { attachmentIds } = await reportWith([{ bytes: PNG, name: 'Bild ä.png', contentType: 'text/html' }])
    const response = await fetch(`${stage.api.url}/v1/attachments/${attachmentIds[0]}`, {
      headers: { authorization: `Bearer ${stage.project.secretKey}` },
    })
    expect(Buffer.from(await response.arrayBuffer()).equals(PNG)).toBe(true)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `inline; filename="Bild ?.png"; filename*=UTF-8''Bild%20%C3%A4.png`,
      'content-length': String(PNG.length),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-cache',
      etag: `"${sha256Of(PNG)}"`,
    })
  })

  it.each([
    ['all', undefined, 200, '0123456789', null],
    ['the beginning', 'bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['the middle', 'bytes=4-6', 206, '456', 'bytes 4-6/10'],
    ['the rest', 'bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['the end', 'bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['more than there is', 'bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['several ranges', 'bytes=0-1,3-4', 200, '0123456789', null],
    ['nonsense', 'lines=1-2', 200, '0123456789', null],
    ['a range in reverse', 'bytes=5-2', 200, '0123456789', null],
  ])('of %s', async (_, range, status, text, contentRange) => {
    const { attachmentIds } = await reportWith([{ bytes: '0123456789' }])
    const answer = await download(attachmentIds[0] ?? '', range ? { range } : {})
    expect([answer.status, answer.text]).toEqual([status, text])
    expect(answer.headers.get('content-range')).toBe(contentRange)
  })

  it('beyond the end is refused, and an unchanged one is not sent again', async () => {
    const { attachmentIds } = await reportWith([{ bytes: '0123456789' }])
    const id = attachmentIds[0] ?? ''
    const beyond = await download(id, { range: 'bytes=10-' })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10'])
    const etag = `"${sha256Of('0123456789')}"`
    expect((await download(id, { 'if-none-match': etag })).status).toBe(304)
    expect((await download(id, { range: 'bytes=0-1', 'if-range': etag })).text).toBe('01')
    expect((await download(id, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200)
  })

  it('is only for callers who may read the issue', async () => {
    const open = await stage.api.addProject({ isPublic: true })
    const submissionId = randomUUID()
    const { id } = await report({ submissionId, attachments: [declare('a')] }, open.publicKey)
    const { body } = await put(submissionId, 'a', { key: open.publicKey })
    const ask = async (key?: string) =>
      Promise.all(
        [`/v1/attachments/${body.id}`, `/v1/issues/${id}/attachments`].map(
          async (path) => (await stage.api.send('GET', path, key === undefined ? {} : { key })).status,
        ),
      )
    expect(await ask(open.secretKey)).toEqual([200, 200])
    expect(await ask()).toEqual([401, 401])
    expect(await ask(open.publicKey)).toEqual([403, 403])
    expect(await ask(stage.project.secretKey)).toEqual([404, 404])
    expect(await ask(await stage.api.addKey({ project: open, scopes: ['issues:create'] }))).toEqual([
      403, 403,
    ])
  })

  it('of a security issue is hidden like the issue', async () => {
    const { id, attachmentIds } = await reportWith([{ bytes: 'secret' }], { category: 'security' })
    const blind = await stage.api.addKey({ project: stage.project, scopes: ['issues:read'] })
    expect((await download(attachmentIds[0] ?? '', {}, blind)).status).toBe(404)
    expect((await stage.api.send('GET', `/v1/issues/${id}/attachments`, { key: blind })).status).toBe(404)
    expect((await download(attachmentIds[0] ?? '')).text).toBe('secret')
  })
})
