import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { makeFirstLink } from '../packages/server/src/domain/people/one-time-links.ts'
import { startApp } from '../packages/server/test-support/start-app.ts'
import { startReceiver } from '../packages/server/test-support/start-receiver.ts'
import { readSecret, row } from './support/dashboard/settings-page.ts'
import { expect, setStage, test } from './support/dashboard/stage.ts'
import { startSite } from './support/sdk/site.ts'

const SETTINGS = { BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1' }

setStage(SETTINGS)

const PASSWORD = 'a sentence only I know'

describe('with a browser alone', () => {
  test('an admin goes from the setup link to the end of a project, and every step is in the audit log', async ({
    scene,
  }) => {
    // The revoked key, and a page of the deleted project that reads it once more.
    scene.allow(/status of 40[14]/)
    await using fresh = await startApp({ environment: SETTINGS })
    await using receiver = await startReceiver()
    await using site = await startSite('.')
    const token = await makeFirstLink(fresh.app.storage, Date.now())
    const visit = (path: string) => scene.visit({ user: null, url: fresh.url, path })

    const page = await visit(`/sign-in#link=${token}`)
    await page.getByLabel('Email').fill('ada@radio.example')
    await page.getByLabel('Name').fill('Ada')
    await choosePassword(page)
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor()

    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Café Radio')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('heading', { name: 'Café Radio' }).waitFor()
    expect(page.url()).toMatch(/\/settings\/projects\/cafe-radio$/)

    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Web app')
    await page.getByRole('button', { name: 'Create key' }).click()
    const publicKey = await readSecret(page)

    await page.getByRole('link', { name: 'Snippets and deliveries' }).click()
    const snippets = page.getByRole('region', { name: 'Send reports' })
    const snippet = snippets.getByRole('tabpanel').locator('pre').filter({ hasText: publicKey })
    const app = await page.context().newPage()
    await app.goto(site.page(`<!doctype html><title>App</title>${await snippet.innerText()}`))
    await app.getByRole('button', { name: 'Report a problem' }).click()
    await app.getByRole('textbox', { name: 'What is wrong?' }).fill('No sound')
    await app.getByRole('button', { name: 'Send' }).click()
    await app.getByRole('status').filter({ hasText: 'has arrived' }).waitFor()
    await page.bringToFront()
    await page.goto(`${fresh.url}/projects/cafe-radio/issues`)
    await page.getByRole('link', { name: 'No sound' }).waitFor()

    await page.goto(`${fresh.url}/settings/people`)
    await page.getByRole('button', { name: 'Invite a person' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Grace')
    await page.getByRole('textbox', { name: 'Email address' }).fill('grace@radio.example')
    await page.getByRole('combobox', { name: 'Role' }).selectOption('viewer')
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = await readSecret(page)
    const colleague = await visit(link.replace(fresh.url, ''))
    await choosePassword(colleague)
    await colleague.getByRole('link', { name: 'No sound' }).waitFor()
    await row(page, 'Grace').getByRole('button', { name: 'Edit Grace' }).click()
    await page.getByRole('combobox', { name: 'Role' }).selectOption('triager')
    await page.getByRole('button', { name: 'Save' }).click()
    await row(page, 'Grace').getByText('Triager').waitFor()
    await colleague.goto(`${fresh.url}/account`)
    await colleague.getByText('Triager').first().waitFor()
    await colleague.close()

    await page.goto(`${fresh.url}/settings/projects/cafe-radio`)
    await page.getByRole('button', { name: 'Revoke Web app' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await row(page, 'Web app').getByText('revoked').waitFor()
    expect(await submitFrom(app, fresh.url, publicKey)).toBe(401)
    await app.close()

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
    await page.getByRole('dialog', { name: 'Copy the signing secret now' }).waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1)
    expect(await readSecret(page)).not.toBe(first)

    await page.getByRole('button', { name: 'Delete project…' }).click()
    const confirm = page.getByRole('button', { name: 'Delete permanently' })
    expect(await confirm.isDisabled()).toBe(true)
    await page.getByRole('textbox', { name: 'Type Café Radio to confirm' }).fill('Café Radio')
    await confirm.click()
    await page.getByRole('heading', { name: 'Projects', exact: true }).waitFor()
    await expect.poll(() => row(page, 'Café Radio').count()).toBe(0)

    await page.getByRole('link', { name: 'Audit log' }).click()
    const entries = page.getByRole('list', { name: 'Entries' }).locator(':scope > li')
    await entries.first().waitFor()
    const texts = (await entries.allInnerTexts()).map((text) => text.split('\n')[0])
    expect(texts).toEqual([
      'Ada deleted the project Café Radio',
      'Ada rotated the secret of the webhook Chat',
      'Ada sent a test message to the webhook Chat',
      'Ada created the webhook Chat',
      'Ada revoked the key Web app',
      'Ada changed the person grace@radio.example',
      'Grace set the password of grace@radio.example',
      'Ada created a link for grace@radio.example',
      'Ada added the person grace@radio.example',
      'Ada created the key Web app',
      'Ada created the project Café Radio',
      'Ada added the person ada@radio.example',
    ])
    // Before its server, because the page would try to reconnect.
    await page.close()
  })
})

async function choosePassword(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Welcome to Bugle' }).waitFor()
  const password = page.getByLabel('Password', { exact: true })
  await password.fill(PASSWORD)
  await password.press('Enter')
}

/** The status of the response to a report that a page sends with a key. */
function submitFrom(page: Page, url: string, key: string): Promise<number> {
  return page.evaluate(
    async ([address, headers]) => {
      const body = JSON.stringify({ title: 'No sound' })
      return (await fetch(address, { method: 'POST', headers, body })).status
    },
    [
      `${url}/v1/issues`,
      { authorization: `Bearer ${key}`, 'content-type': 'application/json' } as Record<string, string>,
    ] as const,
  )
}
