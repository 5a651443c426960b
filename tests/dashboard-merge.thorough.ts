import type { Page, Route } from 'playwright-core'
import { describe } from 'vitest'
import { change, merge } from './support/dashboard/prepare.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'
import { intercept } from './support/intercept.ts'

setStage()

const pageOf = ({ project }: Scene, issueNumber: number) => `/projects/${project.slug}/issues/${issueNumber}`
/** Waits until the page has reported a result. Its toast disappears after some seconds. */
const reported = (page: Page, text: string) =>
  page.getByRole('status', { name: 'Announcements' }).getByText(text).waitFor()
const bannerOf = (page: Page) => page.getByRole('region', { name: 'Duplicate', exact: true })
const duplicatesOf = (page: Page) => page.getByRole('region', { name: /^Duplicates/ })

/** Undoes the last change with keys. */
async function undo(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find a command' }).fill('undo:')
  await page.getByRole('option', { name: /^Undo:/ }).waitFor()
  await page.keyboard.press('Enter')
}

/** For each issue, the number of the one that it is a duplicate of, and its status. */
async function stateOf(scene: Scene): Promise<readonly string[]> {
  const issues = await scene.issues()
  const numbers = new Map(issues.map(({ id, issueNumber }) => [id, issueNumber]))
  return issues.map(({ duplicateOf, status }) => `${numbers.get(duplicateOf) ?? '-'} ${status}`)
}

