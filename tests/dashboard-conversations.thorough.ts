import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { createReporter, type TestReporter } from '../packages/server/test-support/reporters.ts'
import { NARROW, type PageCheck, runPageCheck, WIDE } from './support/dashboard/appearances.ts'
import { change } from './support/dashboard/prepare.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'
import { intercept } from './support/intercept.ts'

setStage()

const ADA = { id: null, name: 'Ada Reporter', email: 'ada@reporters.example' }
const TO_TEAM = { name: 'Comment', exact: true }
const TO_REPORTERS = { name: 'Reply to reporters', exact: true }

const historyOf = (page: Page) => page.getByRole('region', { name: 'History' })
const fieldOf = (page: Page) => page.getByRole('textbox', TO_TEAM)
const replyOf = (page: Page) => page.getByRole('textbox', TO_REPORTERS)
const formOf = (page: Page) => page.getByRole('form', TO_REPORTERS)
const choose = (page: Page, name: string) => page.getByRole('radio', { name }).check()

interface Reporting {
  readonly issueId: string
  readonly path: string
  readonly ada: TestReporter
  readonly adaReport: string
  readonly bob: TestReporter
  readonly bobReport: string
}

/** Two people report the same issue: Ada, whom the app names, and Bob, whom it does not. */
async function report({ app, project }: Scene): Promise<Reporting> {
  const [ada, bob] = [createReporter(app, project), createReporter(app, project)]
  const fingerprint = 'blank-settings'
  const first = await ada.submit({ fingerprint, reporter: ADA })
  const second = await bob.submit({ fingerprint, title: 'Nothing there' })
  expect(second.issueId).toBe(first.issueId)
  return {
    issueId: first.issueId,
    path: `/projects/${project.slug}/issues/1`,
    ...{ ada, adaReport: first.reportId, bob, bobReport: second.reportId },
  }
}

async function visit(scene: Scene, path: string, user = {}): Promise<Page> {
  const page = await scene.visit({ path, user: { name: 'Grace', ...user } })
  await page.getByText('Live', { exact: true }).waitFor()
  await historyOf(page).waitFor()
  return page
}

