import { MAX_MESSAGE_CHARS, MAX_REPORT_MESSAGES } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { createReporter, setReporterStage, type TestReporter } from '../../../../test-support/reporters.ts'
import { type Answer, BLIND_SCOPES } from '../../../../test-support/start-app.ts'

const stage = setReporterStage({ isOnDisk: true })
const PATIENT = { timeout: 20_000 }
const { history, get, reporter, send, reply } = stage

describe('reporters', () => {
  it('see their own reports with title, status, release of the fix and replies', async () => {
    const ada = reporter()
    const { issueId, reportId } = await ada.submit({ title: 'As I wrote it' })
    expect(await ada.reports()).toEqual([
      {
        id: reportId,
        title: 'As I wrote it',
        status: 'open',
        receivedAt: expect.any(String),
        fixedIn: null,
        replyCount: 0,
        unreadCount: 0,
        lastReplyAt: null,
      },
    ])
    await stage.change(issueId, { title: 'As the team calls it', status: 'in_progress' })
    await stage.change(issueId, { status: 'resolved', fixedIn: { appVersion: '2.4.1' } })
    const answer = await reply(issueId, 'It is fixed.')
    expect(answer.status).toBe(201)
    expect(await ada.reports()).toMatchObject([
      {
        title: 'As I wrote it',
        status: 'resolved',
        fixedIn: { appVersion: '2.4.1', buildNumber: null },
        replyCount: 1,
        unreadCount: 1,
        lastReplyAt: answer.body.createdAt,
      },
    ])
  })

  it('see the release of a fix only while the issue is resolved', async () => {
    const ada = reporter()
    const { issueId } = await ada.submit()
    const fixedIn = { appVersion: '2.4.1', buildNumber: '512' }
    await stage.change(issueId, { fixedIn })
    expect(await ada.reports()).toMatchObject([{ status: 'open', fixedIn: null }])
    await stage.change(issueId, { status: 'resolved' })
    expect(await ada.reports()).toMatchObject([{ status: 'resolved', fixedIn }])
    const reopened = await stage.change(issueId, { status: 'open' })
    expect(reopened.body.fixedIn).toEqual(fixedIn)
    expect(await ada.reports()).toMatchObject([{ status: 'open', fixedIn: null }])
  })

  it('see replies to all who had reported by then, and replies to them, and nothing else', async () => {
    const [ada, bob] = [reporter(), reporter()]
    const fingerprint = 'shared'
    const first = await ada.submit({ fingerprint, title: 'Mine' })
    await reply(first.issueId, 'To Ada, the only one')
    const second = await bob.submit({ fingerprint, title: 'Also mine' })
    expect(second.issueId).toBe(first.issueId)
    await send('POST', `/v1/issues/${first.issueId}/comments`, { commentId: 'internal', text: 'Secret' })
    await reply(first.issueId, 'To both')
    await reply(first.issueId, 'To Bob', { reportId: second.reportId })
    await ada.write(first.reportId, 'From Ada')
    expect(await ada.messages(first.reportId)).toEqual([
      ['team', 'To Ada, the only one'],
      ['team', 'To both'],
      ['reporter', 'From Ada'],
    ])
    expect(await bob.messages(second.reportId)).toEqual([
      ['team', 'To both'],
      ['team', 'To Bob'],
    ])
    expect(await bob.reports()).toMatchObject([{ title: 'Also mine', replyCount: 2, unreadCount: 2 }])
    expect((await ada.ask(`/reports/${second.reportId}/messages`)).status).toBe(404)
    expect((await ada.write(second.reportId, 'Not mine')).status).toBe(404)
    expect((await ada.ask('/reports/rep_1/messages')).status).toBe(404)
  })

  it('send a message once per id; the team sees it in the timeline and is expected to respond', async () => {
    const ada = reporter()
    const { issueId, reportId } = await ada.submit()
    const before = (await stage.retrieve(issueId)).body
    await reply(issueId, 'Which phone?')
    expect((await stage.retrieve(issueId)).body.conversation).toBe('waiting-for-reporter')
    const first = await ada.write(reportId, 'A Pixel 9', 'one')
    expect([first.status, first.body]).toEqual([
      201,
      { id: 'one', from: 'reporter', text: 'A Pixel 9', createdAt: expect.any(String), editedAt: null },
    ])
    const again = await ada.write(reportId, 'A Pixel 9', 'one')
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const other = await ada.write(reportId, 'Something else', 'one')
    expect([other.status, other.body.code]).toEqual([409, 'message-conflict'])
    const after = (await stage.retrieve(issueId)).body
    expect(after).toEqual({ ...before, commentCount: 2, conversation: 'waiting-for-team' })
    const [, , event] = await history(issueId)
    const [report] = (await get(`/v1/issues/${issueId}/reports`)).data
    expect(event).toMatchObject({
      type: 'comment.created',
      actor: { kind: 'reporter', id: report.reporterId, name: null },
      comment: { id: '1.one', text: 'A Pixel 9', audience: 'team', reportNumber: 1 },
    })
    expect(report.reporterId).toMatch(/^rpr_/)
    const all = JSON.stringify([report, event, (await get('/v1/issues')).data])
    expect(all).not.toContain(ada.keyHash)
  })

  it('mark replies as read', async () => {
    const ada = reporter()
    const { issueId, reportId } = await ada.submit()
    const one = await reply(issueId, 'One')
    const two = await reply(issueId, 'Two')
    const unread = async () => (await ada.reports())[0].unreadCount
    const mark = (messageId: string) =>
      ada.ask(`/reports/${reportId}/read`, { method: 'PUT', body: { messageId } })
    expect(await unread()).toBe(2)
    expect((await mark(one.body.id)).status).toBe(204)
    expect(await unread()).toBe(1)
    await mark(two.body.id)
    expect(await unread()).toBe(0)
    // An earlier one, or one that is not there, changes nothing.
    expect([(await mark(one.body.id)).status, (await mark('unknown')).status]).toEqual([204, 204])
    expect(await unread()).toBe(0)
    await reply(issueId, 'Three')
    expect(await unread()).toBe(1)
    expect((await ada.ask('/reports/rep_1/read', { method: 'PUT', body: { messageId: 'x' } })).status).toBe(
      404,
    )
  })

  it('no longer see what the team has deleted, and see what it has edited', async () => {
    const ada = reporter()
    const { issueId, reportId } = await ada.submit()
    const { body: one } = await reply(issueId, 'Wrong')
    const { body: two } = await reply(issueId, 'Misspelt')
    await ada.write(reportId, 'My password is hunter2', 'secret')
    const path = `/v1/issues/${issueId}/comments`
    await send('DELETE', `${path}/${one.id}`)
    await send('PATCH', `${path}/${two.id}`, { text: 'Spelt' })
    expect((await send('DELETE', `${path}/1.secret`)).status).toBe(204)
    expect(await ada.messages(reportId)).toEqual([['team', 'Spelt']])
    expect(await ada.reports()).toMatchObject([{ replyCount: 1 }])
    // A late retry restores nothing.
    expect((await ada.write(reportId, 'My password is hunter2', 'secret')).status).toBe(201)
    expect(await ada.messages(reportId)).toEqual([['team', 'Spelt']])
  })

  it('leave nothing of what they wrote about a report that is deleted or redacted', async () => {
    const [ada, bob] = [reporter(), reporter()]
    const first = await ada.submit({ fingerprint: 'erased' })
    const second = await bob.submit({ fingerprint: 'erased' })
    const { body: answered } = await reply(first.issueId, 'Which phone?')
    for (const [person, { reportId }] of [
      [ada, first],
      [bob, second],
    ] as const) {
      await person.write(reportId, `My password is ${person.secret}`)
      await person.ask(`/reports/${reportId}/read`, { method: 'PUT', body: { messageId: answered.id } })
    }
    const reports = `/v1/issues/${first.issueId}/reports`
    const comments = async () => (await get(`/v1/issues/${first.issueId}/comments`)).data
    const countOf = async () => (await stage.retrieve(first.issueId)).body.commentCount
    expect([(await comments()).length, await countOf()]).toEqual([3, 3])

    expect((await send('DELETE', `${reports}/${first.reportId}`)).status).toBe(409)
    expect(await ada.reports()).toMatchObject([{ replyCount: 1, unreadCount: 0 }])
    expect((await send('DELETE', `${reports}/${second.reportId}`)).status).toBe(204)
    expect([(await comments()).length, await countOf(), await bob.reports()]).toEqual([2, 2, []])
    expect((await bob.write(second.reportId, 'One more thing')).status).toBe(404)

    const redacted = await send('POST', `${reports}/${first.reportId}/redact`)
    expect([redacted.status, redacted.body.reporterId]).toEqual([200, null])
    expect(await ada.reports()).toEqual([])
    expect([await countOf(), await comments()]).toMatchObject([1, [{ text: 'Which phone?' }]])
    expect((await stage.retrieve(first.issueId)).body.conversation).toBe('waiting-for-reporter')
    expect(JSON.stringify(await history(first.issueId))).not.toContain('My password')
  })

  it('get 304 while nothing has changed for them', async () => {
    const [ada, bob] = [reporter(), reporter()]
    const { issueId } = await ada.submit()
    const { headers } = await ada.ask('/reports')
    expect(headers.get('cache-control')).toBe('no-store')
    const tag = headers.get('etag') ?? ''
    const poll = async () => (await ada.ask('/reports', { tag })).status
    expect([await poll(), await poll()]).toEqual([304, 304])
    await bob.submit()
    expect([await poll(), await poll()]).toEqual([304, 304])
    await reply(issueId, 'Hello')
    expect(await poll()).toBe(200)
    const messages = await ada.ask(`/reports/${(await ada.reports())[0].id}/messages`)
    const own = await ada.ask(`/reports/${(await ada.reports())[0].id}/messages`, {
      tag: messages.headers.get('etag') ?? '',
    })
    expect(own.status).toBe(304)
  })

  it('may ask from any page, with the headers they need', async () => {
    const response = await fetch(`${stage.api.url}/v1/my/reports`, { method: 'OPTIONS' })
    expect(response.headers.get('access-control-allow-headers')).toContain('Bugle-Reporter')
    expect(response.headers.get('access-control-allow-headers')).toContain('If-None-Match')
  })

  it('get the same empty list with any secret that is wrong, of another project, or blocked', async () => {
    const ada = reporter()
    const { issueId, reportId } = await ada.submit()
    await reply(issueId, 'Hello')
    const other = await stage.api.addProject()
    const foreign = createReporter(stage.api, other, ada.secret)
    const wrong = [reporter(), reporter('x'), reporter(ada.keyHash), foreign]
    await send('PUT', `/v1/issues/${issueId}/reports/${reportId}/block`)
    const answers = await Promise.all([...wrong, ada].map((one) => one.ask('/reports')))
    const shown = answers.map(({ status, text, headers }) => [status, text, headers.get('etag')])
    expect(new Set(shown.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(answers[0]?.text).toBe('{"data":[]}')
    const refused = await Promise.all([...wrong, ada].map((one) => one.write(reportId, 'x')))
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['404 not-found']),
    )
    expect(await history(issueId)).toMatchObject([
      { type: 'issue.created' },
      { type: 'comment.created' },
      { type: 'reporter.blocked' },
    ])
    await send('DELETE', `/v1/issues/${issueId}/reports/${reportId}/block`)
    expect(await ada.reports()).toHaveLength(1)
    const { body } = await stage.api.send('GET', '/v1/my/reports', { key: stage.project.publicKey })
    expect(body.code).toBe('invalid-parameter')
  })

  it('who are blocked on a hidden issue are not shown as blocked to people who do not see it', async () => {
    const project = await stage.api.addProject()
    const ada = createReporter(stage.api, project)
    const [seen, hidden] = [await ada.submit(), await ada.submit({ category: 'security' })]
    const blindKey = await stage.api.addKey({ project, scopes: BLIND_SCOPES })
    const pathOf = ({ issueId, reportId }: typeof seen) => `/v1/issues/${issueId}/reports/${reportId}/block`
    const look = async (key: string) => [
      (await get(`/v1/issues/${seen.issueId}/reports`, key)).data,
      (await get('/v1/events', key)).data,
    ]
    const before = await look(blindKey)
    const isBlocked = async (issueId: string) =>
      (await get(`/v1/issues/${issueId}/reports`, project.secretKey)).data[0].isReporterBlocked

    expect((await send('PUT', pathOf(hidden), undefined, project.secretKey)).status).toBe(204)
    expect(await ada.reports()).toEqual([])
    expect(await look(blindKey)).toEqual(before)
    expect([await isBlocked(seen.issueId), await isBlocked(hidden.issueId)]).toEqual([false, true])
    // The same in the other lane is a block of its own.
    await send('PUT', pathOf(seen), undefined, blindKey)
    expect([await isBlocked(seen.issueId), await isBlocked(hidden.issueId)]).toEqual([true, true])
    await send('DELETE', pathOf(seen), undefined, blindKey)
    expect([await isBlocked(seen.issueId), await ada.reports()]).toEqual([false, []])
    await send('DELETE', pathOf(hidden), undefined, project.secretKey)
    expect(await ada.reports()).toHaveLength(2)
  })

  it('who are blocked get the usual response and their reports are stored as spam, until they are unblocked', async () => {
    const project = await stage.api.addProject()
    const [ada, bob] = [createReporter(stage.api, project), createReporter(stage.api, project)]
    const { issueId, reportId } = await ada.submit()
    const setBlocked = (method: 'PUT' | 'DELETE') =>
      send(method, `/v1/issues/${issueId}/reports/${reportId}/block`, undefined, project.secretKey)
    const isSpam = async ({ keyHash }: TestReporter, key = project.publicKey) => {
      const body = { title: 'Again', reporterKeyHash: keyHash }
      const { status, body: record } = await stage.api.send('POST', '/v1/issues', { key, body })
      expect([status, record.status]).toEqual([201, 'open'])
      return (await get(`/v1/issues/${record.id}`, project.secretKey)).spamAt !== null
    }
    await setBlocked('PUT')
    // The block works within a second, like everything that servers keep in memory.
    await expect.poll(() => isSpam(ada), PATIENT).toBe(true)
    expect(await isSpam(ada, project.secretKey)).toBe(true)
    expect(await isSpam(bob)).toBe(false)
    await setBlocked('DELETE')
    await expect.poll(() => isSpam(ada), PATIENT).toBe(false)
    expect(await stage.findFaults()).toEqual([])
  })

  it('do not learn that the team has marked their report as spam; what they write is hidden with it', async () => {
    const project = await stage.api.addProject()
    const key = project.secretKey
    const ada = createReporter(stage.api, project)
    const { issueId, reportId } = await ada.submit()
    const before = (await ada.ask('/reports')).text
    await send('POST', `/v1/issues/${issueId}/spam`, { blockSender: true }, key)
    expect((await ada.ask('/reports')).text).toBe(before)
    expect((await ada.write(reportId, 'Hello?')).status).toBe(201)
    const waiting = async (query = '') =>
      (await get(`/v1/issues?conversation=waiting-for-team${query}`, key)).data.map(
        ({ id }: Answer['body']) => id,
      )
    expect([await waiting(), await waiting('&spam=true')]).toEqual([[], [issueId]])
    await send('DELETE', `/v1/issues/${issueId}/spam`, undefined, key)
    expect([await waiting(), await waiting('&spam=true')]).toEqual([[issueId], []])
    expect(await ada.messages(reportId)).toEqual([['reporter', 'Hello?']])
    expect(await stage.findFaults()).toEqual([])
  })

  it.each([
    ['no text', { messageId: 'a' }],
    ['a blank text', { messageId: 'a', text: ' \n' }],
    ['a text that is too long', { messageId: 'a', text: 'x'.repeat(MAX_MESSAGE_CHARS + 1) }],
    ['an id that is not safe in a path', { messageId: '1.a', text: 'x' }],
    ['another field', { messageId: 'a', text: 'x', audience: 'team' }],
  ])('cannot send a message with %s', async (_, body) => {
    const ada = reporter()
    const { reportId } = await ada.submit()
    const { status } = await ada.ask(`/reports/${reportId}/messages`, { method: 'POST', body })
    expect(status).toBe(422)
    expect(await ada.messages(reportId)).toEqual([])
  })

  it('cannot fill an issue: their messages are limited, and do not count against those of the team', async () => {
    const ada = reporter()
    const { issueId, reportId } = await ada.submit()
    const statuses = new Set<number>()
    for (let n = 0; n < MAX_REPORT_MESSAGES; n += 50) {
      const sent = Array.from({ length: 50 }, (_, index) => ada.write(reportId, 'x', `m-${n + index}`))
      for (const { status } of await Promise.all(sent)) statuses.add(status)
    }
    expect(statuses).toEqual(new Set([201]))
    const beyond = await ada.write(reportId, 'x', 'beyond')
    expect([beyond.status, beyond.body.code]).toEqual([409, 'limit-reached'])
    const { body } = await ada.ask(`/reports/${reportId}/messages`)
    expect([body.data.length, body.hasEarlier]).toEqual([100, true])
    expect((await reply(issueId, 'Still possible')).status).toBe(201)
  })
})

