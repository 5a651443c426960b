import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../packages/server/test-support/temporary-folder.ts'
import { type EngineScene, setEngineStage } from './engine-stage.ts'
import type { Engine, EnginePage } from './engines.ts'
import { fakeDisplay, makeImage, pixelsOf, storedFiles, withExif } from './widget-files.ts'

const TIMEOUT = { timeout: 60_000 }
const COLOURS = {
  green: [0, 170, 0],
  secret: [255, 0, 0],
  black: [0, 0, 0],
  mark: [229, 36, 59],
  widget: [49, 72, 196],
} as const
const WARNING = 'Check that this screenshot shows nothing private.'
const BODY = `<style>
body { margin: 0; background: #00aa00 }
#secret { position: fixed; left: 40%; top: 40%; width: 20%; height: 20%; margin: 0; background: #ff0000; color: #ff0000 }
</style>`

/**
 * What the widget must do with files in every engine, with real keys and a real mouse. `hasDisplay`: the engine can capture
 * the page here. Otherwise a canvas stands for what it captures.
 */
export function describeWidget(
  name: string,
  start: () => Promise<Engine>,
  { hasDisplay }: { readonly hasDisplay: boolean },
): void {
  describe(`in ${name}, the widget`, () => {
    const stage = setEngineStage(start)

    /** Opens a page, and the form in it. */
    async function openForm(scene: EngineScene, secret = ''): Promise<EnginePage> {
      const page = await stage.engine.open(
        stage.site.page(`<!doctype html><html lang="en"><title>App</title>${BODY}${secret}
<bugle-report></bugle-report><script type="module">
import { init } from '/sdk/esm/browser.js'
import { defineWidget } from '/sdk/esm/widget.js'
init(${scene.options})
defineWidget()
</script>`),
      )
      await click(page, 'Report a problem')
      // Another part has these, which is loaded with the form.
      await placeOf(page, 'Attach a file')
      await page.evaluate(() => {
        const title = document.querySelector('bugle-report')?.shadowRoot?.querySelector('input')
        if (title) title.value = 'With files'
      }, undefined)
      return page
    }

    /** Sends the report, and returns its files as the server has stored them. */
    async function send(scene: EngineScene, page: EnginePage, count: number) {
      await click(page, 'Send report')
      await waitForText(page, 'Your report has arrived.')
      await expect.poll(async () => (await storedFiles(scene)).length, TIMEOUT).toBe(count)
      return storedFiles(scene)
    }

    async function sendScreenshot(scene: EngineScene, page: EnginePage) {
      await click(page, 'Done')
      await waitForText(page, 'screenshot.png')
      const [file] = await send(scene, page, 1)
      return pixelsOf(page, file?.bytes ?? Buffer.alloc(0), COLOURS)
    }

    test('takes files that are pasted, dropped and picked, and images without what a camera adds', async () => {
      await using scene = await stage.setScene()
      using folder = temporaryFolder()
      const page = await openForm(scene)
      // Of different sizes: equal files would be sent once.
      const takePhoto = async (width: number) =>
        withExif(await makeImage(page, { width, type: 'image/jpeg' }))
      const path = join(folder.path, 'picked.jpg')
      const picked = await takePhoto(40)
      expect(picked.includes('52.5163')).toBe(true)
      writeFileSync(path, picked)
      await page.pick(
        () =>
          document
            .querySelector('bugle-report')
            ?.shadowRoot?.querySelector('input[type=file]') as HTMLInputElement,
        path,
      )
      await waitForText(page, 'picked.jpg')
      await give(page, 'paste', await takePhoto(50))
      await waitForText(page, 'paste.jpg')
      await give(page, 'drop', await takePhoto(60))
      await waitForText(page, 'drop.jpg')
      const files = await send(scene, page, 3)
      const heights: Record<string, number> = {}
      for (const file of files) {
        expect(file.bytes.includes('Exif')).toBe(false)
        expect(file.bytes.includes('52.5163')).toBe(false)
        const { width, height, green } = await pixelsOf(page, file.bytes, { green: COLOURS.green })
        expect([width, green]).toEqual([20, 20 * height])
        heights[file.name] = height
      }
      // Upright, as the camera wanted it.
      expect(heights).toEqual({ 'picked.jpg': 40, 'paste.jpg': 50, 'drop.jpg': 60 })
      await page.close()
    })

    test('paints over what is masked in a screenshot of this page', async () => {
      await using scene = await stage.setScene()
      const page = await openForm(scene, '<p id="secret" data-bugle-mask>4111</p>')
      if (!hasDisplay) await fakeDisplay(page)
      await click(page, 'Take a screenshot')
      const { secret, green, black, widget, width, height } = await sendScreenshot(scene, page)
      // The form is not part of the picture.
      expect({ secret, widget }).toEqual({ secret: 0, widget: 0 })
      expect(green).toBeGreaterThan(0.8 * width * height)
      expect(black).toBeGreaterThan(0.04 * width * height)
      await page.close()
    })

    test('sends what the browser captures with marks, without what is blacked out and cut off', async () => {
      await using scene = await stage.setScene()
      const page = await openForm(scene, '<p id="secret">4111</p>')
      if (!hasDisplay) await fakeDisplay(page, { isPage: false })
      await click(page, 'Take a screenshot')
      const whole = await sizeOfImage(page)
      // Only a page can be masked, so the person is asked to check anything else.
      expect((await textOf(page)).includes(WARNING)).toBe(!hasDisplay)
      await click(page, 'Black out')
      await draw(page, [0.38, 0.38], [0.62, 0.62])
      await click(page, 'Crop')
      await draw(page, [0.2, 0.2], [0.8, 0.8])
      await click(page, 'Arrow')
      await draw(page, [0.1, 0.1], [0.3, 0.3])
      await click(page, 'Box')
      await draw(page, [0.7, 0.7], [0.9, 0.9])
      await click(page, 'Pen')
      await draw(page, [0.1, 0.9], [0.3, 0.8])
      await click(page, 'Text')
      await draw(page, [0.5, 0.1], [0.5, 0.1])
      await expect.poll(() => isTyping(page), TIMEOUT).toBe(true)
      await page.keyboard.type('Here')
      await page.keyboard.press('Enter')
      await waitForText(page, 'Text (6)')
      const { width, height, secret, green, black, mark } = await sendScreenshot(scene, page)
      // The mouse is exact to a pixel of the screen.
      expect(Math.abs(width / whole.width - 0.6)).toBeLessThan(0.02)
      expect(Math.abs(height / whole.height - 0.6)).toBeLessThan(0.02)
      expect(black).toBeGreaterThan(0.9 * (0.24 / 0.6) ** 2 * width * height)
      expect(mark).toBeGreaterThan(200)
      expect(secret).toBe(0)
      expect(green).toBeGreaterThan(0.5 * width * height)
      await page.close()
    })
  })
}

