import { describe } from 'vitest'
import { change, send } from './support/dashboard/prepare.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage()

const FIRST = {
  title: 'Settings stay blank',
  description: 'Nothing is drawn.',
  appVersion: '2.4.1',
  platform: 'ios',
}

/** An issue with four reports and three different texts. */
async function reportTogether(scene: Scene): Promise<string> {
  const fingerprint = 'blank'
  const id = await scene.submit({ ...FIRST, fingerprint })
  await send(scene, { ...FIRST, fingerprint, appVersion: '2.4.2' }, 200)
  const second = {
    title: 'White page',
    description: 'My address is 7 Rue <b>Morgue</b>',
    metadata: { channel: 'beta' },
  }
  await send(scene, { ...second, fingerprint, deviceModel: 'Pixel 12', osVersion: 'Android 17' }, 200)
  await send(scene, { title: 'Only a flamingo', fingerprint }, 200)
  return id
}

describe('the reports of an issue', () => {
  test('are listed by text, or all of them', async ({ scene }) => {
    const id = await reportTogether(scene)
    const page = await scene.visit({ path: `/issues/${id}` })
    await page.getByText('Live', { exact: true }).waitFor()
    const reports = page.getByRole('region', { name: 'Reports' })
    await reports.getByText('Only a flamingo').waitFor()
    const texts = await reports.getByRole('listitem').allInnerTexts()
    expect(texts).toHaveLength(3)
    expect(texts[1]).toMatch(/Report 3.*Android 17.*Pixel 12/s)
    expect(texts[1]).toContain('7 Rue <b>Morgue</b>')
    await reports.getByText('Metadata').click()
    await reports.getByText('beta').waitFor()
    await reports.getByRole('button', { name: 'All reports' }).click()
    await reports.getByText('Report 2', { exact: true }).waitFor()
    await expect.poll(() => reports.getByRole('listitem').count()).toBe(4)
    await expect.poll(() => reports.getByText('Same text as the issue.').count()).toBe(2)
    await send(scene, { title: 'Only a flamingo', fingerprint: 'blank' }, 200)
    await reports.getByText('Same text as report 5.').waitFor()
  })

  test('show who reported them and where, and lead to the other reports of a person', async ({ scene }) => {
    const ada = { id: '4711', name: 'Ada <b>', email: 'ada@example.com' }
    const context = { page: 'https://app.example/settings', browser: 'Chrome 147' }
    const id = await scene.submit({ ...FIRST, fingerprint: 'blank', reporter: ada, context })
    await send(
      scene,
      { title: 'White page', fingerprint: 'blank', reporter: { email: 'bob@example.com' } },
      200,
    )
    await send(scene, { title: 'Grey page', fingerprint: 'blank', reporter: ada, context }, 200)
    await scene.submit({ title: 'Also by Ada', reporter: ada })
    await scene.submit({ title: 'Not by Ada' })
    const page = await scene.visit({ path: `/issues/${id}` })
    const facts = page.getByRole('complementary', { name: 'Details' })
    const text = await facts.innerText()
    expect(text).toMatch(/Reporters\s+2/)
    expect(text).toMatch(/First reported by\s+Name\s+Ada <b>\s+Email\s+ada@example\.com\s+User ID\s+4711/)
    expect(text).toMatch(/browser\s+Chrome 147/)
    const reports = page.getByRole('region', { name: 'Reports' })
    await reports.getByText('by bob@example.com').waitFor()
    const entry = reports.getByRole('listitem').filter({ hasText: 'Grey page' })
    const address = entry.getByText('https://app.example/settings')
    expect(await address.isVisible()).toBe(false)
    await entry.getByText('Context').click()
    await address.waitFor()
    await entry.getByRole('link', { name: 'Other reports of Ada <b>' }).click()
    await page.getByRole('button', { name: 'Remove filter Reported by 4711' }).waitFor()
    await page.getByText('Also by Ada').waitFor()
    await page.getByText('Settings stay blank').waitFor()
    expect(await page.getByText('Not by Ada').count()).toBe(0)
  })

  test('are redacted and deleted one by one by admins, and only by them', async ({ scene }) => {
    const id = await reportTogether(scene)
    const page = await scene.visit({ path: `/issues/${id}` })
    const reports = page.getByRole('region', { name: 'Reports' })
    await reports.getByRole('button', { name: 'Actions for report 3' }).click()
    await page.getByRole('menuitem', { name: 'Redact text…' }).click()
    await page.getByRole('button', { name: 'Redact permanently' }).click()
    await reports.getByText('The text was redacted.').waitFor()
    expect(await page.getByText('7 Rue').count()).toBe(0)
    await reports.getByRole('button', { name: 'Actions for report 4' }).click()
    await page.getByRole('menuitem', { name: 'Delete report…' }).click()
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await reports.getByText('Only a flamingo').waitFor({ state: 'detached' })
    const history = page.getByRole('region', { name: 'History' })
    await history.getByText('redacted report 3').waitFor()
    await history.getByText('deleted report 4').waitFor()

    const viewer = await scene.visit({ path: `/issues/${id}`, user: { role: 'viewer' } })
    await viewer.getByRole('region', { name: 'Reports' }).getByText('Report 3').waitFor()
    expect(await viewer.getByRole('button', { name: /Actions for report/ }).count()).toBe(0)
  })

  test('keep their texts when the description is edited, and the form explains that', async ({ scene }) => {
    const id = await scene.submit(FIRST)
    const page = await scene.visit({ path: `/issues/${id}` })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'History' }).getByText('Reported').first().waitFor()
    expect(await page.getByRole('region', { name: 'Reports' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Edit title and description' }).first().click()
    await page.getByText('The texts of reports do not change').waitFor()
    await page.getByRole('textbox', { name: 'Title' }).press('Escape')
    await change(scene, id, { description: 'Removed.' })
    await page.getByRole('region', { name: 'Reports' }).getByText('Nothing is drawn.').waitFor()
  })
})
