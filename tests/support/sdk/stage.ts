import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, test as base, beforeAll, expect } from 'vitest'
import type * as Sdk from '../../../packages/sdk/src/browser.ts'
import type * as ConversationsEntry from '../../../packages/sdk/src/conversations/browser.ts'
import type * as Crash from '../../../packages/sdk/src/crash/browser.ts'
import type * as Files from '../../../packages/sdk/src/files/browser.ts'
import type * as Trail from '../../../packages/sdk/src/trail.ts'
import type * as Widget from '../../../packages/sdk/src/widget.ts'
import { startApp, type TestApp, type TestProject } from '../../../packages/server/test-support/start-app.ts'
import { sharedChromium, WAIT_MS } from '../browser/chromium.ts'
import { type BuiltPackage, buildPackage } from './built-package.ts'
import { type Gateway, startGateway } from './gateway.ts'
import { type Site, startSite } from './site.ts'

declare global {
  interface Window {
    /** The SDK, as available to the pages of these tests. */
    bugle: typeof Sdk & typeof Crash & typeof ConversationsEntry & typeof Files & typeof Trail & typeof Widget
  }
}

/** What the tests of a file share: the browser of the worker, the built SDK, a site that serves it, a real server. */
interface Stage {
  readonly browser: Browser
  readonly built: BuiltPackage
  readonly site: Site
  readonly app: TestApp
}

/** What each test has for itself: a project, a gateway to it, and a browser profile. */
export interface Scene extends Stage {
  readonly project: TestProject
  readonly gateway: Gateway
  readonly profile: BrowserContext
  /** Opens a page that has started the SDK. Errors of the page fail the test. */
  open(options?: PageOptions): Promise<Page>
  /** Opens a page whose errors are ignored. */
  openCarelessly(options?: PageOptions): Promise<Page>
  issues(): Promise<readonly Record<string, unknown>[]>
}

interface PageOptions {
  readonly head?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

let stage: Stage

/** Sets the stage for a file of tests in a real browser. With `servesSdk`, the server serves the SDK, too. */
export function setStage({ servesSdk = false } = {}): void {
  beforeAll(async () => {
    const built = await buildPackage()
    stage = {
      built,
      browser: await sharedChromium(),
      site: await startSite(built.sdk),
      app: await startApp(servesSdk ? { dashboardFolder: writeServedSdk(built) } : {}),
    }
  })
  afterAll(async () => {
    await stage.site[Symbol.asyncDispose]()
    await stage.app[Symbol.asyncDispose]()
    stage.built[Symbol.dispose]()
  })
}

/** Puts the files for pages where a server looks for them, and returns the folder of its dashboard. */
function writeServedSdk({ path, sdk }: BuiltPackage): string {
  const folder = join(path, 'dashboard')
  const source = join(sdk, 'dist')
  mkdirSync(join(folder, 'sdk'), { recursive: true })
  for (const name of readdirSync(source).filter((file) => file.startsWith('bugle')))
    cpSync(join(source, name), join(folder, 'sdk', name))
  writeFileSync(join(folder, 'sdk/manifest.json'), JSON.stringify({ build: '0.1.0-0000000000000000' }))
  return folder
}

export const test = base.extend<{ scene: Scene }>({
  scene: async ({ task: _ }, use) => {
    const { app, browser, site } = stage
    const project = await app.addProject()
    await using gateway = await startGateway(app.url)
    await using profile = await browser.newContext()
    profile.setDefaultTimeout(WAIT_MS)
    const errors: string[] = []

    async function openCarelessly({ head = '', body = '', headers = {} }: PageOptions = {}): Promise<Page> {
      const page = await profile.newPage()
      const source = pageSource({ head, body, endpoint: gateway.url, publicKey: project.publicKey })
      await page.goto(site.page(source, headers))
      await page.waitForFunction(() => window.bugle !== undefined)
      return page
    }

    await use({
      ...stage,
      project,
      gateway,
      profile,
      openCarelessly,
      async open(options) {
        profile.on('weberror', (failure) => errors.push(failure.error().message))
        return openCarelessly(options)
      },
      async issues() {
        const { body } = await app.send('GET', '/v1/issues?pageSize=100', { key: project.secretKey })
        return body.data
      },
    })
    expect(errors).toEqual([])
  },
})

interface PageContent {
  readonly head: string
  readonly body: string
  readonly endpoint: string
  readonly publicKey: string
}

/** A page with the started SDK as `window.bugle`. */
export function pageSource({ head, body, endpoint, publicKey }: PageContent): string {
  return `<!doctype html><html lang="en"><meta name="app-version" content="2.4.1">${head}<title>App</title>
<script type="module">
import * as sdk from '/sdk/esm/browser.js'
import { startConversations } from '/sdk/esm/conversations/browser.js'
import { captureCrashes } from '/sdk/esm/crash/browser.js'
import { enableFiles } from '/sdk/esm/files/browser.js'
import { addStep, startTrail } from '/sdk/esm/trail.js'
import { defineWidget } from '/sdk/esm/widget.js'
sdk.init(${JSON.stringify({ endpoint, publicKey, buildNumber: '512', branch: 'main' })})
window.bugle = { ...sdk, captureCrashes, defineWidget, enableFiles, addStep, startConversations, startTrail }
</script>${body}`
}

/** Reports from a page, and returns the result. */
export function report(page: Page, title: string): Promise<Sdk.ReportResult> {
  return page.evaluate((wanted) => window.bugle.report({ title: wanted }), title)
}
