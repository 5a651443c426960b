import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'

/** The latest lines: the reason is usually at the end. */
const MOST_LINES = 200
const SCREENSHOT_MS = 10_000

interface SeenPage {
  readonly console: string[]
  /** Opened by a test, not for all tests of a file. */
  readonly isOfTest: boolean
}

const pages = new Map<Page, SeenPage>()
let isInTest = false

/** Records what the pages of a browser log, so that a failed test can show it. */
export function watchBrowser(browser: Browser): void {
  browser.on('context', (context: BrowserContext) => context.on('page', watchPage))
}

function watchPage(page: Page): void {
  const lines: string[] = []
  pages.set(page, { console: lines, isOfTest: isInTest })
  const add = (line: string) => {
    lines.push(line)
    if (lines.length > MOST_LINES) lines.shift()
  }
  page.on('console', (message) => add(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => add(`uncaught: ${error.stack ?? error.message}`))
}

/** A worker runs many files: pages of earlier ones, even if they are still open, tell nothing about this one. */
export function beginFile(): void {
  isInTest = false
  pages.clear()
}

export function beginTest(): void {
  isInTest = true
  for (const [page, { isOfTest }] of pages) if (isOfTest) pages.delete(page)
}

export function hasSeenPages(): boolean {
  return pages.size > 0
}

/** Saves a screenshot and the console of every page, and returns the paths. */
export async function saveEvidence(folder: string, name: string): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true })
  const saved = await Promise.all(
    [...pages].map(([page, { console }], index) =>
      savePage(page, console, join(folder, `${name}-${index + 1}`)),
    ),
  )
  return saved.flat()
}

/** There is no screenshot if the page is closed or hangs; its console is saved anyway. */
async function savePage(page: Page, lines: readonly string[], path: string): Promise<readonly string[]> {
  const [image, text] = [`${path}.png`, `${path}.txt`]
  writeFileSync(text, [page.url(), ...lines, ''].join('\n'))
  const options = { path: image, timeout: SCREENSHOT_MS }
  const isTaken = await page.screenshot(options).then(
    () => true,
    () => false,
  )
  return isTaken ? [image, text] : [text]
}
