import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { send } from './support/dashboard/prepare.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'
import { intercept } from './support/intercept.ts'

setStage()

const inbox = ({ project }: Scene) => `/projects/${project.slug}/issues`

describe('the filters by version and branch', () => {
  test('offer the newest versions first, in version order, and find the others', async ({ scene }) => {
    for (const minor of [3, 11, 1, 0, 12, 5, 10, 2, 9, 4, 8, 7, 6])
      await scene.submit({ title: `From 2.${minor}`, appVersion: `2.${minor}` })
    // The most frequent version is an old one.
    for (let index = 0; index < 3; index++) await scene.submit({ title: 'Often', appVersion: '2.0' })
    const page = await openFilters(scene)
    const versions = page.getByRole('group', { name: 'Version' })
    const newest = Array.from({ length: 10 }, (_, index) => `2.${12 - index}`)
    await expect.poll(() => versions.locator('label').allInnerTexts()).toEqual(newest)

    await versions.getByRole('textbox', { name: 'Find a version' }).fill('2.0')
    await expect.poll(() => versions.locator('label').allInnerTexts()).toEqual(['2.0'])
    await versions.getByRole('textbox', { name: 'Find a version' }).press('Tab')
    await page.keyboard.press('Space')
    await page.waitForURL('**/issues?appVersion=2.0')
    await expect.poll(() => versions.getByRole('checkbox', { name: '2.0' }).isChecked()).toBe(true)

    // The chosen values are still offered.
    await versions.getByRole('textbox').fill('')
    await expect.poll(() => versions.locator('label').allInnerTexts()).toEqual([...newest, '2.0'])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Remove filter Version 2.0' }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(4)
  })

  test('show a message when nothing matches, and filter by any text with Enter', async ({ scene }) => {
    for (let index = 0; index < 11; index++)
      await scene.submit({ title: `${index}`, branch: `feature/${index}` })
    const page = await openFilters(scene)
    await expect.poll(() => page.getByRole('group', { name: 'Version' }).count()).toBe(0)
    const branches = page.getByRole('group', { name: 'Branch' })
    const search = branches.getByRole('textbox', { name: 'Find a branch' })
    await search.fill('main')
    await branches.getByText('No branch matches. Press Enter to filter by this text.').waitFor()
    await search.press('Enter')
    await page.waitForURL('**/issues?branch=main')
    await expect.poll(() => branches.getByRole('checkbox', { name: 'main' }).isChecked()).toBe(true)
  })

  test('report when the list cannot be loaded, and retry', async ({ scene }) => {
    // Not 500: after that the page would retry by itself.
    scene.allow(/status of 400/)
    await scene.submit({ title: 'One', appVersion: '1.0' })
    const page = await scene.visit({ path: inbox(scene) })
    await intercept(page, '**/versions?*', (route) => route.fulfill({ status: 400, json: {} }))
    await page.getByRole('row').first().waitFor()
    await page.getByRole('button', { name: 'Filter' }).click()
    const versions = page.getByRole('group', { name: 'Version' })
    const retry = versions.getByRole('button', { name: 'Try again' })
    await Promise.all([page.waitForRequest('**/versions?*'), retry.click()])
    await page.unroute('**/versions?*')
    // A change of the project loads the list again as well, and then there is nothing to click.
    const known = versions.getByText('1.0')
    await expect
      .poll(async () => {
        if (await retry.isVisible()) await retry.click({ timeout: 1_000 }).catch(() => {})
        return known.count()
      })
      .toBe(1)
  })
})

