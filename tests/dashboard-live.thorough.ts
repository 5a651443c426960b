import type { Page, Route } from 'playwright-core'
import { describe } from 'vitest'
import { close, init, report } from '../packages/sdk/src/node.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { startRelay } from './support/dashboard/relay.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage()

/** On a fast machine; a busy one gets additional time, as long as it took to open the page. */
const NOTICED_MS = 2_000

describe('a new report', () => {
  test('sent by the SDK appears within two seconds in an empty inbox', async ({ scene }) => {
    using queue = temporaryFolder()
    const { app, project } = scene
    const began = performance.now()
    const page = await scene.visit()
    await page.getByText('Live', { exact: true }).waitFor()
    const openingMs = performance.now() - began
    init({ endpoint: app.url, publicKey: project.publicKey, queueDirectory: queue.path, appVersion: '3.1.4' })
    let count = 0
    const timeUntilShown = async () => {
      const sent = performance.now()
      const title = `Number ${++count} from the SDK`
      await report({ title })
      await page.getByRole('row').filter({ hasText: title }).filter({ hasText: '3.1.4' }).waitFor()
      return performance.now() - sent
    }
    let shownMs = await timeUntilShown()
    // The best of several: other work on the machine delays some of them.
    while (shownMs > NOTICED_MS + openingMs && count < 5) shownMs = Math.min(shownMs, await timeUntilShown())
    expect(shownMs).toBeLessThan(NOTICED_MS + openingMs)
    await close()
    await expect.poll(() => page.getByRole('button', { name: /new/ }).count()).toBe(0)
    await page.getByRole('link', { name: `Open ${count}` }).waitFor()
  })

  test('appears automatically at the beginning of a list that is not in use', async ({ scene }) => {
    await scene.submit({ title: 'First' })
    const page = await scene.visit({ path: `/projects/${scene.project.slug}/issues?status=open` })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByText('First', { exact: true }).waitFor()
    for (const title of ['Second', 'Third']) {
      await scene.submit({ title })
      await page.getByRole('row').first().getByText(title, { exact: true }).waitFor()
    }
    // Keys still act on the same issue as before.
    await page.locator('[data-cursor]').getByText('First', { exact: true }).waitFor()
    await page.keyboard.press('c')
    await expect
      .poll(async () => (await scene.issues()).map(({ status }) => status))
      .toEqual(['closed', 'open', 'open'])
  })

  test('waits for a click while rows are selected or the keyboard is in use', async ({ scene }) => {
    await scene.submit({ title: 'First' })
    const page = await scene.visit()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('checkbox', { name: 'Select #1' }).check()
    await scene.submit({ title: 'Second' })
    await page.getByRole('button', { name: '1 new' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await scene.submit({ title: 'Third' })
    await page.getByRole('button', { name: '2 new' }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(1)
    await page.keyboard.press('.')
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
    await expect.poll(() => page.getByRole('button', { name: /new/ }).count()).toBe(0)
  })

  test('keeps header, tabs, rows and pill consistent at all times', async ({ scene }) => {
    const page = await scene.visit({ path: `/projects/${scene.project.slug}/issues?status=open` })
    await page.getByRole('link', { name: 'Open 0' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.evaluate(watchCounts)
    for (let number = 1; number <= 20; number++) {
      const id = await scene.submit({ title: `Issue ${number}` })
      if (number === 8) await page.keyboard.press('j')
      if (number % 5 === 0) await closeIssue(scene, id)
    }
    await page.getByRole('link', { name: 'Open 16' }).waitFor()
    await page.getByRole('link', { name: 'Closed 4' }).waitFor()
    expect(await page.evaluate('disagreements')).toEqual([])
    // On a busy machine, several changes are shown at once.
    expect(await page.evaluate('looks')).toBeGreaterThan(5)
  })

  test('is counted if it matches, and no row moves', async ({ scene }) => {
    for (let number = 1; number <= 80; number++)
      await scene.submit({ title: `Issue ${number}`, category: 'crash' })
    const path = `/projects/${scene.project.slug}/issues?category=crash`
    const page = await scene.visit({ path })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('grid').hover()
    await page.mouse.wheel(0, 1_000)
    await expect.poll(() => page.getByRole('grid').evaluate(({ scrollTop }) => scrollTop)).toBe(1_000)
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

describe('a change by someone else', () => {
  test('is shown in its row, which does not move, and in the counts', async ({ scene }) => {
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
    await page.getByRole('row').nth(1).getByText('No longer available').waitFor()
  })
})

describe('a change while a page opens', () => {
  test('is shown if it is too late for the list and too early for the stream', async ({ scene }) => {
    const { app, project } = scene
    const id = await scene.submit({ title: 'Changed meanwhile' })
    const page = await scene.visit({ path: `/projects/${project.slug}/insights` })
    const [listed, changed, live] = [signal(), signal(), signal()]
    await page.route(/\/v1\/events\?/, async (route) => {
      await changed.promise
      await route.continue()
    })
    const holdList = async (route: Route) => {
      const response = await route.fetch()
      listed.resolve()
      await live.promise
      await route.fulfill({ response })
    }
    await page.route(/\/v1\/issues\?/, holdList, { times: 1 })
    await page.goto(`${app.url}/projects/${project.slug}/issues`)
    await listed.promise
    await app.send('PATCH', `/v1/issues/${id}`, { key: project.secretKey, body: { status: 'resolved' } })
    changed.resolve()
    await page.getByText('Live', { exact: true }).waitFor()
    live.resolve()
    await page.getByRole('row').getByRole('img', { name: 'Resolved' }).waitFor()
  })
})

describe('the stream', () => {
  test('is resumed after an interruption, without gaps or duplicates, and the page shows its state', async ({
    scene,
  }) => {
    scene.allow(/ERR_|Failed to load resource/)
    await using relay = await startRelay(scene.app.url)
    const page = await scene.visit({ url: relay.url })
    await page.getByText('Live', { exact: true }).waitFor()
    await overhear(page, scene)
    await scene.submit({ title: 'Before' })
    await rowsToBe(page, 1)
    relay.cut()
    await page.getByText('Not connected to the server').waitFor()
    for (const title of ['During', 'Meanwhile']) await scene.submit({ title })
    relay.mend()
    await rowsToBe(page, 3)
    await page.getByText('Not connected to the server').waitFor({ state: 'detached' })
    await scene.submit({ title: 'After' })
    await rowsToBe(page, 4)
    const { body } = await scene.app.send('GET', '/v1/events', { key: scene.project.secretKey })
    expect(await page.evaluate('heard')).toEqual(
      body.data.map(({ position }: { position: number }) => position),
    )
  })

  test('is shared by all tabs, and the next tab takes over when one closes', async ({ scene }) => {
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
    for (const page of [first, ...others]) await rowsToBe(page, 1)
    expect(streams).toEqual([])
    await first.close()
    await scene.submit({ title: 'For the others' })
    for (const page of others) await rowsToBe(page, 2)
    expect(streams).toHaveLength(1)
  })
})

/** Checks the page after every change and before every frame, and records inconsistencies. */
function watchCounts(): void {
  const disagreements = new Set<string>()
  const watched = { disagreements: [] as string[], looks: 0 }
  const numberIn = (selector: string) =>
    Number(document.querySelector(selector)?.textContent?.replace(/\D/g, '') || '0')
  const look = () => {
    const header = numberIn('main header h1 + span')
    const tabs = [...document.querySelectorAll('nav[aria-label="Status"] a')]
    const tab = (name: string) =>
      Number(tabs.find(({ textContent }) => textContent?.startsWith(name))?.textContent?.replace(/\D/g, ''))
    const rows = [...document.querySelectorAll('[role="row"]')].filter((row) =>
      row.querySelector('[role="img"][aria-label="Open"]'),
    ).length
    const pill = [...document.querySelectorAll('main button')].find(({ textContent }) =>
      /\d new/.test(textContent ?? ''),
    )
    const news = Number(/(\d+) new/.exec(pill?.textContent ?? '')?.[1] ?? 0)
    const all = tab('All')
    const sum = ['Open', 'Acknowledged', 'In progress', 'Resolved', 'Closed', "Won't fix"].reduce(
      (count, name) => count + tab(name),
      0,
    )
    watched.looks++
    if (header !== tab('Open') || rows + news !== header || all !== sum)
      disagreements.add(JSON.stringify({ header, open: tab('Open'), rows, news, all, sum }))
    watched.disagreements = [...disagreements]
    Object.assign(window, watched)
  }
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
  const frame = () => {
    look()
    requestAnimationFrame(frame)
  }
  frame()
}

async function closeIssue({ app, project }: Scene, id: string): Promise<void> {
  await app.send('PATCH', `/v1/issues/${id}`, { key: project.secretKey, body: { status: 'closed' } })
}

function signal(): PromiseWithResolvers<void> {
  return Promise.withResolvers()
}

/** Records the position of every event that the page forwards to other tabs. */
async function overhear(page: Page, { project }: Scene): Promise<void> {
  await page.evaluate((name) => {
    const heard: number[] = []
    const channel = new BroadcastChannel(name)
    channel.onmessage = ({ data }) => data.kind === 'event' && heard.push(data.event.position)
    Object.assign(window, { heard, channel })
  }, `bugle-stream-${project.id}`)
}

async function rowsToBe(page: Page, count: number): Promise<void> {
  await expect.poll(() => page.getByRole('row').count()).toBe(count)
}
