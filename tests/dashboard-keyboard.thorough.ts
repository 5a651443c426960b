import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { pressSequence } from './support/dashboard/keys.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'
import { intercept } from './support/intercept.ts'

setStage()

describe('a dialog that is still being loaded', () => {
  test('receives what is typed after Ctrl+K, and no issue changes', async ({ scene }) => {
    const page = await visitThree(scene)
    const release = await holdCode(page, 'palette')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('weather')
    release()
    const field = page.getByRole('combobox', { name: 'Find a command' })
    await expect.poll(() => field.inputValue()).toBe('weather')
    await page.keyboard.type(' report')
    await expect.poll(() => field.inputValue()).toBe('weather report')
    await expectUntouched(scene)
  })

  test('receives Backspace and Enter too', async ({ scene }) => {
    const page = await visitThree(scene)
    const release = await holdCode(page, 'palette')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('acknowx')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    release()
    await expect
      .poll(async () => (await scene.issues()).map(({ status }) => status))
      .toEqual(['open', 'open', 'acknowledged'])
  })

  test('receives what is typed after S, and after F issues do not change', async ({ scene }) => {
    const page = await visitThree(scene)
    const releaseDialog = await holdCode(page, 'save-view-dialog')
    const releaseFilters = await holdCode(page, 'filter-popover')
    await page.keyboard.press('s')
    await page.keyboard.type('weather')
    releaseDialog()
    const field = page.getByRole('textbox', { name: 'Name' })
    await expect.poll(() => field.inputValue()).toBe('weather')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('f')
    await page.keyboard.type('car')
    releaseFilters()
    await page.getByRole('group', { name: 'Category' }).waitFor()
    await expectUntouched(scene)
  })

  test('can be cancelled, and keys act on issues again', async ({ scene }) => {
    const page = await visitThree(scene)
    const release = await holdCode(page, 'palette')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('car')
    await page.keyboard.press('Escape')
    await page.keyboard.press('w')
    await expect
      .poll(async () => (await scene.issues()).map(({ status }) => status))
      .toEqual(['open', 'open', 'wontfix'])
    const loaded = page.waitForResponse('**/assets/palette-*.js')
    release()
    await (await loaded).finished()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })
})

describe('undo', () => {
  test('undoes every change of the last minute, one after the other', async ({ scene }) => {
    const page = await visitThree(scene)
    await changeThree(scene, page)
    // Newest first: Hail was acknowledged, Snow resolved, Rain set to won't fix.
    await page.keyboard.press('u')
    await statusesToBe(scene, ['open', 'resolved', 'acknowledged'])
    await page.keyboard.press('u')
    await statusesToBe(scene, ['open', 'open', 'acknowledged'])
    await page.keyboard.press('u')
    await statusesToBe(scene, ['open', 'open', 'open'])
  })

  test('undoes all of them at once, also from a final status', async ({ scene }) => {
    const page = await visitThree(scene)
    await changeThree(scene, page)
    await page.keyboard.press('Home')
    await page.keyboard.press('r')
    const undoAll = page.getByRole('button', { name: 'Undo all 4' })
    await undoAll.waitFor()
    await statusesToBe(scene, ['wontfix', 'resolved', 'resolved'])
    await undoAll.click()
    await statusesToBe(scene, ['open', 'open', 'open'])
    await page.getByRole('row').first().getByRole('img', { name: 'Open' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: /Undo/ }).count()).toBe(0)
  })

  test('skips issues that someone has changed since, and reports them', async ({ scene }) => {
    const page = await visitThree(scene)
    await page.keyboard.press('a')
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    const [, , hail] = await scene.issues()
    const body = { status: 'in_progress' }
    await scene.app.send('PATCH', `/v1/issues/${hail?.['id']}`, { key: scene.project.secretKey, body })
    await page.keyboard.press('u')
    await page.getByLabel('Notifications').getByText('someone else changed it').waitFor()
    await statusesToBe(scene, ['open', 'open', 'in_progress'])
  })

  test('includes changes on the page of an issue, and works on other pages', async ({ scene }) => {
    await scene.submit({ title: 'Fog', priority: 'low' })
    const page = await scene.visit({ path: `/projects/${scene.project.slug}/issues/1` })
    await page.getByRole('button', { name: 'Priority: Low' }).click()
    await page.getByRole('menuitemradio', { name: 'Critical' }).click()
    await page.getByRole('button', { name: 'Priority: Critical' }).waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('c')
    await expect.poll(async () => (await scene.issues())[0]).toMatchObject({ status: 'closed' })
    await pressSequence(page, 'g', 'i')
    await page.getByRole('navigation', { name: 'Status' }).waitFor()
    await page.keyboard.press('Shift+U')
    await expect
      .poll(async () => (await scene.issues())[0])
      .toMatchObject({ status: 'open', priority: 'low' })
  })
})

async function changeThree(scene: Scene, page: Page): Promise<void> {
  for (const key of ['a', 'r', 'w']) await page.keyboard.press(key)
  await statusesToBe(scene, ['wontfix', 'resolved', 'acknowledged'])
}

async function statusesToBe(scene: Scene, statuses: readonly string[]): Promise<void> {
  await expect.poll(async () => (await scene.issues()).map(({ status }) => status)).toEqual(statuses)
}

async function visitThree(scene: Scene): Promise<Page> {
  for (const title of ['Rain', 'Snow', 'Hail']) await scene.submit({ title })
  const page = await scene.visit()
  await page.getByRole('row').filter({ hasText: 'Hail' }).waitFor()
  return page
}

/** Holds back the code of a part of the page until the returned function is called. */
async function holdCode(page: Page, chunk: string): Promise<() => void> {
  const gate = Promise.withResolvers<void>()
  await intercept(page, `**/assets/${chunk}-*.js`, async (route) => {
    await gate.promise
    await route.continue()
  })
  return gate.resolve
}

async function expectUntouched(scene: Scene): Promise<void> {
  for (const issue of await scene.issues()) expect(issue).toMatchObject({ status: 'open', version: 1 })
}
