import { describe } from 'vitest'
import { NARROW, runPageCheck } from './support/dashboard/appearances.ts'
import { PUBLIC_CHECK, preparePublic } from './support/dashboard/known-issues.ts'
import { expect, setStage, test } from './support/dashboard/stage.ts'

setStage()

describe('the page of a public project', () => {
  test('is read with the keyboard alone, and leads to older issues and back', async ({ scene }) => {
    const { project } = await preparePublic(scene)
    const page = await scene.visit({ path: `/p/${project.slug}`, user: null })
    const known = page.getByRole('region', { name: 'Known issues' })
    const open = page.getByRole('region', { name: 'Open issues' })
    await known.getByText('Fixed in 2.4.1').waitFor()
    expect(await known.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'The radar does not load in Norway',
      'The forecast stays blank after the phone was locked',
    ])
    expect(await open.getByRole('listitem').count()).toBe(25)
    await open.getByText('<b>bold</b>').waitFor()
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Skip to content')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Older open issues')
    await page.keyboard.press('Enter')
    await open.getByText('Report 1', { exact: true }).waitFor()
    expect(await known.count()).toBe(0)
    await page.getByRole('link', { name: 'All issues of Weather' }).click()
    await known.waitFor()
    expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(
      `../projects/${project.slug}/issues`,
    )
  })
})

test('has no accessibility faults on a small screen', async ({ scene }) => {
  await runPageCheck(scene, PUBLIC_CHECK, { width: NARROW, rulesInDark: 'colours' })
})
