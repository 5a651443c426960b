import type { BrowserContext, Page } from 'playwright-core'

type RouteArguments = Parameters<Page['route']>

/**
 * Adds a route for requests of pages that may already be open. Chromium changes how an open page sends requests some
 * time after the route has been added; until then, they bypass it. This waits until they no longer do.
 */
export async function intercept(pages: Page | BrowserContext, ...route: RouteArguments): Promise<void> {
  await pages.route(...route)
  const open = 'pages' in pages ? pages.pages() : [pages]
  await Promise.all(open.filter((page) => page.url().startsWith('http')).map(untilIntercepted))
}

async function untilIntercepted(page: Page): Promise<void> {
  const probe = `${new URL(page.url()).origin}/?probe=${crypto.randomUUID()}`
  let isIntercepted = false
  await page.route(probe, (route) => {
    isIntercepted = true
    return route.fulfill({ body: '' })
  })
  while (!isIntercepted) await page.evaluate((url) => fetch(url).then((answer) => answer.text()), probe)
  await page.unroute(probe)
}
