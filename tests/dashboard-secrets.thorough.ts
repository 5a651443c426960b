import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { readSecret, row } from './support/dashboard/settings-page.ts'
import { expect, setStage, test } from './support/dashboard/stage.ts'

setStage()

/** What the browser receives: the text of every response. */
function recordResponses(page: Page): readonly string[] {
  const texts: string[] = []
  page.on('response', (response) => {
    // The browser may discard a body when it leaves the page.
    response.text().then(
      (text) => texts.push(text),
      () => undefined,
    )
  })
  return texts
}

/** Everything that a page keeps: what it shows, its address and storage, and the entries of its history. */
function readTraces(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { navigation } = window as unknown as {
      navigation: { entries(): readonly { readonly url: string; getState(): unknown }[] }
    }
    const entries = navigation.entries().map((entry) => [entry.url, entry.getState()])
    const fields = [...document.querySelectorAll('input, textarea')].map(
      (field) => 'value' in field && field.value,
    )
    const kept = [history.state, entries, fields, { ...localStorage }, { ...sessionStorage }]
    return document.documentElement.outerHTML + JSON.stringify(kept)
  })
}

describe('a secret', () => {
  test('is shown once: not in later responses, the audit log, the page or its history', async ({ scene }) => {
    const { app, project } = scene
    const page = await scene.visit({
      path: '/account',
      user: { name: 'Ada', canSeeSecurity: true, email: 'ada@secrets.example' },
    })
    const responses = recordResponses(page)
    const secrets: string[] = []
    /** The part that no list shows: public beginnings and the last characters are shown later. */
    const keep = async (part: (secret: string) => string) => {
      const secret = part(await readSecret(page))
      expect(secret.length).toBeGreaterThan(20)
      secrets.push(secret)
      expect(await readTraces(page)).not.toContain(secret)
    }

    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Weekly report')
    await page.getByRole('checkbox', { name: 'issues:read' }).check()
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('dialog', { name: 'Copy your token now' }).waitFor()
    await keep((token) => token.slice(8, -4))

    await page.goto(`${app.url}/settings/projects/${project.slug}`)
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Script')
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('secret')
    await page.getByRole('checkbox', { name: 'issues:read' }).check()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'Done' }).waitFor()
    await keep((token) => token.slice(8, -4))

    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'URL' }).fill('https://hooks.example/x')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Chat')
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('button', { name: 'Done' }).waitFor()
    await keep((secret) => secret)
    await page.getByRole('button', { name: 'Rotate secret Chat' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('dialog', { name: 'Copy the signing secret now' }).waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1)
    await keep((secret) => secret)

    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('button', { name: 'Invite a person' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Grace')
    await page.getByRole('textbox', { name: 'Email address' }).fill('grace@secrets.example')
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('button', { name: 'Done' }).waitFor()
    await keep((link) => link.split('#link=')[1] ?? '')
    await row(page, 'grace@secrets.example').waitFor()

    // Again over all pages, back in the history, and in everything that is read.
    for (const [path, text] of [
      ['/account', 'Weekly report'],
      [`/settings/projects/${project.slug}`, 'Script'],
      ['/settings/people', 'grace@secrets.example'],
      ['/settings/audit-log', 'created the access token'],
    ] as const) {
      await page.goto(app.url + path)
      await row(page, text).first().waitFor()
      const traces = await readTraces(page)
      for (const secret of secrets) expect(traces).not.toContain(secret)
    }
    for (let step = 0; step < 4; step++) {
      await page.goBack()
      await page.getByRole('heading', { level: 1 }).waitFor()
      const traces = await readTraces(page)
      for (const secret of secrets) expect(traces).not.toContain(secret)
    }
    expect(secrets).toHaveLength(5)
    const shown = secrets.map((secret) => responses.filter((text) => text.includes(secret)).length)
    expect(Math.max(...shown)).toBeLessThanOrEqual(1)
  })
})
