import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SdkManifest, writeEarlierSdk } from '../packages/server/test-support/earlier-sdk.ts'
import { startApp, type TestApp, type TestProject } from '../packages/server/test-support/start-app.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { sharedChromium, WAIT_MS } from './support/browser/chromium.ts'
import { type Site, startSite } from './support/sdk/site.ts'

/** What apps load or have bundled that were built with 0.1.0: files of that release, which are never changed. */
const RELEASE = join(import.meta.dirname, 'support/sdk/releases/0.1.0')

const folder = temporaryFolder()
let earlier: SdkManifest
let app: TestApp
let site: Site
beforeAll(async () => {
  // The server is upgraded: it first ran with the SDK of an earlier release.
  const databaseUrl = `sqlite:${join(folder.path, 'bugle.db')}`
  const dashboardFolder = join(folder.path, 'earlier')
  earlier = writeEarlierSdk(dashboardFolder)
  await (await startApp({ databaseUrl, dashboardFolder }))[Symbol.asyncDispose]()
  app = await startApp({ databaseUrl })
  site = await startSite(folder.path)
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

async function openPage(html: string) {
  const profile = await (await sharedChromium()).newContext()
  profile.setDefaultTimeout(WAIT_MS)
  const page = await profile.newPage()
  await page.goto(site.page(`<!doctype html><html lang="en"><title>App</title>${html}`))
  return { page, [Symbol.asyncDispose]: () => profile.close() }
}

async function issuesOf({ secretKey: key }: TestProject): Promise<readonly Record<string, unknown>[]> {
  const { body } = await app.send('GET', '/v1/issues?sort=oldest', { key })
  return body.data
}

describe('an app that was built with 0.1.0', () => {
  test('reports from a page: by a call, by a crash and by the widget, each once', async () => {
    const project = await app.addProject()
    const script = readFileSync(join(RELEASE, 'bugle-with-widget.js'), 'utf8')
    await using opened = await openPage(`<body><script>${script}</script><bugle-report></bugle-report>`)
    const { page } = opened
    const sent = await page.evaluate(
      ([endpoint, publicKey]) => {
        const { Bugle } = globalThis as unknown as { Bugle: Record<string, (value?: object) => unknown> }
        Bugle['init']?.({ endpoint, publicKey, appVersion: '2.4.1', buildNumber: '512', branch: 'main' })
        Bugle['captureCrashes']?.()
        return Bugle['report']?.({ title: 'By a call', metadata: { plan: 'free' } })
      },
      [app.url, project.publicKey],
    )
    expect(sent).toMatchObject({ status: 'sent' })
    await page.evaluate(() => {
      setTimeout(() => {
        throw new RangeError('Too far')
      })
    })
    await expect.poll(() => issuesOf(project)).toHaveLength(2)
    await page.getByRole('button', { name: 'Report a problem' }).click()
    await page.getByRole('textbox', { name: 'What is wrong?' }).fill('By the widget')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => issuesOf(project)).toHaveLength(3)
    const known = { appVersion: '2.4.1', buildNumber: '512', branch: 'main', platform: 'web', reportCount: 1 }
    const issues = await issuesOf(project)
    expect(issues).toMatchObject([
      { title: 'By a call', category: 'bug', ...known },
      { title: 'RangeError: Too far', category: 'crash', ...known },
      { title: 'By the widget', ...known },
    ])
    const { body } = await app.send('GET', `/v1/issues/${issues[1]?.['id']}`, { key: project.secretKey })
    expect(body.description).toContain('RangeError: Too far')
  })

  test('reports from Node: by a call and an exception, each once', async () => {
    const project = await app.addProject()
    const settings = {
      endpoint: app.url,
      publicKey: project.publicKey,
      appVersion: '3.0.0',
      queueDirectory: join(folder.path, 'queue'),
    }
    const script = `import { captureException, close, init, report } from ${JSON.stringify(join(RELEASE, 'node.mjs'))}
init(${JSON.stringify(settings)})
await report({ title: 'From Node' })
captureException(new TypeError('No such file'))
await close(60_000)`
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
    const issues = (await issuesOf(project)).toSorted((one, other) =>
      String(one['title']) < String(other['title']) ? -1 : 1,
    )
    expect(issues).toMatchObject([
      { title: 'From Node', reportCount: 1, appVersion: '3.0.0', platform: 'node' },
      { title: 'TypeError: No such file', reportCount: 1, category: 'crash' },
    ])
  })
})

describe('a page that pins a build of the SDK', () => {
  test('still loads it after an upgrade, with its parts, and the integrity is checked', async () => {
    const project = await app.addProject()
    const address = `${app.url}/sdk/${earlier.build}/bugle-widget.js`
    const tag = (integrity = '') =>
      `<body><script src="${address}" integrity="${integrity}" crossorigin="anonymous" data-public-key="${project.publicKey}"></script><bugle-report lang="de"></bugle-report>`
    await using opened = await openPage(tag(earlier.integrity['bugle-widget.js']))
    const { page } = opened
    // German is a file of its own, from the same build.
    await page.getByRole('button', { name: 'Problem melden' }).click()
    await page.getByRole('textbox').first().fill('Aus einer alten Seite')
    await page.getByRole('button', { name: 'Meldung senden' }).click()
    const titles = async () => (await issuesOf(project)).map(({ title }) => title)
    await expect.poll(titles).toEqual(['Aus einer alten Seite'])
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    )
    expect(loaded).toEqual(
      expect.arrayContaining([
        `/sdk/${earlier.build}/bugle-widget.js`,
        `/sdk/${earlier.build}/bugle-widget-de.mjs`,
      ]),
    )

    // The hash of another release does not fit.
    const now = (await (await fetch(`${app.url}/sdk/manifest.json`)).json()) as SdkManifest
    await using other = await openPage(tag(now.integrity['bugle-widget.js']))
    expect(await other.page.evaluate(() => 'Bugle' in globalThis)).toBe(false)
  })
})
