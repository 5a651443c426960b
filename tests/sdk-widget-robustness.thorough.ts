import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { intercept } from './support/intercept.ts'
import { setStage, test } from './support/sdk/stage.ts'
import { noteOf } from './support/sdk/suggestions.ts'
import {
  holdSubmissions,
  launcherOf,
  openWidget,
  sendReport,
  statusOf,
  titleOf,
  WIDGET,
} from './support/sdk/widget.ts'
import { attachButton, giveFiles, makeImage } from './support/sdk/widget-files.ts'

setStage()

/** What careless and hostile pages do to everything on them. */
const HOSTILE_RULES = [
  'html { font-size: 62.5%; letter-spacing: 4px; line-height: 3 }',
  'body { pointer-events: none; text-align: center; color: red; cursor: wait; user-select: none }',
  '* { box-sizing: content-box !important; font-family: fantasy !important }',
  '* { text-transform: uppercase !important; letter-spacing: 9px !important }',
  'button { display: none !important }',
  'input, textarea, select { opacity: 0 !important; height: 1px !important }',
  'label { color: transparent !important; float: left }',
  'dialog { position: static !important; width: 10px !important }',
  'dialog::backdrop { background: red !important }',
  '[popover] { display: none !important }',
  'bugle-report { display: none !important; visibility: hidden !important }',
  'bugle-report { opacity: 0.1 !important; transform: scale(0.1) !important; filter: blur(9px) !important }',
  'bugle-report { position: absolute !important; overflow: hidden !important; contain: strict !important }',
  'bugle-report { z-index: -1 !important; pointer-events: none !important; user-select: none !important }',
  'bugle-report { font: 40px/4 cursive !important; white-space: pre !important; word-spacing: 1em !important }',
  'bugle-report { text-indent: 5em !important; text-shadow: 0 0 9px red !important; visibility: hidden }',
  'svg { width: 200px !important; height: 200px !important; fill: red !important }',
  'h2, p, footer, header { display: none !important }',
  ':focus { outline: none !important }',
  'body { transform: rotate(180deg); opacity: 0.2; filter: invert(1); overflow: hidden; contain: paint }',
]

