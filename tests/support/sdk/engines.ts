import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Browser } from 'playwright-core'
import puppeteer from 'puppeteer-core'
import { launchChromium, sharedChromium, WAIT_MS } from '../browser/chromium.ts'

/** The parts of a browser that tests for several engines need. */
export interface Engine {
  /** Opens a page in the common profile. */
  open(url: string): Promise<EnginePage>
  close(): Promise<void>
}

export interface EnginePage extends Evaluator {
  readonly mouse: {
    move(x: number, y: number, options?: { readonly steps: number }): Promise<void>
    down(): Promise<void>
    up(): Promise<void>
  }
  readonly keyboard: {
    type(text: string): Promise<void>
    press(key: 'Enter'): Promise<void>
  }
  /** Chooses a file in the control that the function returns. */
  pick(find: () => HTMLInputElement, path: string): Promise<void>
  close(): Promise<void>
}

export interface Evaluator {
  /** The value of an expression in the page, or of a function that is called there; a promise is awaited. */
  evaluate(expression: string): Promise<unknown>
  evaluate<A, T>(action: (given: A) => T | Promise<T>, given: A): Promise<T>
}

/** The Firefox of the machine: `BUGLE_TEST_FIREFOX`, or the first one on the path. npm does not provide one. */
export const FIREFOX: string | undefined =
  process.env['BUGLE_TEST_FIREFOX'] ??
  ['firefox', 'firefox-esr']
    .flatMap((name) => (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)))
    .find((path) => existsSync(path))

/** A profile of the worker's Chromium. */
export async function startChromium(): Promise<Engine> {
  return openProfile(await sharedChromium())
}

/** A Chromium of its own, which captures the page without asking: the real page, although there is no display. */
export async function startCapturingChromium(): Promise<Engine> {
  const browser = await launchChromium([
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream=display-media-type=browser',
  ])
  const engine = await openProfile(browser)
  return { ...engine, close: () => browser.close() }
}

async function openProfile(browser: Browser): Promise<Engine> {
  const profile = await browser.newContext()
  profile.setDefaultTimeout(WAIT_MS)
  return {
    async open(url) {
      const page = await profile.newPage()
      await page.goto(url)
      return {
        evaluate: page.evaluate.bind(page) as EnginePage['evaluate'],
        mouse: page.mouse,
        keyboard: page.keyboard,
        async pick(find, path) {
          await (await page.evaluateHandle(find)).setInputFiles(path)
        },
        close: () => page.close(),
      }
    },
    close: () => profile.close(),
  }
}

/** Starts a stock Firefox, through WebDriver BiDi: Playwright's Firefox is a custom build. */
export async function startFirefox(): Promise<Engine> {
  const options = { browser: 'firefox', executablePath: FIREFOX ?? '', timeout: 200_000 } as const
  const browser = await puppeteer.launch(options)
  return {
    async open(url) {
      const page = await browser.newPage()
      page.setDefaultTimeout(WAIT_MS)
      await page.goto(url)
      return {
        evaluate: page.evaluate.bind(page) as EnginePage['evaluate'],
        mouse: page.mouse,
        keyboard: page.keyboard,
        async pick(find, path) {
          await (await page.evaluateHandle(find)).uploadFile(path)
        },
        close: () => page.close(),
      }
    },
    close: () => browser.close(),
  }
}
