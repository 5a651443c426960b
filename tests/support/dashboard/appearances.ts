import type { Page } from 'playwright-core'
import { colourFindingsOf, findingsOf } from './axe.ts'
import { expect, type Scene } from './stage.ts'

export const WIDE = 1280
export const NARROW = 390
const HEIGHT = 800

export type Visit = NonNullable<Parameters<Scene['visit']>[0]>
/** Called in each state of a page to check. */
export type Inspect = (state: string) => Promise<void>

/** A page, and the states in which it is checked. */
export interface PageCheck {
  readonly name: string
  /** The errors that the page logs in these states. */
  readonly complaint?: RegExp
  /** Prepares what the page shows, and returns the start of the visit. */
  prepare(scene: Scene): Promise<Visit>
  run(page: Page, inspect: Inspect, scene: Scene): Promise<void>
}

export interface Look {
  readonly width: number
  /** In dark mode, all rules of axe or only those about colours; in light mode always all. */
  readonly rulesInDark: 'all' | 'colours'
}

/** In every state, axe must report nothing and nothing may overflow horizontally. In the dashboard, nothing may overflow vertically either: only parts of it scroll. */
export async function runPageCheck(
  scene: Scene,
  check: PageCheck,
  { width, rulesInDark }: Look,
): Promise<void> {
  if (check.complaint !== undefined) scene.allow(check.complaint)
  const visit = await check.prepare(scene)
  const page = await scene.visit({ ...visit, viewport: { width, height: HEIGHT } })
  const inspect = async (state: string) => {
    expect(await findingsOf(page), `${state}, light`).toEqual([])
    await showIn(page, 'dark')
    const inDark = rulesInDark === 'all' ? findingsOf(page) : colourFindingsOf(page)
    expect(await inDark, `${state}, dark`).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth), state).toBe(width)
    expect(await page.evaluate(excessHeight), state).toBe(0)
    await showIn(page, 'light')
  }
  await check.run(page, inspect, scene)
}

/** The height of the dashboard beyond the window. Pages of the documentation scroll. */
function excessHeight(): number {
  const isDashboard = document.querySelector('#root') !== null
  return isDashboard ? document.documentElement.scrollHeight - window.innerHeight : 0
}

async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  // The dashboard switches by script, the documentation by its style sheet.
  await page.waitForFunction(
    (wanted) => (document.documentElement.dataset['mantineColorScheme'] ?? wanted) === wanted,
    colorScheme,
  )
}
