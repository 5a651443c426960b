import type { Route } from 'playwright-core'
import { describe } from 'vitest'
import { startRelay } from './support/dashboard/relay.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'
import { intercept } from './support/intercept.ts'

setStage()

const AWAY = /ERR_|Failed to fetch|Failed to load|ApiUnreachable/

const pageOf = ({ project }: Scene, page: string) => `/projects/${project.slug}/${page}`

describe('a page that failed while the server was unavailable', () => {
  test.for(['issues', 'issues/1', 'insights', 'settings'])(
    'recovers automatically: %s',
    async (path, { scene }) => {
      scene.allow(AWAY)
      await scene.submit({ title: 'Still here' })
      const page = await scene.visit({ path: '/account' })
      await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
      // The code of the pages comes from the cache; what they show does not.
      await intercept(page, '**/v1/**', (route) => route.abort())
      await page.evaluate(
        (to) => {
          history.pushState(null, '', to)
          dispatchEvent(new PopStateEvent('popstate'))
        },
        pageOf(scene, path),
      )
      await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).first().waitFor()
      await page.unroute('**/v1/**')
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
    },
  )

  test('recovers even if nothing was loaded yet', async ({ scene }) => {
    scene.allow(AWAY)
    await scene.submit({ title: 'Still here' })
    const page = await scene.visit({ path: '/account' })
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
    for (const path of ['**/session', '**/readyz']) await intercept(page, path, (route) => route.abort())
    await page.goto(scene.app.url + pageOf(scene, 'issues'))
    await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor()
    await page.unrouteAll()
    await page.getByRole('link', { name: 'Still here' }).waitFor()
  })

  test('waits for its code, and shows the previous page until then', async ({ scene }) => {
    await using relay = await startRelay(scene.app.url)
    scene.allow(AWAY)
    await scene.submit({ title: 'Still here' })
    const page = await scene.visit({ url: relay.url })
    await page.getByRole('link', { name: 'Still here' }).waitFor()
    relay.cut()
    await page.getByRole('link', { name: 'Insights' }).click()
    await page.getByRole('progressbar', { name: 'Loading page' }).waitFor()
    await page.getByRole('link', { name: 'Still here' }).waitFor()
    relay.mend()
    await page.getByRole('heading', { level: 1, name: 'Insights' }).waitFor()
    await page.getByRole('slider').waitFor()
  })
})

describe('a page', () => {
  test.for(['js', 'css'])('stays usable while a part of it cannot be loaded: %s', async (kind, { scene }) => {
    await using relay = await startRelay(scene.app.url)
    scene.allow(AWAY)
    await scene.submit({ title: 'Still here' })
    const page = await scene.visit({ url: relay.url, path: '/docs' })
    const issue = page.getByRole('link', { name: 'Still here' })
    const cut = async (route: Route) => {
      await issue.waitFor()
      relay.cut()
      await route.abort()
    }
    await intercept(page, `**/saved-views-*.${kind}`, cut, { times: 1 })
    const checked = page.waitForRequest('**/readyz')
    await page.goto(relay.url + pageOf(scene, 'issues'))
    await checked
    await issue.waitFor()
    relay.mend()
    const heading = page.getByRole('heading', { name: 'Saved views' })
    await heading.waitFor()
    expect(await heading.evaluate((element) => getComputedStyle(element).fontWeight)).toBe('500')
    await issue.waitFor()
  })

  test('is reloaded when a newer release has replaced its code and its styles', async ({ scene }) => {
    scene.allow(/404|Failed to load|Failed to fetch|preload/)
    await scene.submit({ title: 'Still here' })
    const page = await scene.visit()
    await page.getByRole('link', { name: 'Still here' }).waitFor()
    await intercept(page, '**/insights-page-*', (route) => route.fulfill({ status: 404 }))
    const reloaded = page.waitForEvent('load')
    await page.getByRole('link', { name: 'Insights' }).click()
    await reloaded
    await page.unrouteAll()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Insights' }).waitFor()
  })
})
