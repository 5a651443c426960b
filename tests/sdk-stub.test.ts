import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { setStage, test } from './support/sdk/stage.ts'

setStage()

const GUIDE = readFileSync(join(import.meta.dirname, '../packages/sdk/docs/browser.md'), 'utf8')
/** The stub of the guide. */
const STUB = /<script>\n {2}Bugle = .*?<\/script>/s.exec(GUIDE)?.[0] ?? ''

describe('a stub', () => {
  test('queues calls and errors until the file is loaded, and each arrives once', async ({ scene }) => {
    expect(STUB).toContain('queue')
    const { gateway, profile, project, site } = scene
    const page = await profile.newPage()
    await page.goto(
      site.page(`<!doctype html><title>App</title>${STUB}
<script>Bugle.report({ title: 'Before the file' })</script>
<script>throw new Error('Early crash')</script>
<script async src="/sdk/bugle.js" data-endpoint="${gateway.url}" data-public-key="${project.publicKey}"></script>`),
    )
    const titles = async () => (await scene.issues()).map(({ title }) => title).sort()
    await expect.poll(titles).toEqual(['Before the file', 'Error: Early crash'])
    expect(await scene.issues()).toMatchObject([{ reportCount: 1 }, { reportCount: 1 }])
  })
})
