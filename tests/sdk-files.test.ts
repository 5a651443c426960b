import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { type Scene, setStage, test } from './support/sdk/stage.ts'

setStage()

const TIMEOUT = { timeout: 60_000 }

/** Reports with two files, one of them with bytes that are not text. */
function reportWithFiles(page: Page, title: string) {
  return page.evaluate((wanted) => {
    window.bugle.enableFiles()
    // Large enough for browsers to keep it outside of the database's own files.
    const binary = new Uint8Array(2_000_000).map((_, index) => index % 251)
    return window.bugle.report({
      title: wanted,
      attachments: [
        new File([binary], 'screen.bin', { type: 'image/png' }),
        { name: 'app.log', content: `log of ${wanted}`, contentType: 'text/plain' },
      ],
    })
  }, title)
}

interface FileState {
  readonly name: string
  readonly state: string
}

async function filesOf({ app, project, issues }: Scene): Promise<readonly FileState[]> {
  const [issue] = await issues()
  if (!issue) return []
  const { body } = await app.send('GET', `/v1/issues/${issue['id']}/attachments`, { key: project.secretKey })
  return body.data.map(({ name, state }: FileState) => ({ name, state }))
}

const RECEIVED = [
  { name: 'app.log', state: 'received' },
  { name: 'screen.bin', state: 'received' },
]

async function sorted(scene: Scene) {
  return [...(await filesOf(scene))].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function uploadsOf({ gateway }: Scene) {
  return gateway.seen.filter(({ line, status }) => line.startsWith('PUT ') && status === 201)
}

describe('files of a report', () => {
  test('arrive after it, each once, with the same bytes', async ({ scene }) => {
    const page = await scene.open()
    expect(await reportWithFiles(page, 'With files')).toMatchObject({ status: 'sent' })
    await expect.poll(() => sorted(scene), TIMEOUT).toEqual(RECEIVED)
    const lines = scene.gateway.seen.map(({ line }) => line.split(' ')[0])
    expect(lines.indexOf('POST')).toBeLessThan(lines.indexOf('PUT'))
    expect(uploadsOf(scene)).toHaveLength(2)
    expect(await page.evaluate(() => window.bugle.flush())).toBe(true)
    expect(uploadsOf(scene)).toHaveLength(2)
  })

  test('that were added offline arrive once each when the page is opened again', async ({ scene }) => {
    const page = await scene.open()
    await scene.profile.setOffline(true)
    expect(await reportWithFiles(page, 'In the tunnel')).toMatchObject({
      status: 'queued',
      reason: 'offline',
    })
    await page.close()
    await scene.profile.setOffline(false)
    expect(await scene.issues()).toEqual([])
    const again = await scene.open()
    await again.evaluate(() => window.bugle.enableFiles())
    await expect.poll(() => sorted(scene), TIMEOUT).toEqual(RECEIVED)
    await expect.poll(() => again.evaluate(() => window.bugle.flush()), TIMEOUT).toBe(true)
    expect(scene.gateway.countSubmissions()).toBe(1)
    expect(uploadsOf(scene)).toHaveLength(2)
    expect(await scene.issues()).toMatchObject([{ reportCount: 1 }])
  })

  test('arrive once each although the server goes away during the upload', async ({ scene }) => {
    const page = await scene.open()
    scene.gateway.uploadMishap = { kind: 'break' }
    expect(await reportWithFiles(page, 'Killed')).toMatchObject({ status: 'sent' })
    const countAttempts = () => scene.gateway.seen.filter(({ line }) => line.startsWith('PUT ')).length
    await expect.poll(countAttempts, TIMEOUT).toBeGreaterThan(0)
    expect((await filesOf(scene)).every(({ state }) => state === 'pending')).toBe(true)
    await page.close()
    // The server stores the next one, but its response is lost.
    scene.gateway.uploadMishap = { kind: 'lose the answer' }
    const again = await scene.open()
    await again.evaluate(() => window.bugle.enableFiles())
    await expect.poll(() => uploadsOf(scene).length, TIMEOUT).toBeGreaterThan(0)
    scene.gateway.uploadMishap = undefined
    await expect.poll(() => sorted(scene), TIMEOUT).toEqual(RECEIVED)
    await expect.poll(() => again.evaluate(() => window.bugle.flush()), TIMEOUT).toBe(true)
    expect(uploadsOf(scene)).toHaveLength(2)
    expect(await scene.issues()).toMatchObject([{ reportCount: 1 }])
  })

  test('that cannot be stored are counted, and the text arrives', async ({ scene }) => {
    const page = await scene.open()
    const result = await page.evaluate(() => {
      window.bugle.enableFiles()
      const put = IDBObjectStore.prototype.put
      IDBObjectStore.prototype.put = function (value, ...key) {
        // As a full disk does.
        if (value instanceof ArrayBuffer) throw new DOMException('full', 'QuotaExceededError')
        return put.call(this, value, ...key)
      }
      return window.bugle.report({ title: 'No space', attachments: [{ name: 'big.log', content: 'x' }] })
    })
    expect(result).toMatchObject({ status: 'sent', trimmed: ['attachments.big.log'] })
    const [issue] = await scene.issues()
    const { body } = await scene.app.send('GET', `/v1/issues/${issue?.['id']}`, {
      key: scene.project.secretKey,
    })
    expect(body).toMatchObject({ title: 'No space', metadata: { 'bugle.dropped.file': 1 } })
    expect(await filesOf(scene)).toEqual([])
  })

  test('do not leave the device if the app drops the report', async ({ scene }) => {
    const page = await scene.open()
    const isEmpty = await page.evaluate(async () => {
      await window.bugle.close()
      return true
    })
    expect(isEmpty).toBe(true)
    const { gateway, project } = scene
    const result = await page.evaluate(
      ([endpoint, publicKey]) => {
        window.bugle.init({ endpoint, publicKey, beforeSend: () => null })
        window.bugle.enableFiles()
        return window.bugle.report({ title: 'Private', attachments: [{ name: 'a.txt', content: 'private' }] })
      },
      [gateway.url, project.publicKey] as const,
    )
    expect(result).toMatchObject({ status: 'dropped', reason: 'before-send' })
    expect(await page.evaluate(() => window.bugle.flush())).toBe(true)
    expect(gateway.seen.filter(({ line }) => line.startsWith('PUT '))).toEqual([])
  })

  test('are removed from the report if they are not enabled', async ({ scene }) => {
    const page = await scene.open()
    const result = await page.evaluate(() =>
      window.bugle.report({ title: 'Not enabled', attachments: [new File(['x'], 'x.txt')] }),
    )
    expect(result).toMatchObject({
      status: 'sent',
      trimmed: expect.arrayContaining([expect.stringMatching(/^attachments/)]),
    })
    expect(await scene.issues()).toMatchObject([{ title: 'Not enabled' }])
  })
})
