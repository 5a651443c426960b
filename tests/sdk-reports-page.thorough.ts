import { describe, expect } from 'vitest'
import { hashToken } from '../packages/server/src/domain/projects/keys.ts'
import { colourFindingsOf, findingsOf } from './support/dashboard/axe.ts'
import { intercept } from './support/intercept.ts'
import { fieldOf, itemOf, messagesIn, reply } from './support/sdk/my-reports.ts'
import { openLink, reportAndGetLink } from './support/sdk/reports-page.ts'
import { setStage, test } from './support/sdk/stage.ts'

setStage({ servesSdk: true })

const TIMEOUT = { timeout: 60_000 }
const HOSTILE = '<img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script>'

describe('the page of a reporter', () => {
  test('explains a link that is incomplete, and shows the right one when it is opened in the same tab', async ({
    scene,
  }) => {
    const link = await reportAndGetLink(scene, 'Whole')
    const { page, complaints } = await openLink(scene.profile, link.slice(0, -1))
    await page.getByRole('alert').filter({ hasText: 'This link is incomplete.' }).waitFor()
    expect(await findingsOf(page)).toEqual([])
    await page.evaluate((address) => location.assign(address), link)
    await itemOf(page, 'Whole').waitFor()
    expect(complaints).toEqual([])
  })

  test('says that there is nothing behind an unknown secret', async ({ scene }) => {
    const unknown = `${scene.gateway.url}/r#${scene.project.publicKey}.${'A'.repeat(43)}`
    const { page } = await openLink(scene.profile, unknown)
    await page.getByText('There are no reports behind this link.').waitFor()
    expect(await findingsOf(page)).toEqual([])
  })

  test('explains that a link with a revoked key no longer works', async ({ scene }) => {
    const link = await reportAndGetLink(scene, 'Revoked')
    const { keys } = scene.app.app.storage
    const stored = await keys.findByHash(hashToken(scene.project.publicKey))
    expect(await keys.revoke(stored?.id ?? 'key_', Date.now())).toBe('revoked')
    const ask = () => scene.app.send('GET', '/v1/sdk-config', { key: scene.project.publicKey })
    await expect.poll(async () => (await ask()).status, TIMEOUT).toBe(401)
    const { page } = await openLink(scene.profile, link)
    await page.getByRole('alert').filter({ hasText: 'This link no longer works.' }).waitFor()
    expect(await findingsOf(page)).toEqual([])
  })

  test('says that it is loading until the server responds, and not that there are no replies', async ({
    scene,
  }) => {
    const link = await reportAndGetLink(scene, 'Slow')
    await reply(scene, 'Slow', 'Which phone?')
    const list = Promise.withResolvers<void>()
    const messages = Promise.withResolvers<void>()
    await intercept(scene.profile, /\/v1\/my\/reports/, async (route) => {
      await (route.request().url().endsWith('/messages') ? messages : list).promise
      await route.continue()
    })
    const { page } = await openLink(scene.profile, link)
    await page.getByRole('status').filter({ hasText: 'Loading…' }).waitFor()
    expect(await page.getByText('There are no reports behind this link.').isVisible()).toBe(false)
    expect(await findingsOf(page)).toEqual([])
    list.resolve()
    await itemOf(page, 'Slow').getByRole('button').click()
    const log = page.getByRole('log', { name: 'Slow' })
    await log.filter({ hasText: 'Loading…' }).waitFor()
    expect(await page.getByText('No replies yet.').count()).toBe(0)
    messages.resolve()
    await expect.poll(() => messagesIn(page), TIMEOUT).toEqual(['Which phone?'])
    expect(await page.getByText('Loading…').count()).toBe(0)
  })

  test('says that the server cannot be reached, and goes on when it can', async ({ scene }) => {
    const link = await reportAndGetLink(scene, 'Interrupted')
    await intercept(scene.profile, '**/v1/**', (route) => route.abort())
    const { page } = await openLink(scene.profile, link)
    await page.getByText('The server cannot be reached.').waitFor()
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('The server cannot be reached.').waitFor()
    // The page tries again by itself.
    await scene.profile.unroute('**/v1/**')
    await itemOf(page, 'Interrupted').getByRole('button').click()
    // A message that is written offline waits for the network.
    await scene.profile.setOffline(true)
    await fieldOf(page).fill('Written offline')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Saved. It will be sent as soon as possible.').waitFor()
    await scene.profile.setOffline(false)
    await expect.poll(() => page.getByText('Saved. It will be sent').count(), TIMEOUT).toBe(0)
    expect(await messagesIn(page)).toEqual(['Written offline'])
  })

  test('shows hostile texts as text, on a phone, in the dark and in another language', async ({ scene }) => {
    const link = await reportAndGetLink(scene, HOSTILE)
    await reply(scene, HOSTILE, HOSTILE)
    await using phone = await scene.browser.newContext({
      viewport: { width: 390, height: 700 },
      locale: 'de-AT',
      colorScheme: 'dark',
      hasTouch: true,
    })
    const { page, complaints } = await openLink(phone, link)
    await page.getByRole('heading', { level: 1, name: 'Meine Meldungen' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
    expect(await findingsOf(page)).toEqual([])
    await itemOf(page, HOSTILE).getByRole('button').tap()
    await expect.poll(() => messagesIn(page), TIMEOUT).toEqual([HOSTILE])
    expect(await colourFindingsOf(page)).toEqual([])
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(await overflow()).toBeLessThanOrEqual(0)
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    expect(complaints).toEqual([])
  })
})