describe('a reply', () => {
  test('is written with keys alone, and read by all reporters; comments are for the team', async ({
    scene,
  }) => {
    const { path, ada, adaReport, bob, bobReport } = await report(scene)
    const page = await visit(scene, path)
    await fieldOf(page).fill('Not for reporters')
    await fieldOf(page).press('Control+Enter')
    await historyOf(page).getByRole('article', { name: 'Comment by Grace' }).waitFor()
    await expect.poll(() => fieldOf(page).inputValue()).toBe('')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('Shift+R')
    await formOf(page).getByText('2 reporters will read this in the app.').waitFor()
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('Fixed **soon**')
    await page.keyboard.press('Control+Enter')
    const reply = historyOf(page).getByRole('article', { name: 'Reply by Grace to all reporters' })
    await reply.locator('strong').getByText('soon').waitFor()
    // What is written next is for the team again.
    await fieldOf(page).waitFor()
    expect(await formOf(page).count()).toBe(0)
    expect(await ada.messages(adaReport)).toEqual([['team', 'Fixed **soon**']])
    expect(await bob.messages(bobReport)).toEqual([['team', 'Fixed **soon**']])
  })

  test('to a message is read by the one who wrote it', async ({ scene }) => {
    const { path, ada, adaReport, bob, bobReport } = await report(scene)
    const page = await visit(scene, path)
    await bob.write(bobReport, 'I have a Pixel')
    const message = historyOf(page).getByRole('article', { name: 'Message from the reporter of report 2' })
    await message.getByText('I have a Pixel').waitFor()
    await page.getByText('Waiting for team').waitFor()
    await message.getByRole('button', { name: 'Reply' }).click()
    await page.locator('textarea:focus').waitFor()
    await formOf(page).getByText('Only the reporter of report 2 will read this').waitFor()
    // Another reporter can be chosen, and is named.
    await formOf(page).getByLabel('To', { exact: true }).selectOption(adaReport)
    await formOf(page)
      .getByText(/Only .Ada Reporter. will read this/)
      .waitFor()
    await formOf(page).getByLabel('To', { exact: true }).selectOption(bobReport)
    await replyOf(page).fill('Thank you')
    await page.getByRole('button', { name: 'Send reply' }).click()
    await historyOf(page)
      .getByRole('article', { name: 'Reply by Grace to the reporter of report 2' })
      .getByText('Thank you')
      .waitFor()
    await page.getByText('Waiting for reporter').waitFor()
    expect(await ada.messages(adaReport)).toEqual([])
    expect(await bob.messages(bobReport)).toEqual([
      ['reporter', 'I have a Pixel'],
      ['team', 'Thank you'],
    ])
  })

  test('is started from a report, too', async ({ scene }) => {
    const { path } = await report(scene)
    const page = await visit(scene, path)
    await page.getByRole('button', { name: 'Actions for report 1' }).click()
    await page.getByRole('menuitem', { name: 'Reply to reporter' }).click()
    await formOf(page)
      .getByText(/Only .Ada Reporter. will read this/)
      .waitFor()
    await page.locator('textarea:focus').waitFor()
  })

  test('is sent by nothing else: not by a change of status, nor by keys outside of it', async ({ scene }) => {
    const { path, ada, adaReport, issueId } = await report(scene)
    const page = await visit(scene, path)
    await choose(page, 'Reply to reporters')
    await replyOf(page).fill('Not finished')
    await page.getByRole('button', { name: 'Copy link' }).focus()
    await page.keyboard.press('Control+Enter')
    await page
      .getByRole('region', { name: 'Change status' })
      .getByRole('button', { name: 'Acknowledge' })
      .click()
    await page.getByText('#1 moved to Acknowledged.').first().waitFor()
    await page.reload()
    // It is still a reply.
    await expect.poll(() => replyOf(page).inputValue()).toBe('Not finished')
    await choose(page, 'Comment for the team')
    await expect.poll(() => fieldOf(page).inputValue()).toBe('Not finished')
    await fieldOf(page).press('Control+Enter')
    await historyOf(page).getByRole('article', { name: 'Comment by Grace' }).waitFor()
    expect(await ada.messages(adaReport)).toEqual([])
    const { body } = await scene.app.send('GET', `/v1/issues/${issueId}/comments`, {
      key: scene.project.secretKey,
    })
    expect(body.data).toMatchObject([{ text: 'Not finished', audience: 'team' }])
  })

  test('goes along with a change of status', async ({ scene }) => {
    const { path, ada, adaReport } = await report(scene)
    const page = await visit(scene, path)
    await choose(page, 'Reply to reporters')
    await replyOf(page).fill('We have started')
    await page.getByRole('button', { name: 'Reply and change status' }).click()
    await page.getByRole('menuitem', { name: 'Start progress' }).click()
    await page.getByText('#1 moved to In progress. The reply was sent.').first().waitFor()
    await fieldOf(page).waitFor()
    expect(await ada.reports()).toMatchObject([{ status: 'in_progress', replyCount: 1 }])
    expect(await ada.messages(adaReport)).toEqual([['team', 'We have started']])
  })

  test('is written while resolving, and is sent once if the response is lost', async ({ scene }) => {
    scene.allow(/ERR_FAILED|Failed to load/)
    const { path, ada, adaReport, bob } = await report(scene)
    const page = await visit(scene, path)
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Resolve #1' })
    await dialog.getByLabel('Fixed in version').fill('2.5.0')
    await dialog.getByText('2 reporters will read this').waitFor()
    await dialog.getByLabel('Note for the team').fill('For us')
    await dialog.getByLabel('Reply to reporters').fill('Get 2.5.0')
    await intercept(page, '**/v1/issues/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.fallback()
      await route.fetch()
      await route.abort()
    })
    await dialog.getByRole('button', { name: 'Resolve and send reply' }).click()
    await expect.poll(async () => (await ada.reports())[0].status).toBe('resolved')
    await page.unroute('**/v1/issues/*')
    // The reply is still there, and sending it again changes nothing.
    await expect.poll(() => dialog.getByLabel('Reply to reporters').inputValue()).toBe('Get 2.5.0')
    await dialog.getByRole('button', { name: 'Resolve and send reply' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await ada.messages(adaReport)).toEqual([['team', 'Get 2.5.0']])
    expect(await bob.reports()).toMatchObject([
      { status: 'resolved', fixedIn: { appVersion: '2.5.0' }, replyCount: 1 },
    ])
  })

  test('is not sent if someone else has changed the issue, until the person insists', async ({ scene }) => {
    scene.allow(/status of 412/)
    const { path, ada, adaReport, issueId } = await report(scene)
    const page = await visit(scene, path)
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Resolve #1' })
    await dialog.getByLabel('Reply to reporters').fill('It is fixed')
    await change(scene, issueId, { status: 'in_progress' })
    await page.getByText('In progress', { exact: true }).first().waitFor()
    await dialog.getByRole('button', { name: 'Resolve and send reply' }).click()
    const warning = dialog.getByRole('alert')
    await warning.getByText('Your change was not saved, and the reply was not sent.').waitFor()
    expect(await ada.messages(adaReport)).toEqual([])
    await warning.getByRole('button', { name: 'Save my change and send the reply' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await ada.messages(adaReport)).toEqual([['team', 'It is fixed']])
  })

  test('is not offered if no reporter can read it, nor to viewers', async ({ scene }) => {
    await scene.submit({ title: 'Without a secret' })
    const path = `/projects/${scene.project.slug}/issues/1`
    const page = await visit(scene, path)
    await fieldOf(page).waitFor()
    expect(await page.getByRole('radio').count()).toBe(0)
    await page.keyboard.press('r')
    await page.getByRole('dialog').getByLabel('Note for the team').waitFor()
    expect(await page.getByRole('dialog').getByLabel('Reply to reporters').count()).toBe(0)
    const other = await scene.app.addProject({ name: 'Garden' })
    const ada = createReporter(scene.app, other)
    const { reportId } = await ada.submit()
    await ada.write(reportId, 'Hello')
    const viewer = await scene.visit({
      path: `/projects/${other.slug}/issues/1`,
      user: { role: 'viewer' },
    })
    await viewer
      .getByRole('article', { name: /^Message from/ })
      .getByText('Hello')
      .waitFor()
    for (const name of ['Reply', 'Actions for the message'])
      expect(await viewer.getByRole('button', { name }).count()).toBe(0)
    expect(await viewer.getByRole('textbox').count()).toBe(0)
  })
})

describe('a message', () => {
  test('shows who wrote it, and its text as it is', async ({ scene }) => {
    const { path, ada, adaReport } = await report(scene)
    const text = '**no bold** <img src=x onerror=alert(1)> [no](javascript:alert(1)) #1\n\u202ereversed'
    await ada.write(adaReport, text)
    const page = await visit(scene, path)
    const message = historyOf(page).getByRole('article', { name: /Message from .Ada Reporter/ })
    await message.getByText('**no bold** <img src=x onerror=alert(1)>').waitFor()
    await message.getByText('ada@reporters.example').waitFor()
    expect(await message.locator('strong, img, a[href^="javascript"]').count()).toBe(0)
    // The only link leads to the other reports of the same person.
    expect(await message.getByRole('link').count()).toBe(1)
  })

  test('stays within the page, however long its text and the names of its author are', async ({ scene }) => {
    const mallory = createReporter(scene.app, scene.project)
    const reporter = {
      id: null,
      name: `\u202e<b>${'W'.repeat(200)}`,
      email: `${'e'.repeat(230)}@evil.example`,
    }
    const { reportId } = await mallory.submit({ reporter })
    await mallory.write(reportId, 'X'.repeat(4_000))
    const page = await scene.visit({
      path: `/projects/${scene.project.slug}/issues/1`,
      viewport: { width: NARROW, height: 800 },
    })
    const message = page.getByRole('article', { name: /^Message from/ })
    await message.getByRole('button', { name: 'Reply' }).click()
    await formOf(page)
      .getByText(/^Only .* will read this/)
      .waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW)
    for (const part of [message, formOf(page)]) {
      const overflow = await part.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      expect(overflow).toBe(0)
    }
  })

  test('is not needed to block the only reporter of an issue', async ({ scene }) => {
    const ada = createReporter(scene.app, scene.project)
    await ada.submit({ reporter: ADA })
    const page = await visit(scene, `/projects/${scene.project.slug}/issues/1`)
    const block = async (word: string) => {
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: `${word} reporter…` }).click()
      const question = page.getByRole('dialog', { name: `${word} this reporter?` })
      await question.getByText('Ada Reporter').waitFor()
      await question.getByRole('button', { name: `${word} reporter` }).click()
      await question.waitFor({ state: 'detached' })
    }
    await block('Block')
    expect(await ada.reports()).toEqual([])
    // There is no one to reply to.
    await expect.poll(() => page.getByRole('radio').count()).toBe(0)
    await block('Unblock')
    expect(await ada.reports()).toHaveLength(1)
    await page.getByRole('radio', { name: 'Reply to reporters' }).waitFor()
  })

  test('and its author are blocked and unblocked with keys alone', async ({ scene }) => {
    const { path, ada, adaReport, bob } = await report(scene)
    await ada.write(adaReport, 'Spam, spam')
    const page = await visit(scene, path)
    const message = historyOf(page).getByRole('article', { name: /Message from/ })
    const act = async (item: string) => {
      await message.getByRole('button', { name: 'Actions for the message' }).press('Enter')
      await page.locator('[role=menuitem]:focus', { hasText: item }).waitFor()
      await page.keyboard.press('Enter')
    }
    await act('Block reporter…')
    const question = page.getByRole('dialog', { name: 'Block this reporter?' })
    await question.locator('button:focus', { hasText: 'Cancel' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await message.getByText('Blocked').waitFor()
    await historyOf(page).getByText('Grace blocked the reporter of report 1, Ada Reporter').waitFor()
    expect(await ada.reports()).toEqual([])
    expect(await bob.reports()).toHaveLength(1)
    await choose(page, 'Reply to reporters')
    await formOf(page).getByText('1 reporter will read this').waitFor()
    await choose(page, 'Comment for the team')
    await act('Unblock reporter…')
    await page
      .getByRole('dialog', { name: 'Unblock this reporter?' })
      .getByRole('button', { name: 'Unblock reporter' })
      .click()
    await historyOf(page).getByText('Grace unblocked the reporter of report 1').waitFor()
    expect(await ada.reports()).toHaveLength(1)
  })
})

