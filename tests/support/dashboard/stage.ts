import type { Browser, Page } from 'playwright-core'
import { afterAll, test as base, beforeAll, expect } from 'vitest'
import {
  startApp,
  type TestApp,
  type TestProject,
  type UserOptions,
} from '../../../packages/server/test-support/start-app.ts'
import { sharedChromium, WAIT_MS } from '../browser/chromium.ts'
import { guardPage } from './guard-page.ts'

const DESKTOP = { width: 1280, height: 800 }

/** What the tests of a file share: the browser of the worker, and a real server with the built dashboard. */
interface Stage {
  readonly browser: Browser
  readonly app: TestApp
}

/** What each test has for itself. At its end no page may have logged an error. */
export interface Scene extends Stage {
  readonly project: TestProject
  /** Opens the dashboard in a separate browser profile. */
  visit(visit?: Visit): Promise<Page>
  /** The test causes this error on purpose. */
  allow(complaint: RegExp): void
  /** Submits an issue, and returns its id. */
  submit(report: Readonly<Record<string, unknown>>): Promise<string>
  /** The issues of the project as they are, by number. */
  issues(): Promise<readonly Record<string, unknown>[]>
}

interface Visit {
  readonly path?: string
  /** Who is signed in; `null`: no one. */
  readonly user?: UserOptions | null
  /** Another URL of the server than the direct one. */
  readonly url?: string
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly colorScheme?: 'light' | 'dark'
}

let stage: Stage

/** Sets the stage for a file of tests in a real browser; the server has these settings. */
export function setStage(environment: Readonly<Record<string, string>> = {}): void {
  beforeAll(async () => {
    stage = { browser: await sharedChromium(), app: await startApp({ environment }) }
  })
  afterAll(() => stage.app[Symbol.asyncDispose]())
}

export const test = base.extend<{ scene: Scene }>({
  scene: async ({ task: _ }, use) => {
    const { app, browser } = stage
    const project = await app.addProject({ name: 'Kitchen' })
    const profiles = new AsyncDisposableStack()
    const complaints: string[] = []
    const allowed: RegExp[] = []
    const issuesPath = '/v1/issues?sort=oldest&pageSize=100'

    await use({
      ...stage,
      project,
      allow: (complaint) => allowed.push(complaint),
      async visit({ path, user = {}, url = app.url, viewport = DESKTOP, colorScheme = 'light' } = {}) {
        const profile = profiles.use(await browser.newContext({ viewport, colorScheme }))
        profile.setDefaultTimeout(WAIT_MS)
        if (user !== null) {
          const [name = '', value = ''] = (await app.addUser(user)).split('=')
          await profile.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }])
        }
        const page = await profile.newPage()
        await guardPage(page, url, (complaint) => complaints.push(complaint))
        await page.goto(url + (path ?? `/projects/${project.slug}/issues`))
        return page
      },
      async submit(report) {
        const { status, body } = await app.send('POST', '/v1/issues', {
          key: project.publicKey,
          body: report,
        })
        expect(status).toBe(201)
        return body.id
      },
      async issues() {
        return (await app.send('GET', issuesPath, { key: project.secretKey })).body.data
      },
    })
    await profiles.disposeAsync()
    expect(complaints.filter((complaint) => !allowed.some((pattern) => pattern.test(complaint)))).toEqual([])
  },
})

export { expect }
