import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { openReports, refresh, showList } from './my-reports.ts'
import { report, type Scene } from './stage.ts'

/** Reports from an app with "My reports", and returns the link that the person can keep. */
export async function reportAndGetLink(scene: Scene, title: string): Promise<string> {
  const app = await openReports(scene)
  expect(await report(app, title)).toMatchObject({ status: 'sent' })
  await refresh(app)
  await showList(app)
  const link = await app.getByRole('link', { name: 'Open as a page' }).getAttribute('href')
  await app.close()
  return `${link}`
}

/** Opens the page, and collects what its console says. */
export async function openLink(
  profile: BrowserContext,
  link: string,
): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const page = await profile.newPage()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (!/favicon|ERR_FAILED|status of 401/.test(message.text() + message.location().url))
      complaints.push(message.text())
  })
  page.on('pageerror', ({ message }) => complaints.push(message))
  await page.goto(link)
  return { page, complaints }
}
