import { describe } from 'vitest'
import { runPageCheck, WIDE } from './support/dashboard/appearances.ts'
import {
  cardOf,
  dialogOf,
  historyOf,
  KNOWN_CHECK,
  openDialog,
  PUBLIC_CHECK,
  visitIssue,
} from './support/dashboard/known-issues.ts'
import { change } from './support/dashboard/prepare.ts'
import { expect, setStage, test } from './support/dashboard/stage.ts'

setStage()

describe('publishing an issue', () => {
  test('keeps what was written until it is published or discarded', async ({ scene }) => {
    await scene.submit({ title: 'Blank' })
    const page = await visitIssue(scene)
    const text = dialogOf(page).getByLabel('Text')
    await openDialog(page)
    await text.fill('Half a sentence')
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'detached' })
    await page.reload()
    await openDialog(page)
    await expect.poll(() => text.inputValue()).toBe('Half a sentence')
    await dialogOf(page).getByRole('button', { name: 'Cancel' }).click()
    await dialogOf(page).waitFor({ state: 'detached' })
    await openDialog(page)
    await expect.poll(() => text.inputValue()).toBe('')
    await dialogOf(page).getByLabel('Title').fill(' ')
    expect(await dialogOf(page).getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true)
  })

  test('does not overwrite what someone else has published in the meantime', async ({ scene }) => {
    scene.allow(/status of 412/)
    const id = await scene.submit({ title: 'Blank' })
    const page = await visitIssue(scene)
    await openDialog(page)
    await dialogOf(page).getByLabel('Text').fill('Mine')
    await change(scene, id, { known: { title: 'Theirs', text: 'Theirs' } })
    await historyOf(page).getByText('published it as the known issue').waitFor()
    await dialogOf(page)
      .getByRole('button', { name: /^(?:Publish|Save)/ })
      .click()
    const alert = dialogOf(page).getByRole('alert')
    await alert.getByText(/changed the issue first: they published it as the known issue/).waitFor()
    await alert.getByRole('button', { name: 'Save my change anyway' }).click()
    await cardOf(page).getByText('Mine').waitFor()
    await dialogOf(page).waitFor({ state: 'detached' })
  })

  test('ignores other changes by someone else', async ({ scene }) => {
    const id = await scene.submit({ title: 'Blank' })
    const page = await visitIssue(scene)
    await openDialog(page)
    await change(scene, id, { priority: 'high' })
    await historyOf(page).getByText('changed the priority from Medium to High').waitFor()
    await dialogOf(page).getByRole('button', { name: 'Publish' }).click()
    await cardOf(page).getByText('Blank').waitFor()
  })

  test('says why a security issue cannot be published', async ({ scene }) => {
    scene.allow(/status of 422/)
    const id = await scene.submit({ title: 'Blank' })
    const page = await visitIssue(scene, { canSeeSecurity: true })
    await openDialog(page)
    await change(scene, id, { category: 'security' })
    await historyOf(page).getByText('changed the category from Bug to Security').waitFor()
    await dialogOf(page).getByRole('button', { name: 'Publish' }).click()
    await page
      .getByRole('region', { name: 'Notifications' })
      .getByText('An issue of category security cannot be published.')
      .waitFor()
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /known issue/ }).count()).toBe(0)
  })

  test('is for people who may change issues; others see what is published', async ({ scene }) => {
    const id = await scene.submit({ title: 'Blank' })
    await change(scene, id, { known: { title: '<b>Blank</b>', text: '' } })
    const page = await visitIssue(scene, { role: 'viewer' })
    await cardOf(page).getByText('<b>Blank</b>').waitFor()
    expect(await cardOf(page).getByRole('button').count()).toBe(0)
  })

  test('shows the status of the issue that a duplicate was merged into', async ({ scene }) => {
    const id = await scene.submit({ title: 'Blank' })
    const into = await scene.submit({ title: 'White' })
    await change(scene, id, { known: { title: 'Blank', text: '' } })
    await change(scene, into, { status: 'resolved', fixedIn: { appVersion: '3.0', buildNumber: '7' } })
    const { status } = await scene.app.send('POST', `/v1/issues/${id}/merge`, {
      key: scene.project.secretKey,
      body: { into },
    })
    expect(status).toBe(200)
    const page = await visitIssue(scene)
    await cardOf(page).getByText('Fixed in 3.0 (7)').waitFor()
  })
})

describe('on a large screen', () => {
  test.for([KNOWN_CHECK, PUBLIC_CHECK])('$name has no accessibility faults', async (check, { scene }) => {
    await runPageCheck(scene, check, { width: WIDE, rulesInDark: 'all' })
  })

  test('the settings of a public project link to its page', async ({ scene }) => {
    const project = await scene.app.addProject({ name: 'Weather', isPublic: true })
    const page = await scene.visit({ path: `/settings/projects/${project.slug}`, user: { role: 'admin' } })
    const link = page.getByRole('link', { name: 'Open the public page' })
    expect(await link.getAttribute('href')).toBe(`/p/${project.slug}`)
  })
})
