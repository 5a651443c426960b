import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { makeFirstLink, mintLink } from '../packages/server/src/domain/people/one-time-links.ts'
import { startApp } from '../packages/server/test-support/start-app.ts'
import { expect, setStage, test } from './support/dashboard/stage.ts'

setStage()

const PASSWORD = 'a sentence only I know'

describe('the first person', () => {
  test('opens the setup link, chooses a password and sees the inbox', async ({ scene }) => {
    await using fresh = await startApp()
    const project = await fresh.addProject({ name: 'Kitchen' })
    await fresh.send('POST', '/v1/issues', { key: project.publicKey, body: { title: 'Settings stay blank' } })
    const token = await makeFirstLink(fresh.app.storage, Date.now())
    const page = await scene.visit({ user: null, url: fresh.url, path: `/sign-in#link=${token}` })

    await page.getByRole('heading', { name: 'Welcome to Bugle' }).waitFor()
    expect(page.url()).toBe(`${fresh.url}/sign-in`)
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Password', { exact: true }).press('Enter')
    await page.getByRole('link', { name: 'Settings stay blank' }).waitFor()

    scene.allow(/status of 401/)
    await page.getByRole('button', { name: 'Ada: account and settings' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await signIn(page, 'ada@example.com', PASSWORD)
    await page.getByRole('link', { name: 'Settings stay blank' }).waitFor()
    // Before its server, because the page would try to reconnect.
    await page.close()
  })

  test('finds the setup link and the command for a new one on the sign-in page', async ({ scene }) => {
    scene.allow(/status of 401/)
    await using fresh = await startApp()
    await fresh.addUser({ role: 'viewer' })
    const page = await scene.visit({ user: null, url: fresh.url, path: '/' })
    const hint = page.getByRole('region', { name: 'This server has no admin yet' })
    await hint.getByText('setup link that the server printed').waitFor()
    await hint.getByText('npx bugle user add').waitFor()
    await hint.getByRole('button', { name: 'Copy the command' }).waitFor()
    await fresh.addUser({ role: 'admin' })
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.waitForLoadState('networkidle')
    await expect.poll(() => hint.count()).toBe(0)
    await page.close()
  })

  test('may reload the welcome page, and the link still works; once it is used it is deleted', async ({
    scene,
  }) => {
    scene.allow(/status of 401/)
    await using fresh = await startApp()
    await fresh.addProject({ name: 'Kitchen' })
    const token = await makeFirstLink(fresh.app.storage, Date.now())
    const page = await scene.visit({ user: null, url: fresh.url, path: `/sign-in#link=${token}` })
    await page.getByRole('heading', { name: 'Welcome to Bugle' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Welcome to Bugle' }).waitFor()
    expect(page.url()).toBe(`${fresh.url}/sign-in`)
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Password', { exact: true }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(
      token,
    )
    await page.close()
  })

  test('sees a message when the link no longer works', async ({ scene }) => {
    scene.allow(/status of 404/)
    const page = await scene.visit({ user: null, path: '/sign-in#link=unknown' })
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    await page.getByText('npx bugle user add --role admin').waitFor()
    await page.getByRole('button', { name: 'Sign in with a password' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })
})

describe('a person who is not signed in', () => {
  test('signs in and returns to the requested page', async ({ scene }) => {
    scene.allow(/status of 401/)
    await scene.submit({ title: 'Wanted', category: 'crash' })
    await addPerson(scene.app, 'grace@example.com')
    const path = `/projects/${scene.project.slug}/issues?category=crash`
    const page = await scene.visit({ user: null, path })

    await signIn(page, 'grace@example.com', 'wrong and too long')
    await page.getByRole('alert').filter({ hasText: 'Wrong email or password.' }).waitFor()
    await signIn(page, 'grace@example.com', PASSWORD)
    await page.getByRole('link', { name: 'Wanted' }).waitFor()
    expect(page.url()).toBe(scene.app.url + path)
  })

  test('is not redirected to another site', async ({ scene }) => {
    await addPerson(scene.app, 'joan@example.com')
    const page = await scene.visit({ user: null, path: '/sign-in?from=https://example.com/' })
    await signIn(page, 'joan@example.com', PASSWORD)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(new URL(page.url()).origin).toBe(scene.app.url)
  })
})

describe('an account', () => {
  test('shows its sessions, and ends all of them at once', async ({ scene }) => {
    scene.allow(/status of 401/)
    const page = await scene.visit({ path: '/account', user: { name: 'Mary', email: 'mary@example.com' } })
    await page.getByText('This browser', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(`${scene.app.url}/account`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  test('that was signed out elsewhere is sent to the sign-in page, and back afterwards', async ({
    scene,
  }) => {
    scene.allow(/status of 401|ERR_/)
    await addPerson(scene.app, 'lise@example.com')
    const path = `/projects/${scene.project.slug}/issues?category=bug`
    const page = await scene.visit({ user: null, path })
    await signIn(page, 'lise@example.com', PASSWORD)
    await page.getByText('Live', { exact: true }).waitFor()
    await page.evaluate(() => fetch('/session', { method: 'DELETE', headers: { 'bugle-csrf': '1' } }))
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(page, 'lise@example.com', PASSWORD)
    await page.getByText('Live', { exact: true }).waitFor()
    expect(page.url()).toBe(scene.app.url + path)
  })

  test('changes its password', async ({ scene }) => {
    await addPerson(scene.app, 'emmy@example.com')
    const page = await scene.visit({ user: null, path: '/sign-in?from=/account' })
    await signIn(page, 'emmy@example.com', PASSWORD)
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password').fill('another one, a little longer')
    await page.getByLabel('New password').press('Enter')
    await page.getByText('Password changed.').first().waitFor()
  })
})

/** A person with a password, set with a one-time link. */
async function addPerson(app: Awaited<ReturnType<typeof startApp>>, email: string): Promise<void> {
  await app.addUser({ email, name: email })
  const user = await app.app.storage.users.find(email)
  if (user === undefined) throw new Error(`${email} was not added`)
  const { token, link } = mintLink(user.id, Date.now())
  await app.app.storage.users.createLink(link)
  const { status } = await app.send('POST', '/session/link/accept', { body: { token, password: PASSWORD } })
  expect(status).toBe(200)
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
