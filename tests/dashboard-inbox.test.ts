import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { waitForFocus } from './support/dashboard/keys.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'
import { intercept } from './support/intercept.ts'

setStage()

const HOSTILE = [
  '<img src=x onerror="document.title=1">',
  '</script><script>document.title=2</script>',
  '{{constructor.constructor("document.title=3")()}} javascript:alert(1)',
  '\u202Egnp.exe\u202C reversed',
  `Z\u0337\u0322a\u0335\u0321lgo 👩‍👩‍👧‍👦${'W'.repeat(200)}`,
]

/** A fraction of the recommended value, which is twenty times as high. */
const MAX_SHIFT = 0.005

describe('triage by keyboard alone', () => {
  test('moves ten issues, and no others', async ({ scene }) => {
    for (let number = 1; number <= 12; number++) await scene.submit({ title: `Issue ${number}` })
    const page = await scene.visit()
    await rowOf(page, 'Issue 12').waitFor()
    // Newest first: 12 down to 3, one move each, then two more rows that stay.
    for (const key of ['a', 'i', 'r', 'c', 'w', 'a', 'a', 'i', 'r', 'c']) await page.keyboard.press(key)
    await expect
      .poll(async () => (await scene.issues()).map(({ status }) => status))
      .toEqual(
        ['closed', 'resolved', 'in_progress', 'acknowledged', 'acknowledged', 'wontfix', 'closed', 'resolved']
          .concat('in_progress', 'acknowledged')
          .toSpliced(0, 0, 'open', 'open'),
      )
    // The cursor is on the next one now; k moves back, o reopens a finished issue.
    for (const key of ['k', 'o']) await page.keyboard.press(key)
    await expect
      .poll(async () => (await scene.issues())[2])
      .toMatchObject({ title: 'Issue 3', status: 'open' })
  })

  test('selects several, moves them together, and undoes it', async ({ scene }) => {
    for (let number = 1; number <= 5; number++) await scene.submit({ title: `Issue ${number}` })
    const page = await scene.visit()
    await rowOf(page, 'Issue 5').waitFor()
    for (const key of ['x', 'Shift+J', 'Shift+J']) await page.keyboard.press(key)
    await page.getByText('3 issues selected').waitFor()
    const changes = watchChanges(page)
    await page.keyboard.press('r')
    await page.getByLabel('Notifications').getByText('3 issues moved to Resolved.').waitFor()
    expect(changes).toEqual(['POST /v1/issues/bulk'])
    const statuses = async () => (await scene.issues()).map(({ status }) => status)
    expect(await statuses()).toEqual(['open', 'open', 'resolved', 'resolved', 'resolved'])
    await page.keyboard.press('u')
    await page.getByLabel('Notifications').getByText('3 issues moved to Open.').waitFor()
    expect(await statuses()).toEqual(['open', 'open', 'open', 'open', 'open'])
  })

  test('changes none of the selected issues if someone has changed one of them, and says which', async ({
    scene,
  }) => {
    scene.allow(/status of 409/)
    for (let number = 1; number <= 3; number++) await scene.submit({ title: `Issue ${number}` })
    const page = await scene.visit()
    await rowOf(page, 'Issue 3').waitFor()
    for (const key of ['x', 'Shift+J', 'Shift+J']) await page.keyboard.press(key)
    await page.getByText('3 issues selected').waitFor()
    await intercept(page, '**/v1/issues/bulk', async (route) => {
      await move(scene, 'Issue 2', 'acknowledged')
      await route.continue()
    })
    await page.keyboard.press('c')
    const notes = page.getByLabel('Notifications')
    expect(await notes.getByText('No issues were changed.').textContent()).toBe(
      'No issues were changed.\n#2: someone else changed it. Check its current state.',
    )
    expect((await scene.issues()).map(({ status }) => status)).toEqual(['open', 'acknowledged', 'open'])
    await rowOf(page, 'Issue 2').getByRole('img', { name: 'Acknowledged' }).waitFor()
    for (const title of ['Issue 1', 'Issue 3'])
      await rowOf(page, title).getByRole('img', { name: 'Open' }).waitFor()
    // What the rows show now can be changed.
    await page.unroute('**/v1/issues/bulk')
    for (const key of ['Home', 'x', 'Shift+J', 'Shift+J', 'c']) await page.keyboard.press(key)
    await notes.getByText('3 issues moved to Closed.').waitFor()
    await page.keyboard.press('u')
    await expect
      .poll(async () => (await scene.issues()).map(({ status }) => status))
      .toEqual(['open', 'acknowledged', 'open'])
  })

  test('offers only status changes that all selected issues allow', async ({ scene }) => {
    await scene.submit({ title: 'Done' })
    await scene.submit({ title: 'Fresh' })
    await move(scene, 'Done', 'resolved')
    const page = await scene.visit()
    await rowOf(page, 'Fresh').waitFor()
    for (const key of ['x', 'Shift+J']) await page.keyboard.press(key)
    await page.getByText('These issues have no status change in common.').waitFor()
    await page.keyboard.press('c')
    const refusal = 'Not all of the selected issues can move to Closed from their current status.'
    await page.getByRole('status', { name: 'Announcements' }).getByText(refusal).waitFor()
    await page.keyboard.press('Escape')
    expect((await scene.issues()).map(({ status }) => status)).toEqual(['resolved', 'open'])
  })

  test('reports what could not be changed, and shows its current state', async ({ scene }) => {
    scene.allow(/status of 412/)
    await scene.submit({ title: 'Contested' })
    const page = await scene.visit()
    await rowOf(page, 'Contested').waitFor()
    // The page must not be notified, so that its data is outdated when it changes the issue.
    await intercept(page, '**/v1/issues/*', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    )
    scene.allow(/ERR_FAILED/)
    await move(scene, 'Contested', 'acknowledged')
    await page.keyboard.press('c')
    await page.getByLabel('Notifications').getByText('someone else changed it').waitFor()
    expect((await scene.issues())[0]).toMatchObject({ status: 'acknowledged' })
  })

  test('is inactive while typing, in menus, with modifiers, and when it is turned off', async ({ scene }) => {
    await scene.submit({ title: 'Quiet' })
    const page = await scene.visit()
    await rowOf(page, 'Quiet').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('car')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Alt+a')
    await page.evaluate(() =>
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'a', isComposing: true, bubbles: true }),
      ),
    )
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('a')
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('a')
    await page.keyboard.press('Control+k')
    const search = page.getByRole('combobox', { name: 'Find a command' })
    await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true)
    expect((await scene.issues())[0]).toMatchObject({ status: 'open', version: 1 })
    await page.keyboard.type('acknow')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await scene.issues())[0])
      .toMatchObject({ status: 'acknowledged', version: 2 })
  })
})

