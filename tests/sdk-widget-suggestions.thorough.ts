import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { colourFindingsOf, findingsOf } from './support/dashboard/axe.ts'
import { intercept } from './support/intercept.ts'
import { type Scene, setStage, test } from './support/sdk/stage.ts'
import { foundIn, noteOf, openForm, publish, searchesIn, suggestionsIn } from './support/sdk/suggestions.ts'
import { launcherOf, openWidget, statusOf, titleOf, WIDGET } from './support/sdk/widget.ts'

setStage()

const TIMEOUT = { timeout: 60_000 }
const SETTINGS = { title: 'The settings stay blank', text: 'Turn the phone once.' }
const HOSTILE =
  '<img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script> & [a](javascript:hacked=1)'
const SEARCH = '**/v1/known-issues/search'

const sameOf = (page: Page) => page.getByRole('button', { name: 'I have this problem too' })

/** Everything that the page has stored, except for the draft of the form. */
const storedIn = (page: Page) =>
  page.evaluate(async () => {
    const stored = [JSON.stringify(localStorage)]
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open(name)
        request.onsuccess = () => resolve(request.result)
      })
      for (const store of database.objectStoreNames) {
        const rows = await new Promise((resolve) => {
          const request = database.transaction(store).objectStore(store).getAll()
          request.onsuccess = () => resolve(request.result)
        })
        stored.push(JSON.stringify(rows))
      }
      database.close()
    }
    return stored.join('\n')
  })

async function reportCount({ app, project }: Scene, id: string): Promise<number> {
  const { body } = await app.send('GET', `/v1/issues/${id}`, { key: project.secretKey })
  return body.reportCount
}