describe('the inbox', () => {
  test('marks issues whose reporters have written, and lists them in a saved view', async ({ scene }) => {
    const { ada, adaReport, issueId } = await report(scene)
    await scene.submit({ title: 'Something else' })
    const page = await scene.visit()
    const row = (name: RegExp) => page.getByRole('row', { name })
    await page.getByText('Live', { exact: true }).waitFor()
    await row(/Something else/).waitFor()
    await ada.write(adaReport, 'Hello?')
    await row(/Settings stay blank/)
      .getByRole('img', { name: 'A reporter has written' })
      .waitFor()
    expect(await page.getByRole('img', { name: 'A reporter has written' }).count()).toBe(1)
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('checkbox', { name: 'Waiting for team' }).check()
    await row(/Something else/).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save as view' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Unanswered')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.goto(`${scene.app.url}/projects/${scene.project.slug}/issues`)
    await row(/Something else/).waitFor()
    await page.getByRole('link', { name: 'Unanswered' }).click()
    await page.getByRole('button', { name: 'Remove filter Waiting for team' }).waitFor()
    await row(/Settings stay blank/).waitFor()
    await expect.poll(() => row(/Something else/).count()).toBe(0)
    const body = { commentId: 'reply', text: 'Hello!', audience: 'reporters' }
    await scene.app.send('POST', `/v1/issues/${issueId}/comments`, { key: scene.project.secretKey, body })
    await expect.poll(() => page.getByRole('img', { name: 'A reporter has written' }).count()).toBe(0)
  })
})

