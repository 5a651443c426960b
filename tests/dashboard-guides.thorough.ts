import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { addressOfGuide, GUIDES, REFERENCE_PATH } from '../packages/server/src/http/pages/guides.ts'
import { findingsOf } from './support/dashboard/axe.ts'
import { expect, setStage, test } from './support/dashboard/stage.ts'

setStage()

const WIDTHS = [1280, 390] as const
const NOT_FOUND = /status of 404/

describe('a page of the documentation', () => {
  test('has the font, the logo and the theme of the dashboard, with links in both directions', async ({
    scene,
  }) => {
    const page = await scene.visit()
    await page.getByRole('navigation', { name: 'Project' }).waitFor()
    const font = await lookOf(page)
    await page.evaluate(() => localStorage.setItem('bugle-theme', 'dark'))
    await page.getByRole('link', { name: 'Documentation' }).click()
    await page.getByRole('heading', { name: 'Documentation', level: 1 }).waitFor()
    expect(await lookOf(page)).toEqual({ ...font, colorScheme: 'dark' })
    expect(font).toMatchObject({ isLoaded: true, colorScheme: 'light' })
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('navigation', { name: 'Project' }).waitFor()
  })

  test('finds guides, operations and problems by typing, without the mouse', async ({ scene }) => {
    const page = await scene.visit({ path: '/docs', user: null })
    await page.keyboard.press('/')
    await page.keyboard.type('backup rest')
    const first = page.getByRole('option').first()
    await expect.poll(() => first.textContent()).toContain('Backup and restore')
    await expect.poll(() => first.getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/operating#backup-and-restore')

    for (const [words, target] of [
      ['submit an issue', '/docs/reference#submitIssue'],
      ['validation-failed', '/problems/validation-failed'],
      ['BUGLE_PUBLIC_URL', '/docs/configuration'],
    ] as const) {
      await search(page, words)
      await page.getByRole('option').first().click()
      await page.waitForURL(`**${target}`)
    }
    await search(page, 'xyzzy')
    await page.getByText('No results').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('listbox').isVisible()).toBe(false)
  })

  test('moves through the results with the arrow keys', async ({ scene }) => {
    const page = await scene.visit({ path: '/docs', user: null })
    await search(page, 'webhook')
    const options = page.getByRole('option')
    await options.nth(2).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    const active = await page.getByRole('combobox').getAttribute('aria-activedescendant')
    expect(active).toBe(await options.nth(1).getAttribute('id'))
  })

  test('copies an example with the address of this server', async ({ scene }) => {
    const page = await scene.visit({ path: '/docs/getting-started', user: null })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const example = page.locator('.code-frame', { hasText: 'BUGLE_PUBLIC_KEY=' })
    await example.getByRole('button', { name: 'Copy' }).click()
    await example.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `export BUGLE_URL=${scene.app.url}\nexport BUGLE_PUBLIC_KEY=bgl_pub_…\nexport BUGLE_KEY=bgl_sec_…`,
    )
    // The default address of the server is not replaced.
    await expect
      .poll(() => page.locator('p', { hasText: 'listens on' }).textContent())
      .toContain('http://127.0.0.1:4000')
  })

  test('highlights code', async ({ scene }) => {
    const page = await scene.visit({ path: '/docs/getting-started', user: null })
    const colours = await page.evaluate(() =>
      ['.code-keyword', '.code-string', '.code-name', 'pre code'].map((place) => {
        const element = document.querySelector(place)
        return element && getComputedStyle(element).color
      }),
    )
    expect(new Set(colours).size).toBe(4)
    expect(colours).not.toContain(null)
  })

  test('has its contents behind a button on a phone, and next to it otherwise', async ({ scene }) => {
    const viewport = { width: 390, height: 800 }
    const page = await scene.visit({ path: '/docs/getting-started', user: null, viewport })
    const contents = page.getByRole('navigation', { name: 'Contents' })
    await expect.poll(() => contents.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await contents.waitFor()
    expect(await findingsOf(page)).toEqual([])
    await contents.getByRole('link', { name: 'Send a report' }).click()
    await contents.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Menu' }).click()
    await contents.getByRole('link', { name: 'API reference' }).click()
    await page.waitForURL(`**${REFERENCE_PATH}`)

    await page.setViewportSize({ width: 1280, height: 800 })
    await expect.poll(() => page.getByRole('button', { name: 'Menu' }).isVisible()).toBe(false)
    await expect.poll(() => contents.isVisible()).toBe(true)
  })
})

