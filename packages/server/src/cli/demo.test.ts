import { join } from 'node:path'
import { createClient } from '@bugle/client'
import { endpoints } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { runBugle } from '../../test-support/run-bugle.ts'
import { startApp } from '../../test-support/start-app.ts'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

describe('bugle demo', () => {
  it('creates a project with keys and fills it with a valid history', async () => {
    using folder = temporaryFolder()
    const databaseUrl = `sqlite:${join(folder.path, 'bugle.db')}`
    const { code, stdout, stderr } = await runBugle(
      ['demo', '--project', 'larder', '--count', '120', '--days', '40', '--json'],
      { BUGLE_DATABASE_URL: databaseUrl },
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const made = JSON.parse(stdout)
    expect(made).toMatchObject({
      slug: 'larder',
      issues: 120,
      url: expect.stringMatching(/^http:.*\/projects\/larder$/),
    })

    await using app = await startApp({ databaseUrl })
    const client = createClient({ url: app.url, key: made.secretToken })
    const issues = []
    for await (const issue of client.items(endpoints.listIssues, { query: { pageSize: 100 } }))
      issues.push(issue)
    expect(issues.map(({ issueNumber }) => issueNumber)).toEqual(
      Array.from({ length: 120 }, (_, n) => 120 - n),
    )
    expect(issues.reduce((sum, { reportCount }) => sum + reportCount, 0)).toBe(made.reports)
    expect(issues.map(({ createdAt }) => createdAt)).toEqual(
      issues
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .toReversed(),
    )
    expect(Date.parse(issues.at(-1)?.createdAt ?? '')).toBeLessThan(Date.now() - 30 * DAY_MS)
    expect(new Set(issues.map(({ status }) => status)).size).toBe(6)

    const types = []
    for (const { id } of issues.filter(({ fixedIn, reportCount }) => fixedIn !== null && reportCount > 1))
      for await (const { type } of client.items(endpoints.listIssueEvents, { params: { id } }))
        types.push(type)
    expect(types).toContain('issue.regressed')
  })

  it('looks used: named people and keys, refused submissions, and a webhook that sends nothing', async () => {
    using folder = temporaryFolder()
    const settings = { BUGLE_DATABASE_URL: `sqlite:${join(folder.path, 'bugle.db')}` }
    await runBugle(['migrate'], settings)
    for (const [email, right] of [
      ['ada@example.com', '--security'],
      ['grace@example.com', '--json'],
    ] as const)
      await runBugle(
        ['user', 'add', '--email', email, '--name', email.slice(0, 3), '--role', 'triager', right],
        settings,
      )
    const people = ['--as', 'Ada@example.com', '--as', 'grace@example.com']
    const { stdout } = await runBugle(['demo', '--count', '90', '--json', ...people], settings)
    const { secretToken: key } = JSON.parse(stdout)

    await using app = await startApp({ databaseUrl: settings.BUGLE_DATABASE_URL })
    const get = async (path: string) => (await app.send('GET', path, { key })).body
    const { data: events } = await get('/v1/events?limit=1000')
    const names = (type: string) =>
      new Set(
        events
          .filter((event: { type: string }) => event.type === type)
          .map(({ actor }: { actor: { name: string } }) => actor.name),
      )
    expect(names('issue.created')).toEqual(new Set(['Larder app']))
    expect(names('issue.status_changed')).toEqual(new Set(['ada', 'gra']))

    const { intake } = await get('/v1/projects/demo/stats')
    const refused = Object.values<number>(intake.refused).reduce((sum, count) => sum + count, 0)
    expect(refused * intake.limited * intake.replayed).toBeGreaterThan(0)
    expect(intake.stored + intake.joined + intake.replayed + refused + intake.limited).toBe(intake.received)
    expect((await get('/v1/projects/demo/keys')).data[0].lastUsedAt).not.toBeNull()
    expect((await get('/v1/webhooks')).data).toMatchObject([{ status: 'paused', pendingDeliveries: 0 }])
  })

  it('adds to an existing project, and leaves its keys alone', async () => {
    using folder = temporaryFolder()
    const settings = { BUGLE_DATABASE_URL: `sqlite:${join(folder.path, 'bugle.db')}` }
    const first = await runBugle(['demo', '--count', '5', '--json'], settings)
    expect(JSON.parse(first.stdout)).toHaveProperty('secretToken')
    const again = await runBugle(['demo', '--count', '5', '--json'], settings)
    expect(again.code).toBe(0)
    const shown = await runBugle(['demo', '--count', '1'], settings)
    expect(shown.stdout).toMatch(/\b[Oo]pen http:\/\/127\.0\.0\.1:4000\/projects\/demo\n$/)
    expect(JSON.parse(again.stdout)).not.toHaveProperty('secretToken')
    const { stdout } = await runBugle(['key', 'list', '--project', 'demo', '--json'], settings)
    expect(JSON.parse(stdout)).toHaveLength(2)
  })

  it('refuses people who do not exist or may not change issues, and creates no project', async () => {
    using folder = temporaryFolder()
    const settings = { BUGLE_DATABASE_URL: `sqlite:${join(folder.path, 'bugle.db')}` }
    await runBugle(['migrate'], settings)
    const viewer = ['--email', 'vi@example.com', '--name', 'Vi', '--role', 'viewer']
    await runBugle(['user', 'add', ...viewer], settings)
    for (const [email, sentence] of [
      ['nobody@example.com', 'no user has the email address nobody@example.com'],
      ['vi@example.com', 'vi@example.com is not allowed to change the issues of all projects'],
    ] as const) {
      const { code, stderr } = await runBugle(['demo', '--as', email], settings)
      expect({ code, isSaid: stderr.includes(sentence) }).toEqual({ code: 1, isSaid: true })
    }
    const { stdout } = await runBugle(['project', 'list', '--json'], settings)
    expect(JSON.parse(stdout)).toEqual([])
  })

  it.each([
    [['--count', 'many'], '--count must be a number from 1 to 20000'],
    [['--days', '0'], '--days must be a number from 1 to 365'],
    [['--project', 'No Slug'], '--project must have 1 to 63 characters from a-z'],
  ])('refuses %j and touches nothing', async (args, sentence) => {
    const { code, stdout, stderr } = await runBugle(['demo', ...args], {
      BUGLE_DATABASE_URL: 'sqlite:/nowhere/at/all.db',
    })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(sentence)
  })
})
