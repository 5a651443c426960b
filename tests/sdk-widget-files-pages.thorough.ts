import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { findingsOf } from './support/dashboard/axe.ts'
import { type Scene, setStage, test } from './support/sdk/stage.ts'
import { launcherOf, openWidget, statusOf, titleOf, WIDGET } from './support/sdk/widget.ts'
import { attachButton, fakeDisplay, giveFiles, makeImage, storedFiles } from './support/sdk/widget-files.ts'

setStage()

const TIMEOUT = { timeout: 60_000 }
const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types 'none'"
/** An image of one colour, encoded by a browser. */
let png: Buffer | undefined

async function image(page: Page) {
  png ??= await makeImage(page, { width: 600, height: 400 })
  return { name: 'screen.png', type: 'image/png', bytes: png }
}

function scriptTag({ gateway, project }: Scene, attributes = ''): string {
  return `<script ${attributes} src="/sdk/bugle-widget.js" data-endpoint="${gateway.url}" data-public-key="${project.publicKey}"></script>`
}

/** Blacks out a part of the image in the editor, which is open. */
async function blackOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Black out' }).click()
  const box = await page.getByRole('application').boundingBox()
  if (!box) throw new Error('there is no image')
  await page.mouse.move(box.x + 5, box.y + 5)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 3 })
  await page.mouse.up()
  await page.getByRole('status').filter({ hasText: 'Black out (1)' }).waitFor()
}

