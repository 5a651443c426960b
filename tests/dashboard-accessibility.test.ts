import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { findingsOf } from './support/dashboard/axe.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage()

const WIDTHS = [1280, 390] as const

interface State {
  readonly name: string
  /** Where the visit begins; the inbox, unless said otherwise. */
  readonly path?: (scene: Scene) => string
  readonly isSignedOut?: true
  readonly complaint?: RegExp
  /** Brings the page into the state; it has been reached when this resolves. */
  reach(page: Page): Promise<void>
}

const inInbox = async (page: Page) => page.getByRole('row').first().waitFor()

const STATES: readonly State[] = [
  {
    name: 'the sign-in page',
    isSignedOut: true,
    path: () => '/sign-in',
    reach: (page) => page.getByRole('heading', { name: 'Sign in' }).waitFor(),
  },
  {
    name: 'a link that does not work',
    isSignedOut: true,
    path: () => '/sign-in#link=unknown',
    complaint: /status of 404/,
    reach: (page) => page.getByRole('heading', { name: 'This link does not work' }).waitFor(),
  },
  {
    name: 'the inbox with a selection and filters',
    path: ({ project }) => `/projects/${project.slug}/issues?category=bug,crash&q=issue`,
    async reach(page) {
      await inInbox(page)
      for (const key of ['x', 'Shift+J']) await page.keyboard.press(key)
      await page.getByText('2 issues selected').waitFor()
    },
  },
  {
    name: 'a list without matches',
    path: ({ project }) => `/projects/${project.slug}/issues?q=nowhere`,
    reach: (page) => page.getByRole('heading', { name: 'No issue matches' }).waitFor(),
  },
  {
    name: 'a search whose matches are in other states',
    path: ({ project }) => `/projects/${project.slug}/issues?q=issue&status=resolved`,
    reach: (page) => page.getByText('3 matches in other states.').waitFor(),
  },
  {
    name: 'the question whether to delete the selected issues',
    async reach(page) {
      await inInbox(page)
      await page.keyboard.press('x')
      await page.getByRole('button', { name: 'Delete…' }).click()
      await page.getByRole('dialog', { name: 'Delete 1 issue?' }).waitFor()
    },
  },
  {
    name: 'an unsaved edit',
    path: ({ project }) => `/projects/${project.slug}/issues/1`,
    async reach(page) {
      await page.getByRole('button', { name: 'Edit title and description' }).click()
      await page.getByRole('textbox', { name: 'Title' }).fill('Another title')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Continue editing' }).waitFor()
    },
  },
  {
    name: 'a project that does not exist',
    path: () => '/projects/nowhere/issues',
    reach: (page) => page.getByRole('heading', { name: 'Project not found' }).waitFor(),
  },
  {
    name: 'a page that does not exist',
    path: ({ project }) => `/projects/${project.slug}/nowhere`,
    reach: (page) => page.getByRole('heading', { name: 'Page not found' }).waitFor(),
  },
  {
    name: 'a list that could not be loaded',
    complaint: /status of 503/,
    async reach(page) {
      await inInbox(page)
      await page.route('**/v1/issues?**', (route) => route.fulfill({ status: 503, body: '' }))
      await page.keyboard.press('.')
      await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor()
    },
  },
  {
    name: 'a list that is being loaded',
    async reach(page) {
      await inInbox(page)
      await page.route('**/v1/issues?**', () => undefined)
      await page.keyboard.press('.')
      await page.getByRole('status', { name: 'Loading issues' }).waitFor()
    },
  },
  {
    name: 'the filters',
    async reach(page) {
      await inInbox(page)
      await page.keyboard.press('f')
      await page.getByRole('group', { name: 'Status' }).waitFor()
    },
  },
  {
    name: 'the menu of orders',
    async reach(page) {
      await page.getByRole('button', { name: 'Sort: Newest' }).click()
      await page.getByRole('menuitemradio', { name: 'Oldest' }).waitFor()
    },
  },
  {
    name: 'the menu of the person',
    async reach(page) {
      await openSidebar(page)
      await page.getByRole('button', { name: 'Somebody: account and settings' }).click()
      await page.getByRole('menuitem', { name: 'Account' }).waitFor()
    },
  },
  {
    name: 'the projects',
    async reach(page) {
      await page.getByRole('button', { name: 'Project: Kitchen' }).click()
      await page.getByRole('menuitem', { name: 'Kitchen' }).first().waitFor()
    },
  },
  {
    name: 'the palette',
    async reach(page) {
      await inInbox(page)
      await page.keyboard.press('Control+k')
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'the help',
    async reach(page) {
      await inInbox(page)
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
  },
  {
    name: 'saving a view, and what was said about a move',
    async reach(page) {
      await inInbox(page)
      await page.keyboard.press('a')
      await page.getByRole('button', { name: 'Undo' }).waitFor()
      await page.keyboard.press('s')
      await page.getByRole('dialog', { name: 'Save this view' }).waitFor()
    },
  },
  {
    name: 'the account',
    path: () => '/account',
    reach: (page) => page.getByText('This browser', { exact: true }).waitFor(),
  },
]

describe.each(WIDTHS)('at %i pixels axe finds nothing wrong', (width) => {
  for (const state of STATES) {
    test(`with ${state.name}, light and dark`, async ({ scene }) => {
      for (const title of ['Issue one', 'Issue two', 'Issue three'])
        await scene.submit({
          title,
          description: 'It happened.',
          platform: 'ios',
          appVersion: '2.4.1',
          priority: 'critical',
        })
      if (state.complaint !== undefined) scene.allow(state.complaint)
      const page = await scene.visit({
        viewport: { width, height: 800 },
        ...(state.path !== undefined && { path: state.path(scene) }),
        ...(state.isSignedOut && { user: null }),
      })
      await state.reach(page)
      expect(await findingsOf(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.locator('[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' })
      expect(await findingsOf(page)).toEqual([])
      // Nothing sticks out at the side.
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    })
  }
})

describe('the focus', () => {
  test('goes back to where it was when a dialog or a menu closes', async ({ scene }) => {
    await scene.submit({ title: 'Issue one' })
    const page = await scene.visit()
    await inInbox(page)
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await page.keyboard.press('j')
    for (const key of ['?', 'Control+k']) {
      await page.keyboard.press(key)
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await focused()).toBe('Issues')
    }
    await page.getByRole('button', { name: 'Sort: Newest' }).press('Enter')
    await page.getByRole('menuitemradio', { name: 'Oldest' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('Sort: Newest')
  })

  test('can skip to the content, and reaches everything by Tab', async ({ scene }) => {
    await scene.submit({ title: 'Issue one' })
    const page = await scene.visit()
    await inInbox(page)
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
    const seen: (string | null)[] = []
    for (let tabs = 0; tabs < 12; tabs++) {
      await page.keyboard.press('Tab')
      seen.push(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null))
    }
    expect(seen).toEqual(expect.arrayContaining(['Search issues', 'Sort: Newest', 'Issues']))
  })
})

/** Where the window is narrow, the sidebar is behind a button. */
async function openSidebar(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Menu', exact: true })
  await page.getByRole('grid').waitFor()
  if (await button.isVisible()) await button.click()
}
