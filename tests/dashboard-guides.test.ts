import { describe } from 'vitest'
import { addressOfGuide, GUIDES } from '../packages/server/src/http/pages/guides.ts'
import { findingsOf } from './support/dashboard/axe.ts'
import { expect, setStage, test } from './support/dashboard/stage.ts'

setStage()

const WIDTHS = [1280, 390] as const
/** Between them they have everything that a guide can have. */
const LOOKED_AT = ['/docs', '/docs/webhooks', '/docs/security']

describe.each(WIDTHS)('at %i pixels', (width) => {
  test.for(LOOKED_AT)('axe finds nothing wrong with %s, light and dark', async (path, { scene }) => {
    const page = await scene.visit({ path, user: null, viewport: { width, height: 800 } })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await findingsOf(page), colorScheme).toEqual([])
    }
  })

  test('no page of the documents sticks out at the side', async ({ scene }) => {
    const page = await scene.visit({ path: '/docs', user: null, viewport: { width, height: 800 } })
    for (const guide of GUIDES) {
      await page.goto(scene.app.url + addressOfGuide(guide))
      expect(await page.evaluate(() => document.documentElement.scrollWidth), guide.name).toBe(width)
    }
  })
})

test('from the index every guide can be reached, and every link within the documents leads somewhere', async ({
  scene,
}) => {
  const page = await scene.visit({ path: '/docs', user: null })
  const targets = new Map<string, Set<string>>()
  const idsOf = async (path: string): Promise<Set<string>> => {
    const known = targets.get(path)
    if (known !== undefined) return known
    const answer = await page.goto(scene.app.url + path)
    expect(answer?.status(), path).toBe(200)
    const ids = await page.evaluate(() => [...document.querySelectorAll('[id]')].map(({ id }) => id))
    targets.set(path, new Set(ids))
    for (const [target = '', anchor] of await linksOnPage()) {
      const there = await idsOf(target)
      if (anchor !== undefined) expect([...there], `${path} links to ${target}#${anchor}`).toContain(anchor)
    }
    return targets.get(path) ?? new Set()
  }
  const linksOnPage = async () => {
    const links = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLAnchorElement>('a[href^="/docs"]')].map(
        (link) => link.getAttribute('href') ?? '',
      ),
    )
    return links.map((link) => link.split('#'))
  }
  await idsOf('/docs')
  for (const guide of GUIDES) expect([...targets.keys()]).toContain(addressOfGuide(guide))
})
