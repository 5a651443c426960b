import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { startApp, type TestApp, type TestProject } from '../../../test-support/start-app.ts'

let app: TestApp
let project: TestProject

beforeAll(async () => {
  app = await startApp()
  project = await app.addProject({ slug: 'weather' })
  const reports = [
    { appVersion: '2.9', branch: 'main' },
    { appVersion: '2.10', branch: 'release/2.10', buildNumber: '7' },
    { appVersion: '2.10', branch: 'release/2.10', buildNumber: '8' },
    { appVersion: '2.10.0-rc.1', branch: 'feature' },
  ]
  for (const report of reports) {
    const body = { title: 'Blank', fingerprint: report.appVersion, ...report }
    await app.send('POST', '/v1/issues', { key: project.publicKey, body })
  }
})
afterAll(() => app[Symbol.asyncDispose]())

function bugle(args: readonly string[], key = project.secretKey) {
  return runBugle(args, { BUGLE_URL: app.url, BUGLE_KEY: key })
}

describe('bugle versions and branches', () => {
  it('list versions in order, with their reports and issues', async () => {
    const { code, stdout } = await bugle(['versions', 'list'])
    expect(code).toBe(0)
    const [head, ...rows] = stdout.trimEnd().split('\n')
    expect(head).toMatch(/^VERSION +REPORTS +NEW ISSUES +REGRESSIONS +FIXED +FIRST REPORT +LAST REPORT$/)
    expect(rows.map((row) => row.split(/ +/).slice(0, 3))).toEqual([
      ['2.10', '2', '1'],
      ['2.10.0-rc.1', '1', '1'],
      ['2.9', '1', '1'],
    ])
    const found = await bugle(['versions', 'list', '--q', '2.10', '--limit', '1', '--json'])
    expect(JSON.parse(found.stdout)).toMatchObject([{ appVersion: '2.10', reportCount: 2 }])
  })

  it('list branches, the default one first', async () => {
    const { stdout } = await bugle(['branches', 'list'])
    const rows = stdout.trimEnd().split('\n').slice(1)
    expect(rows[0]).toMatch(/^main \(default\) +1 +1 /)
    expect(rows.slice(1).map((row) => row.split(/ +/)[0])).toEqual(['feature', 'release/2.10'])
    expect((await bugle(['branches', 'list', '--q', 'nowhere'])).stdout).toBe('No matching branches.\n')
  })

  it('need the project with a key for several', async () => {
    await app.addProject()
    const everywhere = await app.addKey({})
    const refused = await bugle(['versions', 'list'], everywhere)
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toContain('this key covers several projects; add --project SLUG')
    const { stdout } = await bugle(['versions', 'list', '--project', 'weather'], everywhere)
    expect(stdout).toContain('2.10.0-rc.1')
  })

  it.each([
    [['--branch', 'feature'], ['2.10.0-rc.1']],
    [['--on-default-branch', 'true'], ['2.9']],
    [
      ['--on-default-branch', 'false'],
      ['2.10.0-rc.1', '2.10'],
    ],
    [['--build-number', '7'], ['2.10']],
    [['--fingerprint', '2.9'], ['2.9']],
    [['--updated-before', '2020-01-01'], []],
    [
      ['--updated-after', '2020-01-01T00:00:00Z'],
      ['2.10.0-rc.1', '2.10', '2.9'],
    ],
  ])('issues list %j', async (options, versions) => {
    const { stdout, stderr } = await bugle(['issues', 'list', '--json', ...options])
    expect(stderr).toBe('')
    const issues: readonly { appVersion: string }[] = JSON.parse(stdout)
    expect(issues.map(({ appVersion }) => appVersion)).toEqual(versions)
  })

  it('issues show prints where an issue was seen', async () => {
    const { stdout } = await bugle(['issues', 'show', '2'])
    expect(stdout).toMatch(/^last seen in +2\.10 \(8\)$/m)
    expect(stdout).toMatch(/^seen on +other branches only$/m)
    expect((await bugle(['issues', 'show', '1'])).stdout).toMatch(/^seen on +the default branch$/m)
  })

  it.each([
    [['--on-default-branch', 'yes'], '--on-default-branch must be one of true, false'],
    [['--updated-after', 'yesterday'], '--updated-after must be a time'],
  ])('issues list %j is bad usage', async (options, says) => {
    const { code, stderr } = await bugle(['issues', 'list', ...options])
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)])
  })
})