describe('suggestions of known issues', () => {
  test('are searched once for a title, after a pause, and not for short ones', async ({ scene }) => {
    await publish(scene, SETTINGS)
    const page = await openForm(scene)
    // Time stands still, except where the test lets it pass.
    await page.clock.install({ time: '2030-01-01T00:00:00Z' })
    await page.clock.pauseAt('2030-01-01T01:00:00Z')
    const type = async (title: string, milliseconds: number) => {
      await titleOf(page).fill(title)
      await page.clock.runFor(milliseconds)
    }
    await type('Se', 5_000)
    await type('Settings', 500)
    await type('Settings blank', 500)
    expect(searchesIn(scene)).toEqual([])
    await type('Settings are blank', 600)
    await foundIn(page, 1).waitFor()
    await type('Settings are blank, ', 600)
    await foundIn(page, 1).waitFor()
    await type('  Settings are blank  ', 5_000)
    await type('Zebra', 600)
    await expect.poll(() => searchesIn(scene), TIMEOUT).toHaveLength(3)
    await foundIn(page, 1).waitFor({ state: 'detached' })
    // From memory.
    await type('Settings are blank', 600)
    await foundIn(page, 1).waitFor()
    expect(searchesIn(scene)).toEqual(['Settings are blank', 'Settings are blank,', 'Zebra'])
    // Without a title there is nothing to compare.
    await titleOf(page).fill('')
    await foundIn(page, 1).waitFor({ state: 'detached' })
  })

  test('of an earlier title are ignored, and failures are silent', async ({ scene }) => {
    await publish(scene, SETTINGS)
    await publish(scene, { title: 'Zebra crossing', text: '' })
    const page = await openForm(scene)
    const first = Promise.withResolvers<void>()
    await intercept(page, SEARCH, async (route) => {
      if (route.request().postData()?.includes('Settings')) await first.promise
      await route.continue()
    })
    const asked = page.waitForRequest(SEARCH)
    await titleOf(page).fill('Settings blank')
    await asked
    await titleOf(page).fill('Zebra')
    await foundIn(page, 1).waitFor()
    const late = page.waitForResponse(({ request }) => !!request().postData()?.includes('Settings'))
    first.resolve()
    await late.catch(() => undefined)
    await titleOf(page).fill('Zebra crossing')
    await expect.poll(() => searchesIn(scene).includes('Zebra crossing'), TIMEOUT).toBe(true)
    expect(await suggestionsIn(page).innerText()).toContain('Zebra crossing')

    // A failed search pauses the next ones: the server may be overloaded, or older.
    await page.unroute(SEARCH)
    await intercept(page, SEARCH, (route) => route.fulfill({ status: 429, body: '{}' }))
    const refused = page.waitForResponse(SEARCH)
    await titleOf(page).fill('Yak')
    await refused
    await foundIn(page, 1).waitFor({ state: 'detached' })
    await page.unroute(SEARCH)
    const count = searchesIn(scene).length
    await page.clock.install()
    await titleOf(page).fill('Settings')
    await page.clock.runFor(5_000)
    expect(searchesIn(scene)).toHaveLength(count)
  })

  test('are not searched while offline', async ({ scene }) => {
    await publish(scene, SETTINGS)
    const page = await openForm(scene)
    await page.clock.install()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await scene.profile.setOffline(true)
    await titleOf(page).fill('Settings stay')
    await page.clock.runFor(5_000)
    expect(asked).toEqual([])
    await scene.profile.setOffline(false)
    await titleOf(page).fill('Settings stay')
    await page.clock.runFor(600)
    await foundIn(page, 1).waitFor()
    expect(searchesIn(scene)).toEqual(['Settings stay'])
  })

  test('chosen on a dying connection join the issue exactly once', async ({ scene }) => {
    const id = await publish(scene, SETTINGS)
    const page = await openForm(scene)
    await titleOf(page).fill('Settings blank')
    await foundIn(page, 1).waitFor()
    scene.gateway.mishap = { kind: 'lose the answer' }
    await sameOf(page).click()
    await statusOf(page, 'Saved. It will be sent as soon as possible.').waitFor()
    expect(await storedIn(page)).toContain(id)
    scene.gateway.mishap = undefined
    await page.reload()
    await page.waitForFunction(() => window.bugle !== undefined)
    await expect.poll(() => storedIn(page), TIMEOUT).not.toContain(id)
    expect(await reportCount(scene, id)).toBe(2)
    expect(await scene.issues()).toHaveLength(1)
  })

  test('chosen offline are sent later; a report that is refused keeps its choice for a retry', async ({
    scene,
  }) => {
    const id = await publish(scene, SETTINGS)
    const page = await openForm(scene)
    await titleOf(page).fill('Settings blank')
    await foundIn(page, 1).waitFor()
    scene.gateway.mishap = { kind: 'answer', status: 422, body: '{"requestId":"req_test"}' }
    await sameOf(page).click()
    await statusOf(page, 'The report was not accepted.').waitFor()
    scene.gateway.mishap = undefined
    await scene.profile.setOffline(true)
    await page.getByRole('button', { name: 'Retry' }).click()
    await statusOf(page, 'Saved. It will be sent when you are online.').waitFor()
    await scene.profile.setOffline(false)
    await expect.poll(() => reportCount(scene, id), TIMEOUT).toBe(2)
    expect(await scene.issues()).toHaveLength(1)
  })

  test('are chosen for one title: another title, or a missing field, clears the choice', async ({
    scene,
  }) => {
    const id = await publish(scene, SETTINGS)
    const page = await openWidget(scene, {
      options: { fields: [{ name: 'order', label: 'Order number', isRequired: true }] },
    })
    await launcherOf(page).click()
    await noteOf(page).waitFor()
    await titleOf(page).fill('Settings blank')
    await foundIn(page, 1).waitFor()
    await sameOf(page).click()
    await page.getByRole('textbox', { name: 'Order number' }).fill('12')
    await page.getByRole('button', { name: 'Send report' }).click()
    await statusOf(page, 'has arrived').waitFor()
    expect(await reportCount(scene, id)).toBe(1)
    expect(await scene.issues()).toHaveLength(2)
  })

  test('show hostile texts as text, in every state', async ({ scene }) => {
    await publish(scene, { title: `Settings ${HOSTILE}`, text: HOSTILE })
    const page = await openForm(scene)
    await titleOf(page).fill('Settings img src onerror window hacked script')
    await foundIn(page, 1).waitFor()
    expect(await suggestionsIn(page).innerText()).toContain(HOSTILE)
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    expect(await page.locator('bugle-report').locator('img, script, a').count()).toBe(0)
  })

  test('are readable on a dark page, on a phone, and in a page from right to left', async ({ scene }) => {
    await publish(scene, SETTINGS, { status: 'resolved', fixedIn: { appVersion: '2.5.0' } })
    await publish(scene, { title: 'Settings are lost', text: 'Long. '.repeat(300) })
    const dark = `<style>:root { color-scheme: dark }</style>${WIDGET.replace('<main>', '<main dir="rtl">')}`
    for (const body of [WIDGET, dark]) {
      const page = await openForm(scene, body)
      await page.setViewportSize({ width: 390, height: 700 })
      await titleOf(page).fill('Settings')
      await foundIn(page, 2).waitFor()
      expect(await (body === dark ? colourFindingsOf(page) : findingsOf(page))).toEqual([])
      // Long texts scroll in the list, and all buttons can be reached.
      for (const button of await sameOf(page).all()) await button.scrollIntoViewIfNeeded()
      // The other fields are free as soon as the person goes on.
      await titleOf(page).focus()
      await page.keyboard.press('Escape')
      await page.getByRole('textbox', { name: 'What did you do' }).click()
      await expect.poll(() => suggestionsIn(page).count()).toBe(0)
      await titleOf(page).click()
      await expect.poll(() => suggestionsIn(page).count()).toBe(2)
      await page.close()
    }
  })

  test('leave nothing of a title that was not submitted', async ({ scene }) => {
    await publish(scene, SETTINGS)
    const page = await openForm(scene)
    await titleOf(page).fill('Settings of Xylophone')
    await expect.poll(() => searchesIn(scene), TIMEOUT).toEqual(['Settings of Xylophone'])
    await titleOf(page).fill('Settings')
    await foundIn(page, 1).waitFor()
    expect(await storedIn(page)).not.toContain('Xylophone')
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Xylophone')
    expect(scene.gateway.seen.filter(({ line }) => line.includes('Xylophone'))).toEqual([])
    expect(await scene.issues()).toHaveLength(1)
  })

  test('go through the hook of the app, which may change or withhold the title', async ({ scene }) => {
    const page = await scene.open({ body: WIDGET })
    await page.evaluate(
      async ([endpoint, publicKey]) => {
        await window.bugle.close()
        window.bugle.init({
          endpoint: `${endpoint}`,
          publicKey: `${publicKey}`,
          beforeSend: (content) =>
            content.title.includes('private')
              ? null
              : { ...content, title: content.title.replace('Ada', '…') },
        })
        window.bugle.defineWidget()
      },
      [scene.gateway.url, scene.project.publicKey],
    )
    await launcherOf(page).click()
    await noteOf(page).waitFor()
    await page.clock.install()
    await titleOf(page).fill('A private matter')
    await page.clock.runFor(5_000)
    await titleOf(page).fill('Settings of Ada')
    await page.clock.runFor(600)
    await expect.poll(() => searchesIn(scene), TIMEOUT).toEqual(['Settings of …'])
  })
})

