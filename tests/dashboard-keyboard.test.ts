import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage()

/** As over a slow line. */
const SLOW_MS = 600

describe('a dialog that is still being loaded', () => {
  test('gets what is typed after Ctrl+K, and no issue changes', async ({ scene }) => {
    const page = await visitThree(scene)
    await slowDown(page, 'palette')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('weather')
    const field = page.getByRole('combobox', { name: 'Find a command' })
    await expect.poll(() => field.inputValue()).toBe('weather')
    await page.keyboard.type(' report')
    expect(await field.inputValue()).toBe('weather report')
    await expectUntouched(scene)
  })

  test('takes Backspace and Enter too', async ({ scene }) => {
    const page = await visitThree(scene)
    await slowDown(page, 'palette')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('acknowx')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await scene.issues()).map(({ status }) => status))
      .toEqual(['open', 'open', 'acknowledged'])
  })

  test('gets what is typed after S, and after F nothing happens to issues', async ({ scene }) => {
    const page = await visitThree(scene)
    await slowDown(page, 'save-view-dialog')
    await slowDown(page, 'filter-fields')
    await page.keyboard.press('s')
    await page.keyboard.type('weather')
    const field = page.getByRole('textbox', { name: 'Name' })
    await expect.poll(() => field.inputValue()).toBe('weather')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('f')
    await page.keyboard.type('car')
    await page.getByRole('group', { name: 'Category' }).waitFor()
    await expectUntouched(scene)
  })

  test('can be called off, and keys act on issues again', async ({ scene }) => {
    const page = await visitThree(scene)
    await slowDown(page, 'palette')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('car')
    await page.keyboard.press('Escape')
    await page.keyboard.press('w')
    await expect
      .poll(async () => (await scene.issues()).map(({ status }) => status))
      .toEqual(['open', 'open', 'wontfix'])
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

async function visitThree(scene: Scene): Promise<Page> {
  for (const title of ['Rain', 'Snow', 'Hail']) await scene.submit({ title })
  const page = await scene.visit()
  await page.getByRole('row').filter({ hasText: 'Hail' }).waitFor()
  return page
}

async function slowDown(page: Page, chunk: string): Promise<void> {
  await page.route(`**/assets/${chunk}-*.js`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
    await route.continue()
  })
}

async function expectUntouched(scene: Scene): Promise<void> {
  for (const issue of await scene.issues()) expect(issue).toMatchObject({ status: 'open', version: 1 })
}
