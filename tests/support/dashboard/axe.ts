import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

interface Finding {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** What axe finds wrong with the page as it is now, in words that lead to the place. */
export async function findingsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE)
  const { violations } = await page.evaluate<{ violations: readonly Finding[] }>(
    'axe.run(document, { resultTypes: ["violations"] })',
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} (${failureSummary})`),
  )
}
