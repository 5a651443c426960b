import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const OPTIONS = { resultTypes: ['violations'] }
/** The only rules of axe that look at colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

interface Finding {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** What axe finds wrong with the page as it is now, in words that lead to the place. */
export function findingsOf(page: Page): Promise<readonly string[]> {
  return run(page, OPTIONS)
}

/** What axe finds wrong with the colours of the page: all that can differ between light and dark. */
export function colourFindingsOf(page: Page): Promise<readonly string[]> {
  return run(page, { ...OPTIONS, runOnly: COLOUR_RULES })
}

async function run(page: Page, options: object): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const { violations } = await page.evaluate<{ violations: readonly Finding[] }>(
    `axe.run(document, ${JSON.stringify(options)})`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} (${failureSummary})`),
  )
}
