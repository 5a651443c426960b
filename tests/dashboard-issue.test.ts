import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { waitForFocus } from './support/dashboard/keys.ts'
import { change, send } from './support/dashboard/prepare.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage()

const REPORT = {
  title: 'Settings screen stays blank',
  description: 'Steps: https://example.com/steps?a=1.\n\n  1. Open settings\n  2. Nothing is drawn',
  category: 'ui_ux',
  priority: 'high',
  appVersion: '2.4.1',
  buildNumber: '512',
  osVersion: 'iOS 26.1',
  deviceModel: 'iPhone 17',
  platform: 'ios',
  branch: 'release/2.4',
  submissionId: 'first-one',
  metadata: { locale: 'de-CH', isOnline: true },
  sdk: { name: '@bugle/sdk', version: '0.1.0' },
}

describe('what the page shows', () => {
  test('is everything that the API returns', async ({ scene }) => {
    const id = await scene.submit({ ...REPORT, fingerprint: 'blank' })
    for (const appVersion of ['2.4.1', '2.3.0'])
      await send(scene, { ...REPORT, submissionId: null, fingerprint: 'blank', appVersion }, 200)
    const page = await scene.visit({ path: `/issues/${id}` })
    await page.getByRole('heading', { level: 1, name: REPORT.title }).waitFor()
    await expect.poll(() => page.title()).toBe('#1 Settings screen stays blank · Kitchen · Bugle')
    const details = page.getByRole('complementary', { name: 'Details' })
    for (const text of ['2.4.1', '512', 'iOS 26.1', 'iPhone 17', 'release/2.4', 'de-CH', 'first-one', id])
      await details.getByText(text, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Priority: High' }).waitFor()
    await page.getByRole('button', { name: 'Category: UI/UX' }).waitFor()
    const where = page.getByRole('region', { name: 'Where it happened' })
    await expect
      .poll(() => where.getByRole('listitem').filter({ hasText: '2.4.1' }).innerText())
      .toMatch(/2\s+67%/)
    await where.getByRole('slider', { name: 'Reports by day' }).waitFor()
  })

  test('is text, whatever a report contains, with links that show their target', async ({ scene }) => {
    const title = '<img src=x onerror="document.title=1"> \u202Egnp.exe'
    const description = [
      '<script>document.title=2</script> javascript:alert(1)',
      'https://bank.example@evil.example/ and https://good.example/a?b=<b>',
    ].join('\n')
    const metadata = { '<b>key</b>': '<iframe src=//evil.example>' }
    const id = await scene.submit({ title, description, metadata, platform: 'web' })
    await change(scene, id, { note: '<svg onload=1> https://note.example' })
    const page = await scene.visit({ path: `/issues/${id}` })
    const article = page.getByRole('article')
    await expect.poll(() => article.getByRole('heading', { level: 1 }).textContent()).toBe(title)
    await page.getByText('<iframe src=//evil.example>').waitFor()
    await article.getByText('<svg onload=1>').waitFor()
    expect(await page.locator('img[src=x], iframe, article script, article b > b').count()).toBe(0)
    await expect.poll(() => page.title()).toBe(`#1 ${title} · Kitchen · Bugle`)
    const links = article.locator('a[target]')
    expect(await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))).toEqual([
      'https://good.example/a?b=',
      'https://note.example/',
    ])
    for (const link of await links.all())
      await expect.poll(() => link.getAttribute('rel')).toBe('noopener noreferrer')
  })

  test('is updated live: a regression appears with its reason, and a deleted issue disappears', async ({
    scene,
  }) => {
    const fingerprint = 'again'
    const id = await scene.submit({ ...REPORT, fingerprint })
    await change(scene, id, { status: 'resolved', fixedIn: { appVersion: '2.5.0' } })
    const page = await scene.visit({ path: `/issues/${id}` })
    await page.getByText('Fixed in 2.5.0').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await send(scene, { ...REPORT, submissionId: null, fingerprint, appVersion: '2.5.1' }, 200)
    const panel = page.getByRole('region', { name: 'Regression' })
    await panel.getByText('2.5.1 (512) is not older than the fix, 2.5.0').waitFor()
    await page.getByRole('region', { name: 'History' }).getByText('reopened the issue').waitFor()
    scene.allow(/status of 404/)
    await scene.app.send('DELETE', `/v1/issues/${id}`, { key: scene.project.secretKey })
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
  })
})

