import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { close, init, report } from '../packages/sdk/src/node.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { startRelay } from './support/dashboard/relay.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage()

const NOTICED_MS = 2_000

describe('a new report', () => {
  test('sent by the SDK shows within two seconds, and all of it when asked for', async ({ scene }) => {
    using queue = temporaryFolder()
    const { app, project } = scene
    const page = await scene.visit()
    await page.getByText('Live', { exact: true }).waitFor()
    init({ endpoint: app.url, publicKey: project.publicKey, queueDirectory: queue.path, appVersion: '3.1.4' })
    await report({ title: 'From the SDK' })
    await page.getByRole('button', { name: '1 new' }).waitFor({ timeout: NOTICED_MS })
    await close()
    await page.keyboard.press('.')
    await page.getByRole('row').filter({ hasText: 'From the SDK' }).filter({ hasText: '3.1.4' }).waitFor()
    expect(await page.getByRole('button', { name: /new/ }).count()).toBe(0)
  })

  test('is counted if it matches, and no row moves', async ({ scene }) => {
    for (let number = 1; number <= 80; number++)
      await scene.submit({ title: `Issue ${number}`, category: 'crash' })
    const path = `/projects/${scene.project.slug}/issues?category=crash`
    const page = await scene.visit({ path })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('grid').hover()
    await page.mouse.wheel(0, 1_000)
    await page.getByText('Issue 50', { exact: true }).waitFor()
    const before = await page.getByText('Issue 50', { exact: true }).boundingBox()
    await scene.submit({ title: 'No match', category: 'bug' })
    for (const title of ['One', 'Two', 'Three']) await scene.submit({ title, category: 'crash' })
    await page.getByRole('button', { name: '3 new' }).waitFor()
    expect(await page.getByText('Issue 50', { exact: true }).boundingBox()).toEqual(before)
    await page.getByRole('button', { name: '3 new' }).click()
    await page.getByRole('row').first().getByText('Three', { exact: true }).waitFor()
  })
})

describe('a change by somebody else', () => {
  test('shows in its row, which stays where it is, and in the counts', async ({ scene }) => {
    await scene.submit({ title: 'Older' })
    const id = await scene.submit({ title: 'Changed elsewhere' })
    await scene.submit({ title: 'Newer' })
    const page = await scene.visit()
    await page.getByRole('link', { name: 'Open 3' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    const { app, project } = scene
    await app.send('PATCH', `/v1/issues/${id}`, { key: project.secretKey, body: { status: 'resolved' } })
    await page.getByRole('row').nth(1).getByRole('img', { name: 'Resolved' }).waitFor()
    await page.getByRole('link', { name: 'Open 2' }).waitFor()
    await app.send('DELETE', `/v1/issues/${id}`, { key: project.secretKey })
    await page.getByRole('row').nth(1).getByText('No longer there').waitFor()
  })
})

describe('the stream', () => {
  test('is resumed after a cut, without gap or repeat, and the page says so', async ({ scene }) => {
    scene.allow(/ERR_|Failed to load resource/)
    await using relay = await startRelay(scene.app.url)
    const page = await scene.visit({ url: relay.url })
    await page.getByText('Live', { exact: true }).waitFor()
    await overhear(page, scene)
    await scene.submit({ title: 'Before' })
    await page.getByRole('button', { name: '1 new' }).waitFor()
    relay.cut()
    await page.getByText('Not connected to the server').waitFor()
    for (const title of ['During', 'Meanwhile']) await scene.submit({ title })
    relay.mend()
    await page.getByRole('button', { name: '3 new' }).waitFor()
    await page.getByText('Not connected to the server').waitFor({ state: 'detached' })
    await scene.submit({ title: 'After' })
    await page.getByRole('button', { name: '4 new' }).waitFor()
    const { body } = await scene.app.send('GET', '/v1/events', { key: scene.project.secretKey })
    expect(await page.evaluate('heard')).toEqual(
      body.data.map(({ position }: { position: number }) => position),
    )
  })

  test('is one for all tabs, and the next tab takes over when one goes', async ({ scene }) => {
    const first = await scene.visit()
    await first.getByText('Live', { exact: true }).waitFor()
    const streams: string[] = []
    first.context().on('request', (request) => {
      if (request.url().includes('/v1/events')) streams.push(request.url())
    })
    const others = [await first.context().newPage(), await first.context().newPage()]
    for (const page of others) {
      await page.goto(first.url())
      await page.getByText('Live', { exact: true }).waitFor()
    }
    await scene.submit({ title: 'For all' })
    for (const page of [first, ...others]) await page.getByRole('button', { name: '1 new' }).waitFor()
    expect(streams).toEqual([])
    await first.close()
    await scene.submit({ title: 'For the others' })
    for (const page of others) await page.getByRole('button', { name: '2 new' }).waitFor()
    expect(streams).toHaveLength(1)
  })
})

/** Notes the position of every event that the page tells other tabs of. */
async function overhear(page: Page, { project }: Scene): Promise<void> {
  await page.evaluate((name) => {
    const heard: number[] = []
    const channel = new BroadcastChannel(name)
    channel.onmessage = ({ data }) => data.kind === 'event' && heard.push(data.event.position)
    Object.assign(window, { heard, channel })
  }, `bugle-stream-${project.id}`)
}
