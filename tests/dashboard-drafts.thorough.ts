import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage()

const commentOf = (page: Page) => page.getByRole('textbox', { name: 'Comment', exact: true })
const titleOf = (page: Page) => page.getByRole('textbox', { name: 'Title' })

describe('a draft', () => {
  test('of a comment survives navigation and a reload, until it is sent', async ({ scene }) => {
    const { page } = await visitIssue(scene)
    await commentOf(page).fill('Seen on two phones')
    await page.getByRole('link', { name: 'Inbox' }).first().click()
    await page.getByRole('row').first().waitFor()
    await page.goBack()
    await expect.poll(() => commentOf(page).inputValue()).toBe('Seen on two phones')
    await page.reload()
    await expect.poll(() => commentOf(page).inputValue()).toBe('Seen on two phones')
    await commentOf(page).press('Control+Enter')
    await page
      .getByRole('article', { name: /^Comment by/ })
      .getByText('Seen on two phones')
      .waitFor()
    // The live update may show the comment before the response has cleared the draft.
    await expect.poll(() => commentOf(page).inputValue()).toBe('')
    await page.reload()
    await commentOf(page).waitFor()
    await expect.poll(() => commentOf(page).inputValue()).toBe('')
  })

  test('of an edit is offered again, and compared with the issue as it was', async ({ scene }) => {
    const { page, id } = await visitIssue(scene)
    scene.allow(/status of 412/)
    await page.keyboard.press('e')
    await titleOf(page).fill('Blank settings')
    await page.getByRole('link', { name: 'Inbox' }).first().click()
    await page.getByRole('row').first().waitFor()
    const body = { priority: 'critical' }
    await scene.app.send('PATCH', `/v1/issues/${id}`, { key: scene.project.secretKey, body })
    await page.goBack()
    await page.getByRole('button', { name: 'Continue editing' }).click()
    await expect.poll(() => titleOf(page).inputValue()).toBe('Blank settings')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your change was not saved.').waitFor()
    expect((await scene.issues())[0]).toMatchObject({ title: 'Settings', priority: 'critical' })
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Continue editing' }).count()).toBe(0)
  })

  test('is deleted when the person signs out', async ({ scene }) => {
    const { page } = await visitIssue(scene)
    await commentOf(page).fill('For my eyes')
    await page.getByRole('button', { name: 'Somebody: account and settings' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in')
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    expect(kept).not.toContain('For my eyes')
  })
})

describe('the keys of the edit form', () => {
  test('save with Ctrl+Enter, and close with Escape without losing text', async ({ scene }) => {
    const { page } = await visitIssue(scene)
    await commentOf(page).fill('Not yet')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('e')
    await titleOf(page).fill('Blank settings')
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1, name: 'Settings', exact: true }).waitFor()
    await page.keyboard.press('e')
    await expect.poll(() => titleOf(page).inputValue()).toBe('Blank settings')
    await titleOf(page).press('Control+Enter')
    await page.getByRole('heading', { level: 1, name: 'Blank settings' }).waitFor()
    await expect.poll(() => commentOf(page).inputValue()).toBe('Not yet')
    expect((await scene.issues())[0]).toMatchObject({ title: 'Blank settings', version: 2 })
  })
})

async function visitIssue(scene: Scene): Promise<{ readonly page: Page; readonly id: string }> {
  const id = await scene.submit({ title: 'Settings', description: 'Nothing is drawn' })
  const page = await scene.visit({ path: `/projects/${scene.project.slug}/issues/1` })
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  return { page, id }
}
