import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import puppeteer from 'puppeteer-core'
import { sharedChromium, WAIT_MS } from './chromium.ts'

/** The parts of a browser that tests for several engines need. */
export interface Engine {
  /** Opens a page in the common profile. */
  open(url: string): Promise<EnginePage>
  close(): Promise<void>
}

export interface EnginePage {
  /** The value of an expression in the page; a promise is awaited. */
  evaluate(expression: string): Promise<unknown>
  close(): Promise<void>
}

/** The Firefox of the machine: `BUGLE_TEST_FIREFOX`, or the first one on the path. npm does not provide one. */
export const FIREFOX: string | undefined =
  process.env['BUGLE_TEST_FIREFOX'] ??
  ['firefox', 'firefox-esr']
    .flatMap((name) => (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)))
    .find((path) => existsSync(path))

/** A profile of the worker's Chromium. */
export async function startChromium(): Promise<Engine> {
  const browser = await sharedChromium()
  const profile = await browser.newContext()
  profile.setDefaultTimeout(WAIT_MS)
  return {
    async open(url) {
      const page = await profile.newPage()
      await page.goto(url)
      return { evaluate: (expression) => page.evaluate(expression), close: () => page.close() }
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
      return { evaluate: (expression) => page.evaluate(expression), close: () => page.close() }
    },
    close: () => browser.close(),
  }
}
