import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dsnOf } from '../packages/server/src/domain/projects/keys.ts'
import { startApp, type TestApp, type TestProject } from '../packages/server/test-support/start-app.ts'
import { sharedChromium, WAIT_MS } from './support/browser/chromium.ts'
import { startSite } from './support/sdk/site.ts'
import { sendTwice } from './support/sentry/send-twice.ts'

const PAGE_APP = join(import.meta.dirname, 'support/sentry/react-app.mjs')

let api: TestApp
beforeAll(async () => {
  api = await startApp()
})
afterAll(() => api[Symbol.asyncDispose]())

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails if they are missing
async function read({ secretKey: key }: TestProject, path: string): Promise<any> {
  return (await api.send('GET', path, { key })).body
}

/** A page with React and an unchanged SDK of Sentry, on an origin of its own. */
async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [PAGE_APP],
    ...{ bundle: true, write: false, format: 'iife', globalName: 'App', minify: true },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const script = outputFiles[0]?.text.replaceAll('</script', '<\\/script')
  return `<!doctype html><title>Shop</title><div id="root"></div><script>${script}</script>`
}

describe('@sentry/react, unchanged, in Chromium', () => {
  it('reports what an error boundary caught, and feedback with a screenshot from its form, once even if sent twice', async () => {
    const project = await api.addProject()
    await using site = await startSite('nothing')
    const browser = await sharedChromium()
    const profile = await browser.newContext()
    const statuses: number[] = []
    try {
      const page = await profile.newPage()
      page.setDefaultTimeout(WAIT_MS)
      await sendTwice(page, statuses)
      await page.goto(site.page(await bundlePage()))
      await page.evaluate(
        (dsn: string) => App.crash(dsn),
        dsnOf({ token: project.publicKey, projectId: project.id }, api.url) ?? '',
      )
      await page.getByText('Something broke').waitFor()
      await page.getByRole('button', { name: 'Add a screenshot' }).click()
      await page.getByRole('button', { name: 'Remove screenshot' }).waitFor()
      await page.fill('[name=message]', 'The button is gone')
      await page.fill('[name=email]', 'ben@example.com')
      await page.click('[type=submit]')
      await expect
        .poll(async () => (await read(project, '/v1/issues')).data.length, { timeout: WAIT_MS })
        .toBe(2)
      await page.evaluate(() => App.flush(60_000))
      await expect.poll(() => statuses.length, { timeout: WAIT_MS }).toBeGreaterThanOrEqual(4)
    } finally {
      await profile.close()
    }
    expect(new Set(statuses)).toEqual(new Set([200]))
    const [crash, feedback, ...others] = (await read(project, '/v1/issues?sort=oldest')).data
    expect(others).toEqual([])
    expect(crash).toMatchObject({ title: 'RangeError: too many', category: 'crash', reportCount: 1 })
    expect(feedback).toMatchObject({ title: 'The button is gone', reportCount: 1 })
    const [report] = (await read(project, `/v1/issues/${crash.id}/reports`)).data
    expect(report.exception[0]).toMatchObject({ type: 'RangeError', value: 'too many' })
    expect(report.exception[0].frames.length).toBeGreaterThan(1)
    const files = (await read(project, `/v1/issues/${feedback.id}/attachments`)).data
    expect(files).toMatchObject([{ name: 'screenshot.png', contentType: 'image/png', state: 'received' }])
  })
})

declare const App: {
  readonly crash: (dsn: string) => Promise<void>
  readonly flush: (timeoutMs: number) => Promise<boolean>
}
