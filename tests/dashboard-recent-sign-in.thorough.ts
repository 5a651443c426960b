import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { mintLink } from '../packages/server/src/domain/people/one-time-links.ts'
import { readSecret, row } from './support/dashboard/settings-page.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage({ BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1' })

const PASSWORD = 'a sentence only I know'

describe('with an old sign-in', () => {
  test('the settings ask for the password, and then make the change', async ({ scene }) => {
    scene.allow(/status of 40[13]/)
    const page = await visitWithOldSignIn(scene, `/settings/projects/${scene.project.slug}`)
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Web app')
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
    await dialog.getByLabel('Password', { exact: true }).fill('not this one')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('alert').getByText('password').waitFor()
    await confirmPassword(page)
    expect(await readSecret(page)).toMatch(/^bgl_pub_/)
    await row(page, 'Web app').waitFor()
  })

  test('a project is made public after a preview of what becomes readable, and the password', async ({
    scene,
  }) => {
    scene.allow(/status of 403/)
    for (const title of ['No sound', 'Blank screen']) await scene.submit({ title })
    await scene.submit({ title: 'Leaked token', category: 'security' })
    const page = await visitWithOldSignIn(scene, `/settings/projects/${scene.project.slug}`)
    const save = page.getByRole('button', { name: 'Save' }).first()
    await page.getByRole('checkbox', { name: /^Public/ }).check()
    await save.click()
    const dialog = page.getByRole('dialog', { name: 'Make Kitchen public?' })
    await dialog.getByText('2 issues').waitFor()
    await dialog.getByText('#2 Blank screen').waitFor()
    await dialog.getByText('#1 No sound').waitFor()
    expect(await dialog.getByText('Leaked token').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await isPublic(scene)).toBe(false)

    await save.click()
    await dialog.getByRole('button', { name: 'Make public' }).click()
    // Changing one's mind changes nothing.
    const password = page.getByRole('dialog', { name: 'Confirm your password' })
    await password.getByRole('button', { name: 'Cancel' }).click()
    await dialog.getByRole('alert').getByText('sign-in').waitFor()
    expect(await isPublic(scene)).toBe(false)
    await dialog.getByRole('button', { name: 'Make public' }).click()
    await confirmPassword(page)
    await page.getByRole('link', { name: 'Open the public page' }).waitFor()
    expect(await isPublic(scene)).toBe(true)
    // A private project needs neither.
    await page.getByRole('checkbox', { name: /^Public/ }).uncheck()
    await save.click()
    await expect.poll(() => isPublic(scene)).toBe(false)
  })

  test('a webhook gets another name, and another URL only with the password', async ({ scene }) => {
    scene.allow(/status of 403/)
    const { app, project } = scene
    await app.send('POST', '/v1/webhooks', {
      key: project.secretKey,
      body: { name: 'Chat', url: 'http://127.0.0.1:9/chat' },
    })
    const page = await visitWithOldSignIn(scene, `/settings/projects/${project.slug}`)
    const dialog = page.getByRole('dialog', { name: 'Edit webhook' })
    await page.getByRole('button', { name: 'Edit Chat' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Room')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row(page, 'Room').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit Room' }).click()
    await dialog.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/other')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await confirmPassword(page)
    await row(page, 'http://127.0.0.1:9/other').waitFor()
  })

  test('the inbox asks for the password before issues are deleted together', async ({ scene }) => {
    scene.allow(/status of 403/)
    for (const title of ['First', 'Second', 'Third']) await scene.submit({ title })
    const page = await visitWithOldSignIn(scene, `/projects/${scene.project.slug}/issues`)
    await page.getByRole('link', { name: 'Third' }).waitFor()
    for (const key of ['x', 'Shift+J']) await page.keyboard.press(key)
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete 2 issues' }).click()
    await confirmPassword(page)
    await page.getByLabel('Notifications').getByText('2 issues deleted.').waitFor()
    expect((await scene.issues()).map(({ title }) => title)).toEqual(['First'])
  })

  test('a name is changed without the password, and an address with it', async ({ scene }) => {
    scene.allow(/status of 403/)
    const page = await visitWithOldSignIn(scene, '/account')
    const save = page.getByRole('button', { name: 'Save' })
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace')
    await save.click()
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    await page.getByRole('textbox', { name: 'Email address' }).fill(`new-${scene.project.slug}@example.com`)
    await save.click()
    await confirmPassword(page)
    const { users } = scene.app.app.storage
    await expect
      .poll(async () => (await users.find(`new-${scene.project.slug}@example.com`))?.name)
      .toBe('Ada Lovelace')
  })
})

async function confirmPassword(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function isPublic({ app, project }: Scene): Promise<boolean | undefined> {
  return (await app.app.storage.projects.find(project.id))?.isPublic
}

/** A visit of an admin who signed in an hour ago and has a password. */
async function visitWithOldSignIn(scene: Scene, path: string): Promise<Page> {
  const { app, project } = scene
  const email = `old-${project.slug}@example.com`
  const page = await scene.visit({ path: '/account', user: { email } })
  const user = await app.app.storage.users.find(email)
  if (user === undefined) throw new Error('the person was not added')
  const { token, link } = mintLink(user.id, Date.now())
  await app.app.storage.users.createLink(link)
  await page.evaluate(
    (body) =>
      fetch('/session/link/accept', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }),
    JSON.stringify({ token, password: PASSWORD }),
  )
  const [signIn] = await app.app.storage.signIns.list(user.id)
  if (signIn === undefined) throw new Error('there is no session')
  await app.app.storage.signIns.end(user.id, signIn.id)
  const { passwordHash } = (await app.app.storage.users.find(user.id)) ?? user
  await app.app.storage.signIns.create({ ...signIn, createdAt: Date.now() - 3_600_000 }, passwordHash)
  await page.goto(app.url + path)
  return page
}