describe('a stack trace', () => {
  const frames = Array.from(
    { length: 40 },
    (_, n) => `    at step${n} (https://app.example/app.js:${n + 1}:9)`,
  )
  const trace = ['TypeError: <b>x</b> is undefined', ...frames].join('\n')

  test('is set apart, folded if it is long, and can be copied', async ({ scene }) => {
    const id = await scene.submit({ title: 'Crash', description: `It broke.\n\n${trace}\n\nThen I left.` })
    const page = await scene.visit({ path: `/issues/${id}` })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const shown = page.getByRole('region', { name: 'Stack trace' })
    const lines = shown.locator('pre')
    await lines.waitFor()
    expect(await lines.evaluate((pre) => getComputedStyle(pre).fontFamily)).toMatch(/monospace/)
    expect((await lines.innerText()).split('\n')).toHaveLength(10)
    await shown.getByRole('button', { name: 'Show all 41 lines' }).click()
    await expect.poll(() => lines.innerText()).toBe(trace)
    await shown.getByRole('button', { name: 'Show less' }).waitFor()
    await shown.getByRole('button', { name: 'Copy the stack trace' }).click()
    await page.getByLabel('Notifications').getByText('Copied the stack trace.').waitFor()
    expect(await clipboardOf(page)).toBe(trace)
    await page.getByText('Then I left.').waitFor()
  })

  test('is text: it has no links and no markup', async ({ scene }) => {
    const id = await scene.submit({ title: 'Crash', description: trace })
    await change(scene, id, { note: trace })
    const page = await scene.visit({ path: `/issues/${id}` })
    const shown = page.getByRole('region', { name: 'Stack trace' })
    await expect.poll(() => shown.count()).toBe(2)
    expect(await shown.locator('a, pre b').count()).toBe(0)
  })
})

