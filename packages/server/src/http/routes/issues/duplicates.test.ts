import { MAX_DUPLICATES } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'
import { type Answer, BLIND_SCOPES } from '../../../../test-support/start-app.ts'

const stage = setIssueStage()
const { report, get, retrieve, change, history } = stage

const post = (path: string, body?: object, key = stage.project.secretKey): Promise<Answer> =>
  stage.api.send('POST', `/v1/issues/${path}`, { key, ...(body && { body }) })
const merge = (id: string, into: string, key?: string) => post(`${id}/merge`, { into }, key)
const numbersIn = (page: Answer['body']): number[] =>
  page.data.map(({ issueNumber }: { issueNumber: number }) => issueNumber)

describe('a merged issue', () => {
  it('is closed, counts for its target, and gets its status back', async () => {
    const { id, issueNumber } = await report({ fingerprint: 'first' })
    const target = await report()
    await change(id, { status: 'in_progress' })
    const merged = await merge(id, target.id)
    expect([merged.status, merged.body]).toMatchObject([
      200,
      { status: 'closed', duplicateOf: target.id, allowedTransitions: [] },
    ])
    const again = await merge(id, target.id)
    expect([again.status, again.body.version]).toEqual([200, merged.body.version])

    const joined = await report({ fingerprint: 'first', title: 'Again' }, stage.project.secretKey)
    expect([joined.id, joined.status]).toEqual([id, 'closed'])
    const { body } = await retrieve(target.id)
    expect(body).toMatchObject({ reportCount: 3, duplicateCount: 1, status: 'open', version: 1 })
    expect(numbersIn(await get(`/v1/issues/${target.id}/duplicates`))).toEqual([issueNumber])
    const reports = await get(`/v1/issues/${target.id}/reports`)
    expect(reports.pagination.totalCount).toBe(3)
    expect(reports.data.map((one: { issueId: string }) => one.issueId).sort()).toEqual(
      [id, id, target.id].sort(),
    )

    const refused = await change(id, { status: 'open' })
    expect([refused.status, refused.body.code, refused.body.duplicateOf]).toEqual([
      409,
      'is-duplicate',
      target.id,
    ])
    const separated = await post(`${id}/unmerge`)
    expect(separated.body).toMatchObject({ status: 'in_progress', duplicateOf: null, reportCount: 2 })
    expect((await retrieve(target.id)).body).toMatchObject({ reportCount: 1, duplicateCount: 0 })
    expect((await history(id)).map(({ type }: { type: string }) => type)).toEqual([
      ...['issue.created', 'issue.status_changed', 'issue.status_changed', 'issue.status_changed'],
    ])
  })

  it('reopens its target, not itself', async () => {
    const { id } = await report({ fingerprint: 'regression' })
    const target = await report()
    await change(id, { status: 'resolved' })
    await change(target.id, { status: 'resolved' })
    await merge(id, target.id)
    await report({ fingerprint: 'regression' })
    expect((await retrieve(id)).body.status).toBe('resolved')
    expect((await retrieve(target.id)).body.status).toBe('open')
    expect((await history(target.id)).at(-1).type).toBe('issue.regressed')
  })

  it('follows its target into another one, and is released with it', async () => {
    const [first, second, third] = [await report(), await report(), await report()]
    await merge(first.id, second.id)
    expect((await merge(second.id, first.id)).body).toMatchObject({ errors: [{ code: 'conflict' }] })
    await merge(second.id, third.id)
    expect((await retrieve(first.id)).body.duplicateOf).toBe(third.id)
    const list = `/v1/issues/${third.id}/duplicates?pageSize=1`
    const page = await get(list)
    const rest = await get(`${list}&cursor=${page.pagination.nextCursor}`)
    expect([...numbersIn(page), ...numbersIn(rest)]).toEqual([second.issueNumber, first.issueNumber])
    await stage.api.send('DELETE', `/v1/issues/${third.id}`, { key: stage.project.secretKey })
    expect((await retrieve(first.id)).body).toMatchObject({ duplicateOf: null, status: 'open' })
    expect((await history(first.id)).at(-1)).toMatchObject({
      reason: 'The issue that it was a duplicate of is no longer available.',
    })
  })

  it('stays in its project and its lane: other issues seem missing', async () => {
    const { id } = await report()
    const hidden = await report({ category: 'security' }, stage.project.secretKey)
    const elsewhere = await stage.api.addProject()
    const far = await stage.api.send('POST', '/v1/issues', {
      key: elsewhere.secretKey,
      body: { title: 'Far' },
    })
    const blind = await stage.api.addKey({ project: stage.project, scopes: BLIND_SCOPES })
    for (const key of [stage.project.secretKey, blind]) {
      const answers = await Promise.all(
        [hidden.id, far.body.id, id, 'iss_7zzzzzzzzzzzzzzzzzzzzzzzzz', 'x'].map((into) =>
          merge(id, into, key),
        ),
      )
      const shown = answers.map(({ status, body: { requestId, ...body } }) => ({ status, body }))
      expect(shown).toEqual(shown.map(() => shown[3]))
      expect(shown[0]?.status).toBe(422)
    }
    expect((await merge(hidden.id, id, blind)).status).toBe(404)
    expect((await retrieve(id)).body).toMatchObject({ duplicateOf: null, version: 1 })
  })

  it('is refused if the target has too many duplicates', async () => {
    const target = await report()
    const others = await Promise.all(Array.from({ length: MAX_DUPLICATES + 1 }, () => report()))
    const answers = []
    for (const { id } of others) answers.push((await merge(id, target.id)).status)
    expect(answers).toEqual([...others.slice(1).map(() => 200), 409])
    expect((await retrieve(target.id)).body.reportCount).toBe(MAX_DUPLICATES + 1)
  })

  it('is not changed if it has changed meanwhile', async () => {
    const [one, target] = [await report(), await report()]
    const answer = await stage.api.send('POST', `/v1/issues/${one.id}/merge`, {
      key: stage.project.secretKey,
      body: { into: target.id },
      headers: { 'if-match': '"7"' },
    })
    expect([answer.status, answer.body.code]).toEqual([412, 'precondition-failed'])
  })
})
