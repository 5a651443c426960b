import { describe, expect, it } from 'vitest'
import { createReporter, setReporterStage } from '../../../../test-support/reporters.ts'
import type { Answer } from '../../../../test-support/start-app.ts'

const stage = setReporterStage({ isOnDisk: true })
const { get, reporter, send, reply } = stage

describe('the reporter of a duplicate', () => {
  const merge = (id: string, into: string) => send('POST', `/v1/issues/${id}/merge`, { into })

  it('learns of the status and the fix of the target, and sees none of its text', async () => {
    const [ada, bob] = [reporter(), reporter()]
    const [mine, target] = [await ada.submit({ title: 'Mine' }), await bob.submit({ title: 'Of Bob' })]
    await reply(mine.issueId, 'Before the merge')
    await bob.write(target.reportId, 'From Bob')
    expect((await merge(mine.issueId, target.issueId)).status).toBe(200)
    // The duplicate is closed; the problem is not.
    expect(await ada.reports()).toMatchObject([{ title: 'Mine', status: 'open', fixedIn: null }])
    await reply(target.issueId, 'For the reporters of the target')
    const fixedIn = { appVersion: '2.4.1', buildNumber: '512' }
    await stage.change(target.issueId, { status: 'resolved', fixedIn })
    expect(await ada.reports()).toMatchObject([{ status: 'resolved', fixedIn, replyCount: 1 }])
    expect(await ada.messages(mine.reportId)).toEqual([['team', 'Before the merge']])
    expect((await ada.ask('/reports')).text).not.toContain('Bob')
    expect((await ada.ask(`/reports/${target.reportId}/messages`)).status).toBe(404)
    // The conversation goes on, for both apart.
    expect((await ada.write(mine.reportId, 'It works again')).status).toBe(201)
    await reply(mine.issueId, 'Good to hear')
    expect(await bob.messages(target.reportId)).toEqual([
      ['reporter', 'From Bob'],
      ['team', 'For the reporters of the target'],
    ])
    await send('POST', `/v1/issues/${mine.issueId}/unmerge`)
    expect(await ada.reports()).toMatchObject([{ status: 'open', fixedIn: null, replyCount: 2 }])
  })

  it('is shown the status of the duplicate once the target is deleted', async () => {
    const ada = reporter()
    const { issueId } = await ada.submit()
    await stage.change(issueId, { status: 'in_progress' })
    const target = await reporter().submit()
    await merge(issueId, target.issueId)
    await send('DELETE', `/v1/issues/${target.issueId}`)
    expect(await ada.reports()).toMatchObject([{ status: 'in_progress' }])
  })
})

describe('a change with a reply', () => {
  it('changes the issue and replies, once per id', async () => {
    const ada = reporter()
    const { issueId, reportId } = await ada.submit()
    const patch = {
      status: 'in_progress',
      reply: { commentId: 'r', text: 'We are on it.' },
    }
    const tag = (await stage.retrieve(issueId)).headers.get('etag') ?? ''
    const first = await stage.change(issueId, patch, { ifMatch: tag })
    expect(first.body).toMatchObject({
      status: 'in_progress',
      conversation: 'waiting-for-reporter',
      commentCount: 1,
    })
    // A retry, with its original ETag.
    const again = await stage.change(issueId, patch, { ifMatch: tag })
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await ada.messages(reportId)).toEqual([['team', 'We are on it.']])
    const other = await stage.change(issueId, { reply: { commentId: 'r', text: 'Something else' } })
    expect([other.status, other.body.code]).toEqual([409, 'comment-conflict'])
  })

  it('sends nothing if the change is refused', async () => {
    const ada = reporter()
    const { issueId, reportId } = await ada.submit()
    const withReply = (patch: object, text = 'Fixed') => ({ ...patch, reply: { commentId: 'r', text } })
    const wrong = [
      await stage.change(issueId, withReply({ priority: 'low' }), { ifMatch: '"99"' }),
      await stage.change(issueId, withReply({ labels: ['unknown'] })),
      await stage.change(issueId, { reply: { commentId: 'r', text: 'x', reportId: 'rep_1' } }),
    ]
    expect(wrong.map(({ status }) => status)).toEqual([412, 422, 422])
    expect(await ada.messages(reportId)).toEqual([])
  })

  it('is refused for a report without a secret, because no one could read the reply', async () => {
    const { body: issue } = await stage.api.send('POST', '/v1/issues', {
      key: stage.project.publicKey,
      body: { title: 'Without a secret' },
    })
    const [{ id: reportId }] = (await get(`/v1/issues/${issue.id}/reports`)).data
    const refused = [
      await reply(issue.id, 'Hello', { reportId }),
      await stage.change(issue.id, {
        status: 'in_progress',
        reply: { commentId: 'r', text: 'Hello', reportId },
      }),
    ]
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'no-reporter-secret'],
      [409, 'no-reporter-secret'],
    ])
    expect((await stage.retrieve(issue.id)).body).toMatchObject({
      status: 'open',
      conversation: null,
      commentCount: 0,
    })
  })

  it('reaches the reporter also if it hides the issue', async () => {
    const ada = reporter()
    const { issueId, reportId } = await ada.submit()
    const patch = { category: 'security', reply: { commentId: 'r', text: 'Thank you. We look into it.' } }
    expect((await stage.change(issueId, patch)).status).toBe(200)
    expect(await ada.messages(reportId)).toEqual([['team', 'Thank you. We look into it.']])
  })
})

