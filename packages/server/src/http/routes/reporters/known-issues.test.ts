import { MAX_KNOWN_TEXT_CHARS, MAX_KNOWN_TITLE_CHARS, MAX_TITLE_CHARS } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'
import { createReporter } from '../../../../test-support/reporters.ts'
import type { Answer } from '../../../../test-support/start-app.ts'

const stage = setIssueStage({ isOnDisk: true })
const { report, change, retrieve, history } = stage

const search = (title: string, more: object = {}, key = stage.project.publicKey): Promise<Answer> =>
  stage.api.send('POST', '/v1/known-issues/search', { key, body: { title, ...more } })

async function found(title: string, more: object = {}, key?: string): Promise<Answer['body'][]> {
  const { status, body } = await search(title, more, key)
  expect(status).toBe(200)
  return body.data
}

/** An issue that is published with this title. */
async function publish(title: string, text = 'We are on it.'): Promise<string> {
  const { id } = await report({ title: `Internal name of: ${title}` })
  const { status } = await change(id, { known: { title, text } })
  expect(status).toBe(200)
  return id
}

const idsOf = (issues: readonly Answer['body'][]) => issues.map(({ id }) => id)

describe('a known issue', () => {
  it('is published, changed and unpublished by a patch, each with an entry in the history', async () => {
    const { id } = await report()
    const published = await change(id, { known: { title: 'Kettle whistles', text: 'Lower the heat.' } })
    expect(published.body).toMatchObject({
      known: { title: 'Kettle whistles', text: 'Lower the heat.' },
      version: 2,
    })
    await change(id, { known: { text: '' } })
    await change(id, { known: { title: 'Kettle sings' } })
    expect((await retrieve(id)).body.known).toEqual({ title: 'Kettle sings', text: '' })
    expect((await change(id, { known: { title: 'Kettle sings' } })).body.version).toBe(4)
    expect((await change(id, { known: null })).body).toMatchObject({ known: null, version: 5 })
    const changes = (await history(id)).flatMap((event: Answer['body']) => event.changes)
    expect(changes).toEqual([
      { member: 'known', from: null, to: 'Kettle whistles' },
      { member: 'known', from: 'Kettle whistles', to: 'Kettle whistles' },
      { member: 'known', from: 'Kettle whistles', to: 'Kettle sings' },
      { member: 'known', from: 'Kettle sings', to: null },
    ])
  })

  it('is found by words of its title, with what reporters may know of it', async () => {
    const id = await publish('Teapot drips on the tablecloth', 'Pour slowly.')
    await change(id, { status: 'resolved', fixedIn: { appVersion: '2.4.1', buildNumber: '7' } })
    const issue = {
      id,
      title: 'Teapot drips on the tablecloth',
      text: 'Pour slowly.',
      status: 'resolved',
      fixedIn: { appVersion: '2.4.1', buildNumber: '7' },
    }
    expect(await found('teapots drip')).toEqual([{ ...issue, hasFix: null }])
    expect(await found('teapot drips', { appVersion: '2.3.0' })).toEqual([{ ...issue, hasFix: false }])
    expect(await found('teapot drips', { appVersion: '2.4.1' })).toEqual([{ ...issue, hasFix: true }])
    expect(await found('teapot drips', { appVersion: '' })).toEqual([{ ...issue, hasFix: null }])
    expect(await found('teapot drips', { appVersion: null }, stage.project.secretKey)).toHaveLength(1)
    expect(await found('a submarine')).toEqual([])
    // Only the published words are searched.
    expect(await found('internal name of')).toEqual([])
  })

  it('is among the three best ones, best first', async () => {
    const ids = []
    for (const title of ['Violin', 'Violin string', 'Violin string snaps', 'Violin string snaps at night'])
      ids.push(await publish(title))
    const best = idsOf(await found('violin string snaps at night'))
    expect(best).toHaveLength(3)
    expect(best[0]).toBe(ids[3])
  })

  it.each([
    ['unpublished', (id: string) => change(id, { known: null })],
    ['moved into the security lane', (id: string) => change(id, { category: 'security' })],
    ['marked as spam', (id: string) => sendTo('POST', `${id}/spam`, {})],
    ['deleted', (id: string) => sendTo('DELETE', id)],
  ])('is no longer found once it is %s, also after that is undone', async (name, hide) => {
    const title = `Umbrella: ${name}`
    const id = await publish(title)
    expect(idsOf(await found(title))).toContain(id)
    expect((await hide(id)).status).toBeLessThan(300)
    expect(idsOf(await found(title))).not.toContain(id)
    await change(id, { category: 'bug' })
    await sendTo('DELETE', `${id}/spam`)
    expect(idsOf(await found(title))).not.toContain(id)
    const after = await retrieve(id)
    if (after.status === 200) expect(after.body.known).toBeNull()
  })

  it('has the status and the fix of the issue that it is a duplicate of, and nothing else of it', async () => {
    const id = await publish('Lantern flickers')
    const { id: target } = await report({ title: 'Hidden name of the target' })
    await change(target, { status: 'resolved', fixedIn: { appVersion: '9.0' } })
    expect((await sendTo('POST', `${id}/merge`, { into: target })).status).toBe(200)
    expect(await found('lantern flickers')).toEqual([
      {
        id,
        title: 'Lantern flickers',
        text: 'We are on it.',
        status: 'resolved',
        fixedIn: { appVersion: '9.0', buildNumber: null },
        hasFix: null,
      },
    ])
  })

  it('is shown as fixed only while it is resolved', async () => {
    const id = await publish('Doorbell rings twice')
    const fixedIn = { appVersion: '2.4.1', buildNumber: null }
    const search = () => found('doorbell rings', { appVersion: '2.4.1' })
    await change(id, { status: 'in_progress', fixedIn })
    expect(await search()).toMatchObject([{ status: 'in_progress', fixedIn: null, hasFix: null }])
    await change(id, { status: 'resolved' })
    expect(await search()).toMatchObject([{ status: 'resolved', fixedIn, hasFix: true }])
    expect((await change(id, { status: 'open' })).body.fixedIn).toEqual(fixedIn)
    expect(await search()).toMatchObject([{ status: 'open', fixedIn: null, hasFix: null }])
  })

  it('is found only in its own project', async () => {
    const id = await publish('Wardrobe creaks')
    const other = await stage.api.addProject()
    expect(await found('wardrobe creaks', {}, other.publicKey)).toEqual([])
    expect(idsOf(await found('wardrobe creaks'))).toEqual([id])
  })

  it('is hidden from anonymous readers of a public project', async () => {
    const open = await stage.api.addProject({ isPublic: true })
    const { id } = await report({}, open.publicKey)
    await change(id, { known: { title: 'Seen by all', text: '' } }, { key: open.secretKey })
    const { body } = await stage.api.send('GET', `/v1/issues/${id}`)
    expect(body).toMatchObject({ id, known: null })
    expect((await stage.api.send('GET', `/v1/issues/${id}`, { key: open.publicKey })).body.known).toBeNull()
    const anonymous = await stage.api.send('POST', '/v1/known-issues/search', {
      body: { title: 'Seen by all' },
    })
    expect(anonymous.body.code).toBe('credentials-required')
  })

  it.each([
    ['without a title', { known: { text: 'x' } }, '#/known/title'],
    ['with a blank title', { known: { title: ' ' } }, '#/known/title'],
    [
      'with a title that is too long',
      { known: { title: 'x'.repeat(MAX_KNOWN_TITLE_CHARS + 1) } },
      '#/known/title',
    ],
    [
      'with a text that is too long',
      { known: { title: 'x', text: 'x'.repeat(MAX_KNOWN_TEXT_CHARS + 1) } },
      '#/known/text',
    ],
    ['with another field', { known: { title: 'x', html: 'y' } }, '#/known/html'],
    ['and hidden at the same time', { known: { title: 'x' }, category: 'security' }, '#/known'],
  ])('cannot be published %s', async (_, patch, pointer) => {
    const { id } = await report()
    const { status, body } = await change(id, patch)
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'validation-failed', pointer])
    expect((await retrieve(id)).body).toMatchObject({ known: null, version: 1 })
  })

  it.each([
    ['no title', {}],
    ['a blank title', { title: ' ' }],
    ['a title that is too long', { title: 'x'.repeat(MAX_TITLE_CHARS + 1) }],
    ['a version that is no text', { title: 'x', appVersion: 2 }],
    ['another field', { title: 'x', q: 'y' }],
  ])('is not searched for with %s', async (_, body) => {
    const answer = await stage.api.send('POST', '/v1/known-issues/search', {
      key: stage.project.publicKey,
      body,
    })
    expect([answer.status, answer.body.code]).toEqual([422, 'validation-failed'])
  })
})