describe('files in the widget work', () => {
  test('under a strict policy with Trusted Types, with and without a nonce', async ({ scene }) => {
    const blank = await scene.open()
    const file = await image(blank)
    const policies = [
      { policy: `script-src 'self'; style-src 'self'`, attributes: '' },
      { policy: `script-src 'nonce-abc'; style-src 'nonce-abc'`, attributes: 'nonce="abc"' },
    ]
    for (const { policy, attributes } of policies) {
      const page = await scene.profile.newPage()
      const texts: string[] = []
      page.on('console', (message) => texts.push(message.text()))
      page.on('pageerror', ({ message }) => texts.push(message))
      await page.goto(
        scene.site.page(
          `<!doctype html><html lang="en"><title>App</title>${scriptTag(scene, attributes)}${WIDGET}`,
          {
            'content-security-policy': `default-src 'none'; connect-src ${scene.gateway.url}; ${policy}; ${TRUSTED_TYPES}`,
          },
        ),
      )
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await launcherOf(page).click()
      await attachButton(page).waitFor()
      await giveFiles(page, 'paste', [file])
      await page.getByRole('button', { name: 'Edit screen.png' }).click()
      await blackOut(page)
      await page.getByRole('button', { name: 'Done' }).click()
      await titleOf(page).fill('Locked')
      await page.getByRole('button', { name: 'Send' }).click()
      await statusOf(page, 'has arrived').waitFor()
      await expect.poll(async () => (await storedFiles(scene)).length, TIMEOUT).toBe(1)
      expect(texts.filter((text) => !/favicon|404/.test(text))).toEqual([])
      await page.close()
    }
    expect(await scene.issues()).toHaveLength(2)
  })

  test('inside an iframe, also in one that can store nothing', async ({ scene }) => {
    const inner = scene.site.page(
      `<!doctype html><html lang="en"><title>Inner</title>${scriptTag(scene)}${WIDGET}`,
    )
    const page = await scene.profile.newPage()
    for (const [index, sandbox] of [
      'allow-scripts allow-same-origin allow-forms',
      'allow-scripts allow-forms',
    ].entries()) {
      await page.goto(
        scene.site.page(
          `<!doctype html><iframe src="${inner}" sandbox="${sandbox}" width="460" height="640"></iframe>`,
        ),
      )
      const frame = page.frameLocator('iframe')
      await frame.getByRole('button', { name: 'Report a problem' }).click()
      await frame.getByRole('textbox', { name: 'What is wrong?' }).fill('Framed')
      await attachButton(frame).waitFor()
      const name = `${index}.log`
      await giveFiles(frame, 'drop', [{ name, type: 'text/plain', bytes: Buffer.from(name) }])
      await frame.getByRole('checkbox', { name }).waitFor()
      await frame.getByRole('button', { name: 'Send' }).click()
      await frame.getByRole('status').filter({ hasText: 'has arrived' }).waitFor()
      await expect
        .poll(async () => (await storedFiles(scene)).map((file) => file.name), TIMEOUT)
        .toEqual([name])
    }
  })

  test('above a modal dialog of the page, in both directions of writing', async ({ scene }) => {
    const page = await openWidget(scene, {
      head: '<script>document.documentElement.dir = "rtl"</script>',
      body: `${WIDGET}<dialog aria-label="Of the page"><button onclick="document.querySelector('bugle-report').open()">Help</button></dialog>`,
    })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await launcherOf(page).waitFor()
    await page.evaluate(() => document.querySelector('dialog')?.showModal())
    await page.getByRole('button', { name: 'Help' }).click()
    await attachButton(page).waitFor()
    await giveFiles(page, 'paste', [await image(page)])
    await page.getByRole('button', { name: 'Edit screen.png' }).click()
    await blackOut(page)
    await page.getByRole('button', { name: 'Done' }).click()
    // The thumbnail is on the right of the buttons.
    const tick = await page.getByRole('checkbox', { name: 'screen.png' }).boundingBox()
    const remove = await page.getByRole('button', { name: 'Remove screen.png' }).boundingBox()
    expect(tick?.x).toBeGreaterThan(remove?.x ?? Number.NaN)
    await titleOf(page).fill('Above a dialog')
    await page.getByRole('button', { name: 'Send' }).click()
    await statusOf(page, 'has arrived').waitFor()
  })

  test('at 320 pixels and at 200 % zoom, with everything in reach', async ({ scene }) => {
    const page = await openWidget(scene)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const [width, height] of [
      [640, 360],
      [320, 568],
      [320, 256],
    ] as const) {
      await page.setViewportSize({ width, height })
      await launcherOf(page).click()
      await attachButton(page).waitFor()
      await giveFiles(page, 'paste', [await image(page)])
      await page.getByRole('button', { name: 'Edit screen.png' }).click()
      const editor = page.getByRole('dialog', { name: 'Edit image' })
      await editor.waitFor()
      for (const name of ['Arrow', 'Crop', 'Undo', 'Cancel', 'Done']) {
        const box = await editor.getByRole('button', { name, exact: true }).boundingBox()
        expect(box?.x).toBeGreaterThanOrEqual(0)
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height)
      }
      const canvas = await page.getByRole('application').boundingBox()
      expect(canvas?.height).toBeGreaterThan(40)
      await blackOut(page)
      await editor.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('button', { name: 'Remove screen.png' }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
  })

  for (const theme of ['light', 'dark'] as const) {
    test(`with nothing for axe to find in any state, in ${theme}`, async ({ scene }) => {
      const page = await openWidget(scene, {
        head: `<style>body { background: ${theme === 'dark' ? '#111' : '#fff'}; color: ${theme === 'dark' ? '#fff' : '#111'} }</style>`,
        body: WIDGET.replace('</h1>', '</h1><p id="secret">4111</p>'),
      })
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.evaluate(() => {
        window.bugle.startTrail()
        window.bugle.addStep('Opened the basket')
      })
      await fakeDisplay(page, { isPage: false })
      const findings: string[] = []
      const look = async (state: string) => {
        for (const finding of await findingsOf(page)) findings.push(`${state}: ${finding}`)
      }
      await launcherOf(page).click()
      await page.getByRole('button', { name: 'Take a screenshot' }).click()
      await page.getByRole('dialog', { name: 'Edit image' }).waitFor()
      await look('editor')
      await blackOut(page)
      await page.getByRole('button', { name: 'Text', exact: true }).click()
      await page.getByRole('application').click({ position: { x: 60, y: 60 } })
      await look('text')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('checkbox', { name: 'screenshot.png' }).waitFor()
      await look('warning')
      await giveFiles(page, 'paste', [
        { name: 'broken.heic', type: 'image/heic', bytes: Buffer.from('....ftypheic') },
      ])
      await page.getByRole('checkbox', { name: 'screenshot.png' }).uncheck()
      await page.getByText('Also sent: ').click()
      await page.getByRole('definition').first().waitFor()
      await look('unticked')
      expect(findings).toEqual([])
    })
  }
})