describe('an issue', () => {
  test('is merged with keys alone, by number, and the merge is undone', async ({ scene }) => {
    await scene.submit({ title: 'Blank screen' })
    const id = await scene.submit({ title: 'Nothing is drawn' })
    await change(scene, id, { status: 'in_progress' })
    const page = await scene.visit({ path: pageOf(scene, 2) })
    await page.getByRole('heading', { name: 'Nothing is drawn' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Mark as duplicate of…').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('d')
    await page.getByRole('combobox', { name: 'Mark #2 as a duplicate of' }).waitFor()
    await page.keyboard.type('#1')
    await page.getByRole('option', { name: '#1 Blank screen' }).waitFor()
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await page.keyboard.press('Enter')
    await reported(page, '#2 is now a duplicate of #1.')
    await bannerOf(page).getByText('Blank screen').waitFor()
    expect(await stateOf(scene)).toEqual(['- open', '1 closed'])
    await expect.poll(() => page.getByRole('region', { name: 'Change status' }).count()).toBe(0)
    const history = page.getByRole('region', { name: 'History' })
    await history.getByText('marked it as a duplicate of').getByRole('link', { name: '#1' }).waitFor()
    await undo(page)
    await reported(page, 'The merge of #2 was undone.')
    await bannerOf(page).waitFor({ state: 'detached' })
    expect(await stateOf(scene)).toEqual(['- open', '- in_progress'])
    await history.getByText('unmerged it').waitFor()
  })

  test('links to its target, which lists it with its reports, and both can separate them', async ({
    scene,
  }) => {
    await scene.submit({ title: 'Blank screen' })
    const id = await scene.submit({ title: '<b>Nothing</b> is drawn', fingerprint: 'drawn' })
    await scene.submit({ title: 'Other' })
    const other = await scene.visit({ path: pageOf(scene, 1), user: { name: 'Bob' } })
    await other.getByText('Live', { exact: true }).waitFor()
    const page = await scene.visit({ path: pageOf(scene, 2) })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Mark as duplicate of…' }).click()
    await page.getByRole('combobox').fill('screen blank')
    await page.getByRole('option', { name: '#1 Blank screen' }).click()
    // The other browser has the target open.
    const entry = duplicatesOf(other).getByRole('listitem')
    await entry.getByRole('link', { name: '#2 <b>Nothing</b> is drawn' }).waitFor()
    await entry.getByText('1 report').waitFor()
    await other.getByText('2 reports, last').waitFor()
    await other.getByText('Report 1 of #2').waitFor()
    await bannerOf(page).getByRole('link', { name: '#1' }).click()
    await page.getByRole('heading', { level: 1, name: 'Blank screen' }).waitFor()
    await duplicatesOf(page).getByRole('link', { name: /^#2/ }).click()
    await bannerOf(page).waitFor()
    // The duplicate shows a change of its target.
    await change(scene, String((await scene.issues())[0]?.['id']), {
      title: 'White screen',
      status: 'resolved',
    })
    await bannerOf(page).getByText('White screen').waitFor()
    await bannerOf(page).getByText('Resolved').waitFor()
    await duplicatesOf(other).getByRole('button', { name: 'Unmerge #2' }).click()
    await reported(other, '#2 is no longer a duplicate.')
    await duplicatesOf(other).waitFor({ state: 'detached' })
    await bannerOf(page).waitFor({ state: 'detached' })
    await undo(other)
    await bannerOf(page).getByRole('button', { name: 'Unmerge' }).click()
    await bannerOf(page).waitFor({ state: 'detached' })
    expect((await scene.issues()).find((issue) => issue['id'] === id)).toMatchObject({
      duplicateOf: null,
      status: 'open',
    })
  })

  test('is not merged where that is impossible, and the dialog says why', async ({ scene }) => {
    scene.allow(/status of 4(04|12|22)/)
    const first = await scene.submit({ title: 'First' })
    await merge(scene, await scene.submit({ title: 'Its duplicate' }), first)
    await scene.submit({ title: 'A hole', category: 'security' })
    const fourth = await scene.submit({ title: 'Fourth' })
    const fifth = await scene.submit({ title: 'Fifth' })
    await merge(scene, fifth, fourth)
    const page = await scene.visit({ path: pageOf(scene, 1), user: { canSeeSecurity: true } })
    await page.getByRole('heading', { level: 1, name: 'First' }).waitFor()
    await page.keyboard.press('d')
    const field = page.getByRole('combobox')
    for (const [typed, reason] of [
      ['1', '#1 is this issue.'],
      ['2', '#2 is a duplicate of this issue. Unmerge it first.'],
      ['3', '#3 is a security issue: only other security issues can be merged into it.'],
      ['99', '#99 does not exist, or it is not visible to you.'],
      ['nothing like this', 'No matches.'],
    ] as const) {
      await field.fill(typed)
      await page.getByRole('dialog').getByText(reason).waitFor()
      expect(await page.getByRole('option').count()).toBe(0)
    }
    // A duplicate stands for its target.
    await field.fill('#5')
    await page
      .getByRole('option', { name: /#5 Fifth/ })
      .getByText('Duplicate', { exact: true })
      .waitFor()
    // Someone else is quicker.
    const beQuicker = async (route: Route) => {
      await change(scene, first, { priority: 'critical' })
      await route.continue()
    }
    await intercept(page, '**/merge', beQuicker, { times: 1 })
    await field.press('Enter')
    await reported(page, 'someone else changed it')
    await page.getByRole('button', { name: 'Priority: Critical' }).waitFor()
    expect((await stateOf(scene))[0]).toBe('- open')
    await page.keyboard.press('d')
    await field.fill('#5')
    await page.getByRole('option', { name: /#5 Fifth/ }).click()
    await bannerOf(page).getByRole('link', { name: '#4' }).waitFor()
    expect(await stateOf(scene)).toEqual(['4 closed', '4 closed', '- open', '- open', '4 closed'])
    // Its own duplicate returns too.
    await undo(page)
    await reported(page, 'The merge of #1 was undone.')
    await duplicatesOf(page).getByRole('link', { name: '#2 Its duplicate' }).waitFor()
    expect(await stateOf(scene)).toEqual(['- open', '1 closed', '- open', '- open', '4 closed'])
  })

  test('shows a viewer what is merged, without actions', async ({ scene }) => {
    const first = await scene.submit({ title: 'First' })
    await merge(scene, await scene.submit({ title: 'Second' }), first)
    const page = await scene.visit({ path: pageOf(scene, 2), user: { role: 'viewer' } })
    await bannerOf(page).getByRole('link', { name: '#1' }).click()
    await duplicatesOf(page).getByRole('link', { name: '#2 Second' }).waitFor()
    expect(await page.getByRole('button', { name: /Unmerge/ }).count()).toBe(0)
    await page.keyboard.press('d')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /duplicate/ }).count()).toBe(0)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

describe('the inbox', () => {
  test('merges the selected issues into one of them, marks them, and undoes it', async ({ scene }) => {
    for (const title of ['First', 'Second', 'Third']) await scene.submit({ title })
    await merge(scene, await scene.submit({ title: 'Fourth' }), String((await scene.issues())[1]?.['id']))
    const path = `/projects/${scene.project.slug}/issues?status=`
    const page = await scene.visit({ path })
    const row = (title: string) => page.getByRole('row').filter({ hasText: title })
    await row('Fourth').getByText('Duplicate').waitFor()
    for (const number of [1, 2, 3]) await page.getByRole('checkbox', { name: `Select #${number}` }).check()
    await page.getByRole('button', { name: 'Merge 3 issues into…' }).click()
    await page.getByRole('combobox', { name: 'Merge 3 issues into' }).waitFor()
    await page.getByText('1 duplicate will follow.').waitFor()
    await page.keyboard.type('fir')
    await page.getByRole('option', { name: '#1 First' }).getByText('Keep this one').waitFor()
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await page.keyboard.press('Enter')
    await reported(page, '2 issues merged into #1.')
    for (const title of ['Second', 'Third', 'Fourth']) await row(title).getByText('Duplicate').waitFor()
    await row('First').getByText('×4').waitFor()
    expect(await row('First').getByText('Duplicate').count()).toBe(0)
    expect(await stateOf(scene)).toEqual(['- open', '1 closed', '1 closed', '1 closed'])
    await page.keyboard.press('u')
    await reported(page, 'The merge of 2 issues was undone.')
    await expect.poll(() => stateOf(scene)).toEqual(['- open', '- open', '- open', '2 closed'])
    await expect.poll(() => page.getByText('Duplicate', { exact: true }).count()).toBe(1)
    await expect.poll(() => row('First').getByText('×').count()).toBe(0)
  })

  test('offers no status change for a duplicate', async ({ scene }) => {
    const first = await scene.submit({ title: 'First' })
    await merge(scene, await scene.submit({ title: 'Second' }), first)
    const page = await scene.visit({ path: `/projects/${scene.project.slug}/issues?status=closed` })
    await page.getByRole('checkbox', { name: 'Select #2' }).check()
    const bar = page.getByRole('region', { name: 'Selected issues' })
    await bar.getByText('These issues have no status change in common.').waitFor()
    await bar.getByRole('button', { name: 'Mark as duplicate…' }).waitFor()
    await page.keyboard.press('o')
    await reported(page, 'Not all of the selected issues can move to Open from their current status.')
    expect(await stateOf(scene)).toEqual(['- open', '1 closed'])
  })
})
