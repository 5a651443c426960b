import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import { describe } from 'vitest'
import { findingsOf } from './support/dashboard/axe.ts'
import { send } from './support/dashboard/prepare.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'
import { intercept } from './support/intercept.ts'

setStage()

interface File {
  readonly name: string
  readonly contentType: string
  readonly bytes: Buffer
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const HTML = file('page.html', 'image/png', '<script>document.title = "run"</script>')
const SVG = file(
  'drawing.svg',
  'image/svg+xml',
  '<svg xmlns="http://www.w3.org/2000/svg"><script>top.document.title = "run"</script></svg>',
)
/** Valid both as a GIF and as a script. */
const POLYGLOT = file('anim.gif', 'image/gif', 'GIF89a/*\u0001\0\u0001\0\0\0\0*/=1;document.title="run"')

describe('the files of an issue', () => {
  test('are shown with their size, and opened in a viewer by keyboard alone', async ({ scene }) => {
    const [first, second] = [image('first.png', 40), image('second.png', 200)]
    const id = await submitWith(scene, [first, second, HTML])
    const page = await scene.visit({ path: `/issues/${id}` })
    const files = page.getByRole('region', { name: 'Files' })
    await expect.poll(() => files.getByRole('listitem').count()).toBe(3)
    await files
      .getByText(/\d B · Report 1/)
      .first()
      .waitFor()
    await page.getByText('File received: first.png').waitFor()
    await expect.poll(() => widthOf(files.locator('img').first())).toBeGreaterThan(0)
    expect(await findingsOf(page)).toEqual([])

    await files.getByRole('button', { name: first.name }).press('Enter')
    const viewer = page.getByRole('dialog', { name: first.name })
    await viewer.getByText('1 of 2').waitFor()
    await expect.poll(() => widthOf(viewer.locator('img'))).toBeGreaterThan(0)
    expect(await findingsOf(page)).toEqual([])
    await page.keyboard.press('z')
    await viewer.getByRole('button', { name: 'Fit to window' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('dialog', { name: second.name }).getByText('2 of 2').waitFor()
    const downloading = page.waitForEvent('download')
    await page.keyboard.press('d')
    expect(await readFile(await (await downloading).path())).toEqual(second.bytes)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('receive the keys that are pressed while the viewer is being loaded', async ({ scene }) => {
    const [first, third] = [image('first.png', 40), image('third.png', 200)]
    const id = await submitWith(scene, [first, image('second.png', 120), third])
    const page = await scene.visit({ path: `/issues/${id}` })
    const gate = Promise.withResolvers<void>()
    await intercept(page, '**/assets/file-viewer-*.js', async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.getByRole('region', { name: 'Files' }).getByRole('button', { name: first.name }).press('Enter')
    for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
    gate.resolve()
    await page.getByRole('dialog', { name: third.name }).getByText('3 of 3').waitFor()
  })

  test('of a trail are shown as a list of steps', async ({ scene }) => {
    const at = '2026-11-15T09:31:14.002Z'
    const steps = [
      { at, kind: 'click', text: 'form > button#save' },
      { at, kind: 'request', text: 'POST https://app.example/orders 500 <b>812</b> ms' },
    ]
    const type = 'application/vnd.bugle.trail+json'
    const trail = file('trail.json', type, JSON.stringify({ version: 1, steps }))
    const id = await submitWith(scene, [trail, file('other.json', 'application/json', 'not a trail')])
    const page = await scene.visit({ path: `/issues/${id}` })
    await page.getByText('Steps before report 1').click()
    await page.getByText('form > button#save').waitFor()
    await page.getByText('POST https://app.example/orders 500 <b>812</b> ms').waitFor()
    expect(await findingsOf(page)).toEqual([])
  })

  test('that have not been received yet appear when they are', async ({ scene }) => {
    const late = image('late.png', 99)
    const id = await declare(scene, [late])
    const page = await scene.visit({ path: `/issues/${id}` })
    await page.getByText('Live', { exact: true }).waitFor()
    const files = page.getByRole('region', { name: 'Files' })
    await files.getByText('Not received yet').waitFor()
    expect(await files.getByRole('button').count()).toBe(0)
    await upload(scene, late)
    await files.getByRole('button', { name: late.name }).waitFor()
  })

  test('never run, whatever they contain and are called', async ({ scene }) => {
    const evil = file(
      '<img src=x onerror=1>\u202Egnp.exe',
      'text/html',
      '<script>document.title = "ran"</script>',
    )
    const id = await submitWith(scene, [HTML, SVG, POLYGLOT, evil])
    const page = await scene.visit({ path: `/issues/${id}` })
    const files = page.getByRole('region', { name: 'Files' })
    await expect.poll(() => files.getByRole('link').count()).toBe(3)
    await files.getByText('_img src=x onerror=1_gnp.exe').waitFor()
    for (const name of [HTML.name, SVG.name]) {
      const downloading = page.waitForEvent('download')
      await files.getByRole('link', { name }).click()
      expect((await downloading).suggestedFilename()).toBe(name)
    }
    await files.getByRole('button', { name: POLYGLOT.name }).click()
    await page.getByRole('dialog', { name: POLYGLOT.name }).waitFor()
    await expect.poll(() => page.title()).toContain('With files')
  })

  test('are shown in the list of reports, where a preview opens the viewer at that file', async ({
    scene,
  }) => {
    const [first, second] = [image('first.png', 40), image('second.png', 200)]
    const late = image('late.png', 99)
    const fingerprint = 'same'
    const id = await submitWith(scene, [first, HTML], { fingerprint })
    const further = { fingerprint, title: 'Here too', submissionId: 'further' }
    await send(scene, { ...further, attachments: [second, late].map(declarationOf) }, 200)
    await upload(scene, second, 'further')
    const page = await scene.visit({ path: `/issues/${id}` })
    await page.getByText('Live', { exact: true }).waitFor()
    const reports = page.getByRole('region', { name: 'Reports' })
    const [newer, older] = [2, 1].map((number) =>
      reports.getByRole('list', { name: `Files of report ${number}` }),
    )
    await expect.poll(() => older?.getByRole('link', { name: HTML.name }).count()).toBe(1)
    await newer?.getByText('Not received yet').waitFor()
    await expect.poll(() => newer?.getByRole('button').count()).toBe(1)
    expect(await findingsOf(page)).toEqual([])
    await older?.getByRole('button', { name: 'View first.png' }).press('Enter')
    await page.getByRole('dialog', { name: first.name }).getByText('2 of 2').waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('dialog', { name: second.name }).getByText('1 of 2').waitFor()
    await page.keyboard.press('Escape')
    await upload(scene, late, 'further')
    await newer?.getByRole('button', { name: 'View late.png' }).waitFor()
  })

  test('are marked in the inbox, also while they have not been received', async ({ scene }) => {
    const late = image('late.png', 99)
    await scene.submit({ title: 'Without' })
    await declare(scene, [late])
    const page = await scene.visit()
    await page.getByText('Live', { exact: true }).waitFor()
    const row = page.getByRole('row').filter({ hasText: 'With files' })
    await row.getByRole('img', { name: 'Files not received yet' }).waitFor()
    expect(await findingsOf(page)).toEqual([])
    await upload(scene, late)
    await row.getByRole('img', { name: 'Has files' }).waitFor()
    const other = page.getByRole('row').filter({ hasText: 'Without' })
    expect(await other.getByRole('img', { name: /files/i }).count()).toBe(0)
  })

  test('are not mentioned if there are none', async ({ scene }) => {
    const id = await scene.submit({ title: 'Without' })
    const page = await scene.visit({ path: `/issues/${id}` })
    await page.getByRole('region', { name: 'History' }).waitFor()
    expect(await page.getByRole('region', { name: 'Files' }).count()).toBe(0)
  })
})

function file(name: string, contentType: string, text: string): File {
  return { name, contentType, bytes: Buffer.from(text) }
}

/** A PNG of 64 by 64 pixels in one shade of grey. */
function image(name: string, shade: number): File {
  const header = Buffer.from('00000040000000400800000000', 'hex')
  const pixels = Buffer.alloc(64 * 65, shade)
  // Each row begins with the number of its filter: none.
  for (let row = 0; row < 64; row++) pixels[row * 65] = 0
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]
  return { name, contentType: 'image/png', bytes: Buffer.concat([PNG_SIGNATURE, ...parts]) }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

async function submitWith(scene: Scene, files: readonly File[], report = {}): Promise<string> {
  const id = await declare(scene, files, report)
  for (const each of files) await upload(scene, each)
  return id
}

function declare({ submit }: Scene, files: readonly File[], report = {}): Promise<string> {
  const attachments = files.map(declarationOf)
  return submit({ title: 'With files', submissionId: 'with-files', attachments, ...report })
}

function declarationOf(each: File) {
  const { name, contentType, bytes } = each
  return { name, contentType, size: bytes.length, sha256: digestOf(each) }
}

async function upload({ app, project }: Scene, each: File, submissionId = 'with-files'): Promise<void> {
  const response = await fetch(`${app.url}/v1/submissions/${submissionId}/attachments/${digestOf(each)}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${project.publicKey}` },
    body: new Uint8Array(each.bytes),
  })
  expect(response.status).toBe(201)
}

function digestOf({ bytes }: File): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function widthOf(image: {
  evaluate<T>(read: (element: HTMLImageElement) => T): Promise<T>
}): Promise<number> {
  return image.evaluate((element) => element.naturalWidth)
}
