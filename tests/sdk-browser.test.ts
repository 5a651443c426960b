import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { expectSteadyMemory, LONG_LIVES } from './support/sdk/long-life.ts'
import { report, setStage, test } from './support/sdk/stage.ts'

setStage()

describe('a page', () => {
  test('reports with one call: all six fields are there, and the browser asks no permission first', async ({
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

  test('that comes back online delivers by itself', async ({ scene }) => {
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

  test('whose answer is lost makes no second issue', async ({ scene }) => {
    const page = await scene.open()
    scene.gateway.mishap = { kind: 'lose the answer' }
    expect(await report(page, 'Lost answer')).toMatchObject({ status: 'queued' })
    scene.gateway.mishap = undefined
    await expect.poll(() => page.evaluate(() => window.bugle.flush())).toBe(true)
    expect(scene.gateway.countSubmissions()).toBeGreaterThan(1)
    expect(await scene.issues()).toMatchObject([{ title: 'Lost answer', reportCount: 1 }])
  })

  test('waits as long as the server asks, and reads that across origins', async ({ scene }) => {
    const page = await scene.open()
    scene.gateway.mishap = { kind: 'answer', status: 429, headers: { 'retry-after': '2' } }
    expect(await report(page, 'Patient')).toMatchObject({ status: 'queued', reason: 'held' })
    scene.gateway.mishap = undefined
    await expect.poll(() => scene.gateway.countSubmissions(), { timeout: 10_000 }).toBe(2)
    const [refused, accepted] = scene.gateway.seen.filter(({ line }) => line === 'POST /v1/issues')
    expect((accepted?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThan(1_990)
  })

  test('that closes in the same moment has its report delivered once, now or at the next visit', async ({
    scene,
  }) => {
    const page = await scene.open()
    await reportAndLeave(page, 'Last words')
    await scene.open()
    await expect.poll(() => scene.issues()).toMatchObject([{ title: 'Last words', reportCount: 1 }])
  })

  test('that closes in the same moment while the server is away delivers at the next visit', async ({
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

  test('has nothing left of the SDK after close', async ({ scene }) => {
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

/** Why the browser from npm keeps no page at all: it has no back/forward cache. */
const REASONS_OF_THE_BROWSER = ['BrowsingInstanceNotSwapped', 'BackForwardCacheDisabledForDelegate']

describe('a page that lives long', () => {
  test('may stay in the back/forward cache, and goes on with its queue when the person comes back', async ({
    scene,
  }) => {
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
    // Not until it has loaded: a page from the cache does not load again.
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
  test('is revalidated by the cache of the browser, and the last good one stays while the server fails', async ({
    scene,
  }) => {
    const { app, gateway, project } = scene
    await app.app.storage.projects.saveSdkSettings(project.id, {
      enabled: true,
      minSdkVersion: null,
      features: { shake: true },
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
})

describe('a strict content security policy', () => {
  test('does not keep the script tag from working', async ({ scene }) => {
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

/** What the page's window listens to; the driver of the browser listens too. */
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
