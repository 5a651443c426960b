import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { intercept } from './support/intercept.ts'
import { startGateway } from './support/sdk/gateway.ts'
import { report, type Scene, setStage, test } from './support/sdk/stage.ts'

setStage()

const TIMEOUT = { timeout: 60_000 }

/** What the page shows: titles, the number of unread replies, and all messages. */
function shown(page: Page) {
  return page.evaluate(() => {
    const conversations = window.bugle.startConversations()
    const { reports = [], unreadCount = 0 } = conversations?.read() ?? {}
    const messages = reports.flatMap(({ id }) => conversations?.readMessages(id).messages ?? [])
    return {
      titles: reports.map(({ title }) => title),
      unreadCount,
      texts: messages.map(({ text, state }) => (state ? `${text} (${state})` : text)),
    }
  })
}

const ask = (page: Page) => page.evaluate(() => window.bugle.startConversations()?.refresh())

/** Asks the server, as soon as no other tab does. */
async function refresh(page: Page): Promise<void> {
  await expect.poll(() => ask(page), TIMEOUT).toBe(true)
}

/** Reports from a page, and waits until the person sees the report. */
async function reportAndSee(page: Page, title: string): Promise<void> {
  await page.evaluate(() => void window.bugle.startConversations())
  expect(await report(page, title)).toMatchObject({ status: 'sent' })
  await expect.poll(async () => (await shown(page)).titles, TIMEOUT).toEqual([title])
}

let replies = 0
async function reply({ app, project, issues }: Scene, title: string, text: string): Promise<void> {
  const issue = (await issues()).find((one) => one['title'] === title)
  const body = { commentId: `reply-${++replies}`, text, audience: 'reporters' }
  const { status } = await app.send('POST', `/v1/issues/${issue?.['id']}/comments`, {
    key: project.secretKey,
    body,
  })
  expect(status).toBe(201)
}

/** The comments of the only issue, as the team sees them. */
async function commentsOf({ app, project, issues }: Scene): Promise<readonly string[]> {
  const [issue] = await issues()
  const { body } = await app.send('GET', `/v1/issues/${issue?.['id']}/comments`, { key: project.secretKey })
  return body.data.map(({ text }: { readonly text: string }) => text)
}

const cutOff = ({ profile, gateway }: Scene) =>
  intercept(profile, `${gateway.url}/**`, (route) => route.abort())
const reconnect = ({ profile, gateway }: Scene) => profile.unroute(`${gateway.url}/**`)

describe('the first report of a person', () => {
  test('arrives and can be followed, although the page closes immediately', async ({ scene }) => {
    const page = await scene.open()
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          // Called when what is stored on the device was read.
          window.bugle.startConversations()?.subscribe(resolve)
        }),
    )
    await page.evaluate(() => {
      setTimeout(() => {
        void window.bugle.report({ title: 'Last words' })
        location.href = 'about:blank'
      })
    })
    await page.waitForURL('about:blank')
    const again = await scene.open()
    await again.evaluate(() => void window.bugle.startConversations())
    await expect
      .poll(async () => ({ isCurrent: await ask(again), titles: (await shown(again)).titles }), TIMEOUT)
      .toEqual({ isCurrent: true, titles: ['Last words'] })
    expect(await scene.issues()).toMatchObject([{ title: 'Last words', reportCount: 1 }])
  })

  test('arrives, although the page closes before the device was read', async ({ scene }) => {
    const page = await scene.open()
    await page.evaluate(() => {
      setTimeout(() => {
        window.bugle.startConversations()
        void window.bugle.report({ title: 'Too early' })
        location.href = 'about:blank'
      })
    })
    await page.waitForURL('about:blank')
    await scene.open()
    await expect.poll(() => scene.issues(), TIMEOUT).toMatchObject([{ title: 'Too early', reportCount: 1 }])
  })

  test('is of the person who has sent it, also if someone else signs in right after it', async ({
    scene,
  }) => {
    const page = await scene.open()
    const result = await page.evaluate(() => {
      window.bugle.startConversations()
      window.bugle.setUser({ id: 'ada', name: 'Ada' })
      const sent = window.bugle.report({ title: 'Of Ada' })
      window.bugle.setUser({ id: 'bob', name: 'Bob' })
      return sent
    })
    expect(result).toMatchObject({ status: 'sent' })
    const bodies = scene.gateway.seen.filter(({ line }) => line === 'POST /v1/issues')
    expect(bodies.map(({ body }) => JSON.parse(body))).toMatchObject([
      { reporter: { id: 'ada', name: 'Ada' } },
    ])
    await page.evaluate(() => window.bugle.setUser({ id: 'ada' }))
    await expect
      .poll(async () => ({ isCurrent: await ask(page), titles: (await shown(page)).titles }), TIMEOUT)
      .toEqual({ isCurrent: true, titles: ['Of Ada'] })
    await page.evaluate(() => window.bugle.setUser({ id: 'bob' }))
    await refresh(page)
    expect((await shown(page)).titles).toEqual([])
  })
})

