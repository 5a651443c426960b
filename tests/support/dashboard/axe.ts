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
  await page.evaluate(settle)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const { violations } = await page.evaluate<{ violations: readonly Finding[] }>(
    `axe.run(document, ${JSON.stringify(options)})`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} (${failureSummary})`),
  )
}

/** What fades in has too little contrast half way: waits until nothing moves that will come to an end. */
async function settle(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const moving = () =>
    document
      .getAnimations()
      .filter(
        ({ effect, playState }) =>
          playState === 'running' && effect?.getComputedTiming().endTime !== Infinity,
      )
  for (let still = 0; still < 3; still = moving().length === 0 ? still + 1 : 0) await frame()
}
