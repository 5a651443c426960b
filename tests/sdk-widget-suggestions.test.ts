import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { findingsOf } from './support/dashboard/axe.ts'
import { setStage, test } from './support/sdk/stage.ts'
import { foundIn, noteOf, openForm, publish, searchesIn, suggestionsIn } from './support/sdk/suggestions.ts'
import { launcherOf, openWidget, statusOf, titleOf } from './support/sdk/widget.ts'

setStage()

const TIMEOUT = { timeout: 60_000 }

/** The name of the element with the focus, in the shadow tree. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.querySelector('bugle-report')?.shadowRoot?.activeElement
    return element?.getAttribute('aria-label') || element?.getAttribute('name') || element?.textContent
  })

describe('suggestions of known issues', () => {
  test('are found, read and chosen by keyboard alone, and the report joins the issue', async ({ scene }) => {
    const id = await publish(
      scene,
      { title: 'The settings stay blank', text: 'Turn the phone once, and they are drawn.' },
      { status: 'resolved', fixedIn: { appVersion: '2.5.0' } },
    )
    const page = await openForm(scene)
    expect(await titleOf(page).getAttribute('aria-describedby')).toBeTruthy()
    expect(await findingsOf(page)).toEqual([])
    const before = await titleOf(page).boundingBox()
    // At once: a pause between two keys would be one more search.
    await page.keyboard.insertText('Settings are blank')
    await foundIn(page, 1).waitFor()
    expect(await suggestionsIn(page).innerText()).toMatch(
      /The settings stay blank.*Fixed in 2\.5\.0, you have 2\.4\.1.*Turn the phone once, and they are drawn\..*I have this problem too/s,
    )
    // Nothing has moved, and the person can go on typing.
    expect(await focused(page)).toBe('title')
    expect(await titleOf(page).boundingBox()).toEqual(before)
    await expect
      .poll(() => page.locator('.known [aria-live=polite]').innerText())
      .toContain('Known problems like this: 1')
    expect(await findingsOf(page)).toEqual([])

    // Escape closes the list, and not the panel.
    await page.keyboard.press('Escape')
    expect(await suggestionsIn(page).count()).toBe(0)
    expect(await focused(page)).toBe('title')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Known problems like this: 1')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('I have this problem too: The settings stay blank')
    await page.keyboard.press('Enter')
    await statusOf(page, 'Your report has arrived.').waitFor()
    await expect.poll(() => focused(page)).toBe('Close')

    const { body: issue } = await scene.app.send('GET', `/v1/issues/${id}`, { key: scene.project.secretKey })
    expect(issue.reportCount).toBe(2)
    const { body: reports } = await scene.app.send('GET', `/v1/issues/${id}/reports`, {
      key: scene.project.secretKey,
    })
    expect(reports.data[0].title).toBe('Settings are blank')
    expect(await scene.issues()).toHaveLength(1)
    expect(searchesIn(scene)).toEqual(['Settings are blank'])
    const [search] = scene.gateway.seen.filter(({ line }) => line === 'POST /v1/known-issues/search')
    expect(JSON.parse(search?.body ?? '')).toEqual({ title: 'Settings are blank', appVersion: '2.4.1' })

    // The next report is about something else.
    await page.keyboard.press('Enter')
    await launcherOf(page).click()
    expect(await suggestionsIn(page).count()).toBe(0)
    await noteOf(page).waitFor()
    await titleOf(page).fill('Zebra')
    await page.getByRole('button', { name: 'Send report' }).click()
    await statusOf(page, 'Your report has arrived.').waitFor()
    await expect.poll(async () => (await scene.issues()).length, TIMEOUT).toBe(2)
  })

  test('are off if the page says so, and for security concerns', async ({ scene }) => {
    await publish(scene, { title: 'The settings stay blank', text: '' })
    const off = await openWidget(scene, {
      body: '<main><bugle-report suggestions="off"></bugle-report></main>',
    })
    const parts: string[] = []
    off.on('request', (request) => parts.push(request.url()))
    await off.clock.install()
    await launcherOf(off).click()
    await titleOf(off).fill('The settings stay blank')
    await off.clock.runFor(5_000)
    await off.getByRole('button', { name: 'Attach a file' }).waitFor()
    expect(await noteOf(off).count()).toBe(0)
    expect(parts.filter((url) => url.includes('suggestions'))).toEqual([])
    // The attribute may also come later, and go again.
    const page = await openForm(scene)
    await page.clock.install()
    const say = (value: string) =>
      page.locator('bugle-report').evaluate((host, given) => host.setAttribute('suggestions', given), value)
    await say('off')
    await titleOf(page).fill('The settings stay')
    await page.clock.runFor(5_000)
    await say('on')
    await page.getByRole('combobox').selectOption('security')
    await titleOf(page).fill('The settings stay blank')
    await page.clock.runFor(5_000)
    expect(await noteOf(page).isVisible()).toBe(false)
    expect(searchesIn(scene)).toEqual([])
    await page.getByRole('combobox').selectOption('bug')
    await page.clock.runFor(600)
    await expect.poll(() => searchesIn(scene), TIMEOUT).toEqual(['The settings stay blank'])
    await foundIn(page, 1).waitFor()
    // Whatever was found disappears with the category.
    await page.getByRole('combobox').selectOption('security')
    await foundIn(page, 1).waitFor({ state: 'detached' })
  })
})
