import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dsnOf } from '../packages/server/src/domain/projects/keys.ts'
import { envelopeOf, sentryAuth, sentryPath } from '../packages/server/test-support/sentry-stage.ts'
import { startApp, type TestApp, type TestProject } from '../packages/server/test-support/start-app.ts'
import { sharedChromium, WAIT_MS } from './support/browser/chromium.ts'
import { startSite } from './support/sdk/site.ts'
import { sendTwice, startDoublingProxy } from './support/sentry/send-twice.ts'

const PROCESS_TIMEOUT_MS = 120_000
const NODE_APP = join(import.meta.dirname, 'support/sentry/node-app.mjs')

let api: TestApp
beforeAll(async () => {
  api = await startApp()
})
afterAll(() => api[Symbol.asyncDispose]())

function dsn({ publicKey, id }: TestProject, url = api.url): string {
  return dsnOf({ token: publicKey, projectId: id }, url) ?? ''
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails if they are missing
async function issuesOf({ secretKey: key }: TestProject): Promise<readonly any[]> {
  const { body } = await api.send('GET', '/v1/issues?sort=oldest&pageSize=100', { key })
  const issues = body.data.map(({ id }: { id: string }) => api.send('GET', `/v1/issues/${id}`, { key }))
  return (await Promise.all(issues)).map((answer) => answer.body)
}

/** What was skipped so far. Counts are stored in order, so a known item that is sent last shows that they are complete. */
async function skippedOf(project: TestProject): Promise<Readonly<Record<string, number>>> {
  const body = envelopeOf({}, [{ type: 'check_in' }, {}])
  await api.send('POST', sentryPath(project), { body, headers: sentryAuth(project) })
  const read = async () =>
    (await api.send('GET', `/v1/projects/${project.slug}/stats`, { key: project.secretKey })).body.intake
      .skipped
  await expect.poll(async () => (await read())['check-in'], { timeout: 60_000 }).toBe(1)
  return read()
}

describe('@sentry/node, unchanged', () => {
  it.each([
    ['stream', 'span'],
    ['static', 'transaction'],
  ])(
    'reports errors with files, messages and feedback once even if sent twice, and no trace after the first (%s)',
    async (lifecycle, trace) => {
      const project = await api.addProject()
      await using proxy = await startDoublingProxy(api.url)
      const env = {
        ...process.env,
        SENTRY_DSN: dsn(project, proxy.url),
        TRACE_LIFECYCLE: lifecycle,
        NODE_OPTIONS: '',
      }
      await promisify(execFile)(process.execPath, [NODE_APP], { env, timeout: PROCESS_TIMEOUT_MS })
      expect(proxy.statuses.length).toBeGreaterThanOrEqual(8)
      expect(new Set(proxy.statuses)).toEqual(new Set([200]))
      const issues = await issuesOf(project)
      const byTitle = Object.fromEntries(issues.map((issue) => [issue.title, issue]))
      expect(Object.keys(byTitle).toSorted()).toEqual([
        'Only a message',
        'The button is gone',
        'TypeError: no total',
      ])
      const crash = byTitle['TypeError: no total']
      expect(crash).toMatchObject({
        category: 'crash',
        appVersion: '2.4.1',
        buildNumber: '512',
        platform: 'node',
        reportCount: 1,
        metadata: { environment: 'test', region: 'eu' },
        reporter: { id: '7', email: 'ada@example.com' },
        sdk: { name: 'sentry.javascript.node' },
      })
      expect(crash.description).toMatch(/^TypeError: no total\n {4}at .*pay.*node-app\.mjs:\d+:\d+\)/)
      expect(crash.description).toContain('Caused by: Error: no cart')
      const files = await api.send('GET', `/v1/issues/${crash.id}/attachments`, { key: project.secretKey })
      expect(files.body.data).toMatchObject([{ name: 'cart.txt', size: 9, state: 'received' }])
      expect(byTitle['The button is gone']).toMatchObject({
        category: 'bug',
        reporter: { name: 'Ben', email: 'ben@example.com' },
      })
      expect(issues.map(({ reportCount }) => reportCount)).toEqual([1, 1, 1])
      // The first trace, twice. Older versions of the SDK send transactions, as this one does with the lifecycle `static`.
      const { span = 0, transaction = 0 } = await skippedOf(project)
      expect({ span, transaction }).toEqual({ span: 0, transaction: 0, [trace]: 2 })
    },
  )
})

/** A page with the SDK of `@sentry/browser`, on an origin of its own. */
async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: "export * from '@sentry/browser'",
      resolveDir: import.meta.dirname,
    },
    ...{ bundle: true, write: false, format: 'iife', globalName: 'Sentry', minify: true },
  })
  const script = outputFiles[0]?.text.replaceAll('</script', '<\\/script')
  return `<!doctype html><title>Shop</title><button>Pay</button><script>${script}</script>`
}