describe('what people do', () => {
  test('works with keys alone: status changes, a comment, and the fix version', async ({ scene }) => {
    const id = await scene.submit(REPORT)
    const page = await scene.visit({ path: `/issues/${id}`, user: { name: 'Ada' } })
    await page.getByText('Reported', { exact: true }).first().waitFor()
    await page.keyboard.press('a')
    await page.getByLabel('Notifications').getByText('#1 moved to Acknowledged.').waitFor()
    await page.keyboard.press('n')
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('Seen here too.')
    await page.keyboard.press('Control+Enter')
    const history = page.getByRole('region', { name: 'History' })
    await history.getByText('Seen here too.').and(page.locator('[dir]')).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Resolve #1' })
    await dialog.locator('input:focus').waitFor()
    await page.keyboard.type('2.5.0')
    await page.keyboard.press('Tab')
    await page.keyboard.type('530')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Fixed in 2.5.0 (530)').waitFor()
    await history.getByText('Ada changed the status from Acknowledged to Resolved').waitFor()
    expect((await scene.issues())[0]).toMatchObject({
      status: 'resolved',
      fixedIn: { appVersion: '2.5.0', buildNumber: '530' },
      version: 3,
    })
    // Now it can only be reopened.
    await page.keyboard.press('c')
    await page.getByRole('button', { name: /^Reopen/ }).waitFor()
    await expect
      .poll(() => page.getByRole('region', { name: 'Change status' }).getByRole('button').count())
      .toBe(1)
    expect((await scene.issues())[0]).toMatchObject({ status: 'resolved' })
  })

  test('moves with the note that is being written', async ({ scene }) => {
    const id = await scene.submit(REPORT)
    const page = await scene.visit({ path: `/issues/${id}` })
    await page.getByRole('textbox', { name: 'Comment', exact: true }).fill('A setting of the phone.')
    await page.getByRole('button', { name: 'Change status with note' }).click()
    await page.getByRole('menuitem', { name: 'Close' }).click()
    await expect
      .poll(async () => (await eventsOf(scene, id)).at(-1))
      .toMatchObject({ type: 'issue.status_changed', note: 'A setting of the phone.' })
    await page.getByLabel('Notifications').getByText('#1 moved to Closed.').waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Comment', exact: true }).inputValue()).toBe('')
  })

  test('is not overwritten: the slower person sees what changed, and decides', async ({ scene }) => {
    scene.allow(/status of 412/)
    const id = await scene.submit(REPORT)
    const page = await scene.visit({ path: `/issues/${id}` })
    await page.getByText('Reported', { exact: true }).first().waitFor()
    await page.keyboard.press('e')
    await page.getByRole('textbox', { name: 'Title' }).fill('Settings stay blank')
    await change(scene, id, { priority: 'critical', category: 'bug' })
    await page.getByRole('button', { name: 'Save' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Your change was not saved.' })
    await alert.getByText('they changed the priority from High to Critical, changed the category').waitFor()
    expect((await scene.issues())[0]).toMatchObject({ title: REPORT.title })
    await alert.getByRole('button', { name: 'Save my change anyway' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings stay blank' }).waitFor()
    expect((await scene.issues())[0]).toMatchObject({ title: 'Settings stay blank', priority: 'critical' })
  })

  test('changes priority and category, with confirmation if the issue would become hidden', async ({
    scene,
  }) => {
    const id = await scene.submit(REPORT)
    const page = await scene.visit({ path: `/issues/${id}`, user: { role: 'triager' } })
    await page.getByRole('button', { name: 'Priority: High' }).click()
    await page.getByRole('menuitemradio', { name: 'Low' }).click()
    await page.getByRole('button', { name: 'Priority: Low' }).waitFor()
    // The page shows it before the server knows.
    await expect.poll(async () => (await scene.issues())[0]?.['priority']).toBe('low')
    await page.getByRole('button', { name: 'Category: UI/UX' }).click()
    await page.getByRole('menuitemradio', { name: 'Security' }).click()
    const dialog = page.getByRole('dialog', { name: 'Mark as a security issue?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect((await scene.issues())[0]).toMatchObject({ priority: 'low', category: 'ui_ux' })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0)
  })

  test('an admin deletes after confirmation', async ({ scene }) => {
    const id = await scene.submit(REPORT)
    await scene.submit({ title: 'Another' })
    const page = await scene.visit({ path: `/issues/${id}` })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await scene.issues()).toHaveLength(2)
    scene.allow(/status of 404/)
    await page.keyboard.press('Control+k')
    const search = page.getByRole('combobox', { name: 'Find a command' })
    await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.type('delete issue')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await page.waitForURL(`**/projects/${scene.project.slug}/issues`)
    expect((await scene.issues()).map(({ title }) => title)).toEqual(['Another'])
  })

  test('a viewer can only read', async ({ scene }) => {
    const id = await scene.submit(REPORT)
    const page = await scene.visit({ path: `/issues/${id}`, user: { role: 'viewer' } })
    await page.getByRole('heading', { level: 1, name: REPORT.title }).waitFor()
    await page.getByText('Reported', { exact: true }).first().waitFor()
    for (const key of ['a', 'c', 'e', 'n', 'r']) await page.keyboard.press(key)
    expect(await page.getByRole('textbox').count()).toBe(0)
    // If one of the keys had requested a dialog, that one would receive this key.
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await waitForFocus(help)
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('main').getByRole('button').allInnerTexts()).toEqual(['', ''])
    expect((await scene.issues())[0]).toMatchObject({ status: 'open', version: 1 })
  })

  test('copies as a link and as Markdown', async ({ scene }) => {
    const id = await scene.submit(REPORT)
    const page = await scene.visit({ path: `/issues/${id}` })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByText('Reported', { exact: true }).first().waitFor()
    await page.keyboard.press('y')
    await page.getByLabel('Notifications').getByText('Copied link to #1.').waitFor()
    expect(await clipboardOf(page)).toBe(`${scene.app.url}/projects/${scene.project.slug}/issues/1`)
    await page.keyboard.press('Shift+Y')
    await page.getByLabel('Notifications').getByText('Copied #1 as Markdown.').waitFor()
    expect(await clipboardOf(page)).toContain('- **Device:** iPhone 17')
  })

  test('navigates the list it was opened from, and returns to its position', async ({ scene }) => {
    for (let number = 1; number <= 4; number++)
      await scene.submit({ title: `Issue ${number}`, category: number === 2 ? 'crash' : 'bug' })
    const page = await scene.visit({ path: `/projects/${scene.project.slug}/issues?category=bug` })
    await page.getByRole('link', { name: 'Issue 4' }).waitFor()
    await page.keyboard.press('Enter')
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
    await heading('Issue 4')
    await page.getByText('1 of 3').waitFor()
    await page.keyboard.press('j')
    await heading('Issue 3')
    await page.keyboard.press('j')
    await heading('Issue 1')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await heading('Issue 3')
    await page.keyboard.press('u')
    await page.waitForURL('**/issues?category=bug')
    await page.locator('[data-cursor]').getByText('Issue 3').waitFor()
  })
})

async function eventsOf({ app, project }: Scene, id: string): Promise<readonly Record<string, unknown>[]> {
  return (await app.send('GET', `/v1/issues/${id}/events`, { key: project.secretKey })).body.data
}

function clipboardOf(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}
