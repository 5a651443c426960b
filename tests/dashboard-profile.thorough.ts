import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { expect, setStage, test } from './support/dashboard/stage.ts'

setStage()

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

describe('the profile page', () => {
  test('changes name and email address, and the session stays', async ({ scene }) => {
    const { app } = scene
    scene.allow(/status of 422/)
    await app.addUser({ email: 'taken@profile.example' })
    const user = { name: 'Rosa', email: 'rosa@profile.example', role: 'viewer' } as const
    const page = await scene.visit({ path: '/account', user })
    const email = page.getByRole('textbox', { name: 'Email address' })
    await email.fill('taken@profile.example')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Another person already has this email address.').waitFor()
    await email.fill('new@profile.example')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Rosalind')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Profile saved.').first().waitFor()
    await page.getByRole('heading', { name: 'Rosalind' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Rosalind' }).waitFor()
    await expect.poll(() => email.inputValue()).toBe('new@profile.example')
    expect(await app.app.storage.users.find('new@profile.example')).toMatchObject({
      name: 'Rosalind',
      role: 'viewer',
    })
  })

  test('keeps the theme that was chosen', async ({ scene }) => {
    const page = await scene.visit({ path: '/account' })
    const scheme = () => page.evaluate(() => document.documentElement.dataset['mantineColorScheme'])
    const theme = page.getByRole('combobox', { name: 'Theme' })
    await theme.selectOption('dark')
    await expect.poll(scheme).toBe('dark')
    await page.reload()
    await theme.waitFor()
    expect([await theme.inputValue(), await scheme()]).toEqual(['dark', 'dark'])
  })

  test('creates a token that is shown once, and revokes it', async ({ scene }) => {
    const { app, project } = scene
    const page = await scene.visit({ path: '/account', user: { name: 'Rosa', role: 'viewer' } })
    await page.getByRole('button', { name: 'New token' }).click()
    const create = page.getByRole('button', { name: 'Create token' })
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Weekly report')
    expect(await create.isDisabled()).toBe(true)
    // Only what the person may do is offered.
    expect(await page.getByRole('checkbox', { name: 'issues:triage' }).count()).toBe(0)
    await page.getByRole('checkbox', { name: 'issues:read' }).check()
    await create.click()
    const dialog = page.getByRole('dialog', { name: 'Copy your token now' })
    const token = await dialog.locator('code').innerText()
    expect(token).toMatch(/^bgl_pat_\w{36}$/)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    const status = async () =>
      (await app.send('GET', `/v1/issues?projectId=${project.id}`, { key: token })).status
    expect(await status()).toBe(200)
    await row(page, 'Weekly report').getByText('issues:read').waitFor()
    await page.reload()
    await row(page, 'Weekly report').waitFor()
    expect(await page.content()).not.toContain(token.slice(8, -4))
    await page.getByRole('button', { name: 'Revoke Weekly report' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await expect.poll(() => row(page, 'Weekly report').count()).toBe(0)
    expect(await status()).toBe(401)
  })
})

describe('the tokens of a person', () => {
  test('are shown to an admin, who revokes one', async ({ scene }) => {
    const { app, project } = scene
    const { token, user } = await app.addToken({ name: 'Emil', role: 'triager', projects: [project] })
    const page = await scene.visit({ path: '/settings/people' })
    await row(page, user.email).getByRole('button', { name: 'Access tokens of Emil' }).click()
    const dialog = page.getByRole('dialog', { name: 'Access tokens of Emil' })
    await dialog.getByRole('button', { name: 'Revoke Script' }).click()
    await dialog.getByText('No tokens.').waitFor()
    expect((await app.send('GET', `/v1/issues?projectId=${project.id}`, { key: token })).status).toBe(401)
  })
})
