import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { setStage, test } from './support/sdk/stage.ts'
import { launcherOf, openWidget, statusOf, titleOf } from './support/sdk/widget.ts'
import { attachButton, fakeDisplay, giveFiles, makeImage, storedFiles } from './support/sdk/widget-files.ts'

setStage()

const TIMEOUT = { timeout: 60_000 }
/** States that a screen reader speaks, as the browser names them. */
const STATES = ['required', 'checked', 'pressed', 'disabled', 'hasPopup', 'live']
/** Texts, and what only groups others. */
const SILENT =
  /^(none|generic|StaticText|InlineTextBox|RootWebArea|LabelText|section\w+|group|paragraph|list|listitem|option|MenuListPopup)$/
const FORM = [
  'button "Attach a file"',
  'button "Close"',
  'button "Send report"',
  'button "Take a screenshot"',
  'combobox "Kind of problem" hasPopup=menu',
  'dialog "Report a problem"',
  'heading "Report a problem"',
  'status live=polite',
  'textbox "What did you do, and what happened?"',
  'textbox "What is wrong?" required=true',
]

/** What the browser tells screen readers about the page, in the order of the alphabet. */
async function spokenIn(page: Page): Promise<readonly string[]> {
  const devtools = await page.context().newCDPSession(page)
  const { nodes } = await devtools.send('Accessibility.getFullAXTree')
  await devtools.detach()
  return nodes
    .filter(({ ignored, role }) => !ignored && !SILENT.test(`${role?.value}`))
    .map(({ role, name, properties = [] }) => {
      const states = properties
        .filter((one) => STATES.includes(one.name) && !['false', ''].includes(`${one.value.value ?? ''}`))
        .map((one) => `${one.name}=${one.value.value}`)
      return [role?.value, name?.value && JSON.stringify(name.value), ...states].filter(Boolean).join(' ')
    })
    .sort()
}

describe('a screen reader is told', () => {
  test('the name and state of everything in the form, the list of files, the editor and the confirmation', async ({
    scene,
  }) => {
    const page = await openWidget(scene, { body: '<p id="secret">4111</p><bugle-report></bugle-report>' })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await fakeDisplay(page, { isPage: false })
    const expectSpoken = (lines: readonly string[]) =>
      expect.poll(() => spokenIn(page), TIMEOUT).toEqual(lines.toSorted())
    await expectSpoken(['button "Report a problem" hasPopup=dialog'])

    await launcherOf(page).click()
    await expectSpoken([...FORM, 'DisclosureTriangle "Also sent: app version, device, page address"'])

    await giveFiles(page, 'paste', [{ name: 'app.log', type: 'text/plain', bytes: Buffer.from('log') }])
    await page.getByRole('checkbox', { name: 'app.log' }).uncheck()
    await page.getByRole('button', { name: 'Take a screenshot' }).click()
    await page.getByRole('dialog', { name: 'Edit image' }).waitFor()
    await expectSpoken([
      'application "Image. The arrow keys move the pointer; the space bar starts and ends a mark."',
      'button "Arrow" pressed=true',
      'button "Black out"',
      'button "Box"',
      'button "Cancel"',
      'button "Crop"',
      'button "Done"',
      'button "Pen"',
      'button "Text"',
      'button "Undo" disabled=true',
      'dialog "Edit image"',
      'heading "Edit image"',
      'status live=polite',
      'toolbar "Tools"',
    ])

    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('checkbox', { name: 'screenshot.png' }).waitFor()
    const size = await page.getByRole('listitem').last().locator('small').innerText()
    await expectSpoken([
      ...FORM,
      'DisclosureTriangle "Also sent: app version, device, page address, files: 1"',
      'alert live=assertive',
      'button "Edit screenshot.png"',
      'button "Remove app.log"',
      'button "Remove screenshot.png"',
      'checkbox "app.log 1 KB"',
      `checkbox "screenshot.png ${size}" checked=true`,
    ])

    await titleOf(page).fill('Named')
    await page.getByRole('button', { name: 'Send' }).click()
    await statusOf(page, 'has arrived').waitFor()
    await expectSpoken(['button "Close"', 'dialog "Report a problem"', 'status live=polite'])
  })
})

test('files are chosen, left out, edited and removed by keyboard alone', async ({ scene }) => {
  const page = await openWidget(scene)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement?.shadowRoot?.activeElement
      return (
        element?.getAttribute('aria-label') ?? element?.closest('label')?.textContent ?? element?.textContent
      )
    })
  const tabTo = async (...names: readonly string[]) => {
    for (const name of names) {
      await page.keyboard.press('Tab')
      expect(await focused()).toContain(name)
    }
  }
  const image = await makeImage(page, { width: 300, height: 200 })
  await launcherOf(page).focus()
  await page.keyboard.press('Enter')
  await titleOf(page).waitFor()
  await page.keyboard.type('By hand')
  await attachButton(page).waitFor()
  // Before the keys: a key may reach the page before the request to wait for the event.
  const choosing = page.waitForEvent('filechooser')
  await tabTo('What did you do', 'Kind of problem', 'Attach a file')
  await page.keyboard.press('Enter')
  const chooser = await choosing
  await chooser.setFiles([
    { name: 'kept.log', mimeType: 'text/plain', buffer: Buffer.from('kept') },
    { name: 'sent.log', mimeType: 'text/plain', buffer: Buffer.from('sent') },
    { name: 'screen.png', mimeType: 'image/png', buffer: image },
  ])
  await page.getByRole('checkbox', { name: 'screen.png' }).waitFor()
  await tabTo('Take a screenshot', 'kept.log')
  await page.keyboard.press('Space')
  await tabTo('Remove kept.log', 'sent.log', 'Remove sent.log', 'screen.png', 'Edit screen.png')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Edit image' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Edit image' }).waitFor({ state: 'hidden' })
  // The focus is back where it was.
  await expect.poll(focused).toBe('Edit screen.png')
  await tabTo('Remove screen.png')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Attach a file')
  await tabTo('Take a screenshot', 'kept.log', 'Remove kept.log', 'sent.log', 'Remove sent.log')
  await tabTo('Also sent', 'Send report')
  await page.keyboard.press('Enter')
  await statusOf(page, 'has arrived').waitFor()
  await expect
    .poll(async () => (await storedFiles(scene)).map(({ name }) => name), TIMEOUT)
    .toEqual(['sent.log'])
})
