import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe } from 'vitest'
import { declare, PNG, sha256Of } from '../packages/server/test-support/attachment-stage.ts'
import { HOSTILE_DOWNLOADS, HOSTILE_NAMES } from '../packages/server/test-support/hostile-files.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage()

const SCRIPT = '<script>document.title = "pwned"; localStorage.setItem("pwned", "1")</script>'

/** The path of a file that was reported and received. */
async function addFile({ app, project }: Scene, bytes: Buffer, name: string, type: string): Promise<string> {
  const { publicKey: key } = project
  const body = { title: 'x', submissionId: randomUUID(), attachments: [declare(bytes, name, type)] }
  await app.send('POST', '/v1/issues', { key, body })
  const path = `/v1/submissions/${body.submissionId}/attachments/${sha256Of(bytes)}`
  const { body: receipt } = await app.send('PUT', path, { key, body: bytes })
  return `/v1/attachments/${receipt.id}`
}

describe('a hostile file that a person opens', () => {
  test('is saved and not shown, whatever it is and claims to be', async ({ scene }) => {
    const page = await scene.visit()
    for (const [what, bytes, name, type] of HOSTILE_DOWNLOADS) {
      const path = await addFile(scene, bytes, name, type)
      const saving = page.waitForEvent('download')
      await page.goto(scene.app.url + path).catch(() => undefined)
      const download = await saving
      expect([what, download.suggestedFilename()]).toEqual([what, name])
      expect((await readFile(await download.path())).equals(bytes)).toBe(true)
    }
    expect(await page.evaluate(() => localStorage.getItem('pwned'))).toBeNull()
  })

  test('is saved under a safe name', async ({ scene }) => {
    const page = await scene.visit()
    for (const [what, name, shown] of HOSTILE_NAMES) {
      const path = await addFile(scene, Buffer.from(what), name, 'text/plain')
      const saving = page.waitForEvent('download')
      await page.goto(scene.app.url + path).catch(() => undefined)
      expect([what, (await saving).suggestedFilename()]).toEqual([what, shown])
    }
  })

  test('is shown as an image, and runs nothing, if it is one', async ({ scene }) => {
    const bytes = Buffer.concat([PNG, Buffer.from(SCRIPT)])
    const path = await addFile(scene, bytes, 'a.html', 'text/html')
    // Chromium's own page around an image is sandboxed too.
    scene.allow(/Content Security Policy directive 'default-src 'none''|frame is sandboxed/)
    const page = await scene.visit()
    await page.goto(scene.app.url + path)
    expect(await page.evaluate(() => document.contentType)).toBe('image/png')
    expect(await page.title()).not.toContain('pwned')
  })

  test('is not run as a script of a page, not even on the same origin', async ({ scene }) => {
    const bytes = Buffer.from('GIF89a/*\u0001\u0001*/=1;localStorage.setItem("pwned","1")//', 'latin1')
    const path = await addFile(scene, bytes, 'a.js', 'text/javascript')
    scene.allow(/MIME type \('image\/gif'\) is not executable/)
    const page = await scene.visit()
    const isLoaded = await page.evaluate(
      (src) =>
        new Promise<boolean>((resolve) => {
          const script = Object.assign(document.createElement('script'), { src })
          script.onload = () => resolve(true)
          script.onerror = () => resolve(false)
          document.head.append(script)
        }),
      scene.app.url + path,
    )
    expect([isLoaded, await page.evaluate(() => localStorage.getItem('pwned'))]).toEqual([false, null])
  })
})