it('every response is byte-identical, whatever others report and the team writes', async () => {
  const ada = reporter()
  const fingerprint = 'twins'
  const { issueId, reportId } = await ada.submit({ fingerprint })
  const { body: toAda } = await reply(issueId, 'Hello Ada', { reportId })
  await ada.write(reportId, 'Hello', 'one')
  /** Everything that the reporter can ask, with status, headers and bytes. */
  const askAll = async () => {
    const read = { method: 'PUT', body: { messageId: toAda.id } }
    const answers = [
      await ada.ask('/reports'),
      await ada.ask(`/reports/${reportId}/messages`),
      await ada.write(reportId, 'Hello', 'one'),
      await ada.write(reportId, 'Other', 'one'),
      await ada.ask(`/reports/${reportId}/read`, read),
      await ada.ask('/reports'),
      await ada.ask(`/reports/${reportId.replace(/.$/, '0')}/messages`),
    ]
    return answers.map(({ status, text, headers }) => {
      const kept = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
      return [status, kept, text.replaceAll(/"(instance|requestId)":"[^"]*"/g, '')]
    })
  }
  await askAll()
  const before = await askAll()
  const bob = reporter()
  const joined = await bob.submit({ fingerprint, title: 'Bob was here' })
  expect(joined.issueId).toBe(issueId)
  await bob.write(joined.reportId, 'From Bob', 'one')
  await reply(issueId, 'Only Bob', { reportId: joined.reportId })
  await send('POST', `/v1/issues/${issueId}/comments`, { commentId: 'one', text: 'For the team' })
  await stage.change(issueId, { title: 'Renamed', priority: 'high', note: 'For the team' })
  await bob.submit({ category: 'security', fingerprint })
  const other = await stage.api.addProject()
  await createReporter(stage.api, other, ada.secret).submit({ title: 'Elsewhere' })
  expect(await askAll()).toEqual(before)
  const merged = await bob.submit({ title: 'Merged into it' })
  await bob.write(merged.reportId, 'From Bob', 'one')
  expect((await send('POST', `/v1/issues/${merged.issueId}/merge`, { into: issueId })).status).toBe(200)
  await reply(merged.issueId, 'To the reporters of the duplicate')
  expect(await askAll()).toEqual(before)
  await stage.change(issueId, { category: 'security' })
  expect(await askAll()).toEqual(before)
})
