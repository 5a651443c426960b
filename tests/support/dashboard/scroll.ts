import type { Browser, Page } from 'playwright-core'
import { planDemo } from '../../../packages/server/src/demo/plan.ts'
import { playDemo } from '../../../packages/server/src/demo/play.ts'
import { expect, type Scene } from './stage.ts'

const FRAMES = 90
const MAX_TASK_MS = 100

interface Effort {
  readonly issues: number
  /** An odd number: the median counts. */
  readonly runs: number
}

/** Flings a list of so many issues down and up, then goes to its end. No task may hold up the page, and only rows in sight may be drawn. */
export async function expectToScrollSmoothly(scene: Scene, { issues, runs }: Effort): Promise<void> {
  const { app, project } = scene
  const steps = planDemo({ count: issues, days: 60, seed: 1, now: Date.now() })
  const reports = steps.filter(({ kind }) => kind === 'report')
  await playDemo({ storage: app.app.storage, project, steps: reports })
  const page = await scene.visit({ user: { canSeeSecurity: true } })
  await page.getByText(`${issues.toLocaleString('en')} issues`).waitFor()

  const longest: number[] = []
  for (let run = 0; run < runs; run++) longest.push(await fling(scene.browser, page))
  const median = longest.toSorted((one, other) => one - other)[(runs - 1) / 2]
  expect(median).toBeGreaterThan(0)
  expect(median).toBeLessThan(MAX_TASK_MS)

  // The scrollbar grows with what is read, so the end takes more than one try.
  await expect
    .poll(
      async () => {
        await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, grid.scrollHeight))
        return page.locator(`[aria-rowindex="${issues}"]`).getByRole('link').count()
      },
      { timeout: 60_000, interval: 200 },
    )
    .toBe(1)
  expect(await page.getByRole('row').count()).toBeLessThan(60)
}

/** Flings the list down and up again; tells how much processor time its longest task took, in milliseconds. */
async function fling(browser: Browser, page: Page): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel'] })
  await page.getByRole('grid').evaluate(async (grid, frames) => {
    for (let frame = 0; frame < frames; frame++) {
      await new Promise(requestAnimationFrame)
      const way = 1 - Math.abs(1 - (2 * frame) / frames)
      grid.scrollTop = way * (grid.scrollHeight - grid.clientHeight)
    }
  }, FRAMES)
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as Trace
  // Not what the clock says: a machine that is busy with other tests stops a task half way, as often as it likes.
  const tasks = traceEvents.filter(({ name }) => name.endsWith('RunTask')).map(({ tdur = 0 }) => tdur / 1_000)
  expect(tasks.length).toBeGreaterThan(FRAMES)
  return Math.max(...tasks)
}

interface Trace {
  /** `tdur`: processor time in microseconds. */
  readonly traceEvents: readonly { readonly name: string; readonly tdur?: number }[]
}
