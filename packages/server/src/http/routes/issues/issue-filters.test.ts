import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'

const stage = setIssueStage()
const { get } = stage

describe('lists', () => {
  it.each([
    [String.raw`1.0\,beta`, ['1.0,beta']],
    [String.raw`2.0,1.0\,beta`, ['2.0', '1.0,beta']],
    ['1.0,beta', []],
    [String.raw`a\b`, ['a\\b']],
    [String.raw`a\\b`, ['a\\b']],
  ])('accept an escaped comma in a value: %s', async (written, found) => {
    const own = await stage.api.addProject()
    for (const value of ['1.0,beta', '2.0', 'a\\b'])
      await stage.report({ appVersion: value, branch: value }, own.publicKey)
    for (const name of ['appVersion', 'branch'] as const) {
      const query = new URLSearchParams({ [name]: written, sort: 'oldest' })
      const { data } = await get(`/v1/issues?${query}`, own.secretKey)
      expect(data.map((issue: Record<string, string>) => issue[name]).sort()).toEqual([...found].sort())
    }
  })

  it('name the parameter of an invalid value, not its index in the list', async () => {
    const { body } = await stage.api.send('GET', '/v1/issues?status=open,done&platform=', {
      key: stage.project.secretKey,
    })
    expect(body.errors).toEqual([
      {
        parameter: 'status',
        code: 'choice',
        detail: expect.stringMatching(/^Each value of status must be one of: open, /),
      },
      { parameter: 'platform', code: 'too-short', detail: 'Each value of platform must not be empty.' },
    ])
  })

  it('filter, search and sort', async () => {
    const own = await stage.api.addProject()
    const add = async (body: Record<string, unknown>) => {
      stage.pass(1_000)
      await stage.api.send('POST', '/v1/issues', { key: own.publicKey, body })
    }
    await add({
      title: 'Crash on Start',
      category: 'crash',
      priority: 'high',
      platform: 'iOS',
      appVersion: '1.0',
      branch: 'main',
    })
    await add({
      title: 'Übersicht bleibt leer',
      description: '設定画面が壊れた',
      platform: 'android',
      appVersion: '1.1',
    })
    await add({
      title: 'Slow start',
      category: 'performance',
      priority: 'low',
      platform: 'ios',
      appVersion: '1.1',
      fingerprint: 'slow',
    })
    await add({ title: 'Slow start again', fingerprint: 'slow' })
    const list = async (query: string) => {
      const { data, pagination } = await get(`/v1/issues?${query}`, own.secretKey)
      expect(pagination.totalCount).toBe(data.length)
      return data.map((issue: { issueNumber: number }) => issue.issueNumber)
    }
    expect(await list('platform=IOS')).toEqual([3, 1])
    expect(await list('category=crash,performance&sort=oldest')).toEqual([1, 3])
    expect(await list('appVersion=1.1&priority=medium')).toEqual([2])
    expect(await list('branch=main')).toEqual([1])
    expect(await list('q=start')).toEqual([3, 1])
    expect(await list('q=sta*&sort=oldest')).toEqual([1, 3])
    expect(await list('q=%22slow start%22')).toEqual([3])
    expect(await list('q=ubersicht')).toEqual([2])
    expect(await list(`q=${encodeURIComponent('画面')}`)).toEqual([2])
    expect(await list('q=nothing here')).toEqual([])
    expect(await list('sort=reports')).toEqual([3, 2, 1])
    expect(await list('sort=priority')).toEqual([1, 2, 3])
    expect(await list('sort=updated')).toEqual([3, 2, 1])
    expect(await list(`createdAfter=${new Date(stage.now - 2_000).toISOString()}`)).toEqual([3, 2])
    expect(await list(`createdBefore=${new Date(stage.now - 2_000).toISOString()}`)).toEqual([1])
  })

  it.each(['"', '*', 'AND', 'NOT (', 'a"b*c', '-x', 'NEAR(a b)', '\\', ':', '^a', '{}', '%00', '💥', '𝒳'])(
    'accept the search %s',
    async (q) => {
      expect(
        (
          await stage.api.send('GET', `/v1/issues?q=${encodeURIComponent(q)}`, {
            key: stage.project.secretKey,
          })
        ).status,
      ).toBe(200)
    },
  )
})

describe('counts', () => {
  it('contain the number of issues that match a search and filters, by status', async () => {
    const own = await stage.api.addProject()
    const add = async (status: string, body: Record<string, unknown>) => {
      const { body: issue } = await stage.api.send('POST', '/v1/issues', { key: own.publicKey, body })
      const change = { key: own.secretKey, body: { status } }
      if (status !== 'open') await stage.api.send('PATCH', `/v1/issues/${issue.id}`, change)
    }
    await add('open', { title: 'Login fails', platform: 'ios' })
    await add('resolved', { title: 'Login is slow', platform: 'ios' })
    await add('resolved', { title: 'Login twice', platform: 'web' })
    await add('wontfix', { title: 'Dark mode', platform: 'web' })
    await add('open', { title: 'Login leaks a token', category: 'security', platform: 'ios' })
    const none = { open: 0, acknowledged: 0, in_progress: 0, resolved: 0, closed: 0, wontfix: 0 }
    const blind = await stage.api.addKey({ project: own, scopes: ['issues:read'] })
    const count = (query: string, key = blind) => get(`/v1/issues/counts?${query}`, key)

    expect(await count('')).toEqual({ total: 4, byStatus: { ...none, open: 1, resolved: 2, wontfix: 1 } })
    expect(await count('q=login')).toEqual({ total: 3, byStatus: { ...none, open: 1, resolved: 2 } })
    expect(await count('platform=web')).toEqual({ total: 2, byStatus: { ...none, resolved: 1, wontfix: 1 } })
    expect(await count('q=login&platform=ios')).toEqual({
      total: 2,
      byStatus: { ...none, open: 1, resolved: 1 },
    })
    expect(await count('q=nowhere')).toEqual({ total: 0, byStatus: none })
    expect((await count('q=login', own.secretKey)).byStatus.open).toBe(2)
  })

  it('accept no status filter, because every status is counted', async () => {
    const { status, body } = await stage.api.send('GET', '/v1/issues/counts?status=open', {
      key: stage.project.secretKey,
    })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid-parameter' })
  })
})
