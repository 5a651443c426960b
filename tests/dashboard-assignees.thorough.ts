import { describe } from 'vitest'
import { NARROW, type PageCheck, runPageCheck, WIDE } from './support/dashboard/appearances.ts'
import { pressSequence } from './support/dashboard/keys.ts'
import { change } from './support/dashboard/prepare.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage()

/** A person to assign issues to, by id. */
async function addPerson({ app, project }: Scene, name: string, canSeeSecurity = false): Promise<string> {
  const email = `${name.replaceAll(/\W/g, '-').toLowerCase()}-${Date.now()}@example.com`
  await app.addUser({ name, email, canSeeSecurity, projects: [project] })
  return (await app.app.storage.users.find(email))?.id ?? ''
}

describe('an assignee', () => {
  test('is chosen by keys alone in the inbox, shown in the row, and undone', async ({ scene }) => {
    const bob = await addPerson(scene, 'Bob Builder')
    await scene.submit({ title: 'Issue one' })
    await scene.submit({ title: 'Issue two' })
    const page = await scene.visit({ user: { name: 'Ada' } })
    await page.getByRole('row', { name: /Issue two/ }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Shift+A')
    await page.keyboard.type('build')
    await page.getByRole('option', { name: 'Bob Builder' }).waitFor()
    await page.keyboard.press('Enter')
    await page
      .getByRole('row', { name: /Issue one/ })
      .getByLabel('Assigned to Bob Builder')
      .waitFor()
    await page.getByText('#1 assigned to Bob Builder.').first().waitFor()
    await expect.poll(async () => (await scene.issues())[0]?.['assigneeId']).toBe(bob)
    await page.keyboard.press('u')
    await expect.poll(async () => (await scene.issues())[0]?.['assigneeId']).toBeNull()
    await page.getByText('#1 unassigned.').first().waitFor()
  })

  test('is the current person with one key, and those issues have their own view', async ({ scene }) => {
    await scene.submit({ title: 'Issue one' })
    await scene.submit({ title: 'Issue two' })
    const page = await scene.visit({ user: { name: 'Ada' } })
    await page.getByRole('row', { name: /Issue two/ }).waitFor()
    await page.keyboard.press('m')
    await page
      .getByRole('row', { name: /Issue two/ })
      .getByLabel('Assigned to Ada')
      .waitFor()
    await pressSequence(page, 'g', 'm')
    const view = page.getByRole('link', { name: 'Assigned to me' })
    await expect.poll(() => view.getAttribute('aria-current')).toBe('page')
    await expect.poll(() => page.getByRole('row').count()).toBe(1)
    await page.getByRole('button', { name: 'Remove filter Assigned to me' }).waitFor()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const title of ['Assign to…', 'Assign to me']) await help.getByText(title).first().waitFor()
  })

  test('appears in the other browser, with a name in the history', async ({ scene }) => {
    await addPerson(scene, 'Bob')
    const id = await scene.submit({ title: 'Issue one' })
    const page = await scene.visit({ path: `/issues/${id}`, user: { name: 'Ada' } })
    const other = await scene.visit({ path: `/issues/${id}`, user: { name: 'Eve', role: 'viewer' } })
    await other.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Assignee: No assignee' }).click()
    const search = page.getByRole('combobox', { name: 'Assign to' })
    await search.fill('bob')
    await page.getByRole('option', { name: 'Bob' }).waitFor()
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await search.press('Enter')
    await page.getByRole('button', { name: 'Assignee: Bob' }).waitFor()
    await other
      .getByRole('region', { name: 'History' })
      .getByText(/assigned it to .?Bob/)
      .waitFor()
    await other.getByRole('article').getByText('Bob', { exact: true }).first().waitFor()
    expect(await other.getByRole('button', { name: /Assignee/ }).count()).toBe(0)
  })

  test('of a hidden issue can only be a person who may see it', async ({ scene }) => {
    await addPerson(scene, 'Blind Bob')
    await addPerson(scene, 'Sighted Sue', true)
    const id = await scene.submit({ title: 'A hole', category: 'security' })
    const page = await scene.visit({ path: `/issues/${id}`, user: { name: 'Ada', canSeeSecurity: true } })
    await page.getByRole('button', { name: 'Assignee: No assignee' }).click()
    await page.getByRole('option', { name: 'Sighted Sue' }).waitFor()
    expect(await page.getByRole('option', { name: 'Blind Bob' }).count()).toBe(0)
    await page.getByRole('option', { name: 'Ada (you)' }).click()
    await page.getByRole('button', { name: 'Assignee: Ada' }).waitFor()
  })
})

describe('axe reports nothing for', () => {
  const check: PageCheck = {
    name: 'assignees',
    async prepare(scene) {
      const bob = await addPerson(scene, 'Bob Builder')
      await change(scene, await scene.submit({ title: 'Issue one', platform: 'ios' }), { assigneeId: bob })
      await scene.submit({ title: 'Issue two' })
      return { user: { name: 'Ada' } }
    },
    async run(page, inspect) {
      await page.getByLabel('Assigned to Bob Builder').waitFor()
      await inspect('an avatar in a row')
      await page.keyboard.press('Shift+A')
      await page.getByRole('option', { name: 'Bob Builder' }).waitFor()
      await inspect('the picker')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Issue one' }).click()
      await page.getByRole('button', { name: 'Assignee: Bob Builder' }).waitFor()
      await inspect('the page of the issue')
    },
  }

  test.for([WIDE, NARROW])('assignees in a window of %i pixels', (width, { scene }) =>
    runPageCheck(scene, check, { width, rulesInDark: 'colours' }),
  )
})
