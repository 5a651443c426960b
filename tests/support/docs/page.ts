import type { Browser, Page } from 'playwright-core'
import { WAIT_MS } from '../browser/chromium.ts'
import { startSite } from '../sdk/site.ts'
import type { Block } from './blocks.ts'
import type { Session } from './session.ts'

interface PageDependencies {
  readonly session: Session
  readonly sdk: string
  readonly browser: Browser
}

/** Values that a bundler would provide. */
const IMPORTS = {
  '@bugle/sdk': '/sdk/esm/browser.js',
  '@bugle/sdk/conversations': '/sdk/esm/conversations/browser.js',
  '@bugle/sdk/crash': '/sdk/esm/crash/browser.js',
  '@bugle/sdk/files': '/sdk/esm/files/browser.js',
  '@bugle/sdk/trail': '/sdk/esm/trail.js',
  '@bugle/sdk/known-issues': '/sdk/esm/known-issues.js',
  '@bugle/sdk/widget': '/sdk/esm/widget.js',
}

/**
 * Opens a page with all browser blocks. It must have no errors, define the elements it uses, and be able to report if it starts the SDK.
 * Each script tag also gets a page of its own, as pasted, and has to deliver a report.
 */
export async function openPageOf(
  blocks: readonly Block[],
  { session, sdk, browser }: PageDependencies,
): Promise<void> {
  const parts = await Promise.all(blocks.map(async (block) => inPage(block, await session.fill(block.text))))
  const importMap = `<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`
  await using site = await startSite(sdk)
  await using profile = await browser.newContext()
  profile.setDefaultTimeout(WAIT_MS)
  const errors: string[] = []
  profile.on('weberror', (failure) => errors.push(failure.error().message))
  const page = await profile.newPage()
  await page.goto(site.page(`<!doctype html><title>App</title>${importMap}${parts.join('\n')}`))
  const source = parts.join('\n')
  if (source.includes('<bugle-report'))
    await page.waitForFunction('customElements.get("bugle-report") !== undefined')
  if (/\binit\(\{/.test(source))
    errors.push(
      ...(await reportBy(
        page,
        "import('@bugle/sdk').then(({ report }) => report({ title: 'From a page' }))",
      )),
    )
  for (const part of parts.filter((text) => SCRIPT_TAG.test(text))) {
    await page.goto(site.page(`<!doctype html><title>App</title>${part}`))
    if (part.includes('<bugle-report')) await sendForm(page)
    else errors.push(...(await reportBy(page, "Bugle.report({ title: 'From a script tag' })")))
  }
  if (errors.length > 0) throw new Error(`${blocks[0]?.place}: ${errors.join('\n')}`)
}

/** Loads the SDK and starts it. */
const SCRIPT_TAG = /<script[^>]+\/sdk\/bugle[^>]+data-public-key/

/** Reports with a script, and returns what went wrong. */
async function reportBy(page: Page, script: string): Promise<readonly string[]> {
  // Loaded with `async`, the function may still be that of a stub, which returns no result.
  await page.waitForFunction('!globalThis.Bugle?.queue')
  const { status } = await page.evaluate<{ status: string }>(script)
  return status === 'sent' ? [] : [`a report from the page is ${status}`]
}

/** Reports with the widget, and waits until it has arrived. */
async function sendForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Report a problem' }).click()
  await page.getByRole('textbox', { name: 'What is wrong?' }).fill('From the widget')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('status').filter({ hasText: 'has arrived' }).waitFor()
}

function inPage({ language }: Block, text: string): string {
  return language === 'html' ? text : `<script type="module">${text}</script>`
}
