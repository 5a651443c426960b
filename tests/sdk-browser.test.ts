import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { expectSteadyMemory, LONG_LIVES } from './support/sdk/long-life.ts'
import { report, setStage, test } from './support/sdk/stage.ts'

setStage()

describe('a page', () => {
  test('reports with one call: all six fields are present, and the browser sends no preflight', async ({
    scene,
  }) => {
    const page = await scene.open()
    const result = await page.evaluate(() =>
      window.bugle.report({ title: 'Settings stay blank', description: 'Since today', category: 'ui_ux' }),
    )
    expect(result).toMatchObject({ status: 'sent', issueId: expect.stringMatching(/^iss_/) })
    const [issue] = await scene.issues()
    const { body } = await scene.app.send('GET', `/v1/issues/${issue?.['id']}`, {
      key: scene.project.secretKey,
    })
    expect(body).toMatchObject({
      title: 'Settings stay blank',
      description: 'Since today',
      category: 'ui_ux',
      appVersion: '2.4.1',
      buildNumber: '512',
      branch: 'main',
      platform: 'web',
      osVersion: 'Linux',
      deviceModel: 'Desktop',
      sdk: { name: '@bugle/sdk/browser', version: '0.1.0' },
    })
    expect(scene.gateway.seen.map(({ line }) => line)).not.toContain('OPTIONS /v1/issues')
  })

  test('says where it is and who uses it, unless the app does not want that', async ({ scene }) => {
    const page = await scene.open()
    await page.evaluate(async () => {
      history.replaceState(null, '', '?token=secret#fragment')
      const { setUser, report, captureException } = window.bugle
      setUser({ id: '4711', name: 'Ada', email: 'ada@example.com' })
      await report({ title: 'With all', context: { tab: 2 }, metadata: { a: 1 }, fingerprint: 'one' })
      await captureException(new Error('Caught'), {
        context: false,
        reporter: { email: 'bob@example.com' },
        fingerprint: 'two',
      })
      setUser(null)
      await report({ title: 'No one' })
    })
    const read = async (title: string) => {
      const issue = (await scene.issues()).find((one) => one['title'] === title)
      const path = `/v1/issues/${issue?.['id']}`
      return (await scene.app.send('GET', path, { key: scene.project.secretKey })).body
    }
    const full = await read('With all')
    const viewport = page.viewportSize()
    expect(full).toMatchObject({
      reporter: { id: '4711', name: 'Ada', email: 'ada@example.com' },
      reporterCount: 1,
      metadata: { a: 1 },
      fingerprint: 'one',
    })
    expect(full.context).toEqual({
      page: page.url().split('?')[0],
      browser: expect.stringMatching(/^Chrome \d+$/),
      viewport: `${viewport?.width} × ${viewport?.height}`,
      language: expect.stringMatching(/^en/),
      timeZone: expect.stringMatching(/^\w/),
      online: true,
      tab: 2,
    })
    expect(await read('Error: Caught')).toMatchObject({
      context: null,
      reporter: { id: null, name: null, email: 'bob@example.com' },
      fingerprint: 'two',
    })
    expect(await read('No one')).toMatchObject({ reporter: null, context: { online: true } })
  })

  test('that was offline and closed delivers once when it is opened again', async ({ scene }) => {
    const page = await scene.open()
    await scene.profile.setOffline(true)
    expect(await report(page, 'In the tunnel')).toMatchObject({ status: 'queued', reason: 'offline' })
    await page.close()
    await scene.profile.setOffline(false)
    expect(await scene.issues()).toEqual([])

    const again = await scene.open()
    await expect.poll(() => scene.issues()).toMatchObject([{ title: 'In the tunnel' }])
    expect(await again.evaluate(() => window.bugle.flush())).toBe(true)
    expect(scene.gateway.countSubmissions()).toBe(1)
  })

  test('that is online again delivers automatically', async ({ scene }) => {
    const page = await scene.open()
    await scene.profile.setOffline(true)
    await report(page, 'Back again')
    await scene.profile.setOffline(false)
    await expect.poll(() => scene.issues()).toMatchObject([{ title: 'Back again' }])
  })

  test('in three tabs delivers once', async ({ scene }) => {
    const first = await scene.open()
    scene.gateway.mishap = { kind: 'answer', status: 500 }
    expect(await report(first, 'Three tabs')).toMatchObject({ status: 'queued' })
    await first.close()
    scene.gateway.mishap = undefined
    const before = scene.gateway.countSubmissions()
    const tabs = await Promise.all([scene.open(), scene.open(), scene.open()])
    await expect.poll(() => scene.issues()).toHaveLength(1)
    await Promise.all(tabs.map((tab) => tab.evaluate(() => window.bugle.flush())))
    expect(scene.gateway.countSubmissions() - before).toBe(1)
  })

  test('whose response is lost creates no second issue', async ({ scene }) => {
    const page = await scene.open()
    scene.gateway.mishap = { kind: 'lose the answer' }
    expect(await report(page, 'Lost answer')).toMatchObject({ status: 'queued' })
    scene.gateway.mishap = undefined
    await expect.poll(() => page.evaluate(() => window.bugle.flush())).toBe(true)
    expect(scene.gateway.countSubmissions()).toBeGreaterThan(1)
    expect(await scene.issues()).toMatchObject([{ title: 'Lost answer', reportCount: 1 }])
  })

  test('waits as long as the server requests, also across origins', async ({ scene }) => {
    const page = await scene.open()
    scene.gateway.mishap = { kind: 'answer', status: 429, headers: { 'retry-after': '2' } }
    expect(await report(page, 'Patient')).toMatchObject({ status: 'queued', reason: 'held' })
    scene.gateway.mishap = undefined
    await expect.poll(() => scene.gateway.countSubmissions()).toBe(2)
    const [refused, accepted] = scene.gateway.seen.filter(({ line }) => line === 'POST /v1/issues')
    expect((accepted?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThan(1_990)
  })

  test('that closes immediately delivers its report once, now or at the next visit', async ({ scene }) => {
    const page = await scene.open()
    await reportAndLeave(page, 'Last words')
    await scene.open()
    await expect.poll(() => scene.issues()).toMatchObject([{ title: 'Last words', reportCount: 1 }])
  })

  test('that closes immediately while the server is unavailable delivers at the next visit', async ({
    scene,
  }) => {
    const page = await scene.open()
    scene.gateway.mishap = { kind: 'break' }
    await reportAndLeave(page, 'Nobody there')
    scene.gateway.mishap = undefined
    await scene.open()
    await expect.poll(() => scene.issues()).toMatchObject([{ title: 'Nobody there' }])
  })

  test('can report more than a closing page could send', async ({ scene }) => {
    const page = await scene.open()
    const result = await page.evaluate(() =>
      window.bugle.report({ title: 'Long', description: '漢'.repeat(32_768) }),
    )
    expect(result).toMatchObject({ status: 'sent' })
  })

  test('has no listeners or timers of the SDK after close', async ({ scene }) => {
    const page = await scene.open()
    const before = await listenersOf(page)
    await page.evaluate(async () => {
      window.bugle.captureCrashes()()
      await window.bugle.close()
    })
    expect(before).toEqual(['online', 'pagehide', 'visibilitychange'])
    expect(await listenersOf(page)).toEqual([])
    expect(await report(page, 'Too late')).toMatchObject({ status: 'dropped', reason: 'not-initialised' })
  })
})

/** The reason that the browser from npm gives for keeping no page: it has no back/forward cache. */
const REASONS_OF_THE_BROWSER = ['BrowsingInstanceNotSwapped', 'BackForwardCacheDisabledForDelegate']

describe('a long-lived page', () => {
  test('can use the back/forward cache, and continues with its queue afterwards', async ({ scene }) => {
    const page = await scene.open()
    const session = await page.context().newCDPSession(page)
    const reasons: string[] = []
    await session.send('Page.enable')
    session.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) => {
      reasons.push(...notRestoredExplanations.map(({ reason }) => reason))
    })
    scene.gateway.mishap = { kind: 'answer', status: 500 }
    expect(await report(page, 'Back and forth')).toMatchObject({ status: 'queued' })
    await page.goto(scene.site.page('<!doctype html><title>Elsewhere</title>'))
    scene.gateway.mishap = undefined
    // Only after it has loaded: a page from the cache does not load again.
    await page.goBack({ waitUntil: 'commit' })
    await expect.poll(() => scene.issues()).toMatchObject([{ title: 'Back and forth', reportCount: 1 }])
    expect(reasons.filter((reason) => !REASONS_OF_THE_BROWSER.includes(reason))).toEqual([])
  })

  test.for(LONG_LIVES)(
    'needs no more memory after many reports than before, with $storage',
    ({ head, most }, { scene }) => expectSteadyMemory(scene, { head, count: 1_000, most }),
  )
})

