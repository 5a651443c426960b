import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { type Scene, setStage, test } from './support/sdk/stage.ts'
import { launcherOf, openWidget, statusOf, titleOf } from './support/sdk/widget.ts'
import { fakeDisplay, pixelsOf, storedFiles } from './support/sdk/widget-files.ts'

setStage()

const TIMEOUT = { timeout: 60_000 }
const COLOURS = {
  green: [0, 170, 0],
  secret: [255, 0, 0],
  black: [0, 0, 0],
  mark: [229, 36, 59],
} as const
const WARNING = 'Check that this screenshot shows nothing private.'

/** A page with something in its middle that must not be seen. */
function pageWith(secret: string): string {
  return `<style>#secret { position: absolute; left: 40%; top: 40%; width: 20%; height: 20%; margin: 0; box-sizing: border-box }</style>
<main><h1>App</h1>${secret}<bugle-report></bugle-report></main>`
}

/** Opens a page, and takes a screenshot of a fake display. The editor is open then. */
async function capture(scene: Scene, body: string, display?: { readonly isPage: boolean }): Promise<Page> {
  const page = await openWidget(scene, { body })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await fakeDisplay(page, display)
  await launcherOf(page).click()
  await titleOf(page).fill('With a screenshot')
  await page.getByRole('button', { name: 'Take a screenshot' }).click()
  await page.getByRole('dialog', { name: 'Edit image' }).waitFor()
  return page
}

const choose = (page: Page, tool: string) => page.getByRole('button', { name: tool, exact: true }).click()

/** Draws with the mouse: from and to are parts of the image's width and height. */
async function draw(
  page: Page,
  from: readonly [number, number],
  to: readonly [number, number],
): Promise<void> {
  const box = await page.getByRole('application').boundingBox()
  if (!box) throw new Error('there is no image')
  const at = ([x, y]: readonly [number, number]) => [box.x + x * box.width, box.y + y * box.height] as const
  await page.mouse.move(...at(from))
  await page.mouse.down()
  await page.mouse.move(...at(to), { steps: 4 })
  await page.mouse.up()
}

/** Ends editing, sends the report, and returns the only file as the server has stored it, decoded. */
async function sendAndDecode(scene: Scene, page: Page, beforeSending = async () => {}) {
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('checkbox', { name: 'screenshot.png' }).waitFor()
  await beforeSending()
  await page.getByRole('button', { name: 'Send' }).click()
  await statusOf(page, 'has arrived').waitFor()
  await expect.poll(async () => (await storedFiles(scene)).length, TIMEOUT).toBe(1)
  const [file] = await storedFiles(scene)
  return pixelsOf(page, file?.bytes ?? Buffer.alloc(0), COLOURS)
}