describe('a report that names a known issue', () => {
  it('joins it, whatever its fingerprint, once per submission id', async () => {
    const id = await publish('Bicycle bell is silent')
    const { id: alike } = await report({ fingerprint: 'bell' })
    const body = {
      title: 'My bell, too',
      knownIssueId: id,
      fingerprint: 'bell',
      submissionId: 'bell-1',
      reporter: { email: 'ada@example.com' },
    }
    const first = await stage.submit(body)
    const again = await stage.submit(body)
    expect([first.status, first.body.id, first.body.title]).toEqual([200, id, 'My bell, too'])
    expect([again.status, again.body]).toEqual([first.status, first.body])
    expect((await retrieve(id)).body).toMatchObject({ reportCount: 2, reporterCount: 1 })
    expect((await retrieve(alike)).body.reportCount).toBe(1)
    expect((await stage.submit({ ...body, knownIssueId: null })).body.code).toBe('submission-conflict')
    await change(id, { known: null })
    expect((await stage.submit(body)).body).toEqual(first.body)
    const { data } = await stage.get(`/v1/issues/${id}/reports`)
    expect(data.map((one: Answer['body']) => one.title)).toEqual(['My bell, too', expect.anything()])
    expect(JSON.stringify(data)).not.toContain('knownIssueId')
  })

  it('can be followed by its reporter, and reopens the issue if it comes from a release with the fix', async () => {
    const id = await publish('Doormat slips')
    await change(id, { status: 'resolved', fixedIn: { appVersion: '2.0' } })
    const ada = createReporter(stage.api, stage.project)
    const older = await ada.submit({ title: 'Old', knownIssueId: id, appVersion: '1.9' })
    expect(older.issueId).toBe(id)
    expect((await retrieve(id)).body.status).toBe('resolved')
    await ada.submit({ title: 'New', knownIssueId: id, appVersion: '2.1' })
    expect((await retrieve(id)).body.status).toBe('open')
    expect((await ada.reports()).map(({ title, status }) => [title, status])).toEqual([
      ['New', 'open'],
      ['Old', 'open'],
    ])
  })

  it('stays with a known issue that is a duplicate, and counts for its target', async () => {
    const id = await publish('Curtain falls')
    const { id: target } = await report()
    await sendTo('POST', `${id}/merge`, { into: target })
    expect((await stage.submit({ title: 'Mine', knownIssueId: id })).body.id).toBe(id)
    expect((await retrieve(target)).body.reportCount).toBe(3)
  })

  it('is stored as usual, with the usual response, if it cannot join that issue', async () => {
    const id = await publish('Chimney smokes')
    const { id: unpublished } = await report()
    const { id: hidden } = await report({ category: 'security' })
    const { id: spam } = await report()
    await sendTo('POST', `${spam}/spam`, {})
    const other = await stage.api.addProject()
    const { id: foreign } = await report({}, other.publicKey)
    await change(foreign, { known: { title: 'Foreign', text: '' } }, { key: other.secretKey })
    const deleted = await publish('Deleted chimney')
    await sendTo('DELETE', deleted)
    const values = [unpublished, hidden, spam, foreign, deleted, 'iss_', 'x', '', null]
    const bodies = [
      ...values.map((knownIssueId) => ({ knownIssueId })),
      { knownIssueId: id, category: 'security' },
    ]
    const usual = await stage.submit({ title: 'Usual' })
    for (const body of bodies) {
      const answer = await stage.submit({ title: 'Usual', ...body })
      expect(withoutOwn(answer)).toEqual(withoutOwn(usual))
      expect([unpublished, hidden, spam, foreign, deleted, id]).not.toContain(answer.body.id)
      expect((await retrieve(answer.body.id)).body).toMatchObject({ reportCount: 1, title: 'Usual' })
    }
    const alike = await report({ fingerprint: 'chimney' })
    const joined = await stage.submit({ title: 'Usual', fingerprint: 'chimney', knownIssueId: unpublished })
    expect(joined.body.id).toBe(alike.id)
    expect((await retrieve(id)).body.reportCount).toBe(1)
  })
})

/** What a response does not owe to the issue that it is about. */
function withoutOwn({ status, body, headers }: Answer) {
  const { id, issueNumber, createdAt, ...rest } = body
  return [status, rest, [...headers.keys()].sort()]
}

function sendTo(method: string, path: string, body?: object): Promise<Answer> {
  return stage.api.send(method, `/v1/issues/${path}`, { key: stage.project.secretKey, ...(body && { body }) })
}