/** Everything that is visible in the widget, and what it says to screen readers. */
function textOf(page: EnginePage): Promise<string> {
  return page.evaluate(() => {
    const root = document.querySelector('bugle-report')?.shadowRoot
    return [...(root?.querySelectorAll('[role=status],li,.note') ?? [])]
      .map(({ textContent }) => textContent)
      .join('\n')
  }, undefined)
}

/** Whether a key would be typed into the image. */
function isTyping(page: EnginePage): Promise<boolean> {
  return page.evaluate(
    () =>
      document.querySelector('bugle-report')?.shadowRoot?.activeElement?.classList.contains('entry') === true,
    undefined,
  )
}

async function waitForText(page: EnginePage, text: string): Promise<void> {
  await expect.poll(() => textOf(page), TIMEOUT).toContain(text)
}

/** The middle of a button, once it is there and can be used. */
async function placeOf(page: EnginePage, name: string): Promise<readonly [number, number]> {
  let place: readonly [number, number] | undefined
  await expect
    .poll(async () => {
      place = await page.evaluate((wanted) => {
        const root = document.querySelector('bugle-report')?.shadowRoot
        const buttons = [...(root?.querySelectorAll('button') ?? [])].filter(
          (one) => one.textContent === wanted && !one.disabled,
        )
        const button = buttons.at(-1)
        if (!button?.checkVisibility()) return undefined
        button.scrollIntoView({ block: 'nearest' })
        const { x, y, width, height } = button.getBoundingClientRect()
        const middle = [x + width / 2, y + height / 2] as const
        // Nothing covers it, and it does not move any more.
        return root?.elementFromPoint(...middle)?.closest('button') === button &&
          !button.closest('dialog')?.getAnimations()[0]
          ? middle
          : undefined
      }, name)
      return place !== undefined
    }, TIMEOUT)
    .toBe(true)
  return place as readonly [number, number]
}

async function click(page: EnginePage, name: string): Promise<void> {
  await page.mouse.move(...(await placeOf(page, name)))
  await page.mouse.down()
  await page.mouse.up()
}

async function sizeOfImage(page: EnginePage): Promise<{ readonly width: number; readonly height: number }> {
  await placeOf(page, 'Done')
  const { width, height } = await boxOfImage(page)
  return { width, height }
}

/** The image in the editor: its own size, and where it is on the screen. */
function boxOfImage(page: EnginePage) {
  return page.evaluate(() => {
    const canvas = document
      .querySelector('bugle-report')
      ?.shadowRoot?.querySelector('.editor canvas') as HTMLCanvasElement
    const { x, y, width: across, height: down } = canvas.getBoundingClientRect()
    return { width: canvas.width, height: canvas.height, x, y, across, down }
  }, undefined)
}

/** Draws with the mouse: from and to are parts of the image's width and height. */
async function draw(
  page: EnginePage,
  from: readonly [number, number],
  to: readonly [number, number],
): Promise<void> {
  const { x, y, across, down } = await boxOfImage(page)
  await page.mouse.move(x + from[0] * across, y + from[1] * down)
  await page.mouse.down()
  await page.mouse.move(x + to[0] * across, y + to[1] * down, { steps: 4 })
  await page.mouse.up()
}

/** Pastes a file into the title, or drops it there. Not every engine lets a script fill the events otherwise. */
function give(page: EnginePage, kind: 'paste' | 'drop', photo: Buffer): Promise<void> {
  return page.evaluate(
    ({ event, base64 }) => {
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([content], `${event}.jpg`, { type: 'image/jpeg' }))
      const title = document.querySelector('bugle-report')?.shadowRoot?.querySelector('input')
      for (const type of event === 'paste' ? ['paste'] : ['dragover', 'drop']) {
        const made = new Event(type, { bubbles: true, composed: true, cancelable: true })
        for (const field of ['clipboardData', 'dataTransfer'])
          Object.defineProperty(made, field, { value: data })
        title?.dispatchEvent(made)
      }
    },
    { event: kind, base64: photo.toString('base64') },
  )
}
