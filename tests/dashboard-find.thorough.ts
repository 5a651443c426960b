import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage()

const addressOf = ({ app, project }: Scene, issueNumber: number) =>
  `${app.url}/projects/${project.slug}/issues/${issueNumber}`

describe('the address of an issue', () => {
  test('contains its number', async ({ scene }) => {
    await scene.submit({ title: 'First' })
    await scene.submit({ title: 'Second' })
    const page = await scene.visit()
    await page.getByRole('link', { name: 'Second' }).click()
    await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor()
    expect(page.url()).toBe(addressOf(scene, 2))
    await page.keyboard.press('j')
    await page.waitForURL(addressOf(scene, 1))
    await page.getByRole('heading', { level: 1, name: 'First' }).waitFor()
  })

  test('opens the issue, and the old one with the id redirects to it', async ({ scene }) => {
    const id = await scene.submit({ title: 'Linked' })
    const page = await scene.visit({ path: `/projects/${scene.project.slug}/issues/1` })
    await page.getByRole('heading', { level: 1, name: 'Linked' }).waitFor()
    await page.goto(`${scene.app.url}/issues/${id}`)
    await page.waitForURL(addressOf(scene, 1))
    await page.getByRole('heading', { level: 1, name: 'Linked' }).waitFor()
  })

  test.for(['7', '0', 'x', '99999999999'])('without an issue is not found: %s', async (number, { scene }) => {
    scene.allow(/status of 404/)
    await scene.submit({ title: 'The only one' })
    const page = await scene.visit({ path: `/projects/${scene.project.slug}/issues/${number}` })
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
  })
})

describe('a number in the search field', () => {
  test('opens the issue', async ({ scene }) => {
    for (const title of ['One', 'Two', 'Three']) await scene.submit({ title })
    const page = await scene.visit()
    await page.getByRole('link', { name: 'Three' }).waitFor()
    await page.getByLabel('Search issues').fill('#2')
    await page.getByLabel('Search issues').press('Enter')
    await page.waitForURL(addressOf(scene, 2))
  })

  test('without an issue shows a message and stays', async ({ scene }) => {
    scene.allow(/status of 404/)
    await scene.submit({ title: 'One' })
    const page = await scene.visit()
    await page.getByRole('link', { name: 'One' }).waitFor()
    await page.getByLabel('Search issues').fill('#44')
    await page.getByLabel('Search issues').press('Enter')
    const notices = page.getByRole('region', { name: 'Notifications' })
    await notices.getByText('#44 does not exist in Kitchen, or it is not visible to you.').waitFor()
    await page.getByRole('link', { name: 'One' }).waitFor()
  })
})

describe('the palette', () => {
  test('opens the issue with a number', async ({ scene }) => {
    await scene.submit({ title: 'Settings stay blank' })
    await scene.submit({ title: 'Other' })
    const page = await scene.visit({ path: `/projects/${scene.project.slug}/insights` })
    await typeInPalette(page, '#1')
    await page.getByRole('option', { name: 'Open #1 Settings stay blank' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(addressOf(scene, 1))
  })

  test('finds issues by title before those that only mention the words', async ({ scene }) => {
    await scene.submit({ title: 'Settings stay blank' })
    await scene.submit({ title: 'Crash', description: 'after the settings were blank' })
    const page = await scene.visit()
    await typeInPalette(page, 'blank set')
    const issues = page.getByRole('option').filter({ hasText: '#' })
    await expect.poll(() => issues.count()).toBe(2)
    await expect.poll(() => issues.first().innerText()).toContain('#1 Settings stay blank')
    await issues.first().click()
    await page.waitForURL(addressOf(scene, 1))
  })

  test('finds projects and guides', async ({ scene }) => {
    const other = await scene.app.addProject({ name: 'Garden shed' })
    const page = await scene.visit()
    await typeInPalette(page, 'garden')
    await page.getByRole('option', { name: 'Project Garden shed' }).click()
    await page.waitForURL(`**/projects/${other.slug}/issues?**`)
    await typeInPalette(page, 'getting started')
    await page.getByRole('option', { name: 'Getting started' }).click()
    await page.waitForURL('**/docs/getting-started')
  })

  test('shows a message when nothing matches', async ({ scene }) => {
    const page = await scene.visit()
    await typeInPalette(page, 'zzzz')
    await page.getByText('No matching command, issue or guide.').waitFor()
  })

  test('shows no trace of a security issue to people who may not see it', async ({ scene }) => {
    scene.allow(/status of 404/)
    await scene.submit({ title: 'Token leaks', category: 'security' })
    await scene.submit({ title: 'Token is shown twice' })
    const page = await scene.visit()
    await typeInPalette(page, 'token')
    await page.getByRole('option', { name: '#2 Token is shown twice' }).waitFor()
    expect(await page.getByText('Token leaks').count()).toBe(0)
    await page.getByRole('combobox', { name: 'Find a command' }).fill('#1')
    await page.getByText('No matching command, issue or guide.').waitFor()
  })
})

async function typeInPalette(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'account and settings' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find a command' }).fill(text)
}
