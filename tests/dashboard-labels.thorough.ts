import { describe } from 'vitest'
import { NARROW, type PageCheck, runPageCheck, WIDE } from './support/dashboard/appearances.ts'
import { change } from './support/dashboard/prepare.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage()

async function define({ app, project }: Scene, ...names: readonly string[]): Promise<void> {
  for (const name of names)
    await app.app.storage.labels.create({ projectId: project.id, name, colour: '#8250df', createdAt: 0 })
  const path = `/v1/projects/${project.slug}/labels`
  const count = async () =>
    (await app.send('GET', path, { key: project.secretKey })).body.data.length as number
  await expect.poll(count).toBe(names.length)
}

describe('labels', () => {
  test('are switched by keys alone in the inbox, shown in the row, and undone', async ({ scene }) => {
    await define(scene, 'needs design', 'ui', '<img src=x> \u202egnp')
    await scene.submit({ title: 'Issue one' })
    await scene.submit({ title: 'Issue two' })
    const page = await scene.visit()
    await page.getByRole('row', { name: /Issue two/ }).waitFor()
    await page.keyboard.press('l')
    await page.keyboard.type('design')
    await page.getByRole('option', { name: 'needs design' }).waitFor()
    await page.keyboard.press('Enter')
    for (let chars = 0; chars < 6; chars++) await page.keyboard.press('Backspace')
    await page.keyboard.type('img')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')
    const row = page.getByRole('row', { name: /Issue two/ })
    for (const name of ['needs design', '<img src=x>']) await row.getByText(name).waitFor()
    expect(await page.locator('img[src=x]').count()).toBe(0)
    const labelsOf = async (index: number) => (await scene.issues())[index]?.['labels']
    await expect.poll(() => labelsOf(1)).toEqual(['<img src=x> \u202egnp', 'needs design'])
    await page.keyboard.press('u')
    await expect.poll(() => labelsOf(1)).toEqual([])
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Labels…').waitFor()
  })

  test('are chosen with the pointer and saved with keys: the field keeps the focus', async ({ scene }) => {
    await define(scene, 'needs design', 'ui')
    await scene.submit({ title: 'Issue one' })
    const page = await scene.visit()
    await page.getByRole('row', { name: /Issue one/ }).waitFor()
    await page.keyboard.press('l')
    await page.getByRole('option', { name: 'needs design' }).click()
    await page.locator('input[role=combobox]:focus').waitFor()
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => (await scene.issues())[0]?.['labels']).toEqual(['needs design'])
  })

  test('are added to all selected issues, which keep their own', async ({ scene }) => {
    await define(scene, 'needs design', 'ui')
    await change(scene, await scene.submit({ title: 'Issue one' }), { labels: ['ui'] })
    await scene.submit({ title: 'Issue two' })
    const page = await scene.visit()
    await page.getByRole('row', { name: /Issue two/ }).waitFor()
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+J')
    await page
      .getByRole('region', { name: 'Selected issues' })
      .getByRole('button', { name: /Labels/ })
      .click()
    await page.getByRole('option', { name: 'needs design' }).click()
    await page.getByRole('button', { name: /Done/ }).click()
    await expect
      .poll(async () => (await scene.issues()).map(({ labels }) => labels))
      .toEqual([['needs design', 'ui'], ['needs design']])
    // They were changed together, and are restored together.
    await page.getByLabel('Notifications').getByText('Labels of 2 issues changed.').waitFor()
    await page.keyboard.press('u')
    await expect.poll(async () => (await scene.issues()).map(({ labels }) => labels)).toEqual([['ui'], []])
  })

  test('are changed on the page of an issue, filtered by, and told in the history', async ({ scene }) => {
    await define(scene, 'needs design', 'ui')
    const id = await scene.submit({ title: 'Issue one' })
    await scene.submit({ title: 'Issue two' })
    const page = await scene.visit({ path: `/issues/${id}` })
    const other = await scene.visit({ path: `/issues/${id}`, user: { role: 'viewer' } })
    await other.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Add labels' }).click()
    await page.getByRole('option', { name: 'ui' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('list', { name: 'Labels' }).getByText('ui').waitFor()
    await other.getByRole('list', { name: 'Labels' }).getByText('ui').waitFor()
    await other
      .getByRole('region', { name: 'History' })
      .getByText(/added the label/)
      .waitFor()
    expect(await other.getByRole('button', { name: 'Edit labels' }).count()).toBe(0)
    await page.goto(`${scene.app.url}/projects/${scene.project.slug}/issues?label=UI`)
    await page.getByRole('button', { name: 'Remove filter Label UI' }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(1)
  })
})

describe('axe finds nothing wrong with', () => {
  const check: PageCheck = {
    name: 'labels',
    async prepare(scene) {
      await define(scene, 'needs design', 'ui', 'backend', 'good first issue')
      const labels = ['needs design', 'ui', 'backend', 'good first issue']
      await change(scene, await scene.submit({ title: 'Issue one', platform: 'ios' }), { labels })
      return {}
    },
    async run(page, inspect) {
      await page.getByRole('row', { name: /Issue one/ }).waitFor()
      await inspect('labels in a row')
      await page.keyboard.press('l')
      await page.getByRole('option', { name: 'backend' }).waitFor()
      await inspect('the picker')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Issue one' }).click()
      await page.getByRole('button', { name: 'Edit labels' }).waitFor()
      await inspect('the page of the issue')
    },
  }

  test.for([WIDE, NARROW])('labels in a window of %i pixels', (width, { scene }) =>
    runPageCheck(scene, check, { width, rulesInDark: 'colours' }),
  )
})
