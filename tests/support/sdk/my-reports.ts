import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Scene } from './stage.ts'
import { launcherOf, openWidget, statusOf, titleOf } from './widget.ts'

const TIMEOUT = { timeout: 60_000 }

/** A widget that shows people their own reports. */
export const WIDGET_WITH_REPORTS = '<main><h1>App</h1><bugle-report my-reports></bugle-report></main>'

/** Opens a page with the widget and "My reports". Without animations, because axe would find too little contrast halfway. */
export async function openReports(scene: Scene, body = WIDGET_WITH_REPORTS): Promise<Page> {
  const page = await openWidget(scene, { body })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await launcherOf(page).waitFor()
  return page
}

/** Opens the list, wherever the panel starts. The part of the widget that has it is loaded later than its button. */
export async function showList(page: Page, name = 'My reports'): Promise<void> {
  await page.waitForFunction(() => document.querySelector('bugle-report')?.openReports !== undefined)
  await page.evaluate(() => document.querySelector('bugle-report')?.openReports?.())
  await page.getByRole('dialog', { name }).waitFor()
}

export const openerOf = (page: Page) => page.getByRole('button', { name: 'My reports' })
export const itemOf = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })
export const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'Your message' })
export const badgeOf = (page: Page) => page.locator('.launcher .badge')

/** Sends a report with the widget, and closes it. */
export async function reportIn(page: Page, title: string): Promise<void> {
  await launcherOf(page).click()
  await titleOf(page).fill(title)
  await page.getByRole('button', { name: 'Send report' }).click()
  await statusOf(page, 'has arrived').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
}

let replies = 0

/** Replies to all reporters of an issue, or to the one who sent this report. */
export async function reply(
  { app, project, issues }: Scene,
  title: string,
  text: string,
  reportId?: string,
): Promise<void> {
  const issue = (await issues()).find((one) => one['title'] === title)
  const body = { commentId: `widget-reply-${++replies}`, text, audience: 'reporters', reportId }
  const { status } = await app.send('POST', `/v1/issues/${issue?.['id']}/comments`, {
    key: project.secretKey,
    body,
  })
  expect(status).toBe(201)
}

/** The comments of the newest issue, as the team sees them. */
export async function commentsOf({ app, project, issues }: Scene): Promise<readonly string[]> {
  const [issue] = await issues()
  const { body } = await app.send('GET', `/v1/issues/${issue?.['id']}/comments`, { key: project.secretKey })
  return body.data.map(({ text }: { readonly text: string }) => text)
}

/** Asks the server now, as soon as no other tab does. */
export async function refresh(page: Page): Promise<void> {
  const ask = () => page.evaluate(() => window.bugle.startConversations()?.refresh())
  await expect.poll(ask, TIMEOUT).toBe(true)
}

/** The titles and texts in the list. */
export const listed = (page: Page) => page.getByRole('list').getByRole('listitem').allInnerTexts()

/** The messages in the conversation that is shown. */
export const messagesIn = (page: Page) => page.getByRole('log').locator('.text').allInnerTexts()