describe('a person who has reported', () => {
  test('sees a reply that was written while the app was closed and offline, after the next start', async ({
    scene,
  }) => {
    const first = await scene.open()
    await reportAndSee(first, 'Blank settings')
    await first.close()
    await reply(scene, 'Blank settings', 'Which phone do you use?')

    await cutOff(scene)
    const second = await scene.open()
    await second.evaluate(() => void window.bugle.startConversations())
    await expect.poll(async () => (await shown(second)).titles, TIMEOUT).toEqual(['Blank settings'])
    expect(await ask(second)).toBe(false)
    expect(await shown(second)).toEqual({ titles: ['Blank settings'], unreadCount: 0, texts: [] })

    await reconnect(scene)
    await expect
      .poll(() => shown(second), TIMEOUT)
      .toEqual({ titles: ['Blank settings'], unreadCount: 1, texts: ['Which phone do you use?'] })
    await second.close()

    // The reply can be read offline, and is read once the device is online again.
    await cutOff(scene)
    const third = await scene.open()
    await third.evaluate(() => void window.bugle.startConversations())
    await expect.poll(async () => (await shown(third)).texts, TIMEOUT).toEqual(['Which phone do you use?'])
    await third.evaluate(() => {
      const conversations = window.bugle.startConversations()
      for (const { id } of conversations?.read().reports ?? []) conversations?.markRead(id)
    })
    expect(await shown(third)).toMatchObject({ unreadCount: 0 })
    await third.close()
    await reconnect(scene)
    const fourth = await scene.open()
    await fourth.evaluate(() => void window.bugle.startConversations())
    const isRead = () =>
      scene.gateway.seen.some(({ line, status }) => line.startsWith('PUT ') && status === 204)
    await expect.poll(isRead, TIMEOUT).toBe(true)
    await refresh(fourth)
    expect(await shown(fourth)).toMatchObject({ unreadCount: 0, texts: ['Which phone do you use?'] })
  })

  test('sees their own conversations only, when two people use one device', async ({ scene }) => {
    const page = await scene.open()
    const switchTo = (id: string | null) =>
      page.evaluate((user) => {
        window.bugle.setUser(user === null ? null : { id: user })
      }, id)
    for (const [id, title] of [
      ['ada', 'Of Ada'],
      ['bob', 'Of Bob'],
    ] as const) {
      await switchTo(id)
      await reportAndSee(page, title)
    }
    await reply(scene, 'Of Ada', 'Hello Ada')
    await page.evaluate(() => {
      const changes: string[] = []
      window.bugle.startConversations()?.subscribe(() => {
        const { unreadCount, reports } = window.bugle.startConversations()?.read() ?? {}
        changes.push(`${reports?.[0]?.title} ${unreadCount}`)
      })
      Object.assign(window, { changes })
    })
    await refresh(page)
    expect(await shown(page)).toEqual({ titles: ['Of Bob'], unreadCount: 0, texts: [] })
    await switchTo('ada')
    expect((await shown(page)).titles).toEqual(['Of Ada'])
    await refresh(page)
    expect(await shown(page)).toEqual({ titles: ['Of Ada'], unreadCount: 1, texts: ['Hello Ada'] })
    await switchTo(null)
    expect(await shown(page)).toEqual({ titles: [], unreadCount: 0, texts: [] })
    const changes = await page.evaluate(() => Object(window).changes as readonly string[])
    expect(changes).toContain('Of Ada 1')
    expect(changes).not.toContain('Of Bob 1')
    expect(changes.at(-1)).toBe('undefined 0')
  })

  test('sends a message once, although the response is lost and the page is closed', async ({ scene }) => {
    const page = await scene.open()
    await reportAndSee(page, 'Blank')
    const send = (text: string) =>
      page.evaluate((wanted) => {
        const conversations = window.bugle.startConversations()
        return conversations?.send(`${conversations.read().reports[0]?.id}`, wanted)
      }, text)
    scene.gateway.messageMishap = { kind: 'lose the answer' }
    expect(await send('A Pixel 9')).toMatchObject({ status: 'queued' })
    expect(await commentsOf(scene)).toEqual(['A Pixel 9'])
    expect((await shown(page)).texts).toEqual(['A Pixel 9 (queued)'])
    await page.close()
    scene.gateway.messageMishap = undefined
    const again = await scene.open()
    await again.evaluate(() => void window.bugle.startConversations())
    await expect.poll(() => again.evaluate(() => window.bugle.flush()), TIMEOUT).toBe(true)
    expect(await commentsOf(scene)).toEqual(['A Pixel 9'])
    await expect.poll(async () => (await shown(again)).texts, TIMEOUT).toEqual(['A Pixel 9'])
  })

  test('does not send the secret to the server that a response redirects to', async ({ scene }) => {
    const page = await scene.open()
    await reportAndSee(page, 'Blank')
    await using stranger = await startGateway(scene.app.url)
    scene.gateway.messageMishap = { kind: 'answer', status: 307, headers: { location: stranger.url } }
    const result = await page.evaluate(() => {
      const conversations = window.bugle.startConversations()
      return conversations?.send(`${conversations.read().reports[0]?.id}`, 'Hello')
    })
    expect(result).toMatchObject({ status: 'queued' })
    expect(stranger.seen).toEqual([])
  })

  test('sees in one tab what another tab has read, without a request of its own', async ({ scene }) => {
    const first = await scene.open()
    await reportAndSee(first, 'In two tabs')
    const second = await scene.open()
    await expect.poll(async () => (await shown(second)).titles, TIMEOUT).toEqual(['In two tabs'])
    await reply(scene, 'In two tabs', 'Hello')
    // Only the first can ask.
    await intercept(second, `${scene.gateway.url}/**`, (route) => route.abort())
    await refresh(first)
    await expect.poll(() => shown(second), TIMEOUT).toMatchObject({ unreadCount: 1, texts: ['Hello'] })
  })

  test('keeps their conversations when the app clears local storage', async ({ scene }) => {
    const page = await scene.open()
    await reportAndSee(page, 'Before the logout')
    await page.evaluate(() => localStorage.clear())
    await page.close()
    const again = await scene.open()
    await again.evaluate(() => void window.bugle.startConversations())
    await expect.poll(async () => (await shown(again)).titles, TIMEOUT).toEqual(['Before the logout'])
    expect(await report(again, 'After it')).toMatchObject({ status: 'sent' })
    await expect
      .poll(async () => (await shown(again)).titles, TIMEOUT)
      .toEqual(['After it', 'Before the logout'])
  })
})