describe('the bar of the selection', () => {
  test('sets the priority of all selected issues, and undoes it', async ({ scene }) => {
    for (const title of ['First', 'Second', 'Third']) await scene.submit({ title })
    const page = await scene.visit()
    await rowOf(page, 'Third').waitFor()
    for (const key of ['x', 'Shift+J']) await page.keyboard.press(key)
    await page.getByRole('button', { name: 'Priority' }).click()
    await page.getByRole('menuitem', { name: 'Critical' }).click()
    const priorities = async () => (await scene.issues()).map(({ priority }) => priority)
    await expect.poll(priorities).toEqual(['medium', 'critical', 'critical'])
    await page.getByLabel('Notifications').getByText('2 issues set to critical priority.').waitFor()
    await page.keyboard.press('u')
    await expect.poll(priorities).toEqual(['medium', 'medium', 'medium'])
  })

  test('deletes the selected issues after confirmation', async ({ scene }) => {
    for (const title of ['First', 'Second', 'Third']) await scene.submit({ title })
    const page = await scene.visit({ user: { role: 'admin' } })
    await rowOf(page, 'Third').waitFor()
    for (const key of ['x', 'Shift+J']) await page.keyboard.press(key)
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await scene.issues()).toHaveLength(3)
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete 2 issues' }).click()
    await page.getByLabel('Notifications').getByText('2 issues deleted.').waitFor()
    expect((await scene.issues()).map(({ title }) => title)).toEqual(['First'])
    await page.getByRole('link', { name: 'All 1' }).waitFor()
  })

  test('changes all issues that match, also those that are not selected', async ({ scene }) => {
    for (const title of ['First', 'Second', 'Third']) await scene.submit({ title })
    await move(scene, 'First', 'resolved')
    const page = await scene.visit({ user: { role: 'admin' } })
    await page.getByRole('link', { name: 'Open 2' }).click()
    await rowOf(page, 'Third').waitFor()
    await rowOf(page, 'First').waitFor({ state: 'detached' })
    await page.keyboard.press('x')
    await page.getByRole('button', { name: 'Select all 2 matching…' }).click()
    const dialog = page.getByRole('dialog', { name: 'All 2 matching issues' })
    await dialog.getByRole('button', { name: 'Critical priority' }).click()
    await page.getByLabel('Notifications').getByText('2 issues changed.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect((await scene.issues()).map(({ priority }) => priority)).toEqual(['medium', 'critical', 'critical'])

    await rowOf(page, 'Third').waitFor()
    await page.keyboard.press('x')
    await page.getByRole('button', { name: 'Select all 2 matching…' }).click()
    await dialog.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete 2 issues' }).click()
    await page.getByLabel('Notifications').getByText('2 issues deleted.').waitFor()
    expect((await scene.issues()).map(({ title }) => title)).toEqual(['First'])
  })

  test('offers no deletion to people who may not delete', async ({ scene }) => {
    await scene.submit({ title: 'First' })
    const page = await scene.visit({ user: { role: 'triager' } })
    await rowOf(page, 'First').waitFor()
    await page.keyboard.press('x')
    await page.getByText('1 issue selected').waitFor()
    expect(await page.getByRole('button', { name: 'Delete…' }).count()).toBe(0)
  })

  test.for([390, 1280, 1920])('is not covered by a toast at %i pixels', async (width, { scene }) => {
    for (const title of ['First', 'Second', 'Third']) await scene.submit({ title })
    const viewport = { width, height: 800 }
    const page = await scene.visit({ user: { role: 'admin' }, viewport })
    await rowOf(page, 'Third').waitFor()
    // The toast of a failure stays until it is dismissed.
    scene.allow(/status of 412/)
    await intercept(page, '**/v1/issues/*', async (route) => {
      if (route.request().method() === 'PATCH') await move(scene, 'Third', 'in_progress')
      await route.continue()
    })
    await page.keyboard.press('a')
    const toast = page.getByLabel('Notifications').getByText('someone else changed it').locator('..')
    await toast.waitFor()
    await page.keyboard.press('x')
    const bar = page.getByRole('region', { name: 'Selected issues' })
    await bar.waitFor()
    await expect
      .poll(async () => {
        const [above, below] = [await toast.boundingBox(), await bar.boundingBox()]
        return above !== null && below !== null && above.y + above.height <= below.y
      })
      .toBe(true)
  })
})

