import { expect } from 'vitest'
import { findingsOf } from './support/dashboard/axe.ts'
import { commentsOf, fieldOf, itemOf, messagesIn, reply } from './support/sdk/my-reports.ts'
import { openLink, reportAndGetLink } from './support/sdk/reports-page.ts'
import { setStage, test } from './support/sdk/stage.ts'

setStage({ servesSdk: true })

const TIMEOUT = { timeout: 60_000 }

test('the page shows the conversations behind a link, stores nothing, and tells no one the secret', async ({
  scene,
}) => {
  const link = await reportAndGetLink(scene, 'Settings stay blank')
  const secret = link.slice(-43)
  expect(link).toBe(`${scene.gateway.url}/r#${scene.project.publicKey}.${secret}`)
  await reply(scene, 'Settings stay blank', 'Which phone do you use?')

  // Another device: it has nothing but the link.
  await using device = await scene.browser.newContext()
  const { page, complaints } = await openLink(device, link)
  await page.getByRole('heading', { level: 1, name: 'My reports' }).waitFor()
  await expect.poll(() => page.title(), TIMEOUT).toBe('(1) My reports')
  expect(await findingsOf(page)).toEqual([])
  await itemOf(page, 'Settings stay blank').getByRole('button').press('Enter')
  await expect.poll(() => messagesIn(page), TIMEOUT).toEqual(['Which phone do you use?'])
  await page.keyboard.press('Tab')
  await page.locator('textarea:focus').waitFor()
  await page.keyboard.type('A Pixel 9')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => commentsOf(scene), TIMEOUT).toContain('A Pixel 9')
  await expect.poll(() => page.title(), TIMEOUT).toBe('My reports')
  await expect.poll(() => fieldOf(page).inputValue(), TIMEOUT).toBe('')
  expect(await findingsOf(page)).toEqual([])

  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0])
  expect(await page.evaluate(() => indexedDB.databases())).toEqual([])
  expect(scene.gateway.seen.map(({ line, body }) => line + body).join()).not.toContain(secret)
  expect(complaints).toEqual([])
})
