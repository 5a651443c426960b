import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { startApp } from '../../../test-support/start-app.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'

let folder: ReturnType<typeof temporaryFolder>
let database: string

beforeEach(() => {
  folder = temporaryFolder()
  database = join(folder.path, 'bugle.db')
})
afterEach(() => folder[Symbol.dispose]())

describe('bugle sdk-config', () => {
  it('shows the defaults, changes the given settings and keeps the rest', async () => {
    await createProject()
    const first = await json('show', 'weather')
    expect(first).toMatchObject({ project: { slug: 'weather' }, enabled: true, features: {} })

    const options = [
      ['--enabled', 'false'],
      [
        '--feature',
        'newHome=true',
        '--feature',
        'ratio=0.5',
        '--feature',
        'code="1"',
        '--feature',
        'query=a=b',
      ],
      ['--crash-enabled', 'false', '--crash-sample-rate', '0.25', '--refresh-after-seconds', '600'],
    ].flat()
    expect(await json('set', 'weather', ...options)).toMatchObject({ impact: null })
    const second = await json('show', 'weather')
    expect(second).toEqual({
      ...first,
      enabled: false,
      features: { newHome: true, ratio: 0.5, code: '1', query: 'a=b' },
      crash: { enabled: false, sampleRate: 0.25 },
      refreshAfterSeconds: 600,
    })

    const fewer = ['--remove-feature', 'ratio', '--remove-feature', 'code', '--enabled', 'true']
    await json('set', 'weather', ...fewer)
    expect(await json('show', 'weather')).toEqual({
      ...second,
      enabled: true,
      features: { newHome: true, query: 'a=b' },
    })
    expect((await bugle('sdk-config', 'show', 'weather')).stdout).toMatch(/^feature newHome +true$/m)
  })

  it('shows how many reports a higher minimum excludes, and only then', async () => {
    await using api = await startApp({ databaseUrl: `sqlite:${database}` })
    const { publicKey: key } = await api.addProject({ slug: 'weather' })
    for (const version of ['0.8.0', '0.9.0', '0.9.0', '1.0.0']) {
      const body = { title: 'Blank', sdk: { name: '@bugle/sdk', version } }
      await api.send('POST', '/v1/issues', { key, body })
    }
    await api.send('POST', '/v1/issues', { key, body: { title: 'Without an SDK' } })

    const raise = async (...options: readonly string[]) =>
      (await bugle('sdk-config', 'set', 'weather', ...options)).stdout.trimEnd().split('\n').at(-1)
    expect(await raise('--min-sdk-version', '0.9.0')).toBe(
      '1 of 4 reports in the last 30 days came from older SDKs, which no longer send.',
    )
    expect(await json('set', 'weather', '--min-sdk-version', '1.0.0')).toMatchObject({
      minSdkVersion: '1.0.0',
      impact: { days: 30, cutOff: 3, reports: 4 },
    })
    expect(await raise('--min-sdk-version', '0.8.0')).not.toContain('no longer send')
    expect(await raise('--no-min-sdk-version')).not.toContain('no longer send')
    expect(await json('show', 'weather')).toMatchObject({ minSdkVersion: null })
  })

  it('limits a feature, shows who gets it, and removes the limit', async () => {
    await using api = await startApp({ databaseUrl: `sqlite:${database}` })
    const { publicKey: key } = await api.addProject({ slug: 'weather' })
    const apps = [
      ['2.4.0', 'ios'],
      ['2.4.0', 'ios'],
      ['2.10.1', 'android'],
      ['2.3', 'ios'],
      ['2.4.0', 'web'],
    ]
    for (const [appVersion, platform] of apps) {
      const body = { title: 'Blank', appVersion, platform }
      await api.send('POST', '/v1/issues', { key, body })
    }

    const options = [
      '--value',
      'true',
      '--min-app-version',
      '2.4',
      '--platform',
      'ios',
      '--platform',
      'android',
    ]
    const limit = ['limit', 'weather', 'newHome', ...options, '--share', '0.1']
    const limited = { value: true, minAppVersion: '2.4', maxAppVersion: null, share: 0.1 }
    const reach = { issues: 5, reached: 3, share: 0.1 }
    const before = await json('show', 'weather')
    expect(await json(...limit, '--preview')).toMatchObject({ reach: { newHome: reach } })
    expect(await json('show', 'weather')).toEqual(before)

    expect(await json(...limit)).toMatchObject({
      features: {},
      limitedFeatures: { newHome: { ...limited, platforms: ['ios', 'android'] } },
      reach: { newHome: reach },
    })
    const { stdout } = await bugle('sdk-config', 'show', 'weather')
    expect(stdout).toMatch(
      /^feature newHome +true for 10% of installations, app version 2.4 or newer, on ios, android$/m,
    )
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      '3 of 5 issues in the last 30 days came from apps that "newHome" is for: ios 2.4.0 (2), android 2.10.1 (1). 10% of their installations get it.',
    )

    // A new value keeps the limit, and removing a feature removes its limit.
    await json('set', 'weather', '--feature', 'newHome="large"')
    expect(await json('show', 'weather')).toMatchObject({
      limitedFeatures: { newHome: { ...limited, value: 'large' } },
    })
    await json('limit', 'weather', 'newHome', '--everyone')
    expect(await json('show', 'weather')).toMatchObject({
      features: { newHome: 'large' },
      limitedFeatures: {},
      reach: {},
    })
    await json('limit', 'weather', 'newHome', '--share', '0.5')
    await json('set', 'weather', '--remove-feature', 'newHome')
    await json('set', 'weather', '--feature', 'newHome=1')
    expect(await json('show', 'weather')).toMatchObject({ features: { newHome: 1 }, limitedFeatures: {} })
  })

  it('previews a change without saving it', async () => {
    await createProject()
    const before = await json('show', 'weather')
    expect(await json('set', 'weather', '--enabled', 'false', '--preview')).toMatchObject({ enabled: false })
    expect(await json('show', 'weather')).toEqual(before)
  })

  it('is applied by a running server within a second', async () => {
    await using api = await startApp({ databaseUrl: `sqlite:${database}` })
    const { publicKey: key } = await api.addProject({ slug: 'weather' })
    const isEnabled = async () => (await api.send('GET', '/v1/sdk-config', { key })).body.enabled
    expect(await isEnabled()).toBe(true)
    await bugle('sdk-config', 'set', 'weather', '--enabled', 'false')
    await expect.poll(isEnabled).toBe(false)
  })

  it('reports all faults at once, and saves nothing', async () => {
    await createProject()
    const before = await json('show', 'weather')
    const options = [
      '--enabled',
      'maybe',
      '--crash-sample-rate',
      '2',
      '--feature',
      'theme',
      '--feature',
      '1st=true',
    ]
    const { code, stdout, stderr } = await bugle('sdk-config', 'set', 'weather', ...options)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^bugle: .+\n$/)
    for (const part of [
      'enabled must be',
      'crash.sampleRate must be',
      'not "theme"',
      'the feature "1st" needs',
    ])
      expect(stderr).toContain(part)
    expect(await json('show', 'weather')).toEqual(before)
  })

  it.each([
    [['set', 'weather'], 'nothing to change'],
    [['set', 'weather', '--min-sdk-version', 'latest'], 'minSdkVersion must be a version'],
    [['set', 'weather', '--min-sdk-version', '1', '--no-min-sdk-version'], 'cannot be combined'],
    [['set', 'weather', '--refresh-after-seconds', '5'], 'refreshAfterSeconds must be'],
    [['set'], 'needs SLUG'],
    [['limit', 'weather'], 'needs FEATURE'],
    [['limit', 'weather', 'home'], '--everyone to remove the limit'],
    [['limit', 'weather', 'home', '--share', '0.1', '--everyone'], 'cannot be combined'],
    [['limit', 'weather', 'home', '--share', '10'], 'share must be a number from 0 to 1'],
    [['limit', 'weather', 'home', '--min-app-version', 'latest'], 'minAppVersion must be numbers'],
  ])('%j exits 2 before anything is touched', async (args, says) => {
    const { code, stderr } = await bugle('sdk-config', ...args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)])
    expect(existsSync(database)).toBe(false)
  })

  it('fails for projects and features that do not exist', async () => {
    await bugle('migrate')
    expect(await bugle('sdk-config', 'show', 'weather')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no project "weather"'),
    })
    await createProject()
    expect(await bugle('sdk-config', 'set', 'weather', '--remove-feature', 'theme')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no feature "theme"'),
    })
    expect(await bugle('sdk-config', 'limit', 'weather', 'theme', '--share', '0.1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('give its --value to create it'),
    })
  })
})

async function createProject(): Promise<void> {
  await bugle('migrate')
  await bugle('project', 'create', '--name', 'Weather', '--slug', 'weather')
}

function bugle(...args: readonly string[]) {
  return runBugle(args, { BUGLE_DATABASE_URL: `sqlite:${database}` })
}

async function json(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await bugle('sdk-config', ...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}
