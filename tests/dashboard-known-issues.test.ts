import { describe } from 'vitest'
import { NARROW, runPageCheck } from './support/dashboard/appearances.ts'
import { cardOf, dialogOf, KNOWN_CHECK, visitIssue } from './support/dashboard/known-issues.ts'
import { change } from './support/dashboard/prepare.ts'
import { expect, setStage, test } from './support/dashboard/stage.ts'

setStage()

describe('a known issue', () => {
  test('is published with keys alone, and shows the fix; it can be changed and unpublished', async ({
    scene,
  }) => {
    const id = await scene.submit({ title: 'settings-view: blank' })
    const knownOf = async () =>
      (await scene.app.send('GET', `/v1/issues/${id}`, { key: scene.project.secretKey })).body.known
    const page = await visitIssue(scene)
    const history = page.getByRole('region', { name: 'History' })
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox', { name: 'Find a command' }).fill('publish as')
    await page.getByRole('option', { name: /Publish as a known issue/ }).waitFor()
    await page.keyboard.press('Enter')
    const dialog = dialogOf(page)
    await expect.poll(() => dialog.getByLabel('Title').inputValue()).toBe('settings-view: blank')
    await dialog.locator('input:focus').waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('Settings stay blank')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Turn the phone.')
    const preview = dialog.getByRole('region', { name: 'Preview' })
    await preview.getByText('Settings stay blank').waitFor()
    await preview.getByText('Turn the phone.').waitFor()
    await page.keyboard.press('Control+Enter')
    await cardOf(page).getByText('Settings stay blank').waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(await knownOf()).toEqual({ title: 'Settings stay blank', text: 'Turn the phone.' })
    await history.getByText(/Grace\s.*published it as the known issue/).waitFor()

    await change(scene, id, { status: 'resolved', fixedIn: { appVersion: '2.4.1', buildNumber: null } })
    await cardOf(page).getByText('Fixed in 2.4.1').waitFor()

    await cardOf(page).getByRole('button', { name: 'Edit…' }).click()
    await dialog.getByLabel('Text').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await history.getByText('changed the text of the known issue').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await cardOf(page).getByRole('button', { name: 'Unpublish' }).click()
    await cardOf(page).waitFor({ state: 'detached' })
    await history.getByText('unpublished the known issue').waitFor()
    expect(await knownOf()).toBeNull()
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox', { name: 'Find a command' }).fill('undo:')
    await page.getByRole('option', { name: /^Undo: #1 is no longer a known issue/ }).waitFor()
    await page.keyboard.press('Enter')
    await cardOf(page).getByText('Settings stay blank').waitFor()
  })
})

test('has no accessibility faults on a small screen', async ({ scene }) => {
  await runPageCheck(scene, KNOWN_CHECK, { width: NARROW, rulesInDark: 'colours' })
})
