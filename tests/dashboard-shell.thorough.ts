import { setTimeout as sleep } from 'node:timers/promises'
import { describe } from 'vitest'
import { waitForFocus } from './support/dashboard/keys.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'
import { intercept } from './support/intercept.ts'

setStage()

const pageOf = ({ project }: Scene, page: string) => `/projects/${project.slug}/${page}`

test('a page that takes long to open shows progress', async ({ scene }) => {
  const page = await scene.visit()
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  await expect.poll(() => page.getByRole('progressbar').count()).toBe(0)
  let isLate = true
  await intercept(page, '**/assets/insights-page*.js', async (route) => {
    while (isLate) await sleep(50)
    await route.continue()
  })
  await page.getByRole('link', { name: 'Insights' }).click()
  await page.getByRole('progressbar', { name: 'Loading page' }).waitFor()
  isLate = false
  await page.getByRole('heading', { level: 1, name: 'Insights' }).waitFor()
  await expect.poll(() => page.getByRole('progressbar').count()).toBe(0)
})

test('an unknown address shows a page', async ({ scene }) => {
  const page = await scene.visit({ path: pageOf(scene, 'nonsense') })
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  await expect.poll(() => page.title()).toBe('Page not found · Bugle')
  await page.getByRole('link', { name: 'Go to inbox' }).click()
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
})

test('the tab title shows the page, the project and the number of issues', async ({ scene }) => {
  for (const title of ['One', 'Two']) await scene.submit({ title })
  const page = await scene.visit({ path: pageOf(scene, 'issues?status=open') })
  await expect.poll(() => page.title()).toBe('(2) Inbox · Kitchen · Bugle')
  await page.getByText('Live', { exact: true }).waitFor()
  await scene.submit({ title: 'Three' })
  await expect.poll(() => page.title()).toBe('(3) Inbox · Kitchen · Bugle')
  await page.getByRole('link', { name: 'Insights' }).click()
  await expect.poll(() => page.title()).toBe('Insights · Kitchen · Bugle')
  await page.goto(scene.app.url + pageOf(scene, 'issues/1'))
  await expect.poll(() => page.title()).toBe('#1 One · Kitchen · Bugle')
  await page.goto(`${scene.app.url}/account`)
  await expect.poll(() => page.title()).toBe('Profile · Bugle')
})

test('the sidebar has one current item: a saved view instead of the inbox', async ({ scene }) => {
  await scene.submit({ title: 'Crash', category: 'crash' })
  const page = await scene.visit({ path: pageOf(scene, 'issues?category=crash') })
  const current = page.getByRole('banner').locator('[aria-current]')
  await expect.poll(() => current.allInnerTexts()).toEqual(['Inbox'])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Crashes')
  await page.getByRole('textbox', { name: 'Name' }).press('Enter')
  await expect.poll(() => current.allInnerTexts()).toEqual(['Crashes'])
  await page.getByRole('link', { name: 'Crash', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Crash' }).waitFor()
  await expect.poll(() => current.allInnerTexts()).toEqual(['Inbox'])
  await page.getByRole('link', { name: 'Insights' }).click()
  await expect.poll(() => current.allInnerTexts()).toEqual(['Insights'])
})

describe('the layout', () => {
  const WIDE = { width: 1920, height: 1000 }
  const PHONE = { width: 390, height: 800 }

  test('of an issue fills a wide screen, and its id fits one line', async ({ scene }) => {
    const id = await scene.submit({ title: 'Wide' })
    const page = await scene.visit({ path: pageOf(scene, 'issues/1'), viewport: WIDE })
    const details = page.getByRole('complementary', { name: 'Details' })
    const { x = 0, width = 0 } = (await details.boundingBox()) ?? {}
    expect(x + width).toBeGreaterThan(1920 * 0.9)
    const line = (await details.getByText(id).boundingBox())?.height ?? 0
    const other = (await details.getByText('Reports', { exact: true }).boundingBox())?.height ?? 0
    expect(line).toBeLessThan(other * 1.5)
  })

  test('of the shortcuts has columns if there is space', async ({ scene }) => {
    const page = await scene.visit()
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    await page.keyboard.press('?')
    const sections = page
      .getByRole('dialog', { name: 'Keyboard shortcuts' })
      .getByRole('heading', { level: 3 })
    await sections.first().waitFor()
    const places = await sections.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x))
    expect(new Set(places).size).toBeGreaterThan(1)
  })

  test('of the menus in the sidebar is no wider than the sidebar', async ({ scene }) => {
    const page = await scene.visit()
    const sidebar = (await page.getByRole('banner').boundingBox())?.width ?? 0
    for (const name of ['Project: Kitchen', 'account and settings']) {
      await page.getByRole('button', { name }).click()
      const menu = await page.getByRole('menu').boundingBox()
      expect((menu?.x ?? 0) + (menu?.width ?? sidebar)).toBeLessThanOrEqual(sidebar)
      await waitForFocus(page.getByRole('menu'))
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }
  })

  test('of a menu that cannot be loaded is a message, and the menu opens when the server is back', async ({
    scene,
  }) => {
    const page = await scene.visit()
    await intercept(page, /\/assets\/project-options-/, (route) => route.abort())
    scene.allow(/ERR_FAILED/)
    const button = page.getByRole('button', { name: 'Project: Kitchen' })
    await button.press('Enter')
    await page.getByLabel('Notifications').getByText('The menu could not be loaded.').waitFor()
    await page.unroute(/\/assets\/project-options-/)
    await page.reload()
    await button.press('Enter')
    await waitForFocus(page.getByRole('menu'))
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true)
  })

  test('on a phone has no key hints, and a compact selection bar', async ({ scene }) => {
    for (const title of ['One', 'Two']) await scene.submit({ title })
    const page = await scene.visit({ path: pageOf(scene, 'issues/1'), viewport: PHONE })
    await page.getByRole('button', { name: 'Acknowledge' }).waitFor()
    expect(await page.locator('kbd:visible').count()).toBe(0)
    await page.goto(scene.app.url + pageOf(scene, 'issues'))
    await page.getByLabel('Select #1').click()
    const bar = page.getByRole('region', { name: 'Selected issues' })
    await bar.waitFor()
    expect(await page.locator('kbd:visible').count()).toBe(0)
    const buttons = bar.getByRole('button').filter({ hasText: /./ })
    const places = await buttons.evaluateAll((all) =>
      all.map((one) => {
        const { top, right } = one.getBoundingClientRect()
        return { top: Math.round(top), right: Math.round(right) }
      }),
    )
    // Every line ends at the same edge.
    const ends = Map.groupBy(places, ({ top }) => top)
      .values()
      .map((line) => line.at(-1)?.right)
    expect(new Set(ends).size).toBe(1)
  })
})

test('uses plain terms', async ({ scene }) => {
  await scene.submit({ title: 'One' })
  const page = await scene.visit({ path: pageOf(scene, 'settings') })
  await page.getByText('Visibility', { exact: true }).waitFor()
  await page.getByText('Private', { exact: true }).waitFor()
  await page.getByText('Created', { exact: true }).waitFor()
  await page.goto(scene.app.url + pageOf(scene, 'issues/1'))
  const history = page.getByRole('region', { name: 'History' })
  await expect
    .poll(() => history.getByRole('listitem').first().innerText())
    .toMatch(/^Reported (via “|with a key)/)
})
