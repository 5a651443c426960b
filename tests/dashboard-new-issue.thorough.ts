import { describe } from 'vitest'
import { NARROW, type PageCheck, runPageCheck, WIDE } from './support/dashboard/appearances.ts'
import { expect, setStage, test } from './support/dashboard/stage.ts'

setStage()

describe('a new issue', () => {
  test('is created with the keyboard, with a file, and opened', async ({ scene }) => {
    const page = await scene.visit({ user: { name: 'Ada', role: 'triager' } })
    await page.getByRole('link', { name: 'New issue' }).waitFor()
    await page.keyboard.press('Shift+N')
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
    await page.keyboard.type('The printer is broken')
    // A draft survives a reload.
    await page.reload()
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Title' }).inputValue())
      .toBe('The printer is broken')
    await page.getByRole('combobox', { name: 'Priority' }).selectOption('high')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'ink.txt', mimeType: 'text/plain', buffer: Buffer.from('ink') })
    await page.getByRole('button', { name: 'Remove ink.txt' }).waitFor()
    await page.getByRole('textbox', { name: 'Description' }).press('Control+Enter')
    await page.waitForURL(`**/projects/${scene.project.slug}/issues/1`)
    await page.getByRole('heading', { name: 'The printer is broken' }).waitFor()
    await expect.poll(async () => (await scene.issues())[0]?.['attachmentState']).toBe('received')
    expect((await scene.issues())[0]).toMatchObject({ priority: 'high', reporterCount: 1 })
  })

  test('is not offered to people who may only read', async ({ scene }) => {
    const page = await scene.visit({ user: { role: 'viewer' } })
    await page.getByRole('link', { name: 'Inbox' }).waitFor()
    expect(await page.getByRole('link', { name: 'New issue' }).count()).toBe(0)
  })
})

const CHECK: PageCheck = {
  name: 'a new issue, with a file',
  prepare: async ({ project }) => ({ path: `/projects/${project.slug}/new` }),
  async run(page, inspect) {
    await page.getByRole('textbox', { name: 'Title' }).fill('The printer is broken')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'ink.txt', mimeType: 'text/plain', buffer: Buffer.from('ink') })
    await page.getByRole('button', { name: 'Remove ink.txt' }).waitFor()
    await inspect('form')
  },
}

describe.each([WIDE, NARROW])('at %i pixels, axe reports nothing for', (width) => {
  test(CHECK.name, ({ scene }) => runPageCheck(scene, CHECK, { width, rulesInDark: 'colours' }))
})
