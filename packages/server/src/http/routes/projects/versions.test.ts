import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'

const stage = setIssueStage()
const HOUR_MS = 3_600_000

async function startProject(options: Parameters<typeof stage.api.addProject>[0] = {}) {
  const own = await stage.api.addProject(options)
  return {
    own,
    async send(body: object) {
      stage.pass(HOUR_MS)
      return (
        await stage.api.send('POST', '/v1/issues', { key: own.publicKey, body: { title: 'One', ...body } })
      ).body
    },
    read: (path: string, key: string | undefined = own.secretKey) =>
      stage.api.send('GET', path.replace('{p}', own.slug), key === '' ? {} : { key }),
    change: (id: string, body: object) => stage.change(id, body, { key: own.secretKey }),
  }
}

describe('versions', () => {
  it('are listed newest first, with builds, reports, new and fixed issues and regressions', async () => {
    const { own, send, read, change } = await startProject()
    const first = await send({ appVersion: '2.9.0', buildNumber: '90', fingerprint: 'crash' })
    const begin = stage.now
    await send({ appVersion: '2.9.0', buildNumber: '91', fingerprint: 'crash' })
    await send({ appVersion: '2.10.0-rc.1' })
    await change(first.id, { status: 'resolved', fixedIn: { appVersion: '2.10.0' } })
    await send({ appVersion: '2.10.0', buildNumber: '100', fingerprint: 'crash' })
    await send({ appVersion: '9.9.9', category: 'security' })

    const { body } = await read('/v1/projects/{p}/versions')
    expect(body.pagination).toMatchObject({ hasMore: false, nextCursor: null, totalCount: 4 })
    expect(body.data.map(({ appVersion }: { appVersion: string }) => appVersion)).toEqual([
      '9.9.9',
      '2.10.0',
      '2.10.0-rc.1',
      '2.9.0',
    ])
    expect(body.data[1]).toMatchObject({ reportCount: 1, newIssues: 0, fixedIssues: 1, regressions: 1 })
    expect(body.data[3]).toEqual({
      appVersion: '2.9.0',
      reportCount: 2,
      firstReportedAt: new Date(begin).toISOString(),
      lastReportedAt: new Date(begin + HOUR_MS).toISOString(),
      newIssues: 1,
      regressions: 0,
      fixedIssues: 0,
      builds: [
        expect.objectContaining({ buildNumber: '91', reportCount: 1 }),
        expect.objectContaining({ buildNumber: '90', reportCount: 1 }),
      ],
      includesRest: false,
    })

    const blind = await stage.api.addKey({ project: own, scopes: ['projects:read'] })
    const { body: seen } = await read('/v1/projects/{p}/versions?pageSize=2&q=2.', blind)
    expect(seen.pagination).toMatchObject({ hasMore: true, totalCount: 3 })
    const rest = await read(
      `/v1/projects/{p}/versions?pageSize=2&q=2.&cursor=${seen.pagination.nextCursor}`,
      blind,
    )
    expect([...seen.data, ...rest.body.data].map(({ appVersion }) => appVersion)).toEqual([
      '2.10.0',
      '2.10.0-rc.1',
      '2.9.0',
    ])
    const stray = await read(`/v1/projects/{p}/versions?q=3&cursor=${seen.pagination.nextCursor}`)
    expect(stray.body.code).toBe('invalid-cursor')
  })

  it('have reports and new issues by day: the most reported five, and all others', async () => {
    const { own, send, read } = await startProject()
    for (const minor of [1, 2, 3, 4, 5, 6]) {
      await send({ appVersion: `1.${minor}`, fingerprint: `of ${minor}` })
      if (minor > 1) await send({ appVersion: `1.${minor}`, fingerprint: `of ${minor}` })
    }
    await send({ title: 'Without a version' })
    await send({ appVersion: '1.6', category: 'security' })
    stage.pass(24 * HOUR_MS)
    await send({ appVersion: '1.6', fingerprint: 'of 5' })

    const totals = (series: readonly { reports: number; newIssues: number }[]) => [
      series.reduce((sum, { reports }) => sum + reports, 0),
      series.reduce((sum, { newIssues }) => sum + newIssues, 0),
    ]
    const blind = await stage.api.addKey({ project: own, scopes: ['projects:read'] })
    const { body } = await read('/v1/projects/{p}/stats/versions?days=7', blind)
    expect(body).toMatchObject({ projectId: own.id, days: 7, completeFrom: null })
    expect(
      body.versions.map(({ appVersion, series }: { appVersion: string; series: [] }) => [
        appVersion,
        ...totals(series),
      ]),
    ).toEqual([
      ['1.6', 3, 1],
      ['1.5', 2, 1],
      ['1.4', 2, 1],
      ['1.3', 2, 1],
      ['1.2', 2, 1],
    ])
    expect(totals(body.others)).toEqual([2, 2])
    const [newest] = body.versions
    expect(newest.series).toHaveLength(7)
    expect(newest.series.at(-1)).toEqual({
      date: new Date(stage.now).toISOString().slice(0, 10),
      reports: 1,
      newIssues: 0,
    })
    const { body: all } = await read('/v1/projects/{p}/stats/versions')
    expect(all.days).toBe(30)
    expect(totals(all.versions[0].series)).toEqual([4, 2])
    expect((await read('/v1/projects/{p}/stats/versions?days=366')).body.code).toBe('invalid-parameter')
    expect((await read('/v1/projects/{p}/stats/versions', '')).status).toBe(401)
  })

  it('do not include deleted or hidden reports, not even their times', async () => {
    const { own, send, read, change } = await startProject()
    const early = await send({ appVersion: '1.0', branch: 'main' })
    await send({ appVersion: '1.0', branch: 'main' })
    const shown = await read('/v1/projects/{p}/versions')
    const late = await send({ appVersion: '1.0', branch: 'topic' })
    await change(early.id, { category: 'security' })
    await stage.api.send('DELETE', `/v1/issues/${late.id}`, { key: own.secretKey })
    const blind = await stage.api.addKey({ project: own, scopes: ['projects:read'] })
    const { body } = await read('/v1/projects/{p}/versions', blind)
    const { lastReportedAt } = shown.body.data[0]
    expect(body.data).toMatchObject([{ reportCount: 1, firstReportedAt: lastReportedAt, lastReportedAt }])
    const { body: branches } = await read('/v1/projects/{p}/branches', blind)
    expect(branches.data).toMatchObject([{ branch: 'main', isDefault: true, reportCount: 1 }])
  })
})