describe('@sentry/browser, unchanged, in Chromium', () => {
  it.each([
    ['stream', 'span'],
    ['static', 'transaction'],
  ] as const)(
    'reports errors, and feedback from its form and with a file, once even if sent twice, and no trace after the first (%s)',
    async (traceLifecycle, trace) => {
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
        await page.evaluate(reportFromPage, { dsn: dsn(project), traceLifecycle })
        await page.fill('[name=message]', 'The form works')
        await page.fill('[name=email]', 'ben@example.com')
        await page.click('[type=submit]')
        await expect
          .poll(async () => (await issuesOf(project)).map(({ title }) => title), { timeout: WAIT_MS })
          .toContain('The form works')
        await page.evaluate(makeTraces)
      } finally {
        await profile.close()
      }
      const issues = await issuesOf(project)
      const byTitle = Object.fromEntries(issues.map((issue) => [issue.title, issue]))
      expect(Object.keys(byTitle).toSorted()).toEqual([
        'RangeError: too many',
        'The form works',
        'With a picture',
      ])
      expect(issues.map(({ reportCount }) => reportCount)).toEqual([1, 1, 1])
      expect(statuses.length).toBeGreaterThanOrEqual(8)
      expect(new Set(statuses)).toEqual(new Set([200]))
      expect(byTitle['RangeError: too many']).toMatchObject({
        category: 'crash',
        platform: 'web',
        context: {
          page: expect.stringMatching(/^http:\/\/[^?#]+$/),
          browser: expect.stringMatching(/Chrome/),
        },
      })
      expect(byTitle['The form works']).toMatchObject({ reporter: { email: 'ben@example.com' } })
      const { id } = byTitle['With a picture']
      const files = await api.send('GET', `/v1/issues/${id}/attachments`, { key: project.secretKey })
      expect(files.body.data).toMatchObject([{ name: 'screenshot.png', size: 4, state: 'received' }])
      const { span = 0, transaction = 0 } = await skippedOf(project)
      expect({ span, transaction }).toEqual({ span: 0, transaction: 0, [trace]: 2 })
    },
  )
})

describe('a user report of @sentry/browser, unchanged, in Chromium', () => {
  it('arrives once, also when it is sent twice, beside the crash that it is about', async () => {
    const project = await api.addProject()
    await using site = await startSite('nothing')
    const browser = await sharedChromium()
    const profile = await browser.newContext()
    try {
      const page = await profile.newPage()
      page.setDefaultTimeout(WAIT_MS)
      await page.goto(site.page(await bundlePage()))
      expect(await page.evaluate(sendUserReportTwice, dsn(project))).toEqual([200, 200])
    } finally {
      await profile.close()
    }
    const issues = await issuesOf(project)
    const byTitle = Object.fromEntries(issues.map((issue) => [issue.title, issue]))
    expect(Object.keys(byTitle).toSorted()).toEqual(['It broke when I paid', 'RangeError: too many'])
    expect(issues.map(({ reportCount }) => reportCount)).toEqual([1, 1])
    const { submissionId: crashId } = byTitle['RangeError: too many']
    expect(byTitle['It broke when I paid']).toMatchObject({
      category: 'bug',
      submissionId: `${crashId}-user-report`,
      metadata: { crashEventId: crashId },
      reporter: { name: 'Cyd', email: 'cyd@example.com' },
    })
  })
})

declare const Sentry: typeof import('@sentry/browser')

interface PageOptions {
  readonly dsn: string
  readonly traceLifecycle: 'stream' | 'static'
}

/** Runs in the page. */
async function reportFromPage(options: PageOptions): Promise<void> {
  const feedback = Sentry.feedbackIntegration({ autoInject: false })
  Sentry.init({ ...options, tracesSampleRate: 1, integrations: [feedback] })
  Sentry.startSpan({ name: 'first' }, () => undefined)
  await Sentry.flush(60_000)
  Sentry.captureException(new RangeError('too many'))
  await Sentry.flush(60_000)
  const data = new Uint8Array([1, 2, 3, 4])
  Sentry.captureFeedback(
    { message: 'With a picture' },
    { attachments: [{ filename: 'screenshot.png', data }] },
  )
  await Sentry.flush(60_000)
  const form = await feedback.createForm()
  form.appendToDom()
  form.open()
}

/** Runs in the page. */
async function makeTraces(): Promise<void> {
  for (const name of ['one', 'two', 'three']) Sentry.startSpan({ name }, () => undefined)
  await Sentry.flush(60_000)
}

/**
 * Runs in the page. The SDK still writes the envelope of a user report, which `captureUserFeedback` sent until version 8. The responses' statuses
 * are returned.
 */
async function sendUserReportTwice(dsn: string): Promise<readonly (number | undefined)[]> {
  const client = Sentry.init({ dsn })
  if (client === undefined) throw new Error('no client')
  const eventId = Sentry.captureException(new RangeError('too many'))
  await Sentry.flush(60_000)
  const report = {
    event_id: eventId,
    name: 'Cyd',
    email: 'cyd@example.com',
    comments: 'It broke when I paid',
  }
  const { tunnel } = client.getOptions()
  const statuses = []
  for (const _ of ['first', 'again']) {
    const envelope = Sentry.createUserFeedbackEnvelope(report, {
      metadata: client.getSdkMetadata(),
      dsn: client.getDsn(),
      tunnel,
    })
    statuses.push((await client.sendEnvelope(envelope)).statusCode)
  }
  return statuses
}
