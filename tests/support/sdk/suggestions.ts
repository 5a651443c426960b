import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Scene } from './stage.ts'
import { launcherOf, openWidget, titleOf } from './widget.ts'

/** Publishes an issue, and returns its id. */
export async function publish(
  { app, project }: Scene,
  known: { readonly title: string; readonly text: string },
  changes: object = {},
): Promise<string> {
  const { body } = await app.send('POST', '/v1/issues', {
    key: project.secretKey,
    body: { title: `Internal: ${known.title}`, appVersion: '1.0.0' },
  })
  const { status } = await app.send('PATCH', `/v1/issues/${body.id}`, {
    key: project.secretKey,
    body: { known, ...changes },
  })
  expect(status).toBe(200)
  return body.id
}

/** The titles that were sent to find known issues. */
export const searchesIn = ({ gateway }: Scene): readonly string[] =>
  gateway.seen
    .filter(({ line }) => line === 'POST /v1/known-issues/search')
    .map(({ body }) => JSON.parse(body).title)

export const noteOf = (page: Page) => page.getByText('This text is sent while you type')
export const foundIn = (page: Page, count: number) =>
  page.getByRole('button', { name: `Known problems like this: ${count}` })
export const suggestionsIn = (page: Page) => page.locator('bugle-report').locator('.known li:visible')

/** Opens the form in a page, as soon as it can suggest known issues. Without animations, because of axe. */
export async function openForm(scene: Scene, body?: string): Promise<Page> {
  const page = await openWidget(scene, body ? { body } : {})
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await launcherOf(page).click()
  await noteOf(page).waitFor()
  await page.getByRole('button', { name: 'Attach a file' }).waitFor()
  await titleOf(page).focus()
  return page
}