describe('who is expected to write next', () => {
  const conversation = async (issueId: string) => (await stage.retrieve(issueId)).body.conversation
  const remove = (issueId: string, commentId: string) =>
    send('DELETE', `/v1/issues/${issueId}/comments/${commentId}`)

  it('depends on the last reply or message that is not deleted', async () => {
    const ada = reporter()
    const { issueId, reportId } = await ada.submit()
    const { body: toAll } = await reply(issueId, 'To all')
    await ada.write(reportId, 'A message', 'one')
    const { body: toAda } = await reply(issueId, 'To Ada', { reportId })
    await send('POST', `/v1/issues/${issueId}/comments`, { commentId: 'note', text: 'For the team' })
    await remove(issueId, 'note')
    expect(await conversation(issueId)).toBe('waiting-for-reporter')
    await remove(issueId, toAda.id)
    expect(await conversation(issueId)).toBe('waiting-for-team')
    await remove(issueId, '1.one')
    expect(await conversation(issueId)).toBe('waiting-for-reporter')
    await remove(issueId, toAll.id)
    expect(await conversation(issueId)).toBeNull()
    expect(await stage.findFaults()).toEqual([])
  })

  it('is no one once the reporter who wrote last is blocked', async () => {
    const [ada, bob] = [reporter(), reporter()]
    const fingerprint = 'blocked in a conversation'
    const mine = await ada.submit({ fingerprint })
    const { issueId, reportId } = await bob.submit({ fingerprint })
    await bob.write(reportId, 'From Bob')
    await ada.write(mine.reportId, 'From Ada')
    await send('PUT', `/v1/issues/${issueId}/reports/${reportId}/block`)
    expect(await conversation(issueId)).toBe('waiting-for-team')
    await send('PUT', `/v1/issues/${issueId}/reports/${mine.reportId}/block`)
    expect(await conversation(issueId)).toBeNull()
    await send('DELETE', `/v1/issues/${issueId}/reports/${mine.reportId}/block`)
    expect(await conversation(issueId)).toBeNull()
    await ada.write(mine.reportId, 'Again from Ada')
    expect(await conversation(issueId)).toBe('waiting-for-team')
    expect(await stage.findFaults()).toEqual([])
  })
})

describe('the filter for conversations', () => {
  it('finds issues that wait for a reporter or for the team', async () => {
    const project = await stage.api.addProject()
    const ada = createReporter(stage.api, project)
    const [one, two] = [await ada.submit(), await ada.submit()]
    await ada.submit()
    for (const { issueId } of [one, two])
      await send(
        'POST',
        `/v1/issues/${issueId}/comments`,
        { commentId: 'a', text: 'x', audience: 'reporters' },
        project.secretKey,
      )
    await ada.write(two.reportId, 'Here I am')
    const found = async (state: string) =>
      (
        await stage.api.send('GET', `/v1/issues?conversation=${state}`, { key: project.secretKey })
      ).body.data.map(({ id }: Answer['body']) => id)
    expect(await found('waiting-for-reporter')).toEqual([one.issueId])
    expect(await found('waiting-for-team')).toEqual([two.issueId])
    expect(await found('waiting-for-team,waiting-for-reporter')).toEqual([two.issueId, one.issueId])
  })
})