describe('the configuration', () => {
  test('is revalidated by the browser cache, and the last valid one applies while the server fails', async ({
    scene,
  }) => {
    const { app, gateway, project } = scene
    await app.app.storage.projects.saveSdkSettings(project.id, {
      enabled: true,
      minSdkVersion: null,
      features: { shake: true },
      featureLimits: {},
      crash: { enabled: true, sampleRate: 1 },
      refreshAfterSeconds: 0,
    })
    const page = await scene.open()
    const shakes = () => page.evaluate(() => window.bugle.getConfig()?.features['shake'])
    await expect.poll(shakes).toBe(true)
    await page.reload()
    await page.waitForFunction(() => window.bugle !== undefined)
    const answers = () =>
      gateway.seen.filter(({ line }) => line === 'GET /v1/sdk-config').map(({ status }) => status)
    await expect.poll(answers).toEqual([200, 304])
    await expect.poll(shakes).toBe(true)
    gateway.mishap = { kind: 'stay silent' }
    await page.reload()
    await page.waitForFunction(() => window.bugle !== undefined)
    await expect.poll(shakes).toBe(true)
  })

  test('enables the features for this installation, the same ones at every start', async ({ scene }) => {
    const limit = { minAppVersion: null, maxAppVersion: null, platforms: null, share: 1 }
    const names = Array.from({ length: 20 }, (_, index) => `half${index}`)
    await scene.app.app.storage.projects.saveSdkSettings(scene.project.id, {
      enabled: true,
      minSdkVersion: null,
      features: Object.fromEntries(['all', 'web', 'none', 'tv', ...names].map((name) => [name, true])),
      featureLimits: {
        web: { ...limit, platforms: ['web'] },
        none: { ...limit, share: 0 },
        tv: { ...limit, platforms: ['tvos'] },
        ...Object.fromEntries(names.map((name) => [name, { ...limit, share: 0.5 }])),
      },
      crash: { enabled: true, sampleRate: 1 },
      refreshAfterSeconds: 3_600,
    })
    const page = await scene.open()
    const features = () => page.evaluate(() => Object.keys(window.bugle?.getConfig()?.features ?? {}))
    await expect.poll(features).toEqual(expect.arrayContaining(['all', 'web']))
    const first = await features()
    expect(first).not.toContain('none')
    expect(first).not.toContain('tv')
    const halves = first.filter((name) => name.startsWith('half')).length
    expect(halves).toBeGreaterThan(0)
    expect(halves).toBeLessThan(20)
    await page.reload()
    await expect.poll(features).toEqual(first)
  })
})

