import { MAX_COUNTED_VALUES } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'

const stage = setIssueStage()
const { get, change } = stage

describe('statistics of a period', () => {
  const DAY_MS = 86_400_000

  it('count the issues that were created in it, and nothing older', async () => {
    const own = await stage.api.addProject()
    const send = async (body: object) =>
      (await stage.api.send('POST', '/v1/issues', { key: own.publicKey, body })).body
    const read = (query: string, key?: string) =>
      get(`/v1/projects/${own.slug}/stats${query}`, key ?? own.secretKey)
    await send({ title: 'Old', platform: 'ios', appVersion: '1.0', fingerprint: 'old' })
    stage.pass(10 * DAY_MS)
    await send({ title: 'Old again', fingerprint: 'old' })
    const recent = await send({ title: 'New', platform: 'web', appVersion: '2.0', category: 'crash' })
    await send({ title: 'Hole', platform: 'android', category: 'security' })
    stage.pass(600_000)
    await change(recent.id, { status: 'resolved' }, { key: own.secretKey })

    expect(await read('?days=30&createdWithinDays=7')).toMatchObject({
      days: 30,
      totals: { issues: 2, reports: 2, open: 1 },
      byStatus: { open: 1, resolved: 1 },
      byCategory: { bug: 0, crash: 1, security: 1 },
      byPlatform: [
        { value: 'android', count: 1 },
        { value: 'web', count: 1 },
      ],
      byAppVersion: [{ value: '2.0', count: 1 }],
      timeToResolve: { medianSeconds: 600, count: 1 },
      sampledIssues: null,
    })
    expect((await read('?createdWithinDays=30')).totals).toEqual((await read('')).totals)
    const blind = await stage.api.addKey({ project: own, scopes: ['projects:read'] })
    expect(await read('?createdWithinDays=7', blind)).toMatchObject({
      totals: { issues: 1, reports: 1, open: 0 },
      byPlatform: [{ value: 'web', count: 1 }],
    })
    expect((await read('?createdWithinDays=0')).code).toBe('invalid-parameter')
  })

  it('are not available to anonymous readers of a public project', async () => {
    const own = await stage.api.addProject({ isPublic: true })
    const read = async (query: string) =>
      (await stage.api.send('GET', `/v1/projects/${own.slug}/stats${query}`)).status
    expect([await read(''), await read('?createdWithinDays=7')]).toEqual([200, 401])
  })
})

describe('statistics', () => {
  it('count issues, reports and submissions', async () => {
    const own = await stage.api.addProject()
    const send = (body: unknown) => stage.api.send('POST', '/v1/issues', { key: own.publicKey, body })
    const { body: one } = await send({
      title: 'One',
      platform: 'ios',
      appVersion: '1.0',
      submissionId: 'one',
    })
    await send({ title: 'One', platform: 'ios', appVersion: '1.0', submissionId: 'one' })
    await send({ title: 'Two', fingerprint: 'f', category: 'crash' })
    await send({ title: 'Two', fingerprint: 'f', category: 'crash' })
    await send({ titel: 'Three' })
    await send('{')
    stage.pass(600_000)
    await change(one.id, { status: 'resolved' }, { key: own.secretKey })
    const read = () => get(`/v1/projects/${own.slug}/stats?days=2`, own.secretKey)
    // Refusals are counted after the response.
    await expect.poll(async () => (await read()).intake.received).toBe(6)
    const stats = await read()
    expect(stats).toMatchObject({
      projectId: own.id,
      days: 2,
      totals: { issues: 2, reports: 3, open: 1 },
      byStatus: { open: 1, resolved: 1, closed: 0 },
      byCategory: { bug: 1, crash: 1, security: 0 },
      byPlatform: [{ value: 'ios', count: 1 }],
      byAppVersion: [{ value: '1.0', count: 1 }],
      timeToAcknowledge: { medianSeconds: 600, count: 1 },
      timeToResolve: { medianSeconds: 600, count: 1 },
      intake: {
        received: 6,
        stored: 2,
        joined: 1,
        replayed: 1,
        limited: 0,
        refused: { 'malformed-body': 1, 'validation-failed': 1 },
      },
    })
    expect(stats.series.at(-1)).toEqual({
      date: new Date(stage.now).toISOString().slice(0, 10),
      created: 2,
      resolved: 1,
      reports: 3,
    })
    expect(
      (await stage.api.send('GET', `/v1/projects/${own.slug}/stats?days=366`, { key: own.secretKey })).status,
    ).toBe(400)
  })

  it('distinguish the platform other from platforms that are not counted by name', async () => {
    const own = await stage.api.addProject()
    const add = (platform: string) => stage.report({ platform }, own.publicKey)
    const find = async (wanted: string) => {
      const { byPlatform } = await get(`/v1/projects/${own.slug}/stats`, own.secretKey)
      return byPlatform.find(({ value }: { value: string }) => value === wanted)
    }
    await Promise.all(['other', 'other', 'ios'].map(add))
    expect(await find('other')).toEqual({ value: 'other', count: 2, includesRest: false })
    for (let done = 0; done < MAX_COUNTED_VALUES; done += 100)
      await Promise.all(Array.from({ length: 100 }, (_, index) => add(`p${done + index}`)))
    expect(await find('other')).toEqual({ value: 'other', count: 4, includesRest: true })
    expect(await find('ios')).toEqual({ value: 'ios', count: 1, includesRest: false })
  })
})