describe('an issue', () => {
  it('shows where it was first and last seen, and whether on the default branch', async () => {
    const { own, send, read } = await startProject({ isPublic: true })
    const { id } = await send({ appVersion: '1.0', buildNumber: '7', branch: 'topic', fingerprint: 'f' })
    const seen = async () => {
      const { firstSeenIn, lastSeenIn, onDefaultBranch } = (await read(`/v1/issues/${id}`)).body
      return [firstSeenIn?.appVersion, lastSeenIn, onDefaultBranch]
    }
    expect(await seen()).toEqual(['1.0', { appVersion: '1.0', buildNumber: '7' }, false])
    await send({ appVersion: '2.0', branch: 'main', fingerprint: 'f' })
    await send({ fingerprint: 'f' })
    expect(await seen()).toEqual(['1.0', { appVersion: '2.0', buildNumber: null }, true])
    const unseen = { firstSeenIn: null, lastSeenIn: null, onDefaultBranch: null }
    expect((await read(`/v1/issues/${id}`, '')).body).toMatchObject(unseen)
    expect((await read(`/v1/issues?projectId=${own.slug}`, '')).body.data).toMatchObject([unseen])
  })
})

describe('lists for the team', () => {
  it('can be filtered by system, device, build, fingerprint, branch and last change', async () => {
    const { own, send, read, change } = await startProject({ isPublic: true })
    const device = { osVersion: 'iOS 26.1', deviceModel: 'iPhone 17', buildNumber: '7' }
    const one = await send({ title: 'one', ...device, fingerprint: 'f,1', branch: 'main' })
    await send({ title: 'two', osVersion: 'iOS 18', branch: 'topic' })
    const between = new Date(stage.now + 1).toISOString()
    await send({ title: 'three' })
    stage.pass(HOUR_MS)
    await change(one.id, { priority: 'high' })
    const found = async (query: string) => {
      const list = await read(`/v1/issues?projectId=${own.slug}&${query}`)
      const { body: counts } = await read(`/v1/issues/counts?projectId=${own.slug}&${withoutSort(query)}`)
      const titles: string[] = list.body.data.map(({ title }: { title: string }) => title)
      expect(counts.total).toBe(titles.length)
      return titles.sort()
    }
    for (const sort of ['newest', 'updated', 'reports']) {
      expect(await found(`osVersion=iOS 26.1,iOS 18&sort=${sort}`)).toEqual(['one', 'two'])
      expect(await found(`deviceModel=iPhone 17&sort=${sort}`)).toEqual(['one'])
      expect(await found(`buildNumber=7&sort=${sort}`)).toEqual(['one'])
      expect(await found(`fingerprint=f\\,1,nothing&sort=${sort}`)).toEqual(['one'])
      expect(await found(`onDefaultBranch=true&sort=${sort}`)).toEqual(['one'])
      expect(await found(`onDefaultBranch=false&sort=${sort}`)).toEqual(['two'])
      expect(await found(`updatedAfter=${between}&sort=${sort}`)).toEqual(['one', 'three'])
      expect(await found(`updatedBefore=${between}&sort=${sort}`)).toEqual(['two'])
    }
    const { body: none } = await read(`/v1/issues?projectId=${own.slug}&fingerprint=f\\,1&status=resolved`)
    expect(none.data).toEqual([])
    for (const query of [...Object.entries(device).map((entry) => entry.join('=')), 'onDefaultBranch=true']) {
      expect((await read(`/v1/issues?projectId=${own.slug}&${query}`, '')).status).toBe(401)
      expect((await read(`/v1/issues/counts?projectId=${own.slug}&${query}`, '')).status).toBe(401)
    }
    expect((await read(`/v1/issues?projectId=${own.slug}&onDefaultBranch=maybe`)).status).toBe(400)
  })
})