test('suggestions work under a strict policy with Trusted Types, in a language of its own file', async ({
  scene,
}) => {
  await publish(
    scene,
    { title: 'Einstellungen bleiben leer', text: 'Bitte neu laden.' },
    {
      status: 'resolved',
      fixedIn: { appVersion: '2.5.0' },
    },
  )
  const { gateway, project, profile, site } = scene
  const page = await profile.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', ({ message }) => complaints.push(message))
  const script = `<script src="/sdk/bugle-widget.js" data-endpoint="${gateway.url}" data-public-key="${project.publicKey}" data-app-version="2.3.0"></script>`
  await page.goto(
    site.page(`<!doctype html><html lang="de"><title>App</title>${script}${WIDGET}`, {
      'content-security-policy': `default-src 'none'; connect-src ${gateway.url}; script-src 'self'; style-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'`,
    }),
  )
  await page.getByRole('button', { name: 'Problem melden' }).click()
  await page.getByText('Wird beim Tippen gesendet').waitFor()
  await page.getByRole('textbox', { name: 'Was stimmt nicht?' }).fill('Einstellungen leer')
  await page.getByText('Behoben in 2.5.0, Sie haben 2.3.0').waitFor()
  await page.getByRole('button', { name: 'Ich habe dieses Problem auch' }).click()
  await page.getByRole('status').filter({ hasText: 'ist angekommen' }).waitFor()
  expect(await scene.issues()).toHaveLength(1)
  expect(complaints.filter((text) => !/favicon|404/.test(text))).toEqual([])
})

test('without the part, the widget still takes reports', async ({ scene }) => {
  await intercept(scene.profile, '**/suggestions.js', (route) => route.abort())
  const page = await openWidget(scene)
  await launcherOf(page).click()
  await titleOf(page).fill('Settings blank')
  await page.getByRole('button', { name: 'Send report' }).click()
  await statusOf(page, 'has arrived').waitFor()
})
