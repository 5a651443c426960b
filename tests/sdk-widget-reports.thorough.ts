import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { colourFindingsOf, findingsOf } from './support/dashboard/axe.ts'
import { intercept } from './support/intercept.ts'
import {
  badgeOf,
  commentsOf,
  fieldOf,
  itemOf,
  listed,
  messagesIn,
  openerOf,
  openReports,
  refresh,
  reply,
  reportIn,
  showList,
  WIDGET_WITH_REPORTS,
} from './support/sdk/my-reports.ts'
import { pageSource, type Scene, setStage, test } from './support/sdk/stage.ts'
import { launcherOf, titleOf } from './support/sdk/widget.ts'

setStage()

const TIMEOUT = { timeout: 60_000 }
const HOSTILE =
  '<img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script> & [a](javascript:hacked=1)'

const cutOff = ({ profile, gateway }: Scene) =>
  intercept(profile, `${gateway.url}/**`, (route) => route.abort())
const reconnect = ({ profile, gateway }: Scene) => profile.unroute(`${gateway.url}/**`)

/** Opens the conversation about a report, and returns its messages. */
async function read(page: Page, title: string, count: number): Promise<readonly string[]> {
  await showList(page)
  await itemOf(page, title).getByRole('button').click()
  await expect.poll(async () => (await messagesIn(page)).length, TIMEOUT).toBe(count)
  return messagesIn(page)
}

