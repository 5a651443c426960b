import { text } from 'node:stream/consumers'
import { describe } from 'vitest'
import { startReceiver } from '../packages/server/test-support/start-receiver.ts'
import { pressSequence } from './support/dashboard/keys.ts'
import { readSecret, row } from './support/dashboard/settings-page.ts'
import { expect, setStage, test } from './support/dashboard/stage.ts'
import { startSite } from './support/sdk/site.ts'

setStage({ BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1' })

const PASSWORD = 'a sentence only I know'

describe('the settings', () => {
  test('take an admin from a new project to a report, with a colleague, and back', async ({ scene }) => {
    scene.allow(/status of 401/)
    const { app } = scene
    const page = await scene.visit({ path: '/settings', user: { name: 'Ada', canSeeSecurity: true } })
    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Café Radio')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('heading', { name: 'Café Radio' }).waitFor()
    expect(page.url()).toMatch(/\/settings\/projects\/cafe-radio$/)

    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Web app')
    await page.getByRole('button', { name: 'Create key' }).click()
    const publicKey = await readSecret(page)
    const submit = () => app.send('POST', '/v1/issues', { key: publicKey, body: { title: 'No sound' } })
    expect((await submit()).status).toBe(201)

    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Nightly script')
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('secret')
    await page.getByRole('checkbox', { name: 'issues:read' }).check()
    await page.getByRole('button', { name: 'Create key' }).click()
    const secretKey = await readSecret(page)
    expect(secretKey).toMatch(/^bgl_sec_/)
    await row(page, 'Nightly script').waitFor()
    await page.reload()
    await row(page, 'Nightly script').waitFor()
    expect(await page.content()).not.toContain(secretKey.slice(8, -4))

    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('button', { name: 'Invite a person' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Grace')
    await page.getByRole('textbox', { name: 'Email address' }).fill('grace@radio.example')
    await page.getByRole('combobox', { name: 'Role' }).selectOption('viewer')
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = await readSecret(page)
    const accepted = await app.send('POST', '/session/link/accept', {
      body: { token: link.split('#link=')[1], password: PASSWORD },
    })
    expect(accepted.status).toBe(200)
    await row(page, 'Grace').getByRole('button', { name: 'Edit Grace' }).click()
    await page.getByRole('combobox', { name: 'Role' }).selectOption('triager')
    await page.getByRole('button', { name: 'Save' }).click()
    await row(page, 'Grace').getByText('Triager').waitFor()

    await page.goto(`${app.url}/settings/projects/cafe-radio`)
    await page.getByRole('button', { name: 'Revoke Web app' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await row(page, 'Web app').getByText('revoked').waitFor()
    expect((await submit()).status).toBe(401)

    await page.getByRole('button', { name: 'Delete project…' }).click()
    const confirm = page.getByRole('button', { name: 'Delete permanently' })
    expect(await confirm.isDisabled()).toBe(true)
    await page.getByRole('textbox', { name: 'Type Café Radio to confirm' }).fill('Café Radio')
    await confirm.click()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await expect.poll(() => row(page, 'Café Radio').count()).toBe(0)

    await page.getByRole('link', { name: 'Audit log' }).click()
    const entries = page.getByRole('list', { name: 'Entries' }).locator(':scope > li')
    await entries.first().waitFor()
    const texts = (await entries.allInnerTexts()).map((text) => text.split('\n')[0])
    expect(texts.filter((text) => text?.startsWith('Ada'))).toEqual([
      'Ada deleted the project Café Radio',
      'Ada revoked the key Web app',
      'Ada changed the person grace@radio.example',
      'Ada created a link for grace@radio.example',
      'Ada added the person grace@radio.example',
      'Ada created the key Nightly script',
      'Ada created the key Web app',
      'Ada created the project Café Radio',
    ])
    expect(await page.content()).not.toContain(secretKey.slice(8, -4))
  })

  test('create, test, rotate and delete a webhook, and manage labels', async ({ scene }) => {
    await using receiver = await startReceiver()
    const page = await scene.visit({
      path: `/settings/projects/${scene.project.slug}`,
      user: { name: 'Ada' },
    })
    await page.getByRole('button', { name: 'New label' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('needs design')
    await page.getByRole('button', { name: 'Create label' }).click()
    await page.getByRole('button', { name: 'Edit needs design' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('design')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Delete design' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No labels yet.').waitFor()

    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'URL' }).fill(receiver.url)
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Chat')
    await page.getByRole('button', { name: 'Create webhook' }).click()
    const first = await readSecret(page)
    await page.getByRole('button', { name: 'Test Chat' }).click()
    await page.getByText('test message accepted').waitFor()
    expect(receiver.received).toHaveLength(1)
    await page.getByRole('button', { name: 'Rotate secret Chat' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    const dialog = page.getByRole('dialog', { name: 'Copy the signing secret now' })
    await dialog.waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1)
    const second = await readSecret(page)
    expect([first.slice(0, 6), second.slice(0, 6), first === second]).toEqual(['whsec_', 'whsec_', false])
    await page.getByRole('button', { name: 'Delete Chat' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No webhooks yet.').waitFor()
    const entries = await scene.app.app.storage.auditLog.list({
      ...{ lanes: ['open', 'security'], reach: null, actor: null, action: null, since: null, until: null },
      ...{ before: null, limit: 50, projectId: scene.project.id },
    })
    expect(entries.map(({ action, actorName }) => [action, actorName])).toEqual([
      ['webhook.deleted', 'Ada'],
      ['webhook.secret_rotated', 'Ada'],
      ['webhook.tested', 'Ada'],
      ['webhook.created', 'Ada'],
      ['label.deleted', 'Ada'],
      ['label.updated', 'Ada'],
      ['label.created', 'Ada'],
    ])
    for (const secret of [first, second]) expect(JSON.stringify(entries)).not.toContain(secret)
  })

  test('show a conflict, and the values of the other person', async ({ scene }) => {
    scene.allow(/status of 409/)
    const { project, app } = scene
    const page = await scene.visit({ path: `/settings/projects/${project.slug}` })
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('Mine')
    await app.app.storage.projects.update(project.id, { description: 'Theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Someone else has changed this').waitFor()
    await page.getByRole('button', { name: 'Show the new values' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('Theirs')
    await name.fill('Mine')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Mine', level: 1 }).waitFor()
  })

  test('show the values of the other person in a dialog, too', async ({ scene }) => {
    scene.allow(/status of 409/)
    const { app, project } = scene
    await app.addUser({ email: 'both@example.com', name: 'Both', role: 'viewer' })
    const page = await scene.visit({ path: '/settings/people', user: { name: 'Ada' } })
    await page.getByRole('button', { name: 'Edit Both' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Role' }).selectOption('admin')
    const user = await app.app.storage.users.find('both@example.com')
    await app.app.storage.users.update(user?.id ?? 'usr_', { name: 'Theirs', role: 'triager' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: 'Show the new values' }).click()
    await expect.poll(() => dialog.getByRole('combobox', { name: 'Role' }).inputValue()).toBe('triager')
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Theirs')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Agreed')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await row(page, 'Agreed').getByText('Triager').waitFor()

    const [key] = await app.app.storage.keys.list(project.id)
    await app.app.storage.keys.update(key?.id ?? 'key_', { name: 'App' })
    await page.goto(`${app.url}/settings/projects/${project.slug}`)
    await page.getByRole('button', { name: 'Edit App' }).click()
    await app.app.storage.keys.update(key?.id ?? 'key_', { name: 'Their app' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: 'Show the new values' }).click()
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Their app')
  })

  test('export the audit log, with its filters', async ({ scene }) => {
    const { app, project } = scene
    const { projects } = app.app.storage.actingAs('os:ada', Date.now)
    await projects.update(project.id, { description: 'One' })
    await projects.update(project.id, { description: 'Two' })
    const page = await scene.visit({ path: '/settings/audit-log' })
    await page.getByRole('combobox', { name: 'Project' }).selectOption(project.id)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('audit-log.jsonl')
    const lines = (await text(await download.createReadStream())).trim().split('\n')
    const entries = lines.map((line) => JSON.parse(line))
    expect(entries.map(({ action, changes }) => [action, changes[0].to])).toEqual([
      ['project.updated', 'Two'],
      ['project.updated', 'One'],
    ])
  })

  test('change the SDK configuration, after a warning about older SDKs', async ({ scene }) => {
    const { app, project } = scene
    await scene.submit({ title: 'Old', sdk: { name: 'bugle', version: '0.0.1' } })
    const page = await scene.visit({ path: `/settings/projects/${project.slug}` })
    await page.getByRole('textbox', { name: 'Features' }).fill('newHome=true\ngreeting=Hello')
    await page.getByRole('textbox', { name: 'Oldest SDK version' }).fill('0.1.0')
    await page.getByRole('button', { name: 'Change SDK configuration' }).click()
    const dialog = page.getByRole('dialog', { name: 'Exclude older SDKs?' })
    await dialog.getByText('1 of 1 reports in the last 30 days').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').first().waitFor()
    const config = await app.send('GET', '/v1/sdk-config', { key: project.publicKey })
    expect(config.body).toMatchObject({
      minSdkVersion: '0.1.0',
      features: { newHome: true, greeting: 'Hello' },
    })
  })

  test('limit a feature, after a preview of who gets it', async ({ scene }) => {
    scene.allow(/status of 422/)
    const { app, project } = scene
    await scene.submit({ title: 'New', appVersion: '2.4.1', platform: 'ios' })
    await scene.submit({ title: 'Old', appVersion: '1.0', platform: 'ios' })
    const page = await scene.visit({ path: `/settings/projects/${project.slug}` })
    await page.getByRole('textbox', { name: 'Features' }).fill('newHome=true')
    await page.getByRole('button', { name: 'Change SDK configuration' }).click()
    const limits = page.getByRole('list', { name: 'Who gets each feature' })
    await limits.getByText('everyone').waitFor()
    await page.getByRole('button', { name: 'Limit newHome' }).click()
    const dialog = page.getByRole('dialog', { name: 'Who gets newHome?' })
    await dialog.getByRole('textbox', { name: 'Oldest app version' }).fill('soon')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByRole('alert').getByText('minAppVersion must be numbers').waitFor()
    await dialog.getByRole('textbox', { name: 'Oldest app version' }).fill('2.0')
    await dialog.getByRole('textbox', { name: 'Platforms' }).fill('ios, android')
    await dialog.getByRole('textbox', { name: 'Share of installations' }).fill('0.25')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByText('1 of 2 issues in the last 30 days came from such apps. 25% of').waitFor()
    // Another value needs another preview.
    await dialog.getByRole('textbox', { name: 'Share of installations' }).fill('0.5')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByRole('button', { name: 'Save limit' }).click()
    await limits.getByText('50% of installations, app version 2.0 or newer, on ios, android').waitFor()
    const config = await app.send('GET', '/v1/sdk-config', { key: project.publicKey })
    expect(config.body.limitedFeatures).toEqual({
      newHome: {
        ...{ value: true, minAppVersion: '2.0', maxAppVersion: null },
        ...{ platforms: ['ios', 'android'], share: 0.5 },
      },
    })
  })

  test('show the state of the server', async ({ scene }) => {
    const { app, project } = scene
    await app.send('POST', '/v1/issues', { key: project.publicKey, body: { title: '' } })
    const page = await scene.visit({ path: '/settings/server', user: { canSeeSecurity: true } })
    const facts = page.getByRole('list', { name: 'Facts' })
    await facts.getByText('SQLite').or(facts.getByText('PostgreSQL')).waitFor()
    await page.getByRole('list', { name: 'Checks' }).getByText('configuration').first().waitFor()
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Check again' }).click()
        return page.getByRole('list', { name: 'Refused submissions' }).getByText('validation-failed').count()
      })
      .toBeGreaterThan(0)
  })

  test('cannot be shown in a frame of another page', async ({ scene }) => {
    await using site = await startSite('.')
    const page = await scene.visit({ path: '/settings/people' })
    await page.getByRole('heading', { name: 'People' }).waitFor()
    // On another port of the same host: the browser would send the cookie.
    const other = await page.context().newPage()
    const refusals: string[] = []
    other.on('console', (message) => refusals.push(message.text()))
    await other.goto(site.page(`<!doctype html><iframe src="${scene.app.url}/settings/people"></iframe>`))
    await expect.poll(() => refusals.join()).toContain('frame-ancestors')
    await expect.poll(() => other.frames()[1]?.url()).toBe('chrome-error://chromewebdata/')
    await other.close()
  })

  test('are for admins only, in the menu and at their address', async ({ scene }) => {
    const page = await scene.visit({ path: '/settings/people', user: { role: 'triager' } })
    await page.getByRole('heading', { name: 'Settings are for admins' }).waitFor()
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0)
  })

  test('work with the keyboard alone', async ({ scene }) => {
    const page = await scene.visit()
    await page.getByRole('link', { name: 'Settings' }).waitFor()
    await pressSequence(page, 'g', 's')
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await page.getByRole('button', { name: 'New project' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
    await page.keyboard.type('By keyboard')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'By keyboard' }).waitFor()
  })
})
