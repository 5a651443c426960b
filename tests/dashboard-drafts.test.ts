import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage()

const noteOf = (page: Page) => page.getByRole('textbox', { name: 'Note' })
const titleOf = (page: Page) => page.getByRole('textbox', { name: 'Title' })

describe('what was written and not sent', () => {
  test('of a note is there after other pages and a reload, until it is sent', async ({ scene }) => {
    const { page } = await visitIssue(scene)
    await noteOf(page).fill('Seen on two phones')
    await page.getByRole('link', { name: 'Inbox' }).first().click()
    await page.getByRole('row').first().waitFor()
    await page.goBack()
    await expect.poll(() => noteOf(page).inputValue()).toBe('Seen on two phones')
    await page.reload()
    await expect.poll(() => noteOf(page).inputValue()).toBe('Seen on two phones')
    await noteOf(page).press('Control+Enter')
    await page.getByRole('listitem').filter({ hasText: 'Seen on two phones' }).waitFor()
    await page.reload()
    await noteOf(page).waitFor()
    expect(await noteOf(page).inputValue()).toBe('')
  })

  test('of an edit is offered again, and is held against the issue as it was', async ({ scene }) => {
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
    expect(await titleOf(page).inputValue()).toBe('Blank settings')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your change was not saved.').waitFor()
    expect((await scene.issues())[0]).toMatchObject({ title: 'Settings', priority: 'critical' })
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByRole('button', { name: 'Continue editing' }).count()).toBe(0)
  })

  test('stays with the person: signing out forgets it', async ({ scene }) => {
    const { page } = await visitIssue(scene)
    await noteOf(page).fill('For my eyes')
    await page.getByRole('button', { name: 'Somebody: account and settings' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in')
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    expect(kept).not.toContain('For my eyes')
  })
})

describe('the keys of the edit form', () => {
  test('save with Ctrl+Enter, and leave with Escape without losing a word', async ({ scene }) => {
    const { page } = await visitIssue(scene)
    await noteOf(page).fill('Not yet')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('e')
    await titleOf(page).fill('Blank settings')
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1, name: 'Settings', exact: true }).waitFor()
    await page.keyboard.press('e')
    expect(await titleOf(page).inputValue()).toBe('Blank settings')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { level: 1, name: 'Blank settings' }).waitFor()
    expect(await noteOf(page).inputValue()).toBe('Not yet')
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