describe('My reports', () => {
  test('show a reply to one of two installations to that one, and a reply to all to both', async ({
    scene,
  }) => {
    const other = await scene.browser.newContext()
    await using _ = other
    const pages = [await openReports(scene), await openReports({ ...scene, ...sceneIn(scene, other) })]
    const fingerprint = 'widget-two-installations'
    for (const [index, page] of pages.entries()) {
      await page.evaluate(
        ([title, wanted]) => window.bugle.report({ title: `${title}`, fingerprint: `${wanted}` }),
        [`Seen by ${index}`, fingerprint],
      )
      await refresh(page)
      await expect.poll(() => unreadIn(page), TIMEOUT).toBe(0)
    }
    const [issue] = await scene.issues()
    const { body } = await scene.app.send('GET', `/v1/issues/${issue?.['id']}/reports`, {
      key: scene.project.secretKey,
    })
    const second = body.data.find(({ title }: { readonly title: string }) => title === 'Seen by 1')
    await reply(scene, 'Seen by 0', 'Only for you', second.id)
    await reply(scene, 'Seen by 0', 'For everyone')
    for (const page of pages) await refresh(page)
    const [first, second_] = pages as [Page, Page]
    await expect.poll(() => badgeOf(first).textContent(), TIMEOUT).toBe('1')
    await expect.poll(() => badgeOf(second_).textContent(), TIMEOUT).toBe('2')
    expect(await read(first, 'Seen by 0', 1)).toEqual(['For everyone'])
    expect(await read(second_, 'Seen by 1', 2)).toEqual(['Only for you', 'For everyone'])
    // Each sees the title of their own report only.
    for (const [index, page] of pages.entries()) {
      await page.getByRole('button', { name: 'Back' }).click()
      expect((await listed(page)).join()).not.toContain(`Seen by ${1 - index}`)
    }
  })

  test('change with the person who uses the app, also while they are shown', async ({ scene }) => {
    const page = await openReports(scene)
    const switchTo = (id: string | null) =>
      page.evaluate((user) => window.bugle.setUser(user === null ? null : { id: user }), id)
    await switchTo('ada')
    await reportIn(page, 'Of Ada')
    await switchTo('bob')
    await reportIn(page, 'Of Bob')
    await reply(scene, 'Of Ada', 'Hello Ada')
    await switchTo('ada')
    await refresh(page)
    await expect.poll(() => badgeOf(page).textContent(), TIMEOUT).toBe('1')
    await switchTo('bob')
    await expect.poll(() => badgeOf(page).count(), TIMEOUT).toBe(0)
    await switchTo('ada')
    expect(await read(page, 'Of Ada', 1)).toEqual(['Hello Ada'])
    await switchTo('bob')
    await expect.poll(async () => (await listed(page)).join(), TIMEOUT).toContain('Of Bob')
    expect((await listed(page)).join()).not.toContain('Of Ada')
    expect(await page.getByRole('log').count()).toBe(0)
    await switchTo(null)
    await page.getByText('You have not reported anything yet.').waitFor()
  })

  test('show a reply that was written while the app was closed and offline, and then also offline', async ({
    scene,
  }) => {
    const first = await openReports(scene)
    await reportIn(first, 'Blank settings')
    await refresh(first)
    await first.close()
    await reply(scene, 'Blank settings', 'Which phone do you use?')

    await cutOff(scene)
    const second = await openReports(scene)
    await showList(second)
    await itemOf(second, 'Blank settings').waitFor()
    await second.getByText('The server cannot be reached.').waitFor()
    expect(await findingsOf(second)).toEqual([])
    // There is nothing to reach yet. As soon as there is, the SDK tries again by itself.
    await second.getByRole('button', { name: 'Retry' }).click()
    await second.getByText('The server cannot be reached.').waitFor()
    await reconnect(scene)
    await refresh(second)
    await second.getByText('New replies: 1').first().waitFor()
    await expect.poll(() => second.getByText('The server cannot be reached.').count(), TIMEOUT).toBe(0)
    await second.close()

    await cutOff(scene)
    const third = await openReports(scene)
    await expect.poll(() => badgeOf(third).textContent(), TIMEOUT).toBe('1')
    expect(await read(third, 'Blank settings', 1)).toEqual(['Which phone do you use?'])
    await fieldOf(third).fill('Written offline')
    await third.getByRole('button', { name: 'Send' }).click()
    await third.getByText('Saved. It will be sent as soon as possible.').waitFor()
    await third.close()
    await reconnect(scene)
    const fourth = await openReports(scene)
    await expect.poll(() => commentsOf(scene), TIMEOUT).toContain('Written offline')
    expect((await commentsOf(scene)).filter((text) => text === 'Written offline')).toHaveLength(1)
    expect(await read(fourth, 'Blank settings', 2)).toEqual(['Which phone do you use?', 'Written offline'])
  })

  test('show times in the language of the page, also inside the shadow tree of an app', async ({ scene }) => {
    const page = await openReports(scene)
    await reportIn(page, 'Blank')
    await refresh(page)
    await page.evaluate(() => {
      const app = document.createElement('div')
      app.lang = 'ja'
      const widget = document.createElement('bugle-report')
      widget.setAttribute('my-reports', '')
      app.attachShadow({ mode: 'open' }).append(widget)
      document.querySelector('bugle-report')?.replaceWith(app)
      Object.assign(window, { widget })
    })
    await page.waitForFunction('widget.openReports')
    await page.evaluate('widget.openReports()')
    const time = page.locator('time').first()
    await time.waitFor()
    const [shown, expected] = await time.evaluate((element) => [
      element.textContent,
      new Date((element as HTMLTimeElement).dateTime).toLocaleString('ja', {
        dateStyle: 'medium',
        timeStyle: 'short',
      }),
    ])
    expect(shown).toBe(expected)
  })

  test('show hostile texts as text', async ({ scene }) => {
    const page = await openReports(scene)
    await reportIn(page, HOSTILE)
    await reply(scene, HOSTILE, HOSTILE)
    await refresh(page)
    await expect.poll(() => badgeOf(page).textContent(), TIMEOUT).toBe('1')
    await launcherOf(page).click()
    await itemOf(page, HOSTILE).getByRole('button').click()
    await expect.poll(() => messagesIn(page), TIMEOUT).toEqual([HOSTILE])
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    expect(await page.locator('bugle-report').locator('img, script').count()).toBe(0)
  })

  test('keep a message that cannot be sent, and a text that is not accepted', async ({ scene }) => {
    const page = await openReports(scene)
    await reportIn(page, 'Blank')
    await refresh(page)
    await launcherOf(page).click()
    await openerOf(page).click()
    await itemOf(page, 'Blank').getByRole('button').click()
    scene.gateway.messageMishap = { kind: 'break' }
    await fieldOf(page).fill('On a dying connection')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Saved. It will be sent as soon as possible.').waitFor()
    const attempts = countMessages(scene)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect.poll(() => countMessages(scene), TIMEOUT).toBeGreaterThan(attempts)
    scene.gateway.messageMishap = undefined
    await refresh(page)
    await expect.poll(() => page.getByText('Saved. It will be sent').count(), TIMEOUT).toBe(0)
    await expect.poll(() => page.getByText('Sending…').count(), TIMEOUT).toBe(0)
    await expect.poll(() => commentsOf(scene), TIMEOUT).toEqual(['On a dying connection'])

    scene.gateway.messageMishap = { kind: 'answer', status: 422, body: '{"requestId":"req_test"}' }
    await fieldOf(page).fill('Not wanted')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('This message was not accepted.').waitFor()
    expect(await findingsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Edit' }).click()
    await expect.poll(() => fieldOf(page).inputValue()).toBe('Not wanted')
    await expect.poll(() => messagesIn(page), TIMEOUT).toEqual(['On a dying connection'])
    // The draft survives another view.
    await page.getByRole('button', { name: 'Back' }).click()
    await itemOf(page, 'Blank').getByRole('button').click()
    await expect.poll(() => fieldOf(page).inputValue()).toBe('Not wanted')
  })

  test('are readable on a dark page, in a page from right to left, and tell the page what is unread', async ({
    scene,
  }) => {
    const page = await openReports(
      scene,
      `<style>:root { color-scheme: dark }</style>${WIDGET_WITH_REPORTS.replace('<main>', '<main dir="rtl">')}`,
    )
    await page.evaluate(() => {
      const counts: number[] = []
      Object.assign(window, { counts })
      document
        .querySelector('bugle-report')
        ?.addEventListener('bugle-unread', ({ detail }) => counts.push(detail))
    })
    await reportIn(page, 'Dark')
    await reply(scene, 'Dark', 'Hello')
    await refresh(page)
    await expect.poll(() => badgeOf(page).textContent(), TIMEOUT).toBe('1')
    expect(await colourFindingsOf(page)).toEqual([])
    await launcherOf(page).click()
    await itemOf(page, 'Dark').waitFor()
    expect(await colourFindingsOf(page)).toEqual([])
    await itemOf(page, 'Dark').getByRole('button').click()
    await expect.poll(() => messagesIn(page), TIMEOUT).toEqual(['Hello'])
    expect(await colourFindingsOf(page)).toEqual([])
    await expect.poll(() => page.evaluate('counts'), TIMEOUT).toEqual([1, 0])
  })
})

test('My reports work under a strict policy with Trusted Types, in a language of its own file', async ({
  scene,
}) => {
  const { gateway, project, profile, site } = scene
  const page = await profile.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', ({ message }) => complaints.push(message))
  const script = `<script src="/sdk/bugle-widget.js" data-endpoint="${gateway.url}" data-public-key="${project.publicKey}"></script>`
  await page.goto(
    site.page(`<!doctype html><html lang="de"><title>App</title>${script}${WIDGET_WITH_REPORTS}`, {
      'content-security-policy': `default-src 'none'; connect-src ${gateway.url}; script-src 'self'; style-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'`,
    }),
  )
  await page.getByRole('button', { name: 'Problem melden' }).click()
  await page.getByRole('textbox', { name: 'Was stimmt nicht?' }).fill('Verschlossen')
  await page.getByRole('button', { name: 'Meldung senden' }).click()
  await page.getByRole('status').filter({ hasText: 'ist angekommen' }).waitFor()
  await reply(scene, 'Verschlossen', 'Danke')
  await page.getByRole('button', { name: 'Schließen' }).click()
  // Not by the button of the form: if the reply is already there, the panel opens with the list.
  await showList(page, 'Meine Meldungen')
  await page.getByRole('listitem').filter({ hasText: 'Eingegangen' }).getByRole('button').click()
  await expect.poll(() => messagesIn(page), TIMEOUT).toEqual(['Danke'])
  await page.getByRole('textbox', { name: 'Ihre Nachricht' }).fill('Bitte')
  await page.getByRole('button', { name: 'Senden' }).click()
  await expect.poll(() => commentsOf(scene), TIMEOUT).toContain('Bitte')
  expect(complaints.filter((text) => !/favicon|404/.test(text))).toEqual([])
})

test('without the part, the widget still takes reports', async ({ scene }) => {
  await intercept(scene.profile, '**/my-reports.js', (route) => route.abort())
  const page = await openReports(scene)
  await launcherOf(page).click()
  await titleOf(page).waitFor()
  expect(await openerOf(page).count()).toBe(0)
})

/** How often a message was sent. */
function countMessages({ gateway }: Scene): number {
  return gateway.seen.filter(({ line }) => /^POST .*\/messages$/.test(line)).length
}

function unreadIn(page: Page): Promise<number | undefined> {
  return page.evaluate(() => window.bugle.startConversations()?.read().unreadCount)
}

/** The same scene in another profile of the browser: another installation. */
function sceneIn(
  { site, gateway, project }: Scene,
  profile: Scene['profile'],
): Pick<Scene, 'profile' | 'open'> {
  return {
    profile,
    async open({ head = '', body = '', headers = {} } = {}) {
      const page = await profile.newPage()
      const source = pageSource({ head, body, endpoint: gateway.url, publicKey: project.publicKey })
      await page.goto(site.page(source, headers))
      await page.waitForFunction(() => window.bugle !== undefined)
      return page
    },
  }
}
