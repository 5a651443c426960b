import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { type PageCheck, runPageCheck, WIDE } from './support/dashboard/appearances.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage()

const groupOf = (page: Page, name: 'Saved views' | 'Shared views') => page.getByRole('navigation', { name })
const pageOf = ({ project }: Scene) => `/projects/${project.slug}/issues?category=crash`
const SCREENSHOTS = process.env['BUGLE_TEST_SCREENSHOTS']

describe('a view', () => {
  test('is shared with the project, and only its person can edit it', async ({ scene }) => {
    const ada = await scene.visit({ path: pageOf(scene), user: { name: 'Ada', role: 'triager' } })
    await groupOf(ada, 'Saved views').waitFor()
    await ada.getByText('Filter the inbox and save the view: it appears here.').waitFor()
    await ada.getByRole('button', { name: 'Save' }).click()
    await ada.getByRole('textbox', { name: 'Name' }).fill('Crashes')
    await ada.getByRole('checkbox', { name: 'Share with the project' }).check()
    await ada.getByRole('textbox', { name: 'Name' }).press('Enter')
    await groupOf(ada, 'Shared views').getByRole('link', { name: 'Crashes' }).waitFor()
    await expect.poll(() => groupOf(ada, 'Saved views').count()).toBe(0)

    const bob = await scene.visit({ user: { name: 'Bob', role: 'triager' } })
    await groupOf(bob, 'Shared views').getByTitle('Shared by Ada').waitFor()
    expect(await bob.getByRole('button', { name: 'Edit view Crashes' }).count()).toBe(0)
    expect(await bob.getByRole('button', { name: 'Delete view Crashes' }).count()).toBe(0)
    await groupOf(bob, 'Shared views').getByRole('link', { name: 'Crashes' }).click()
    await expect.poll(() => new URL(bob.url()).search).toBe('?category=crash')

    await ada.getByRole('button', { name: 'Edit view Crashes' }).press('Enter')
    const dialog = ada.getByRole('dialog', { name: 'Edit view' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('My crashes')
    await dialog.getByRole('checkbox', { name: 'Share with the project' }).press('Space')
    await dialog.getByRole('button', { name: 'Save' }).press('Enter')
    await groupOf(ada, 'Saved views').getByRole('link', { name: 'My crashes' }).waitFor()
    await bob.reload()
    await groupOf(bob, 'Saved views').waitFor()
    expect(await groupOf(bob, 'Shared views').count()).toBe(0)
  })

  test('that is shared is deleted by an admin after a question', async ({ scene }) => {
    await share(scene, 'Crashes')
    const page = await scene.visit({ user: { role: 'admin' } })
    await page.getByRole('button', { name: 'Delete view Crashes' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Delete this shared view?' })
    await dialog.getByRole('button', { name: 'Delete view' }).press('Enter')
    await expect.poll(() => page.getByRole('link', { name: 'Crashes' }).count()).toBe(0)
  })

  test('of a viewer cannot be shared', async ({ scene }) => {
    const page = await scene.visit({ path: pageOf(scene), user: { role: 'viewer' } })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine')
    expect(await page.getByRole('checkbox', { name: 'Share with the project' }).count()).toBe(0)
    await page.getByRole('textbox', { name: 'Name' }).press('Enter')
    await groupOf(page, 'Saved views').getByRole('link', { name: 'Mine' }).waitFor()
  })
})

const CHECK: PageCheck = {
  name: 'views of both kinds, and their dialogs',
  async prepare(scene) {
    await share(scene, 'Crashes of all phones, and a name that is too long for the sidebar')
    await share(scene, 'מסך ריק')
    return { path: pageOf(scene), user: { name: 'Ada', role: 'admin' } }
  },
  async run(page, inspect) {
    const capture = async (state: string) => {
      if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/views-${state}.png` })
      await inspect(state)
    }
    await groupOf(page, 'Shared views').waitFor()
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine')
    await capture('save')
    await page.keyboard.press('Enter')
    await groupOf(page, 'Saved views').getByRole('link', { name: 'Mine' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit view Mine' }).focus()
    await capture('sidebar')
    await page.getByRole('button', { name: 'Edit view Mine' }).press('Enter')
    await page.getByRole('dialog', { name: 'Edit view' }).waitFor()
    await capture('edit')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete view מסך ריק' }).press('Enter')
    await page.getByRole('dialog', { name: 'Delete this shared view?' }).waitFor()
    await capture('delete')
  },
}

describe('with views', () => {
  test('axe finds nothing', async ({ scene }) => {
    await runPageCheck(scene, CHECK, { width: WIDE, rulesInDark: 'colours' })
  })
})

async function share({ app, project }: Scene, name: string): Promise<void> {
  const key = await app.addUser({ name: 'Grace', role: 'triager' })
  const body = { name, projectId: project.id, query: 'category=crash&status=open', isShared: true }
  const { status } = await app.send('POST', '/session/views', { key, body })
  expect(status).toBe(201)
}
