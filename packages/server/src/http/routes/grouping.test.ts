import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../test-support/issue-stage.ts'

const stage = setIssueStage()
const { report, change, get, history } = stage

describe('reports with the same fingerprint', () => {
  it('are counted on one issue, and each says what it was answered', async () => {
    const first = await report({ fingerprint: 'f1', appVersion: '1.0', platform: 'ios' })
    stage.pass(1_000)
    const body = {
      title: 'Other words',
      fingerprint: 'f1',
      appVersion: '1.1',
      platform: 'android',
      submissionId: 'j1',
    }
    const second = await stage.api.send('POST', '/v1/issues', { key: stage.project.secretKey, body })
    expect(second.status).toBe(200)
    expect(second.body).toEqual({ ...first, title: 'Other words', reportCount: 2 })
    await report({ fingerprint: 'f1' })
    const replayed = await stage.api.send('POST', '/v1/issues', { key: stage.project.secretKey, body })
    expect([replayed.status, replayed.body]).toEqual([200, second.body])

    const issue = await get(`/v1/issues/${first.id}`)
    expect(issue).toMatchObject({ title: 'Blank screen', reportCount: 3, version: 1, appVersion: '1.0' })
    expect(issue.lastReportedAt).toBe(new Date(stage.now).toISOString())
    const reports = await get(`/v1/issues/${first.id}/reports`)
    expect(
      reports.data.map((report: Record<string, unknown>) => [
        report['reportNumber'],
        report['appVersion'],
        report['platform'],
      ]),
    ).toEqual([
      [3, null, null],
      [2, '1.1', 'android'],
      [1, '1.0', 'ios'],
    ])
    expect(reports.pagination).toMatchObject({ hasMore: false, totalCount: 3 })
  })

  it('are walked by cursor', async () => {
    const { id } = await report({ fingerprint: 'walked' })
    for (let index = 0; index < 6; index++) await report({ fingerprint: 'walked' })
    const seen: number[] = []
    let cursor = ''
    do {
      const { data, pagination } = await get(`/v1/issues/${id}/reports?pageSize=3${cursor}`)
      seen.push(...data.map((report: { reportNumber: number }) => report.reportNumber))
      cursor = pagination.nextCursor && `&cursor=${pagination.nextCursor}`
    } while (cursor)
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1])
  })

  it('reopen a resolved issue from a later release, with the reason', async () => {
    const { id } = await report({ fingerprint: 'r1', appVersion: '2.3.0' })
    await change(id, { status: 'resolved', fixedIn: { appVersion: '2.4.0', buildNumber: '498' } })
    const late = await report({ fingerprint: 'r1', appVersion: '2.3.9' }, stage.project.secretKey)
    expect(late.status).toBe('resolved')
    const regressed = await report(
      { fingerprint: 'r1', appVersion: '2.4.1', buildNumber: '512' },
      stage.project.secretKey,
    )
    expect(regressed.status).toBe('open')
    const last = (await history(id)).at(-1)
    expect(last).toMatchObject({
      type: 'issue.regressed',
      actor: { kind: 'system', id: null },
      changes: [{ member: 'status', from: 'resolved', to: 'open' }],
    })
    expect(last.reason).toContain('2.4.1 (512) is not older than the fix, 2.4.0 (498)')
    expect(await get(`/v1/issues/${id}`)).toMatchObject({ status: 'open', reportCount: 3, version: 3 })
  })

  it.each(['closed', 'wontfix'] as const)('leave an issue that is %s as it is', async (status) => {
    const fingerprint = `final-${status}`
    const { id } = await report({ fingerprint })
    await change(id, { status })
    expect((await report({ fingerprint }, stage.project.secretKey)).status).toBe(status)
    expect(await get(`/v1/issues/${id}`)).toMatchObject({ status, reportCount: 2 })
  })

  it('of other projects stay apart', async () => {
    await report({ fingerprint: 'shared' })
    const other = await stage.api.addProject()
    const { status } = await stage.api.send('POST', '/v1/issues', {
      key: other.publicKey,
      body: { title: 'x', fingerprint: 'shared' },
    })
    expect(status).toBe(201)
  })
})
