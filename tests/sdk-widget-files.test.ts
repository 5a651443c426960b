import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { type Scene, setStage, test } from './support/sdk/stage.ts'
import { holdSubmissions, launcherOf, openWidget, statusOf, titleOf } from './support/sdk/widget.ts'
import {
  attachButton,
  giveFiles,
  makeImage,
  pixelsOf,
  storedFiles,
  withExif,
} from './support/sdk/widget-files.ts'

setStage()

const TIMEOUT = { timeout: 60_000 }
const GREEN = [0, 170, 0] as const

const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click()

describe('files in the widget', () => {
  test('are attached, pasted and dropped, and arrive; images without what a camera has added', async ({
    scene,
  }) => {
    const page = await openWidget(scene)
    await launcherOf(page).click()
    await titleOf(page).fill('With files')
    const photo = withExif(await makeImage(page, { type: 'image/jpeg' }))
    expect(photo.includes('52.5163')).toBe(true)

    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), attachButton(page).click()])
    await chooser.setFiles([
      { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: photo },
      { name: 'app.log', mimeType: 'text/plain', buffer: Buffer.from('line 1') },
    ])
    await page.getByRole('checkbox', { name: 'app.log' }).waitFor()
    // By its bytes, not by what it says it is.
    await giveFiles(page, 'paste', [{ name: 'pasted.txt', type: 'text/plain', bytes: photo }])
    await page.getByRole('checkbox', { name: 'pasted.png' }).waitFor()
    await giveFiles(page, 'drop', [
      { name: 'dropped.webp', type: 'image/webp', bytes: await makeImage(page, { type: 'image/webp' }) },
    ])
    await page.getByRole('checkbox', { name: 'dropped.webp' }).waitFor()
    await expect.poll(() => page.getByText('Also sent: ').innerText()).toMatch(/page address, files: 4$/)
    await send(page)
    await statusOf(page, 'has arrived').waitFor()

    await expect.poll(async () => (await storedFiles(scene)).length, TIMEOUT).toBe(4)
    const files = new Map((await storedFiles(scene)).map((file) => [file.name, file]))
    expect([...files.keys()].sort()).toEqual(['app.log', 'dropped.webp', 'pasted.png', 'photo.jpg'])
    for (const { bytes } of files.values()) {
      expect(bytes.includes('Exif')).toBe(false)
      expect(bytes.includes('52.5163')).toBe(false)
    }
    expect(files.get('app.log')?.bytes.toString()).toBe('line 1')
    // Upright, as the camera wanted it.
    for (const name of ['photo.jpg', 'pasted.png']) {
      const pixels = await pixelsOf(page, files.get(name)?.bytes ?? Buffer.alloc(0), { green: GREEN })
      expect(pixels).toEqual({ width: 20, height: 40, green: 800 })
    }
  })

  test('are refused with a reason if they cannot be sent, and the others stay', async ({ scene }) => {
    const page = await openWidget(scene)
    await launcherOf(page).click()
    await attachButton(page).waitFor()
    const text = (name: string, size = 4) => ({ name, type: 'text/plain', bytes: Buffer.alloc(size, 'a') })
    await giveFiles(page, 'drop', [
      { name: 'broken.heic', type: 'image/heic', bytes: Buffer.from('....ftypheic') },
    ])
    await page.getByRole('alert').filter({ hasText: 'cannot be read' }).waitFor()
    await giveFiles(page, 'drop', [text('large.log', 10 * 2 ** 20 + 1)])
    await page.getByRole('alert').filter({ hasText: 'Too large' }).waitFor()
    await giveFiles(
      page,
      'drop',
      Array.from({ length: 11 }, (_, index) => text(`${index}.log`)),
    )
    await page.getByRole('alert').filter({ hasText: 'at most 10 files' }).waitFor()
    await expect.poll(() => page.getByRole('listitem').count()).toBe(10)
    await page.getByRole('button', { name: 'Remove 3.log' }).click()
    await expect.poll(() => page.getByRole('listitem').count()).toBe(9)
    // Cells of a table are pasted as text, although they come with a picture.
    const isTaken = await titleOf(page).evaluate((element) => {
      const data = new DataTransfer()
      data.items.add('1;2', 'text/plain')
      data.items.add(new File(['x'], 'cells.png', { type: 'image/png' }))
      return !element.dispatchEvent(
        new ClipboardEvent('paste', { bubbles: true, cancelable: true, composed: true, clipboardData: data }),
      )
    })
    expect(isTaken).toBe(false)
  })

  test('stay with a report that was not accepted, and are not sent with the next one', async ({ scene }) => {
    const page = await openWidget(scene)
    await launcherOf(page).click()
    await attachButton(page).waitFor()
    await giveFiles(page, 'paste', [{ name: 'one.log', type: '', bytes: Buffer.from('one') }])
    await page.getByRole('checkbox', { name: 'one.log' }).waitFor()
    scene.gateway.mishap = { kind: 'answer', status: 400, body: '{"requestId":"req_test"}' }
    const release = await holdSubmissions(page)
    await titleOf(page).fill('The first')
    await send(page)
    await page.getByRole('button', { name: 'Close' }).click()
    await launcherOf(page).click()
    await expect.poll(() => page.getByRole('listitem').count()).toBe(0)
    await titleOf(page).fill('The second')
    release()
    await statusOf(page, 'was not accepted').waitFor()
    scene.gateway.mishap = undefined
    await page.getByRole('button', { name: 'Retry' }).click()
    await statusOf(page, 'has arrived').waitFor()
    await expect.poll(() => storedNames(scene), TIMEOUT).toEqual(['one.log'])
    await send(page)
    await statusOf(page, 'Issue #2').waitFor()
    expect(await page.evaluate(() => window.bugle.flush())).toBe(true)
    expect(await storedNames(scene)).toEqual([])
  })

  test('that were attached offline arrive when the page is opened again', async ({ scene }) => {
    const page = await openWidget(scene)
    await launcherOf(page).click()
    await attachButton(page).waitFor()
    await giveFiles(page, 'paste', [{ name: 'offline.log', type: '', bytes: Buffer.from('offline') }])
    await page.getByRole('checkbox', { name: 'offline.log' }).waitFor()
    await titleOf(page).fill('In the tunnel')
    await scene.profile.setOffline(true)
    await send(page)
    await statusOf(page, 'Saved').waitFor()
    await page.close()
    await scene.profile.setOffline(false)
    // The form is not opened there.
    const again = await openWidget(scene)
    await expect.poll(() => storedNames(scene), TIMEOUT).toEqual(['offline.log'])
    await expect.poll(() => again.evaluate(() => localStorage.getItem('bugle-files')), TIMEOUT).toBe(null)
  })

  test('and the trail are sent only if they are ticked, and are shown on request', async ({ scene }) => {
    const page = await openWidget(scene)
    await page.evaluate(() => {
      window.bugle.startTrail()
      window.bugle.addStep('Opened the basket')
    })
    await launcherOf(page).click()
    const trail = page.getByRole('checkbox', { name: 'Send my last steps' })
    await trail.waitFor()
    for (const name of ['sent.log', 'kept.log'])
      await giveFiles(page, 'paste', [{ name, type: 'text/plain', bytes: Buffer.from(name) }])
    await page.getByRole('checkbox', { name: 'kept.log' }).uncheck()
    const line = page.getByText('Also sent: ')
    await expect
      .poll(() => line.innerText())
      .toBe('Also sent: app version, device, page address, your last steps, files: 1')
    await line.click()
    const values = page.getByRole('definition')
    await values.filter({ hasText: 'app: Opened the basket' }).waitFor()
    await values.filter({ hasText: 'sent.log (text/plain, 1 KB)\ntrail.json' }).waitFor()
    await trail.uncheck()
    await expect.poll(() => line.innerText()).toBe('Also sent: app version, device, page address, files: 1')
    await expect.poll(() => values.filter({ hasText: 'Opened the basket' }).count()).toBe(0)
    await titleOf(page).fill('Chosen')
    await send(page)
    await statusOf(page, 'has arrived').waitFor()
    await expect.poll(() => storedNames(scene), TIMEOUT).toEqual(['sent.log'])

    // The next report is ticked as the person left it.
    await page.getByRole('button', { name: 'Close' }).click()
    await launcherOf(page).click()
    expect(await trail.isChecked()).toBe(false)
    await trail.check()
    await titleOf(page).fill('With steps')
    await send(page)
    await statusOf(page, 'has arrived').waitFor()
    await expect.poll(() => storedNames(scene), TIMEOUT).toEqual(['trail.json'])
  })
})

async function storedNames(scene: Scene): Promise<readonly string[]> {
  return (await storedFiles(scene)).map(({ name }) => name)
}