describe('statistics', () => {
  it('count systems, devices and branches, and only a period if requested', async () => {
    const { own, send, read } = await startProject({ isPublic: true })
    await send({ osVersion: 'iOS 18', deviceModel: 'iPhone 15', branch: 'main' })
    stage.pass(48 * HOUR_MS)
    const from = new Date(stage.now).toISOString()
    await send({ osVersion: 'iOS 26.1', deviceModel: 'iPhone 17', branch: 'main' })
    const to = new Date(stage.now + 1).toISOString()
    stage.pass(48 * HOUR_MS)
    await send({ osVersion: 'iOS 26.2', branch: 'topic' })
    const path = `/v1/projects/${own.slug}/stats`
    expect((await read(path)).body).toMatchObject({
      from: null,
      to: null,
      byOsVersion: [{ count: 1 }, { count: 1 }, { count: 1 }],
      byDeviceModel: [{ value: 'iPhone 15' }, { value: 'iPhone 17' }],
      byBranch: [
        { value: 'main', count: 2, includesRest: false },
        { value: 'topic', count: 1 },
      ],
    })
    const { body } = await read(`${path}?from=${from}&to=${to}`)
    expect(body).toMatchObject({
      from,
      to,
      days: 1,
      totals: { issues: 1 },
      byOsVersion: [{ value: 'iOS 26.1' }],
      byBranch: [{ value: 'main', count: 1 }],
      series: [{ created: 1 }],
      sampledIssues: null,
    })
    expect((await read(`${path}?from=${from}`)).body.totals.issues).toBe(2)
    expect((await read(path, '')).body).toMatchObject({
      byOsVersion: null,
      byDeviceModel: null,
      byBranch: null,
    })
    expect((await read(`${path}?from=${from}`, '')).status).toBe(401)
    for (const query of [
      `to=${to}`,
      `from=${to}&to=${from}`,
      `from=${from}&days=7`,
      `from=2020-01-01T00:00:00Z`,
    ])
      expect((await read(`${path}?${query}`)).body.code).toBe('invalid-parameter')
  })
})

function withoutSort(query: string): string {
  return query.replace(/&sort=\w+/, '')
}
