import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { Gateway } from './support/sdk/gateway.ts'
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

describe('a hostile page', () => {
  const HOSTILE = `<script>
    window.fetch = () => { throw new Error('no fetch for you') }
    for (const name of ['localStorage', 'indexedDB'])
      Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError') } })
    Object.defineProperty(navigator, 'locks', { get() { throw new Error('no locks either') } })
    navigator.userAgentData.getHighEntropyValues = () => Promise.reject(new Error('not allowed'))
  </script>`

  test('that breaks fetch, storage and locks sees no error', async ({ scene }) => {
    const page = await scene.open({ head: HOSTILE })
    const results = await page.evaluate(async () => [
      await window.bugle.report({ title: 'Against all odds' }),
      await window.bugle.report(null as never),
      await window.bugle.captureException(null),
      await window.bugle.flush(100),
    ])
    expect(results).toMatchObject([
      { status: 'queued' },
      { status: 'dropped', reason: 'invalid' },
      { status: 'queued' },
      false,
    ])
    await page.evaluate(() => window.bugle.close(100))
  })

  test('without storage still delivers what it captures', async ({ scene }) => {
    const page = await scene.open({ head: HOSTILE.replace(/window\.fetch.*\n/, '\n') })
    expect(await report(page, 'From memory')).toMatchObject({ status: 'sent' })
  })

  test('with local storage alone keeps reports for the next visit', async ({ scene }) => {
    const head = `<script>Object.defineProperty(window, 'indexedDB', { get() { throw new Error('denied') } })</script>`
    const page = await scene.open({ head })
    await scene.profile.setOffline(true)
    await report(page, 'Only a journal')
    await page.close()
    await scene.profile.setOffline(false)
    await scene.open({ head })
    await expect.poll(() => scene.issues()).toMatchObject([{ title: 'Only a journal' }])
  })
})

describe('crashes', () => {
  test('of three kinds in a storm become three reports, without secrets', async ({ scene }) => {
    const { gateway } = scene
    const page = await scene.openCarelessly()
    await page.evaluate(async () => {
      window.bugle.captureCrashes()
      function load(): void {
        throw new TypeError('GET https://api.example/v1?token=s3cr3t failed')
      }
      function save(): void {
        throw new RangeError('out of range')
      }
      for (let count = 0; count < 25; count++) {
        setTimeout(load)
        setTimeout(save)
      }
      void Promise.reject(new Error('nobody waits for me'))
      await new Promise((resolve) => setTimeout(resolve, 200))
      await window.bugle.flush()
    })
    await expect.poll(() => scene.issues()).toHaveLength(3)
    const issues = await scene.issues()
    expect(issues.map(({ title }) => title).sort()).toEqual([
      'Error: nobody waits for me',
      'RangeError: out of range',
      'TypeError: GET https://api.example/v1 failed',
    ])
    expect(issues.every(({ category }) => category === 'crash')).toBe(true)
    expect(gateway.seen.map(({ body }) => body).join()).not.toContain('s3cr3t')
    expect(await report(page, 'And then')).toMatchObject({ status: 'sent' })
    const counted = submissionsOf(gateway).map(({ metadata }) => metadata?.['bugle.dropped.repeated'] ?? 0)
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(48)
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

function submissionsOf({
  seen,
}: Gateway): readonly { readonly metadata?: Readonly<Record<string, number>> }[] {
  return seen.filter(({ line }) => line === 'POST /v1/issues').map(({ body }) => JSON.parse(body))
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
