import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { type Scene, setStage, test } from './support/sdk/stage.ts'

setStage()

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const BODY = '<main><h1>App</h1><bugle-report></bugle-report></main>'

async function openWidget(scene: Scene, body = BODY): Promise<Page> {
  const page = await scene.open({ body })
  await page.evaluate(() => window.bugle.defineWidget())
  return page
}

describe('the widget', () => {
  test('takes a report by keyboard alone, and says that it has arrived', async ({ scene }) => {
    const page = await openWidget(scene)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Settings stay blank')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Since the update')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'the report has arrived' }).waitFor()
    expect(await scene.issues()).toMatchObject([
      { title: 'Settings stay blank', excerpt: 'Since the update', category: 'crash', platform: 'web' },
    ])
    expect(await page.getByRole('textbox', { name: 'What is wrong?' }).inputValue()).toBe('')
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BUGLE-REPORT')
  })

  test('tells the truth when the report has to wait', async ({ scene }) => {
    const page = await openWidget(scene)
    await scene.profile.setOffline(true)
    await fillIn(page, 'No network')
    await page.getByRole('status').filter({ hasText: 'will be sent as soon as possible' }).waitFor()
    await scene.profile.setOffline(false)
    await expect.poll(() => scene.issues()).toMatchObject([{ title: 'No network' }])
  })

  test('keeps the text when the report is not taken', async ({ scene }) => {
    const page = await openWidget(scene)
    scene.gateway.mishap = { kind: 'answer', status: 400, body: '{"requestId":"req_test"}' }
    await fillIn(page, 'Precious words')
    await page.getByRole('status').filter({ hasText: 'could not be taken' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'What is wrong?' }).inputValue()).toBe('Precious words')
  })

  test('keeps a draft when it is closed and when the page is loaded again', async ({ scene }) => {
    const page = await openWidget(scene)
    await page.getByRole('button', { name: 'Report a problem' }).click()
    await page.getByRole('textbox', { name: 'What is wrong?' }).fill('Half a thought')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.reload()
    await page.waitForFunction(() => window.bugle !== undefined)
    await page.evaluate(() => window.bugle.defineWidget())
    await page.getByRole('button', { name: 'Report a problem' }).click()
    expect(await page.getByRole('textbox', { name: 'What is wrong?' }).inputValue()).toBe('Half a thought')
  })

  test('asks for a title, and sends nothing without one', async ({ scene }) => {
    const page = await openWidget(scene)
    await fillIn(page, '')
    expect(await page.getByRole('status').textContent()).toBe('')
    expect(scene.gateway.countSubmissions()).toBe(0)
  })

  test('does not let the page take what is typed for its shortcuts', async ({ scene }) => {
    const page = await openWidget(scene)
    await page.evaluate(() => {
      const heard: string[] = []
      Object.assign(window, { heard })
      document.addEventListener('keydown', ({ key }) => heard.push(key))
    })
    await page.getByRole('button', { name: 'Report a problem' }).click()
    await page.keyboard.type('jk')
    expect(await page.evaluate('heard')).toEqual([])
  })

  test('speaks the language of the page', async ({ scene }) => {
    const page = await openWidget(scene, '<main lang="de"><bugle-report lang="de-AT"></bugle-report></main>')
    await page.getByRole('button', { name: 'Problem melden' }).click()
    await page.getByRole('dialog', { name: 'Problem melden' }).waitFor()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`has nothing for axe to find, in ${colorScheme}`, async ({ scene }) => {
      const page = await openWidget(scene)
      await page.emulateMedia({ colorScheme })
      expect(await violationsOf(page)).toEqual([])
      await page.getByRole('button', { name: 'Report a problem' }).click()
      expect(await violationsOf(page)).toEqual([])
    })
  }
})

describe('the widget under a strict content security policy with Trusted Types', () => {
  test('looks and works as anywhere', async ({ scene }) => {
    const { gateway, profile, project, site } = scene
    const policy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${gateway.url}; require-trusted-types-for 'script'; trusted-types 'none'`
    const script = `<script src="/sdk/bugle-with-widget.js" data-endpoint="${gateway.url}" data-public-key="${project.publicKey}"></script>`
    const page = await profile.newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', ({ message }) => complaints.push(message))
    await page.goto(
      site.page(`<!doctype html><html lang="en">${script}${BODY}`, { 'content-security-policy': policy }),
    )
    await fillIn(page, 'Locked down')
    await page.getByRole('status').filter({ hasText: 'has arrived' }).waitFor()
    const radius = await page.getByRole('dialog').evaluate((dialog) => getComputedStyle(dialog).borderRadius)
    expect(radius).not.toBe('0px')
    expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([])
    expect(await scene.issues()).toMatchObject([{ title: 'Locked down' }])
  })
})

/** What axe finds wrong with the page, shadow roots included. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE)
  const { violations } = await page.evaluate<{ violations: { id: string }[] }>('axe.run()')
  return violations.map(({ id }) => id)
}

async function fillIn(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Report a problem' }).click()
  await page.getByRole('textbox', { name: 'What is wrong?' }).fill(title)
  await page.getByRole('button', { name: 'Send' }).click()
}