describe('a strict content security policy', () => {
  test('works with the script tag', async ({ scene }) => {
    const { gateway, project, profile } = scene
    const policy = `default-src 'none'; script-src 'self'; connect-src ${gateway.url}; require-trusted-types-for 'script'; trusted-types 'none'`
    const page = await profile.newPage()
    const violations: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') violations.push(message.text())
    })
    await page.goto(
      scene.site.page(
        `<!doctype html><script src="/sdk/bugle.js" data-endpoint="${gateway.url}" data-public-key="${project.publicKey}" data-app-version="1.0" data-branch="main"></script>`,
        { 'content-security-policy': policy },
      ),
    )
    const result = await page.evaluate('Bugle.report({ title: "Under lock and key" })')
    expect(result).toMatchObject({ status: 'sent' })
    expect(violations.filter((text) => !text.includes('favicon'))).toEqual([])
    expect(await scene.issues()).toMatchObject([
      { title: 'Under lock and key', appVersion: '1.0', branch: 'main' },
    ])
  })
})

async function reportAndLeave(page: Page, title: string): Promise<void> {
  await page.evaluate((wanted) => {
    setTimeout(() => {
      void window.bugle.report({ title: wanted })
      location.href = 'about:blank'
    })
  }, title)
  await page.waitForURL('about:blank')
}

/** The event listeners of the page's window; the browser driver has some too. */
async function listenersOf(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page)
  const { result } = await session.send('Runtime.evaluate', { expression: 'window' })
  const { listeners } = await session.send('DOMDebugger.getEventListeners', {
    objectId: result.objectId ?? '',
  })
  const ours = ['online', 'pagehide', 'visibilitychange', 'error', 'unhandledrejection']
  return listeners
    .map(({ type }) => type)
    .filter((type) => ours.includes(type))
    .sort()
}