test('an unknown address shows a page with ways out', async ({ scene }) => {
  scene.allow(NOT_FOUND)
  const page = await scene.visit({ path: '/nowhere', user: null })
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.getByRole('link', { name: 'Read the documentation' }).click()
  await page.waitForURL('**/docs')
})

describe('the documents', () => {
  test('can all be reached from the index, have no broken links, do not overflow and do not break names', async ({
    scene,
  }) => {
    const page = await scene.visit({ path: '/docs', user: null })
    const anchors = new Map<string, ReadonlySet<string>>()
    const links: { readonly from: string; readonly to: string; readonly anchor: string | undefined }[] = []
    const waiting = ['/docs']
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (anchors.has(path)) continue
      const answer = await page.goto(scene.app.url + path)
      expect(answer?.status(), path).toBe(200)
      for (const width of WIDTHS) await expectToFit(page, path, width)
      const { ids, addresses } = await idsAndLinksOf(page)
      anchors.set(path, new Set(ids))
      for (const address of addresses) {
        const [to = '', anchor] = address.split('#')
        links.push({ from: path, to, anchor })
        waiting.push(to)
      }
    }
    for (const { from, to, anchor } of links)
      if (anchor !== undefined)
        expect([...(anchors.get(to) ?? [])], `${from} links to ${to}#${anchor}`).toContain(anchor)
    for (const path of [...GUIDES.map(addressOfGuide), REFERENCE_PATH])
      expect([...anchors.keys()]).toContain(path)
  })
})

async function expectToFit(page: Page, path: string, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  const place = `${path} at ${width} pixels`
  expect(await page.evaluate(() => document.documentElement.scrollWidth), place).toBe(width)
  expect(await brokenNames(page), place).toEqual([])
  expect(await wideTables(page), place).toEqual([])
}

async function idsAndLinksOf(page: Page) {
  return page.evaluate(() => ({
    ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
    addresses: [...document.querySelectorAll<HTMLAnchorElement>('a[href^="/docs"]')].map(
      (link) => link.getAttribute('href') ?? '',
    ),
  }))
}

async function search(page: Page, words: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Search the documentation' }).fill(words)
}

async function lookOf(page: Page) {
  return page.evaluate(async () => {
    await document.fonts.ready
    const { fontFamily, colorScheme } = getComputedStyle(document.body)
    const mark = document.querySelector<HTMLImageElement>('header a img')
    return {
      fontFamily,
      colorScheme,
      mark: mark?.src,
      isLoaded: document.fonts.check('1rem "Inter Variable"'),
    }
  })
}

/** Names in running text and tables that are broken across lines. Paths may break after a slash, and long names between their parts. */
async function brokenNames(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const texts = [...document.querySelectorAll('main code:not(.long)')]
      .filter((code) => code.closest('pre, .path, .origins, details:not([open])') === null)
      .flatMap((code) => [...code.querySelectorAll('*'), code].flatMap(({ childNodes }) => [...childNodes]))
      .filter((node) => node.nodeType === Node.TEXT_NODE)
    return texts
      .filter((text) => {
        const range = document.createRange()
        range.selectNodeContents(text)
        return range.getClientRects().length > 1
      })
      .map((text) => text.textContent ?? '')
  })
}

/** Tables that overflow the text column. */
async function wideTables(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const right = document.querySelector('main')?.getBoundingClientRect().right ?? 0
    return [...document.querySelectorAll('main table')]
      .filter((table) => table.getBoundingClientRect().right > right + 1)
      .map((table) => table.querySelector('caption')?.textContent ?? '')
  })
}
