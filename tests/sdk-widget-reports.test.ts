import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { findingsOf } from './support/dashboard/axe.ts'
import {
  badgeOf,
  commentsOf,
  fieldOf,
  itemOf,
  messagesIn,
  openerOf,
  openReports,
  refresh,
  reply,
  reportIn,
} from './support/sdk/my-reports.ts'
import { setStage, test } from './support/sdk/stage.ts'
import { launcherOf, openWidget, titleOf } from './support/sdk/widget.ts'

setStage()

const TIMEOUT = { timeout: 60_000 }

/** The name of the element with the focus, in the shadow tree. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.querySelector('bugle-report')?.shadowRoot?.activeElement
    return element?.getAttribute('aria-label') || element?.textContent
  })

describe('My reports', () => {
  test('are not in the widget unless the page asks for them', async ({ scene }) => {
    const page = await openWidget(scene)
    await launcherOf(page).click()
    await titleOf(page).waitFor()
    expect(await openerOf(page).count()).toBe(0)
    await reportInOpen(page)
    expect(scene.gateway.seen.filter(({ line }) => line.includes('/v1/my'))).toEqual([])
    const [submission] = scene.gateway.seen.filter(({ line }) => line === 'POST /v1/issues')
    expect(submission?.body).not.toContain('reporterKeyHash')
  })

  test('include the first report, although the page closes when it is sent', async ({ scene }) => {
    const page = await openReports(scene)
    // By then, what is stored on the device was read.
    await page.evaluate(() => window.bugle.startConversations()?.refresh())
    await launcherOf(page).click()
    await titleOf(page).fill('Last words')
    await page.evaluate(() => {
      setTimeout(() => {
        document.querySelector('bugle-report')?.shadowRoot?.querySelector('form')?.requestSubmit()
        location.href = 'about:blank'
      })
    })
    await page.waitForURL('about:blank')
    const again = await openReports(scene)
    const titles = () =>
      again.evaluate(async () => {
        const conversations = window.bugle.startConversations()
        await conversations?.refresh()
        return conversations?.read().reports.map(({ title }) => title)
      })
    await expect.poll(titles, TIMEOUT).toEqual(['Last words'])
    expect(await scene.issues()).toMatchObject([{ title: 'Last words', reportCount: 1 }])
  })

  test('show reports, replies and status, by keyboard alone', async ({ scene }) => {
    const page = await openReports(scene)
    await launcherOf(page).focus()
    await page.keyboard.press('Enter')
    await titleOf(page).waitFor()
    // This button belongs to a part that is loaded later.
    await openerOf(page).waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await expect.poll(() => focused(page)).toBe('My reports')
    await page.keyboard.press('Enter')
    await page.getByText('You have not reported anything yet.').waitFor()
    await expect.poll(() => focused(page)).toBe('Back')
    expect(await findingsOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('My reports')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })

    await reportIn(page, 'Settings stay blank')
    await reply(scene, 'Settings stay blank', 'Which phone do you use?')
    await refresh(page)
    await expect.poll(() => badgeOf(page).textContent(), TIMEOUT).toBe('1')
    expect(await launcherOf(page).getAttribute('title')).toBe('New replies: 1')
    // Unread replies come first.
    await launcherOf(page).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'My reports' }).waitFor()
    await expect.poll(() => focused(page)).toContain('Settings stay blank')
    expect(await itemOf(page, 'Settings stay blank').innerText()).toMatch(/Received.*New replies: 1/s)
    expect(await findingsOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    await expect.poll(() => messagesIn(page), TIMEOUT).toEqual(['Which phone do you use?'])
    await expect.poll(() => badgeOf(page).count(), TIMEOUT).toBe(0)
    await page.getByRole('heading', { name: 'Settings stay blank' }).waitFor()

    // From the messages to the field, and back to the report in the list.
    await expect.poll(() => focused(page)).toBe('Settings stay blank')
    await page.keyboard.press('Tab')
    await expect.poll(() => focused(page)).toBe('Your message')
    await page.keyboard.type('A Pixel 9')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => messagesIn(page), TIMEOUT).toEqual(['Which phone do you use?', 'A Pixel 9'])
    await expect.poll(() => commentsOf(scene), TIMEOUT).toContain('A Pixel 9')
    await expect.poll(() => page.getByText('Sending…').count(), TIMEOUT).toBe(0)
    expect(await fieldOf(page).inputValue()).toBe('')
    expect(await findingsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Back' }).press('Enter')
    await expect.poll(() => focused(page)).toContain('Settings stay blank')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    // Nothing is unread, so the form comes first again.
    await page.keyboard.press('Enter')
    await titleOf(page).waitFor()
  })
})

async function reportInOpen(page: Page): Promise<void> {
  await titleOf(page).fill('Not followed')
  await page.getByRole('button', { name: 'Send report' }).click()
  await page.getByRole('status').filter({ hasText: 'has arrived' }).waitFor()
}
