import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { findingsOf } from './support/dashboard/axe.ts'
import { type Scene, setStage, test } from './support/sdk/stage.ts'
import {
  holdSubmissions,
  launcherOf,
  openWidget,
  sendReport,
  statusOf,
  titleOf,
  WIDGET,
} from './support/sdk/widget.ts'

setStage()

const REFUSAL = { kind: 'answer', status: 400, body: '{"requestId":"req_test"}' } as const

describe('the widget', () => {
  test('takes a report by keyboard alone, and confirms it with the number of the issue', async ({
    scene,
  }) => {
    const page = await openWidget(scene)
    await launcherOf(page).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await titleOf(page).waitFor()
    await page.keyboard.type('Settings stay blank')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Since the update')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.getByRole('button', { name: 'Attach a file' }).waitFor()
    for (const name of ['Attach a file', 'Take a screenshot', 'Also sent', 'Send report']) {
      await page.keyboard.press('Tab')
      expect(await focusedIn(page)).toContain(name)
    }
    await page.keyboard.press('Enter')
    await statusOf(page, /Your report has arrived\.\s*Issue #1$/).waitFor()
    expect(await titleOf(page).count()).toBe(0)
    expect(await scene.issues()).toMatchObject([
      {
        title: 'Settings stay blank',
        excerpt: 'Since the update',
        category: 'crash',
        platform: 'web',
        issueNumber: 1,
      },
    ])
    // The focus is on Close, and goes back to the launcher from there.
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BUGLE-REPORT')
    await page.keyboard.press('Enter')
    await expect.poll(() => titleOf(page).inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  test('does not block the page', async ({ scene }) => {
    const page = await openWidget(scene, { body: `<input aria-label="Of the page">${WIDGET}` })
    await launcherOf(page).click()
    await titleOf(page).fill('Still writing')
    await page.getByRole('textbox', { name: 'Of the page' }).fill('Looked up')
    await page.getByRole('dialog').waitFor()
    await expect.poll(() => titleOf(page).inputValue()).toBe('Still writing')
  })

  test('says that a report is saved when there is no network', async ({ scene }) => {
    const page = await openWidget(scene)
    await scene.profile.setOffline(true)
    await sendReport(page, 'No network')
    await statusOf(page, 'Saved. It will be sent when you are online.').waitFor()
    await scene.profile.setOffline(false)
    await expect.poll(() => scene.issues()).toMatchObject([{ title: 'No network' }])
  })

  test('says why a report was not accepted, keeps the text, and tries again', async ({ scene }) => {
    const page = await openWidget(scene)
    scene.gateway.mishap = REFUSAL
    await sendReport(page, 'Precious words')
    await statusOf(page, 'was not accepted').waitFor()
    await expect.poll(() => titleOf(page).inputValue()).toBe('Precious words')
    scene.gateway.mishap = undefined
    await page.getByRole('button', { name: 'Retry' }).click()
    await statusOf(page, 'has arrived').waitFor()
    expect(await scene.issues()).toMatchObject([{ title: 'Precious words' }])
  })

  test('offers another report while one is being sent, and loses neither', async ({ scene }) => {
    const page = await openWidget(scene)
    scene.gateway.mishap = REFUSAL
    const release = await holdSubmissions(page)
    await sendReport(page, 'The first')
    await page.getByRole('button', { name: 'Close' }).click()
    await launcherOf(page).click()
    await expect.poll(() => titleOf(page).inputValue()).toBe('')
    await titleOf(page).fill('The second')
    release()
    await statusOf(page, 'was not accepted').waitFor()
    await expect.poll(() => titleOf(page).inputValue()).toBe('The second')
    scene.gateway.mishap = undefined
    await page.getByRole('button', { name: 'Retry' }).click()
    await statusOf(page, 'has arrived').waitFor()
    await expect.poll(() => titleOf(page).inputValue()).toBe('The second')
    await page.getByRole('button', { name: 'Send' }).click()
    await statusOf(page, 'Issue #2').waitFor()
    expect((await scene.issues()).map(({ title }) => title)).toEqual(['The second', 'The first'])
  })

  test('keeps a draft when it is closed and when the page is loaded again', async ({ scene }) => {
    const page = await openWidget(scene)
    await launcherOf(page).click()
    await titleOf(page).fill('Half a thought')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.reload()
    await page.waitForFunction(() => window.bugle !== undefined)
    await page.evaluate(() => window.bugle.defineWidget())
    await launcherOf(page).click()
    await expect.poll(() => titleOf(page).inputValue()).toBe('Half a thought')
  })

  test('asks for a title, and sends nothing without one', async ({ scene }) => {
    const page = await openWidget(scene)
    await sendReport(page, '')
    await titleOf(page).fill('   ')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('status').textContent()).toBe('')
    expect(scene.gateway.countSubmissions()).toBe(0)
  })

  test('does not let the page take what is typed for its shortcuts', async ({ scene }) => {
    const page = await openWidget(scene)
    await page.evaluate(() => {
      const heard: string[] = []
      Object.assign(window, { heard })
      document.addEventListener('keydown', ({ key }) => heard.push(key))
    })
    await launcherOf(page).click()
    await titleOf(page).waitFor()
    await page.keyboard.type('jk')
    expect(await page.evaluate('heard')).toEqual([])
  })

  test('opens and closes by its own shortcut, which no other keys are', async ({ scene }) => {
    const page = await openWidget(scene, { body: '<bugle-report shortcut="Ctrl+Shift+U"></bugle-report>' })
    await launcherOf(page).waitFor()
    await page.keyboard.press('u')
    await page.keyboard.press('Control+u')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('Control+Shift+U')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Control+Shift+U')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  test('has its launcher where the page wants it, and with its words', async ({ scene }) => {
    const page = await openWidget(scene, {
      body: `<p><bugle-report position="inline" label="Feedback"></bugle-report></p>
        <bugle-report position="top-left" label=""></bugle-report>
        <bugle-report position="none" id="none"></bugle-report>`,
    })
    const inline = await page.getByRole('button', { name: 'Feedback' }).boundingBox()
    const paragraph = await page.locator('p').boundingBox()
    expect(inline?.y).toBeGreaterThanOrEqual(paragraph?.y ?? Number.NaN)
    const icon = await page.getByRole('button', { name: 'Report a problem' }).boundingBox()
    expect(icon?.x).toBeLessThan(40)
    expect(icon?.y).toBeLessThan(40)
    expect(icon?.width).toBeCloseTo(icon?.height ?? 0)
    await expect.poll(() => page.getByRole('button').count()).toBe(2)
    await page.evaluate(() => (document.getElementById('none') as HTMLElement & { open(): void }).open())
    await page.getByRole('dialog').waitFor()
  })

  test('asks what the app wants to know, and sends it as metadata', async ({ scene }) => {
    const fields = [
      { name: 'orderNumber', label: 'Order number', isRequired: true },
      { name: 'plan', label: 'Your plan', choices: ['Free', 'Team'] },
      { name: 'branchOffice', label: 'Office' },
    ]
    const page = await openWidget(scene, { options: { fields, email: true } })
    await sendReport(page, 'Wrong invoice')
    expect(scene.gateway.countSubmissions()).toBe(0)
    await page.getByRole('textbox', { name: 'Order number' }).fill('A-17')
    await page.getByRole('combobox', { name: 'Your plan' }).selectOption('Team')
    await page.getByRole('textbox', { name: 'Email address' }).fill('ada@example.com')
    await page.getByRole('button', { name: 'Send' }).click()
    await statusOf(page, 'has arrived').waitFor()
    const { metadata, reporter } = await readIssue(scene)
    expect(metadata).toMatchObject({ orderNumber: 'A-17', plan: 'Team' })
    expect(reporter).toEqual({ id: null, name: null, email: 'ada@example.com' })
    expect(metadata).not.toHaveProperty('branchOffice')
  })

  test('says in one line what is sent, and shows all of it', async ({ scene }) => {
    const page = await openWidget(scene)
    await launcherOf(page).click()
    const line = page.getByText('Also sent: ')
    await expect.poll(() => line.innerText()).toBe('Also sent: app version, device, page address')
    await line.click()
    const shown = page.getByRole('definition')
    await shown.first().waitFor()
    const values = await shown.allInnerTexts()
    await titleOf(page).fill('Looked at')
    await page.getByRole('button', { name: 'Send' }).click()
    await statusOf(page, 'has arrived').waitFor()
    const issue = await readIssue(scene)
    const { context, sdk } = issue
    expect(context).toMatchObject({
      page: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/page-\d+$/),
      browser: expect.stringMatching(/^Chrome \d+$/),
      language: expect.stringMatching(/^en/),
    })
    // The browser is sent as it names itself, and read by the server.
    const userAgent = await page.evaluate(() => navigator.userAgent)
    const names = ['appVersion', 'buildNumber', 'osVersion', 'deviceModel', 'platform', 'branch'] as const
    const sent = [
      ...names.map((name) => issue[name]),
      ...Object.values({ ...context, browser: userAgent }),
      `${sdk.name} ${sdk.version}`,
    ]
    expect([...values].sort()).toEqual(sent.map(String).sort())
  })

  test('shows what the app makes of a report, and leaves out where it comes from on request', async ({
    scene,
  }) => {
    const { gateway, project, profile, site } = scene
    const page = await profile.newPage()
    await page.goto(
      site.page(`<!doctype html><html lang="en"><title>App</title><bugle-report></bugle-report>
<script type="module">
import { defineWidget, init } from '/sdk/bugle.mjs'
init({ endpoint: '${gateway.url}', publicKey: '${project.publicKey}', beforeSend: ({ osVersion, deviceModel, ...rest }) => ({ ...rest, metadata: { ...rest.metadata, tenant: 'north' } }) })
defineWidget({ context: false })
</script>`),
    )
    await launcherOf(page).click()
    await page.getByText('Also sent: app version, device', { exact: true }).click()
    await page.getByRole('definition').first().waitFor()
    await expect.poll(() => page.getByRole('term').allInnerTexts()).toEqual(['Platform', 'Tenant', 'SDK'])
  })

  test('has the languages of the guide, each with all texts', async ({ scene }) => {
    const page = await openWidget(scene)
    const headings: string[] = []
    for (const lang of ['de', 'fr-CA', 'es', 'pt-BR', 'ja', 'zh-Hans-CN', 'it']) {
      await page.evaluate((code) => {
        const element = document.createElement('bugle-report')
        element.lang = code
        document.body.replaceChildren(element)
        element.open()
      }, lang)
      headings.push(await page.getByRole('dialog').getByRole('heading').innerText())
    }
    expect(headings).toEqual([
      'Problem melden',
      'Signaler un problème',
      'Informar de un problema',
      'Relatar um problema',
      '問題を報告',
      '报告问题',
      'Report a problem',
    ])
  })

  for (const theme of ['light', 'dark'] as const) {
    test(`has nothing for axe to find in any state, in ${theme}`, async ({ scene }) => {
      const page = await openWidget(scene, {
        head: `<style>body { background: ${theme === 'dark' ? '#111' : '#fff'} }</style>`,
        body: WIDGET.replace('<h1>', `<h1 style="color: ${theme === 'dark' ? '#fff' : '#111'}">`),
        options: { fields: [{ name: 'plan', label: 'Plan', choices: ['Free'] }], email: true },
      })
      await page.emulateMedia({ reducedMotion: 'reduce' })
      const findings: string[] = []
      const look = async (state: string) => {
        for (const finding of await findingsOf(page)) findings.push(`${state}: ${finding}`)
      }
      await look('closed')
      await launcherOf(page).click()
      await page.getByRole('button', { name: 'Attach a file' }).waitFor()
      await look('form')
      await page.keyboard.press('Escape')
      scene.gateway.mishap = REFUSAL
      await sendReport(page, 'Looked at')
      await statusOf(page, 'was not accepted').waitFor()
      await page.getByText('Also sent: ').click()
      await page.getByRole('definition').first().waitFor()
      await look('failed')
      scene.gateway.mishap = undefined
      const release = await holdSubmissions(page)
      await page.getByRole('button', { name: 'Retry' }).click()
      await page.getByRole('button', { name: 'Sending' }).waitFor()
      await look('sending')
      release()
      await statusOf(page, 'has arrived').waitFor()
      await look('sent')
      await page.getByRole('button', { name: 'Close' }).click()
      await scene.profile.setOffline(true)
      await sendReport(page, 'No network')
      await statusOf(page, 'Saved').waitFor()
      await look('saved')
      expect(findings).toEqual([])
    })
  }
})

/** The text of what has the focus in the widget. */
function focusedIn(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent)
}

/** The newest issue, with everything that was sent. */
async function readIssue({ app, project, issues }: Scene) {
  const [issue] = await issues()
  const id = String(issue?.['id'])
  return (await app.send('GET', `/v1/issues/${id}`, { key: project.secretKey })).body
}
