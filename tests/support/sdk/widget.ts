import type { Page } from 'playwright-core'
import type { WidgetOptions } from '../../../packages/sdk/src/widget.ts'
import { intercept } from '../intercept.ts'
import type { Scene } from './stage.ts'

export const WIDGET = '<main><h1>App</h1><bugle-report></bugle-report></main>'

interface WidgetPage {
  readonly head?: string
  readonly body?: string
  /** Without a function: those do not get into the page. */
  readonly options?: Omit<WidgetOptions, 'takeScreenshot'> & { readonly takeScreenshot?: false }
}

/** Opens a page with the widget. */
export async function openWidget(scene: Scene, { head = '', body = WIDGET, options = {} }: WidgetPage = {}) {
  const page = await scene.open({ head, body })
  await page.evaluate((given) => window.bugle.defineWidget(given), options)
  return page
}

export const launcherOf = (page: Page) => page.getByRole('button', { name: 'Report a problem' })
export const titleOf = (page: Page) => page.getByRole('textbox', { name: 'What is wrong?' })
export const statusOf = (page: Page, text: string | RegExp) =>
  page.getByRole('status').filter({ hasText: text })

/** Opens the panel, fills it in and sends it. */
export async function sendReport(page: Page, title: string): Promise<void> {
  await launcherOf(page).click()
  await titleOf(page).fill(title)
  await page.getByRole('button', { name: 'Send' }).click()
}

/** Holds submissions back until the returned function is called. */
export async function holdSubmissions(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>()
  await intercept(page, '**/v1/issues', async (route) => {
    await gate.promise
    await route.continue()
  })
  return gate.resolve
}