describe('what the list shows', () => {
  test('is in the address: a deep link, back and reload keep it', async ({ scene }) => {
    for (let number = 1; number <= 60; number++)
      await scene.submit({
        title: `Issue ${number}`,
        category: number % 2 ? 'crash' : 'bug',
        platform: 'ios',
      })
    const path = `/projects/${scene.project.slug}/issues?category=crash&sort=oldest`
    const page = await scene.visit({ path })
    await rowOf(page, 'Issue 1').waitFor()
    await page.getByText('30 issues').waitFor()
    await page.reload()
    await rowOf(page, 'Issue 1').waitFor()
    for (let step = 0; step < 25; step++) await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/issues\/\d+$/)
    await page.goBack()
    expect(page.url()).toBe(scene.app.url + path)
    await page.locator('[data-cursor]').getByText('Issue 51', { exact: true }).waitFor()
    await page.reload()
    await page.locator('[data-cursor]').getByText('Issue 51', { exact: true }).waitFor()
    expect(
      await page
        .getByRole('row')
        .filter({ hasText: /^.*Issue 1$/ })
        .count(),
    ).toBe(0)
  })

  test('is updated when returning from an issue', async ({ scene }) => {
    for (const title of ['First', 'Second', 'Third']) await scene.submit({ title })
    const page = await scene.visit({ path: `/projects/${scene.project.slug}/issues?status=open` })
    await rowOf(page, 'Third').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/issues\/\d+$/)
    await move(scene, 'Second', 'resolved')
    await page.goBack()
    await rowOf(page, 'Second').getByRole('img', { name: 'Resolved' }).waitFor()
    expect(await titles(page)).toEqual(['Third', 'Second', 'First'])
    await page.keyboard.press('.')
    await expect.poll(() => titles(page)).toEqual(['Third', 'First'])
  })

  test('follows filters, search and tabs, and can be saved as a view', async ({ scene }) => {
    await scene.submit({ title: 'Login crashes', category: 'crash', platform: 'ios', priority: 'high' })
    await scene.submit({ title: 'Login is slow', category: 'performance', platform: 'web' })
    await scene.submit({ title: 'Nothing else', platform: 'web' })
    const page = await scene.visit()
    await rowOf(page, 'Nothing else').waitFor()
    await page.keyboard.press('f')
    await page.getByRole('checkbox', { name: 'Web' }).check()
    await expect.poll(() => titles(page)).toEqual(['Nothing else', 'Login is slow'])
    const filters = page.getByRole('dialog', { name: 'Filter' })
    await waitForFocus(filters)
    await page.keyboard.press('Escape')
    await filters.waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.keyboard.type('login')
    await expect.poll(() => titles(page)).toEqual(['Login is slow'])
    expect(page.url()).toContain('platform=web')
    await page.keyboard.press('Enter')
    await page.keyboard.press('s')
    await page.getByRole('textbox', { name: 'Name' }).fill('Slow logins')
    await page.getByRole('textbox', { name: 'Name' }).press('Enter')
    await page.getByRole('link', { name: 'Slow logins' }).waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await expect.poll(() => titles(page)).toHaveLength(3)
    await page.getByRole('link', { name: /Resolved/ }).click()
    await page.getByRole('heading', { name: 'No matching issues' }).waitFor()
    await page.getByRole('link', { name: 'Slow logins' }).click()
    await expect.poll(() => titles(page)).toEqual(['Login is slow'])
    await page.getByRole('button', { name: 'Delete view Slow logins' }).click()
    await page.getByRole('link', { name: 'Slow logins' }).waitFor({ state: 'detached' })
  })

  test('counts the matches of a search in every status, and links to them', async ({ scene }) => {
    await scene.submit({ title: 'Login crashes' })
    await scene.submit({ title: 'Login is slow' })
    await scene.submit({ title: 'Nothing else' })
    await move(scene, 'Login crashes', 'resolved')
    await move(scene, 'Login is slow', 'closed')
    const page = await scene.visit({ path: `/projects/${scene.project.slug}/issues?status=open` })
    await rowOf(page, 'Nothing else').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('login')
    await page.getByText('2 matches in other statuses.').waitFor()
    for (const tab of ['All 2', 'Open 0', 'Resolved 1', 'Closed 1', "Won't fix 0"])
      await page.getByRole('link', { name: tab, exact: true }).waitFor()
    await page.getByText('0 issues', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show them' }).click()
    await expect.poll(() => titles(page)).toEqual(['Login is slow', 'Login crashes'])
    await page.getByText('2 issues', { exact: true }).waitFor()
  })

  test('does not move while it is loading', async ({ scene }) => {
    for (const title of ['First', 'Second', 'Third']) await scene.submit({ title })
    const page = await scene.visit()
    await rowOf(page, 'Third').waitFor()
    await page.getByRole('link', { name: 'All 3' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    expect(await page.evaluate(shiftOf)).toBeLessThan(MAX_SHIFT)
  })

  test('is text, whatever a report contains', async ({ scene }) => {
    for (const title of HOSTILE) await scene.submit({ title, description: title })
    const page = await scene.visit()
    await page
      .getByText(HOSTILE[0] ?? '')
      .first()
      .waitFor()
    expect((await titles(page)).toSorted()).toEqual(HOSTILE.toSorted())
    await expect.poll(() => page.title()).toBe('(5) Inbox · Kitchen · Bugle')
    expect(await page.locator('img[src=x]').count()).toBe(0)
  })
})

/** The layout shift since the page was opened, as measured by browsers (Layout Instability). */
function shiftOf(): Promise<number> {
  return new Promise((resolve) => {
    let sum = 0
    const observer = new PerformanceObserver((entries) => {
      for (const entry of entries.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
    })
    observer.observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => resolve(sum), 100)
  })
}

function rowOf(page: Page, title: string) {
  return page.getByRole('row').filter({ has: page.getByRole('link', { name: title, exact: true }) })
}

function titles(page: Page): Promise<readonly string[]> {
  return page.getByRole('row').getByRole('link').allTextContents()
}

/** The changes that the page sends from now on. */
function watchChanges(page: Page): readonly string[] {
  const changes: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() !== 'GET') changes.push(`${request.method()} ${pathname}`)
  })
  return changes
}

async function move({ app, issues, project }: Scene, title: string, status: string): Promise<void> {
  const issue = (await issues()).find((candidate) => candidate['title'] === title)
  const answer = await app.send('PATCH', `/v1/issues/${issue?.['id']}`, {
    key: project.secretKey,
    body: { status },
  })
  expect(answer.status).toBe(200)
}