describe('the widget', () => {
  test('keeps what is typed while an earlier report is being sent', async ({ scene }) => {
    const page = await openWidget(scene)
    const release = await holdSubmissions(page)
    await sendReport(page, 'The first')
    await titleOf(page).fill('The second, half')
    release()
    await statusOf(page, 'has arrived').waitFor()
    expect(await titleOf(page).inputValue()).toBe('The second, half')
    await page.reload()
    await page.waitForFunction(() => window.bugle !== undefined)
    await page.evaluate(() => window.bugle.defineWidget())
    await launcherOf(page).click()
    await expect.poll(() => titleOf(page).inputValue()).toBe('The second, half')
  })

  test('stays open where it is moved to, and opens again after it was removed', async ({ scene }) => {
    const page = await openWidget(scene, { body: `${WIDGET}<aside></aside>` })
    await launcherOf(page).click()
    await titleOf(page).fill('On the move')
    await page.evaluate(() =>
      document.querySelector('aside')?.append(document.querySelector('bugle-report') ?? ''),
    )
    await page.getByRole('dialog').waitFor()
    expect(await titleOf(page).inputValue()).toBe('On the move')

    await page.evaluate(async () => {
      const element = document.querySelector('bugle-report')
      element?.remove()
      await new Promise((resolve) => setTimeout(resolve))
      document.body.append(element ?? '')
    })
    await launcherOf(page).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.evaluate(() => document.querySelector('bugle-report')?.open())
    await page.getByRole('dialog').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await statusOf(page, 'has arrived').waitFor()

    // Opened before it is on the page.
    await page.evaluate(() => {
      document.querySelector('bugle-report')?.remove()
      const element = document.createElement('bugle-report')
      element.open()
      document.body.append(element)
    })
    await page.getByRole('dialog').waitFor()
  })

  test('works on a page that takes no clicks', async ({ scene }) => {
    const page = await openWidget(scene, { head: '<style>body { pointer-events: none }</style>' })
    await sendReport(page, 'Under a curtain')
    await statusOf(page, 'has arrived').waitFor()
  })

  test('looks and works the same under hostile style', async ({ scene }) => {
    const plain = await openWidget(scene)
    const hostile = await openWidget(scene, { head: `<style>${HOSTILE_RULES.join('\n')}</style>` })
    for (const page of [plain, hostile]) {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await launcherOf(page).waitFor()
    }
    expect(await lookOf(hostile)).toEqual(await lookOf(plain))
    for (const page of [plain, hostile]) {
      await launcherOf(page).click()
      // Each belongs to a part that is loaded later.
      await attachButton(page).waitFor()
      await noteOf(page).waitFor()
    }
    const look = await lookOf(plain)
    expect(look.length).toBeGreaterThan(20)
    expect(await lookOf(hostile)).toEqual(look)
    const image = await makeImage(plain, { width: 400, height: 300 })
    for (const page of [plain, hostile]) {
      await giveFiles(page, 'paste', [{ name: 'screen.png', type: 'image/png', bytes: image }])
      await page.getByRole('button', { name: 'Edit screen.png' }).click()
      await page.getByRole('dialog', { name: 'Edit image' }).waitFor()
    }
    expect(await lookOf(hostile)).toEqual(await lookOf(plain))
    await hostile.getByRole('button', { name: 'Done' }).click()
    await titleOf(hostile).fill('Ugly page')
    await hostile.getByRole('button', { name: 'Send' }).click()
    await statusOf(hostile, 'has arrived').waitFor()
  })

  test('has the colours of the page, not of the system', async ({ scene }) => {
    const both = '<meta name="color-scheme" content="light dark">'
    const pages = [
      { system: 'dark', head: '', look: 'light' },
      { system: 'dark', head: both, look: 'dark' },
      { system: 'light', head: both, look: 'light' },
      { system: 'dark', head: '<style>:root { color-scheme: light }</style>', look: 'light' },
      { system: 'light', head: '<style>:root { color-scheme: dark }</style>', look: 'dark' },
      { system: 'light', head: '<style>body { background: oklch(0.2 0.02 260) }</style>', look: 'dark' },
      { system: 'light', head: '', attribute: 'theme="dark"', look: 'dark' },
      {
        system: 'dark',
        head: '<style>body { background: #111 }</style>',
        attribute: 'theme="light"',
        look: 'light',
      },
    ] as const
    const page = await scene.profile.newPage()
    for (const { system, head, look, ...rest } of pages) {
      const attribute = 'attribute' in rest ? rest.attribute : ''
      await page.emulateMedia({ colorScheme: system })
      await page.goto(
        scene.site.page(`<!doctype html><html lang="en">${head}<title>App</title><body><bugle-report ${attribute}></bugle-report>
<script src="/sdk/bugle-widget.js" data-public-key="bgl_pub_x" data-endpoint="${scene.gateway.url}"></script>`),
      )
      await launcherOf(page).click()
      expect([system, head, attribute, await lightnessOf(page)]).toEqual([system, head, attribute, look])
    }
    // A page that is switched over while a person is writing in the panel.
    await page.getByRole('textbox', { name: 'What did you do' }).fill('In the middle of')
    await page.evaluate(() => {
      document.querySelector('bugle-report')?.removeAttribute('theme')
      document.body.setAttribute('style', 'background: white')
    })
    await expect.poll(() => lightnessOf(page)).toBe('light')
    await page.evaluate(() => document.body.setAttribute('style', 'background: black'))
    await expect.poll(() => lightnessOf(page)).toBe('dark')
    await page.keyboard.type(' a word')
    const text = await page.getByRole('textbox', { name: 'What did you do' }).inputValue()
    expect(text).toBe('In the middle of a word')
  })

  test('takes single texts from the app and the others from its own', async ({ scene }) => {
    const options = { languages: { en: { submit: 'Off it goes', categories: { bug: 'Broken' } } } }
    const page = await openWidget(scene, { options: options as never })
    await launcherOf(page).click()
    await page.getByRole('button', { name: 'Off it goes' }).waitFor()
    const kinds = await page.getByRole('combobox', { name: 'Kind of problem' }).innerText()
    expect(kinds.split('\n').map((line) => line.trim())).toEqual([
      'Broken',
      'It crashed',
      'It is slow',
      'It looks wrong',
      'Security concern',
    ])
  })

  test('has the language of what it is in', async ({ scene }) => {
    const page = await openWidget(scene, {
      body: '<main lang="de-AT"><p><bugle-report></bugle-report></p></main>',
    })
    await page.getByRole('button', { name: 'Problem melden' }).click()
    await page.getByRole('textbox', { name: 'Was stimmt nicht?' }).waitFor()

    // Also through the shadow tree of a component.
    await page.evaluate(() => {
      const component = document.createElement('section')
      component.lang = 'de'
      component.attachShadow({ mode: 'open' }).append(document.createElement('bugle-report'))
      document.body.replaceChildren(component)
    })
    await page.getByRole('button', { name: 'Problem melden' }).waitFor()
  })
})

describe('a language that is changed', () => {
  test('is the one that was set last, whichever file arrives first', async ({ scene }) => {
    const gate = Promise.withResolvers<void>()
    await intercept(scene.profile, '**/de.js', async (route) => {
      await gate.promise
      await route.continue()
    })
    const page = await openWidget(scene, { body: '<bugle-report lang="de"></bugle-report>' })
    await page.evaluate(() => document.querySelector('bugle-report')?.setAttribute('lang', 'fr'))
    const launcher = page.getByRole('button', { name: 'Signaler un problème' })
    await launcher.waitFor()
    const arrived = page.waitForResponse('**/de.js')
    gate.resolve()
    await (await arrived).finished()
    await page.evaluate("import('/sdk/esm/shared/de.js').then(() => {})")
    expect(await page.getByRole('button').allInnerTexts()).toEqual(['Signaler un problème'])
    await launcher.click()
    await page.getByRole('heading', { name: 'Signaler un problème' }).waitFor()
  })
})

/** Whether the panel is light or dark. */
async function lightnessOf(page: Page): Promise<string> {
  return page.getByRole('dialog').evaluate((dialog) => {
    const [red = 0] = getComputedStyle(dialog).backgroundColor.match(/\d+/g) ?? []
    return Number(red) > 128 ? 'light' : 'dark'
  })
}

/** The computed style and the place of everything in the widget. */
function lookOf(page: Page) {
  return page.evaluate(() => {
    const inside = document.querySelector('bugle-report')?.shadowRoot?.querySelectorAll('*')
    return [...(inside ?? [])].map((element) => {
      const style = getComputedStyle(element)
      const { x, y, width, height } = element.getBoundingClientRect()
      const values = [...style].sort().map((name) => `${name}: ${style.getPropertyValue(name)}`)
      return { tag: element.tagName, place: [x, y, width, height].map(Math.round).join(' '), values }
    })
  })
}