test('conversations work under a strict policy, next to the file for a script tag', async ({ scene }) => {
  const { gateway, project } = scene
  const policy = `default-src 'none'; script-src 'self'; connect-src ${gateway.url}; require-trusted-types-for 'script'`
  const page = await scene.profile.newPage()
  const violations: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') violations.push(message.text())
  })
  await page.goto(
    scene.site.page(
      `<!doctype html><script src="/sdk/bugle.js" data-endpoint="${gateway.url}" data-public-key="${project.publicKey}"></script>`,
      { 'content-security-policy': policy },
    ),
  )
  const start = `import('/sdk/bugle-conversations.mjs').then(({ startConversations }) => startConversations())`
  const result = await page.evaluate(`${start}.then(() => Bugle.report({ title: 'Under lock and key' }))`)
  expect(result).toMatchObject({ status: 'sent' })
  await reply(scene, 'Under lock and key', 'Thank you')
  const readAll = `${start}.then(async (conversations) => {
    await conversations.refresh()
    return conversations.read().reports.flatMap(({ id }) => conversations.readMessages(id).messages.map(({ text }) => text))
  })`
  await expect.poll(() => page.evaluate(readAll), TIMEOUT).toEqual(['Thank you'])
  expect(violations.filter((text) => !text.includes('favicon'))).toEqual([])
})