describe('the other filters', () => {
  test('offer OS versions and devices, accept builds and fingerprints, and are in the address', async ({
    scene,
  }) => {
    const crash = { title: 'Crash', fingerprint: 'crash, at start', buildNumber: '512', branch: 'main' }
    await scene.submit({ ...crash, osVersion: 'iOS 26.1', deviceModel: 'iPhone 17' })
    await scene.submit({ title: 'Slow', osVersion: 'Android 16', deviceModel: 'Pixel 10', branch: 'topic' })
    const page = await openFilters(scene)
    const rows = () => page.getByRole('row').allInnerTexts()
    await page.getByRole('group', { name: 'OS' }).getByRole('checkbox', { name: 'iOS 26.1' }).check()
    await page.waitForURL('**/issues?osVersion=iOS+26.1')
    await page.getByRole('group', { name: 'Device' }).getByRole('checkbox', { name: 'iPhone 17' }).check()
    for (const [name, text] of [
      ['Add a build', '512'],
      ['Add a fingerprint', 'crash, at start'],
    ] as const) {
      await page.getByRole('textbox', { name }).fill(text)
      await page.getByRole('textbox', { name }).press('Enter')
    }
    await page.getByRole('checkbox', { name: 'Seen there', exact: true }).check()
    await page.getByLabel('Updated from').fill('2020-01-01')
    await page.keyboard.press('Escape')
    const chips = page.getByRole('list', { name: 'Filters' }).getByRole('button')
    await expect
      .poll(() => chips.allInnerTexts())
      .toEqual([
        'Build 512',
        'OS iOS 26.1',
        'Device iPhone 17',
        'Fingerprint crash, at start',
        'On default branch',
        'Updated from 2020-01-01',
        'Clear all',
        'Save as view',
      ])
    await expect.poll(rows).toEqual([expect.stringContaining('Crash')])

    // The address contains the state.
    await page.reload()
    await expect.poll(rows).toEqual([expect.stringContaining('Crash')])
    await expect.poll(() => chips.count()).toBe(8)
    await page.getByRole('button', { name: 'Save as view' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Crashes at start')
    await page.getByRole('textbox', { name: 'Name' }).press('Enter')
    await page.getByRole('button', { name: 'Clear all' }).click()
    await expect.poll(async () => (await rows()).length).toBe(2)
    await page.getByRole('link', { name: 'Crashes at start' }).click()
    await expect.poll(rows).toEqual([expect.stringContaining('Crash')])

    await page.getByRole('button', { name: 'Remove filter On default branch' }).click()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('checkbox', { name: 'Not seen there' }).check()
    await page.getByText('No matching issues').waitFor()
    await page.getByRole('checkbox', { name: 'Seen there', exact: true }).check()
    await expect.poll(() => page.getByRole('checkbox', { name: 'Not seen there' }).isChecked()).toBe(false)
    await expect.poll(rows).toEqual([expect.stringContaining('Crash')])
  })
})

describe('an issue', () => {
  test('shows in which versions it was seen, and whether on the default branch', async ({ scene }) => {
    const report = {
      title: 'Crash',
      fingerprint: 'f',
      branch: 'feature',
      appVersion: '2.9',
      buildNumber: '7',
    }
    await scene.submit(report)
    const page = await scene.visit({ path: `${inbox(scene)}/1` })
    const details = page.getByRole('complementary', { name: 'Details' })
    await page.getByText('Live', { exact: true }).waitFor()
    await details.getByText('Only seen on other branches').waitFor()
    expect(await details.getByText('Last version').count()).toBe(0)
    await send(scene, { ...report, branch: 'main', appVersion: '2.10', buildNumber: null }, 200)
    await details.getByText('Seen on main').waitFor()
    expect((await details.innerText()).replaceAll(/\s+/g, ' ')).toContain(
      'First version 2.9 (7) Last version 2.10 Default branch Seen on main',
    )
  })
})

describe('insights', () => {
  test('show reports and new issues by version over time', async ({ scene }) => {
    const crash = { title: 'Crash', fingerprint: 'f' }
    await scene.submit({ ...crash, appVersion: '2.9' })
    await send(scene, { ...crash, appVersion: '2.10' }, 200)
    await scene.submit({ title: 'New in 2.10', appVersion: '2.10' })
    await scene.submit({ title: 'Without a version' })
    const page = await scene.visit({ path: `/projects/${scene.project.slug}/insights` })
    const card = page.getByRole('region', { name: 'Versions over time' })
    await card.getByRole('row').nth(1).waitFor()
    const rows = () =>
      card
        .getByRole('row')
        .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)))
    expect(await rows()).toEqual([
      ['Version', 'Reports', 'New issues'],
      ['2.10', '2', '1'],
      ['2.9', '1', '1'],
      ['Other', '1', '1'],
    ])
    const chart = card.getByRole('slider', { name: 'Reports by version and day' })
    await chart.focus()
    await chart.press('End')
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/: 2 2\.10, 1 2\.9, 1 Other$/)

    await card.getByRole('button', { name: 'New issues' }).click()
    await card.getByRole('button', { name: 'Versions over time: show as table' }).click()
    await expect.poll(async () => (await rows())[0]).toEqual(['Day', '2.10', '2.9', 'Other'])
    const [, today, ...before] = await rows()
    expect(today?.slice(1)).toEqual(['1', '1', '1'])
    expect(before).toHaveLength(29)
    expect(before.every((row) => row.slice(1).join(' ') === '0 0 0')).toBe(true)

    await card.getByRole('button', { name: 'Versions over time: show as chart' }).click()
    await card.getByRole('link', { name: '2.10' }).click()
    await page.waitForURL('**/issues?appVersion=2.10')
    await page.getByRole('link', { name: 'New in 2.10' }).waitFor()
  })

  test('show a message when no report has a version', async ({ scene }) => {
    await scene.submit({ title: 'Without a version' })
    const page = await scene.visit({ path: `/projects/${scene.project.slug}/insights` })
    await page.getByText('No report in this period has an app version.').waitFor()
  })
})

async function openFilters(scene: Scene): Promise<Page> {
  const page = await scene.visit({ path: inbox(scene) })
  await page.getByRole('row').first().waitFor()
  await page.getByRole('button', { name: 'Filter' }).click()
  return page
}