describe('a screenshot', () => {
  test.for([
    ['an element that the app marks', '<p id="secret" data-bugle-mask>4111 1111</p>'],
    ['a password', '<input id="secret" type="password" aria-label="Password">'],
    ['a password that is shown', '<input id="secret" autocomplete="current-password" aria-label="Password">'],
    ['a component', '<x-card id="secret"></x-card>'],
    ['a frame', '<iframe id="secret" title="Card" style="border: 0"></iframe>'],
  ])('of this page does not show %s', async ([, body = ''], { scene }) => {
    const page = await openWidget(scene, { body: pageWith(body) })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    // What is masked is inside of a shadow tree or another document.
    await page.evaluate(() => {
      const element = document.getElementById('secret')
      const masked = '<p data-bugle-mask style="margin: 0; height: 100vh">4111 1111</p>'
      if (element instanceof HTMLIFrameElement && element.contentDocument)
        element.contentDocument.body.innerHTML = `<style>body { margin: 0 }</style>${masked}`
      else if (element?.localName === 'x-card')
        element.attachShadow({ mode: 'open' }).innerHTML = masked.replace('100vh', '100%')
    })
    await fakeDisplay(page)
    await launcherOf(page).click()
    await titleOf(page).fill('With a screenshot')
    await page.getByRole('button', { name: 'Take a screenshot' }).click()
    await page.getByRole('dialog', { name: 'Edit image' }).waitFor()
    const { width, height, secret, black, mark } = await sendAndDecode(scene, page)
    expect({ width, height, secret, mark }).toEqual({ width: 2560, height: 1440, secret: 0, mark: 0 })
    expect(black).toBeGreaterThan(0.04 * 2560 * 1440)
    expect(black).toBeLessThan(0.05 * 2560 * 1440)
    expect(await page.getByRole('alert').count()).toBe(0)
    // The browser no longer says that the page is shared.
    expect(await page.evaluate(() => document.documentElement.dataset['stopped'])).toBe('yes')
  })

  test('that never arrives does not keep the form hidden', async ({ scene }) => {
    const page = await openWidget(scene, { body: pageWith('') })
    // A display without a picture.
    await page.evaluate(() => {
      const getDisplayMedia = async () => document.createElement('canvas').captureStream(0)
      Object.defineProperty(navigator, 'mediaDevices', { value: { getDisplayMedia } })
    })
    await launcherOf(page).click()
    await titleOf(page).fill('Without a screenshot')
    await page.getByRole('button', { name: 'Take a screenshot' }).click()
    await page.getByText('No screenshot was taken.').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await statusOf(page, 'has arrived').waitFor()
  })

  test('of anything else is sent after a warning, without what was blacked out and cut off', async ({
    scene,
  }) => {
    const page = await capture(scene, pageWith('<p id="secret" data-bugle-mask>4111</p>'), { isPage: false })
    await page.getByRole('dialog').getByText(WARNING).waitFor()
    await choose(page, 'Black out')
    await draw(page, [0.38, 0.38], [0.62, 0.62])
    await choose(page, 'Crop')
    await draw(page, [0.2, 0.2], [0.8, 0.8])
    await choose(page, 'Arrow')
    await draw(page, [0.1, 0.1], [0.3, 0.3])
    await choose(page, 'Box')
    await draw(page, [0.7, 0.7], [0.9, 0.9])
    await choose(page, 'Pen')
    await draw(page, [0.1, 0.9], [0.3, 0.8])
    await choose(page, 'Text')
    await draw(page, [0.5, 0.1], [0.5, 0.1])
    await page.locator('.entry:focus').waitFor()
    await page.keyboard.type('Here')
    await page.keyboard.press('Enter')
    const pixels = await sendAndDecode(scene, page, async () => {
      // It can be edited again, and the warning stays until the report is sent.
      await page.getByRole('button', { name: 'Edit screenshot.png' }).waitFor()
      await page.getByRole('alert').filter({ hasText: WARNING }).waitFor()
    })
    expect(pixels['secret']).toBe(0)
    expect(pixels['black']).toBeGreaterThan(100 * 80)
    expect(pixels['mark']).toBeGreaterThan(200)
    // Of 500 by 400; the mouse is exact to a pixel of the screen.
    expect(Math.abs(pixels.width - 300)).toBeLessThan(5)
    expect(Math.abs(pixels.height - 240)).toBeLessThan(5)
  })

  test('is drawn on by keyboard alone, step by step, and each step can be undone', async ({ scene }) => {
    const page = await capture(scene, pageWith('<p id="secret">4111</p>'), { isPage: false })
    const tab = async (count: number) => {
      for (let index = 0; index < count; index++) await page.keyboard.press('Tab')
    }
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement?.shadowRoot?.activeElement
        return element?.getAttribute('aria-label') ?? element?.textContent
      })
    await expect.poll(focused).toBe('Arrow')
    await tab(4)
    expect(await focused()).toBe('Black out')
    await page.keyboard.press('Enter')
    // Crop, Undo, Cancel, Done, and then the image.
    await tab(5)
    expect(await focused()).toContain('The arrow keys move the pointer')
    const press = async (key: string, count: number) => {
      for (let index = 0; index < count; index++) await page.keyboard.press(key)
    }
    // From the middle to the upper left of the secret, and from there to its lower right.
    const say = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()
    await press('Shift+ArrowLeft', 2)
    await press('Shift+ArrowUp', 2)
    await press('Space', 1)
    await press('Shift+ArrowRight', 4)
    await press('Shift+ArrowDown', 4)
    await press('Space', 1)
    await say('Black out (1)')
    await page.keyboard.press('Control+z')
    await say('Undo (0)')
    await press('Space', 1)
    await press('Shift+ArrowLeft', 4)
    await press('Shift+ArrowUp', 4)
    await press('Enter', 1)
    await say('Black out (1)')
    const { width, height, secret } = await sendAndDecode(scene, page)
    expect({ width, height, secret }).toEqual({ width: 500, height: 400, secret: 0 })
  })

  test('is not changed by a person who cancels, and is not sent if it is removed', async ({ scene }) => {
    const page = await capture(scene, pageWith('<p id="secret" data-bugle-mask>4111</p>'))
    await draw(page, [0.1, 0.1], [0.3, 0.3])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Edit image' }).waitFor({ state: 'hidden' })
    // Only the editor was closed. It can be opened again.
    await page.getByRole('button', { name: 'Edit screenshot.png' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Remove screenshot.png' }).click()
    await expect.poll(() => page.getByRole('listitem').count()).toBe(0)
    await page.getByRole('button', { name: 'Send' }).click()
    await statusOf(page, 'has arrived').waitFor()
    expect(await page.evaluate(() => window.bugle.flush())).toBe(true)
    expect(await storedFiles(scene)).toEqual([])
  })

  test('is taken by the app, if it wants to, and masked if it shows the page', async ({ scene }) => {
    const page = await openWidget(scene, { body: pageWith('<p id="secret" data-bugle-mask>4111</p>') })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.evaluate(() => {
      window.bugle.defineWidget({
        async takeScreenshot() {
          const canvas = document.createElement('canvas')
          Object.assign(canvas, { width: innerWidth, height: innerHeight })
          const context = canvas.getContext('2d') as CanvasRenderingContext2D
          context.fillStyle = '#ff0000'
          context.fillRect(innerWidth * 0.4, innerHeight * 0.4, innerWidth * 0.2, innerHeight * 0.2)
          return { image: canvas, isPage: true }
        },
      })
    })
    await launcherOf(page).click()
    await titleOf(page).fill('With a screenshot')
    await page.getByRole('button', { name: 'Take a screenshot' }).click()
    const { width, height, secret } = await sendAndDecode(scene, page)
    expect({ width, height, secret }).toEqual({ width: 1280, height: 720, secret: 0 })
    await page.getByRole('button', { name: 'Close' }).click()

    // A function that fails leaves the form as it is.
    await page.evaluate(() => {
      window.bugle.defineWidget({ takeScreenshot: () => Promise.reject(new Error('no')) })
    })
    await launcherOf(page).click()
    await titleOf(page).fill('Still here')
    await page.getByRole('button', { name: 'Take a screenshot' }).click()
    await page.getByRole('alert').filter({ hasText: 'No screenshot was taken' }).waitFor()
    await expect.poll(() => titleOf(page).inputValue()).toBe('Still here')
  })
})
