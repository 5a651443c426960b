import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'

const stage = setIssueStage()
const { submit, retrieve } = stage

describe('a submission', () => {
  it('gets 201 with exactly the record of the specification, and the location of the issue', async () => {
    const { status, body, headers } = await submit({ title: 'Settings screen stays blank' })
    expect(status).toBe(201)
    expect(Object.keys(body)).toEqual(['id', 'issueNumber', 'title', 'status', 'createdAt'])
    expect(body).toMatchObject({ title: 'Settings screen stays blank', status: 'open' })
    expect(headers.get('location')).toBe(`/v1/issues/${body.id}`)
    expect(headers.get('bugle-version')).toMatch(/^\d+\.\d+\.\d+$/)
    expect(headers.get('idempotency-replayed')).toBeNull()
  })

  it('is retrieved in full, with every field present', async () => {
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
      projectId: stage.project.id,
      fingerprint: null,
      reportCount: 1,
      lastReportedAt: record.createdAt,
      fixedIn: null,
      reporterCount: 0,
      commentCount: 0,
      duplicateOf: null,
      duplicateCount: 0,
      conversation: null,
      known: null,
      context: null,
      reporter: null,
      assigneeId: null,
      labels: [],
      attachmentState: null,
      spamAt: null,
      onDefaultBranch: false,
      firstSeenIn: { appVersion: '2.4.1', buildNumber: '512' },
      lastSeenIn: { appVersion: '2.4.1', buildNumber: '512' },
      updatedAt: record.createdAt,
      version: 1,
      allowedTransitions: ['acknowledged', 'in_progress', 'resolved', 'closed', 'wontfix'],
    })
  })

  it.each([
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['1969-12-31T23:59:00-00:01', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59.999+14:00', '9999-12-31T09:59:59.999Z'],
  ])('may have happened at %s, a limit of the calendar', async (occurredAt, shown) => {
    const { status, body } = await submit({ title: 'x', occurredAt })
    expect([status, (await retrieve(body.id)).body.occurredAt]).toEqual([201, shown])
  })

  it('treats null as absent, except for the title', async () => {
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

  it('keeps text as it was sent, and replaces an unpaired surrogate', async () => {
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

  it('uses the last of repeated fields', async () => {
    expect((await submit('{"title":"first","title":"second"}')).body.title).toBe('second')
  })
})

describe('the same submission', () => {
  it('gets the same response, and is stored once', async () => {
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

  it.each(['"header-1"', 'header-1'])('can also be identified by the header %s', async (header) => {
    const { body } = await submit({ title: 'By header' }, { 'idempotency-key': header })
    expect((await retrieve(body.id)).body.submissionId).toBe('header-1')
    expect((await submit({ title: 'By header', submissionId: 'header-1' })).body).toEqual(body)
  })

  it.each([
    [String.raw`"a\"b\\c"`, String.raw`a"b\c`],
    [String.raw`a\"b`, String.raw`a\"b`],
    ['"', '"'],
    ['"open', '"open'],
  ])('with the header %s is %s', async (header, submissionId) => {
    const { body } = await submit({ title: 'Quoted' }, { 'idempotency-key': header })
    expect((await retrieve(body.id)).body.submissionId).toBe(submissionId)
  })

  it('with other content is a conflict', async () => {
    await submit({ title: 'One', submissionId: 'clash' })
    const { status, body } = await submit({ title: 'Two', submissionId: 'clash' })
    expect([status, body.code]).toEqual([409, 'submission-conflict'])
  })

  it('leaves nothing behind when it is refused: its id can be used again', async () => {
    expect((await submit({ title: '', submissionId: 'free' })).status).toBe(422)
    expect((await submit({ title: 'good', submissionId: 'free' })).status).toBe(201)
  })

  it('must have one id, not two', async () => {
    const { status, body } = await submit({ title: 'x', submissionId: 'a' }, { 'idempotency-key': 'b' })
    expect([status, body.errors[0].pointer]).toEqual([422, '#/submissionId'])
    expect(
      (await submit({ title: 'x', submissionId: 'agreed' }, { 'idempotency-key': 'agreed' })).status,
    ).toBe(201)
  })

  it.each(['""', 'with space', 'x'.repeat(129), '"a"b"', String.raw`"a\x"`, String.raw`"a\"`])(
    'cannot have the id %s',
    async (header) => {
      const { status, body } = await submit({ title: 'x' }, { 'idempotency-key': header })
      expect([status, body.errors[0].header]).toEqual([400, 'Idempotency-Key'])
    },
  )
})
