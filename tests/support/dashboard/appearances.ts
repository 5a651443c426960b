import type { Page } from 'playwright-core'
import { findingsOf } from './axe.ts'
import { expect, type Scene } from './stage.ts'

/** On a desk, and in a hand. */
const WIDTHS = [1280, 390] as const
const HEIGHT = 800

type Visit = NonNullable<Parameters<Scene['visit']>[0]>
type Walk = (page: Page, inspect: (state: string) => Promise<void>) => Promise<void>

/** Walks through the states of a page, wide and narrow. In none of them, light or dark, may axe find anything or anything stick out. */
export async function inspectEverywhere(scene: Scene, visit: Visit, walk: Walk): Promise<void> {
  for (const width of WIDTHS) {
    const page = await scene.visit({ ...visit, viewport: { width, height: HEIGHT } })
    await walk(page, async (state) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.locator(`[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' })
        expect(await findingsOf(page), `${state}, ${width} px, ${colorScheme}`).toEqual([])
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth), state).toBe(width)
      await page.emulateMedia({ colorScheme: 'light' })
    })
  }
}
