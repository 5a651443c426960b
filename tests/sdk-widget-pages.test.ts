import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { findingsOf } from './support/dashboard/axe.ts'
import { type Scene, setStage, test } from './support/sdk/stage.ts'
import { launcherOf, openWidget, sendReport, statusOf, titleOf, WIDGET } from './support/sdk/widget.ts'

setStage()

const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types 'none'"

function scriptTag({ gateway, project }: Scene, attributes = ''): string {
  return `<script ${attributes} src="/sdk/bugle-widget.js" data-endpoint="${gateway.url}" data-public-key="${project.publicKey}"></script>`
}

/** Opens a page and collects its console messages. */
async function openPage(
  { profile, site }: Scene,
  html: string,
  policy: string,
): Promise<{ page: Page; complaints: () => readonly string[] }> {
  const page = await profile.newPage()
  const texts: string[] = []
  page.on('console', (message) => texts.push(message.text()))
  page.on('pageerror', ({ message }) => texts.push(message))
  await page.goto(site.page(html, { 'content-security-policy': policy }))
  return { page, complaints: () => texts.filter((text) => !/favicon|404/.test(text)) }
}

describe('the widget works', () => {
  test('under a strict policy with Trusted Types, in a language of its own file', async ({ scene }) => {
    const policies = [
      { policy: `script-src 'self'; style-src 'self'`, attributes: '' },
      { policy: `script-src 'nonce-abc'; style-src 'nonce-abc'`, attributes: 'nonce="abc"' },
    ]
    for (const { policy, attributes } of policies) {
      const { page, complaints } = await openPage(
        scene,
        `<!doctype html><html lang="de"><meta name="app-version" content="1.0"><title>App</title>${scriptTag(scene, attributes)}${WIDGET}`,
        `default-src 'none'; connect-src ${scene.gateway.url}; ${policy}; ${TRUSTED_TYPES}`,
      )
      await page.getByRole('button', { name: 'Problem melden' }).click()
      await page.getByRole('textbox', { name: 'Was stimmt nicht?' }).fill('Verschlossen')
      await page.getByText('Außerdem gesendet: ').click()
      await page.getByRole('term').filter({ hasText: 'App-Version' }).waitFor()
      await page.getByRole('button', { name: 'Meldung senden' }).click()
      await statusOf(page, 'ist angekommen').waitFor()
      const radius = await page
        .getByRole('dialog')
        .evaluate((dialog) => getComputedStyle(dialog).borderRadius)
      expect(radius).toBe('12px')
      expect(complaints()).toEqual([])
    }
    expect(await scene.issues()).toHaveLength(2)
  })

  test('with options that a later script sets', async ({ scene }) => {
    const { page } = await openPage(
      scene,
      `<!doctype html><html lang="en"><title>App</title>${scriptTag(scene)}${WIDGET}
<script>Bugle.defineWidget({ fields: [{ name: 'plan', label: 'Plan', choices: ['Free', 'Team'] }] })</script>`,
      "default-src * 'unsafe-inline'",
    )
    await launcherOf(page).click()
    await page.getByRole('combobox', { name: 'Plan' }).selectOption('Team')
  })

  test('in English where the policy or the server has no other language', async ({ scene }) => {
    const { page } = await openPage(
      scene,
      `<!doctype html><html lang="de"><title>App</title>${scriptTag(scene)}${WIDGET}`,
      `default-src 'none'; connect-src ${scene.gateway.url}; script-src ${scene.site.url}/sdk/bugle-widget.js`,
    )
    await launcherOf(page).waitFor()
  })

  test('inside an iframe, also in one without an origin of its own', async ({ scene }) => {
    const inner = scene.site.page(
      `<!doctype html><html lang="en"><title>Inner</title>${scriptTag(scene)}${WIDGET}`,
    )
    const page = await scene.profile.newPage()
    for (const sandbox of ['allow-scripts allow-same-origin allow-forms', 'allow-scripts allow-forms']) {
      await page.goto(
        scene.site.page(
          `<!doctype html><iframe src="${inner}" sandbox="${sandbox}" width="420" height="600"></iframe>`,
        ),
      )
      const frame = page.frameLocator('iframe')
      await frame.getByRole('button', { name: 'Report a problem' }).click()
      await frame.getByRole('textbox', { name: 'What is wrong?' }).fill('Framed')
      await frame.getByRole('button', { name: 'Send' }).click()
      await frame.getByRole('status').filter({ hasText: 'has arrived' }).waitFor()
    }
  })

  test('on a page with a modal dialog of its own, or with a focus trap', async ({ scene }) => {
    const page = await openWidget(scene, {
      body: `${WIDGET}<dialog aria-label="Of the page"><button onclick="document.querySelector('bugle-report').open()">Help</button></dialog>
<div role="dialog" aria-modal="true" aria-label="Trap" hidden><input aria-label="Trapped"></div>`,
    })
    await launcherOf(page).waitFor()
    await page.evaluate(() => document.querySelector('dialog')?.showModal())
    await page.getByRole('button', { name: 'Help' }).click()
    await titleOf(page).fill('Above a dialog')
    await page.getByRole('button', { name: 'Send' }).click()
    await statusOf(page, 'has arrived').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Help')
    await page.evaluate(() => document.querySelector('dialog')?.close())

    // As libraries do it: the page takes no clicks, and the focus is taken back.
    await page.evaluate(() => {
      const trap = document.querySelector<HTMLElement>('[aria-modal]')
      const input = trap?.querySelector('input')
      trap?.removeAttribute('hidden')
      document.body.style.pointerEvents = 'none'
      document.addEventListener('focusin', ({ target }) => {
        if (!trap?.contains(target as Node)) input?.focus()
      })
      input?.focus()
      document.querySelector('bugle-report')?.open()
    })
    await titleOf(page).click()
    await page.keyboard.type('Out of a trap')
    await expect.poll(() => titleOf(page).inputValue()).toBe('Out of a trap')
  })

  test('from right to left', async ({ scene }) => {
    const page = await openWidget(scene, {
      head: '<script>document.documentElement.dir = "rtl"</script>',
      options: { languages: { ar: { heading: 'الإبلاغ عن مشكلة' } } },
      body: '<bugle-report lang="ar"></bugle-report>',
    })
    const { width = 0 } = page.viewportSize() ?? {}
    const launcher = await launcherOf(page).boundingBox()
    expect(launcher?.x).toBeLessThan(width / 4)
    await launcherOf(page).click()
    const heading = await page.getByRole('heading', { name: 'الإبلاغ عن مشكلة' }).boundingBox()
    const closer = await page.getByRole('button', { name: 'Close' }).boundingBox()
    expect(closer?.x).toBeLessThan(heading?.x ?? 0)
  })

  test('at 320 pixels, as a sheet, and at 200 % zoom, with everything in reach', async ({ scene }) => {
    const options = { fields: [{ name: 'plan', label: 'Plan', choices: ['Free'] }], email: true }
    const page = await openWidget(scene, { options })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    // A window of 1280 by 720 at 200 %; phones; a window of 1280 by 1024 at 400 %.
    for (const [width, height] of [
      [640, 360],
      [320, 568],
      [360, 740],
      [320, 256],
    ] as const) {
      await page.setViewportSize({ width, height })
      await sendReport(page, '')
      const dialog = await page.getByRole('dialog').boundingBox()
      expect(dialog?.x).toBeGreaterThanOrEqual(0)
      expect(dialog?.y).toBeGreaterThanOrEqual(0)
      expect((dialog?.x ?? 0) + (dialog?.width ?? 0)).toBeLessThanOrEqual(width)
      expect((dialog?.y ?? 0) + (dialog?.height ?? 0)).toBeLessThanOrEqual(height)
      expect(dialog?.width === width).toBe(width < 480)
      // No sideways scrolling inside, and the last field can be reached.
      const overflow = await page
        .getByRole('dialog')
        .evaluate((element) =>
          [...element.querySelectorAll('*')].some(
            (part) =>
              part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX !== 'visible',
          ),
        )
      expect([width, overflow]).toEqual([width, false])
      await page.getByRole('textbox', { name: 'Email address' }).fill('ada@example.com')
      await page.getByRole('button', { name: 'Send' }).scrollIntoViewIfNeeded()
      if (height === 568) expect(await findingsOf(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
  })

  test('on a phone: the page behind the sheet is out of reach, and a tap on it closes the sheet', async ({
    scene,
  }) => {
    const page = await openWidget(scene)
    await page.setViewportSize({ width: 390, height: 844 })
    await launcherOf(page).click()
    await titleOf(page).fill('Kept')
    await expect.poll(() => page.getByRole('heading', { name: 'App' }).count()).toBe(1)
    await page.mouse.click(195, 40)
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await launcherOf(page).click()
    await expect.poll(() => titleOf(page).inputValue()).toBe('Kept')
  })
})
