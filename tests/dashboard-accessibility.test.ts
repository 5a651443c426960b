import { describe } from 'vitest'
import { runPageCheck, WIDE } from './support/dashboard/appearances.ts'
import { DOCS_CHECKS } from './support/dashboard/docs-checks.ts'
import { INBOX_CHECKS } from './support/dashboard/inbox-checks.ts'
import { waitForFocus } from './support/dashboard/keys.ts'
import { PAGE_CHECKS, SETTINGS_FOR_CHECKS } from './support/dashboard/page-checks.ts'
import { SETTINGS_CHECKS } from './support/dashboard/settings-checks.ts'
import { expect, setStage, test } from './support/dashboard/stage.ts'

setStage(SETTINGS_FOR_CHECKS)

/** A few states in a wide window; `dashboard-accessibility.thorough.ts` has all of them, in a narrow one too, with all rules in dark. */
const CHECKS = [...INBOX_CHECKS, ...PAGE_CHECKS, ...SETTINGS_CHECKS, ...DOCS_CHECKS]
const SHORT = [
  'the sign-in page',
  'the inbox with a selection and filters',
  'the actions for all matching issues',
  'an issue, with its menu, dialogs and a conflict',
  '/docs/webhooks',
]

describe('axe reports nothing for', () => {
  test.for(SHORT)('%s', async (name, { scene }) => {
    const check = CHECKS.find((one) => one.name === name)
    if (check === undefined) throw new Error(`there is no check of ${name}`)
    await runPageCheck(scene, check, { width: WIDE, rulesInDark: 'colours' })
  })
})

describe('the focus', () => {
  test('returns to where it was when a dialog or a menu closes', async ({ scene }) => {
    await scene.submit({ title: 'Issue one' })
    const page = await scene.visit()
    await page.getByRole('row').first().waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await page.keyboard.press('j')
    for (const key of ['?', 'Control+k']) {
      await page.keyboard.press(key)
      await waitForFocus(page.getByRole('dialog'))
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expect.poll(focused).toBe('Issues')
    }
    await page.getByRole('button', { name: 'Sort: Newest' }).press('Enter')
    await waitForFocus(page.getByRole('menu'))
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Sort: Newest')
  })

  test('can skip to the content, and reaches everything with Tab', async ({ scene }) => {
    await scene.submit({ title: 'Issue one' })
    const page = await scene.visit()
    await page.getByRole('row').first().waitFor()
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
    const seen: (string | null)[] = []
    for (let tabs = 0; tabs < 12; tabs++) {
      await page.keyboard.press('Tab')
      seen.push(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null))
    }
    expect(seen).toEqual(expect.arrayContaining(['Search issues', 'Sort: Newest', 'Issues']))
  })
})
