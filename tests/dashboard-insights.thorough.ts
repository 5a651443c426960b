import type { IssueSubmission } from '@bugle/contract'
import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { mintId, projectNumberOf } from '../packages/server/src/model/ids.ts'
import { normaliseSubmission } from '../packages/server/src/model/reports/reports.ts'
import { allCounted, send } from './support/dashboard/prepare.ts'
import { startRelay } from './support/dashboard/relay.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage()

const DAY_MS = 86_400_000

const insights = ({ project }: Scene, query = '') => `/projects/${project.slug}/insights${query}`

describe('the statistics', () => {
  test('match the API, as charts and as tables', async ({ scene }) => {
    const crash = { title: 'Crash', category: 'crash', platform: 'ios', appVersion: '2.0', fingerprint: 'c' }
    const id = await scene.submit(crash)
    await send(scene, crash, 200)
    await scene.submit({ title: 'Slow', category: 'performance', priority: 'critical', platform: 'web' })
    await scene.app.send('PATCH', `/v1/issues/${id}`, {
      key: scene.project.secretKey,
      body: { status: 'resolved' },
    })
    const page = await scene.visit({ path: insights(scene) })
    await card(page, 'By status').getByRole('listitem').filter({ hasText: 'Resolved' }).waitFor()
    expect(await rowsOf(card(page, 'By platform'), 'listitem')).toEqual(['iOS 1 50%', 'Web 1 50%'])
    expect(await rowsOf(card(page, 'By version'), 'listitem')).toEqual(['2.0 1 50%'])

    await page.getByRole('button', { name: 'By category: show as table' }).click()
    expect(await rowsOf(page.getByRole('table', { name: 'Issues by category' }), 'row')).toEqual([
      'Category Issues Share',
      'Crash 1 50%',
      'Performance 1 50%',
      'Bug 0 0%',
      'UI/UX 0 0%',
    ])
    await page.getByRole('button', { name: 'Day by day: show as table' }).click()
    const [head, today, ...before] = await rowsOf(page.getByRole('table', { name: 'by day' }), 'row')
    expect(head).toBe('Day Created Resolved Reports')
    expect(today).toMatch(/ 2 1 3$/)
    expect(before).toHaveLength(29)
    expect(before.every((row) => / 0 0 0$/.test(row))).toBe(true)

    await card(page, 'By platform').getByRole('link', { name: 'Web' }).click()
    await page.waitForURL('**/issues?platform=web&createdAfter=*')
    await page.getByRole('link', { name: 'Slow' }).waitFor()
  })

  test('include what happened before the page received live updates', async ({ scene }) => {
    await scene.submit({ title: 'One' })
    const page = await scene.visit({ path: `/projects/${scene.project.slug}/issues` })
    const { promise: reported, resolve: startStream } = Promise.withResolvers<void>()
    await page.route(/\/v1\/events\?/, async (route) => {
      await reported
      await route.continue()
    })
    await page.goto(scene.app.url + insights(scene))
    const bug = card(page, 'By category').getByRole('listitem').filter({ hasText: 'Bug' })
    await bug.getByText('1', { exact: true }).waitFor()
    await scene.submit({ title: 'Two' })
    startStream()
    await bug.getByText('2', { exact: true }).waitFor()
  })

  test('are updated live', async ({ scene }) => {
    await scene.submit({ title: 'One' })
    const page = await scene.visit({ path: insights(scene) })
    const bug = card(page, 'By category').getByRole('listitem').filter({ hasText: 'Bug' })
    await bug.getByText('1', { exact: true }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await scene.submit({ title: 'Two' })
    await bug.getByText('2', { exact: true }).waitFor()
  })

  test('show the outcome of every submission, and why some were refused', async ({ scene }) => {
    const first = { title: 'Once', submissionId: 'same', fingerprint: 'f' }
    await scene.submit(first)
    await send(scene, first, 201)
    await send(scene, { title: 'Again', fingerprint: 'f' }, 200)
    await send(scene, { title: ' ' }, 422)
    await send(scene, { ...first, title: 'Other' }, 409)
    await allCounted(scene, 5)
    await scene.app.app.storage.stats.addIntake(scene.project.id, [['skipped:transaction', 3]])
    const page = await scene.visit({ path: insights(scene) })
    expect(await rowsOf(card(page, 'Intake').getByRole('table'), 'row')).toEqual([
      'Outcome Meaning Count Share',
      'Stored Created a new issue. 1 20%',
      'Joined Added to the issue with the same fingerprint. 1 20%',
      'Replayed A retry of a submission that was already stored. 1 20%',
      'Refused: submission-conflict The submission id is taken. What to do 1 20%',
      'Refused: validation-failed The body is not valid. What to do 1 20%',
      'Limited Exceeded a rate limit; the client was told when to retry. 0 0%',
      'Received All submissions. 5 100%',
    ])
    await card(page, 'Intake').getByText('not kept: 3 transaction.').waitFor()
    const help = card(page, 'Intake').getByRole('link').first()
    await expect.poll(() => help.getAttribute('href')).toBe('/problems/submission-conflict')
  })

  test('of security issues are shown only to people who may see them', async ({ scene }) => {
    await scene.submit({ title: 'Hole', category: 'security', platform: 'ios' })
    await scene.submit({ title: 'Plain', platform: 'web' })
    const page = await scene.visit({ path: insights(scene) })
    expect(await rowsOf(card(page, 'By platform'), 'listitem')).toEqual(['Web 1 100%'])
    expect(await page.getByText('Security').count()).toBe(0)
    const other = await scene.visit({ path: insights(scene), user: { canSeeSecurity: true } })
    await card(other, 'By category').getByRole('listitem').filter({ hasText: 'Security' }).waitFor()
  })
})

test('the range applies to every figure of the period, and to its link', async ({ scene }) => {
  await submitAt(scene, Date.now() - 20 * DAY_MS, { title: 'Old', platform: 'ios', category: 'crash' })
  await submitAt(scene, Date.now(), { title: 'New', platform: 'web' })
  const page = await scene.visit({ path: insights(scene, '?days=7') })
  expect(await rowsOf(card(page, 'By platform'), 'listitem')).toEqual(['Web 1 100%'])
  expect(await rowsOf(card(page, 'By category'), 'listitem')).toContain('Crash 0 0%')
  await tile(page, 'New issues').getByText('1', { exact: true }).waitFor()
  await tile(page, 'Reports').getByText('in the last 7 days').waitFor()
  await page.getByRole('link', { name: '30 days' }).click()
  await tile(page, 'New issues').getByText('2', { exact: true }).waitFor()
  await card(page, 'By platform').getByRole('listitem').filter({ hasText: 'iOS' }).waitFor()
  await page.getByRole('link', { name: '7 days' }).click()
  await expect.poll(() => card(page, 'By platform').getByRole('listitem').count()).toBe(1)
  await card(page, 'By status').getByRole('link', { name: 'Open' }).click()
  await page.getByRole('link', { name: 'New', exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Old' }).count()).toBe(0)
})

describe('the chart over time', () => {
  test('is read with the arrow keys, and its range is in the address', async ({ scene }) => {
    await scene.submit({ title: 'Today' })
    const page = await scene.visit({ path: insights(scene, '?days=7') })
    const chart = page.getByRole('slider', { name: 'Issues and reports by day' })
    await chart.focus()
    await expect
      .poll(() => chart.getAttribute('aria-valuetext'))
      .toBe('Last 7 days: 1 created, 0 resolved, 1 reports')
    await chart.press('End')
    await expect
      .poll(() => chart.getAttribute('aria-valuetext'))
      .toMatch(/: 1 created, 0 resolved, 1 reports$/)
    await chart.press('ArrowLeft')
    await expect
      .poll(() => chart.getAttribute('aria-valuetext'))
      .toMatch(/: 0 created, 0 resolved, 0 reports$/)
    await expect.poll(() => chart.getAttribute('aria-valuenow')).toBe('5')

    await page.getByRole('link', { name: '365 days' }).click()
    const weeks = page.getByRole('slider', { name: 'Issues and reports by week' })
    await weeks.waitFor()
    await expect.poll(() => weeks.getAttribute('aria-valuemax')).toBe('52')
    await page.reload()
    await weeks.waitFor()
    await page.goBack()
    await chart.waitFor()
  })

  test('handles an invalid address, and an empty project', async ({ scene }) => {
    const page = await scene.visit({ path: insights(scene, '?days=NaN') })
    await page.getByRole('heading', { name: 'No data yet' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await scene.submit({ title: 'First' })
    await page.getByRole('slider', { name: 'Issues and reports by day' }).waitFor()
    await page.getByText('No data in this period.').first().waitFor()
    expect(await page.getByRole('main').innerHTML()).not.toMatch(/NaN|Infinity|undefined/)
  })
})

test('an unavailable server is reported, and loaded data stays', async ({ scene }) => {
  await using relay = await startRelay(scene.app.url)
  scene.allow(/ERR_|Failed to fetch/)
  await scene.submit({ title: 'One' })
  const page = await scene.visit({ path: insights(scene), url: relay.url })
  await page.getByRole('slider').waitFor()
  relay.cut()
  await page.getByText('Not connected to the server').waitFor()
  await page.getByRole('slider').waitFor()
  await page.getByRole('link', { name: '90 days' }).click()
  relay.mend()
  await page.getByText('Last 90 days', { exact: true }).waitFor()
})

/** A report that arrived at that time. */
async function submitAt({ app, project }: Scene, receivedAt: number, body: IssueSubmission): Promise<void> {
  await app.app.storage.issues.submit({
    projectId: project.id,
    issueId: mintId('iss', receivedAt, projectNumberOf(project.id)),
    receivedAt,
    actor: null,
    lanes: ['open'],
    content: normaliseSubmission(body),
    submission: null,
  })
}

function tile(page: Page, name: string) {
  return page.getByRole('heading', { level: 2, name }).locator('..')
}

function card(page: Page, title: string) {
  return page.getByRole('region', { name: title, exact: true })
}

/** The texts of the rows, with single spaces. */
async function rowsOf(
  place: ReturnType<Page['getByRole']>,
  role: 'row' | 'listitem',
): Promise<readonly string[]> {
  await place.getByRole(role).first().waitFor()
  const texts = await place.getByRole(role).allInnerTexts()
  return texts.map((text) => text.replace(/\s+/g, ' ').trim())
}
