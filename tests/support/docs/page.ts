import type { Browser } from 'playwright-core'
import { WAIT_MS } from '../sdk/chromium.ts'
import { startSite } from '../sdk/site.ts'
import type { Block } from './blocks.ts'
import type { Session } from './session.ts'

interface Surroundings {
  readonly session: Session
  readonly sdk: string
  readonly browser: Browser
}

/** Values that a bundler would provide. */
const IMPORTS = {
  '@bugle/sdk': '/sdk/esm/browser.js',
  '@bugle/sdk/crash': '/sdk/esm/crash-browser.js',
  '@bugle/sdk/files': '/sdk/esm/files-browser.js',
  '@bugle/sdk/trail': '/sdk/esm/trail.js',
  '@bugle/sdk/widget': '/sdk/esm/widget.js',
}

/** Opens a page with all browser blocks. It must have no errors, define the elements it uses, and be able to report. */
export async function openPageOf(
  blocks: readonly Block[],
  { session, sdk, browser }: Surroundings,
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
  const place = blocks[0]?.place ?? ''
  if (source.includes('<bugle-report'))
    await page.waitForFunction('customElements.get("bugle-report") !== undefined')
  if (source.includes('src="/bugle.js"')) {
    const { status } = await page.evaluate<{ status: string }>('Bugle.report({ title: "From a page" })')
    if (status !== 'sent') errors.push(`a report from the page is ${status}`)
  }
  if (errors.length > 0) throw new Error(`${place}: ${errors.join('\n')}`)
}

function inPage({ language }: Block, text: string): string {
  return language === 'html' ? text : `<script type="module">${text}</script>`
}