const CHECK: PageCheck = {
  name: 'a conversation',
  async prepare(scene) {
    const { path, ada, adaReport, issueId } = await report(scene)
    await ada.write(adaReport, 'It happens on my phone, too.')
    const body = {
      commentId: 'one',
      text: 'Which **phone**? `code` https://a.example',
      audience: 'reporters',
    }
    await scene.app.send('POST', `/v1/issues/${issueId}/comments`, { key: scene.project.secretKey, body })
    await ada.write(adaReport, 'A Pixel 9.')
    return { path, user: { name: 'Grace' } }
  },
  async run(page, inspect) {
    await historyOf(page).getByText('A Pixel 9.').waitFor()
    await historyOf(page).locator('strong').getByText('phone').waitFor()
    await inspect('timeline')
    await choose(page, 'Reply to reporters')
    await replyOf(page).fill('Thank you')
    await inspect('reply')
    await page.getByRole('button', { name: 'Reply and change status' }).click()
    await page.getByRole('menuitem', { name: 'Resolve' }).click()
    const dialog = page.getByRole('dialog', { name: 'Resolve #1' })
    await expect.poll(() => dialog.getByLabel('Reply to reporters').inputValue()).toBe('Thank you')
    await inspect('resolving')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions for the message' }).first().click()
    await page.getByRole('menuitem', { name: 'Block reporter…' }).click()
    await page.getByRole('dialog', { name: 'Block this reporter?' }).waitFor()
    await inspect('blocking')
  },
}

describe.each([WIDE, NARROW])('a conversation, %i pixels wide', (width) => {
  test('has no accessibility faults', async ({ scene }) => {
    await runPageCheck(scene, CHECK, { width, rulesInDark: 'colours' })
  })
})
