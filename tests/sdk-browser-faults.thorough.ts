import { describe, expect } from 'vitest'
import type { Gateway } from './support/sdk/gateway.ts'
import { report, setStage, test } from './support/sdk/stage.ts'

setStage()

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

  const CALLS = [
    'console.warn',
    'crypto.getRandomValues',
    'customElements.define',
    'document.querySelector',
    'indexedDB.open',
    'navigator.locks.request',
    'navigator.userAgentData.getHighEntropyValues',
    'Storage.prototype.getItem',
    'Storage.prototype.removeItem',
    'Storage.prototype.setItem',
    'window.AbortController',
    'window.addEventListener',
    'window.CSSStyleSheet',
    'window.fetch',
    'window.setTimeout',
  ]

  test('in which any function fails sees no error, and loses no report that can be sent', async ({
    scene,
  }) => {
    for (const call of CALLS) {
      // Only for the SDK: the driver of the browser needs some of them too.
      const head = `<script>{
        const names = '${call}'.split('.'), name = names.pop()
        const owner = names.reduce((thing, part) => thing[part], window)
        const whole = owner[name]
        Object.defineProperty(owner, name, { value: function (...args) {
          if (new Error().stack.includes('/sdk/')) throw new Error('broken: ${call}')
          return new.target ? new whole(...args) : whole.apply(this, args)
        } })
      }</script>`
      const page = await scene.open({ head, body: '<bugle-report></bugle-report>' })
      const result = await page.evaluate(async (title) => {
        window.bugle.init(null as never)
        window.bugle.captureCrashes()()
        window.bugle.defineWidget()
        return window.bugle.report({ title })
      }, call)
      const isCutOff = ['window.AbortController', 'window.fetch'].includes(call)
      expect([call, result.status]).toEqual([call, isCutOff ? 'queued' : 'sent'])
      await page.close()
    }
    // The last pages can send what the others had to queue.
    await expect.poll(async () => (await scene.issues()).length).toBe(CALLS.length)
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

describe('a storage', () => {
  test('that loses its database in the middle gets a new one', async ({ scene }) => {
    const page = await scene.open()
    await scene.profile.setOffline(true)
    await page.evaluate(async () => {
      const [database] = await indexedDB.databases()
      await new Promise((resolve) => {
        indexedDB.deleteDatabase(database?.name ?? '').onsuccess = resolve
      })
    })
    expect(await report(page, 'After the loss')).toMatchObject({ status: 'queued' })
    // It is no longer in the journal, so it is in the database.
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
    await page.close()
    await scene.profile.setOffline(false)
    await scene.open()
    await expect.poll(() => scene.issues()).toMatchObject([{ title: 'After the loss' }])
  })

  test('that is full does not prevent reports from being sent, now or when the server is available again', async ({
    scene,
  }) => {
    const other = await scene.profile.newPage()
    const session = await scene.profile.newCDPSession(other)
    await session.send('Storage.overrideQuotaForOrigin', { origin: scene.site.url, quotaSize: 1 })
    const page = await scene.open()
    await page.evaluate(() => {
      for (let size = 1 << 20; size >= 1; size = size > 1 ? size >> 1 : 0)
        try {
          for (let part = 0; ; part++) localStorage.setItem(`filler ${size} ${part}`, 'x'.repeat(size))
        } catch {
          // Full for parts of this size: continue with smaller ones.
        }
    })
    scene.gateway.mishap = { kind: 'answer', status: 500 }
    expect(await report(page, 'No room')).toMatchObject({ status: 'queued' })
    expect(await page.evaluate(() => window.bugle.diagnose())).toMatchObject({
      isDurable: false,
      status: 200,
      waiting: 1,
    })
    scene.gateway.mishap = undefined
    expect(await page.evaluate(() => window.bugle.flush())).toBe(true)
    expect(await scene.issues()).toMatchObject([{ title: 'No room' }])
  })
})

describe('a clock', () => {
  test.for([-20_000, 400])(
    'that is wrong by %d days does not prevent reports from arriving',
    async (days, { scene }) => {
      const head = `<script>{ const { now } = Date; Date.now = () => now() + ${days} * 86_400_000 }</script>`
      const page = await scene.open({ head })
      expect(await report(page, 'What year is it?')).toMatchObject({ status: 'sent' })
      expect(await scene.issues()).toMatchObject([{ title: 'What year is it?' }])
    },
  )
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

  test('of a page that repeatedly fails while it loads become one report that counts the others', async ({
    scene,
  }) => {
    const body = `<script type="module">window.bugle.captureCrashes(); throw new Error('At load')</script>`
    const page = await scene.openCarelessly({ body })
    for (let time = 0; time < 3; time++) await page.reload()
    await page.waitForFunction(() => window.bugle !== undefined)
    await expect.poll(() => scene.issues()).toMatchObject([{ title: 'Error: At load', reportCount: 1 }])
    await expect.poll(() => page.evaluate(() => window.bugle.flush())).toBe(true)
    expect(await report(page, 'How often')).toMatchObject({ status: 'sent' })
    expect(submissionsOf(scene.gateway).at(-1)).toMatchObject({
      title: 'How often',
      metadata: { 'bugle.dropped.repeated': 3 },
    })
  })
})

interface Submission {
  readonly title: string
  readonly metadata?: Readonly<Record<string, number>>
}

function submissionsOf({ seen }: Gateway): readonly Submission[] {
  return seen.filter(({ line }) => line === 'POST /v1/issues').map(({ body }) => JSON.parse(body))
}
