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

/** What axe reports for the current page, with the location. */
export function findingsOf(page: Page): Promise<readonly string[]> {
  return run(page, OPTIONS)
}

/** What axe reports for the colours of the page: only these can differ between light and dark mode. */
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

/** An element that fades in has too little contrast halfway, so this waits until all finite animations have ended. */
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
