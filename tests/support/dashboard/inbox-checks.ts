import type { Page } from 'playwright-core'
import { intercept } from '../intercept.ts'
import type { PageCheck, Visit } from './appearances.ts'
import type { Scene } from './stage.ts'

/** The states of the shell, the sign-in and the inbox. */
export const INBOX_CHECKS: readonly PageCheck[] = [
  {
    name: 'the sign-in page',
    prepare: async () => ({ user: null, path: '/sign-in' }),
    async run(page, inspect) {
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await inspect('sign-in')
    },
  },
  {
    name: 'a link that does not work',
    complaint: /status of 404/,
    prepare: async () => ({ user: null, path: '/sign-in#link=unknown' }),
    async run(page, inspect) {
      await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
      await inspect('link')
    },
  },
  {
    name: 'the inbox with a selection and filters',
    prepare: (scene) => inboxOfThree(scene, '?category=bug,crash&q=issue'),
    async run(page, inspect) {
      await inInbox(page)
      for (const key of ['x', 'Shift+J']) await page.keyboard.press(key)
      await page.getByText('2 issues selected').waitFor()
      await inspect('selection')
    },
  },
  {
    name: 'the actions for all matching issues',
    prepare: (scene) => inboxOfThree(scene),
    async run(page, inspect) {
      await inInbox(page)
      await page.keyboard.press('x')
      await page.getByRole('button', { name: 'Select all 3 matching…' }).click()
      await page.getByRole('dialog', { name: 'All 3 matching issues' }).waitFor()
      await inspect('all matching')
    },
  },
  {
    name: 'a list without matches',
    prepare: (scene) => inboxOfThree(scene, '?q=nowhere'),
    async run(page, inspect) {
      await page.getByRole('heading', { name: 'No matching issues' }).waitFor()
      await inspect('no matches')
    },
  },
  {
    name: 'a search whose matches have other statuses',
    prepare: (scene) => inboxOfThree(scene, '?q=issue&status=resolved'),
    async run(page, inspect) {
      await page.getByText('3 matches in other statuses.').waitFor()
      await inspect('matches elsewhere')
    },
  },
  {
    name: 'what opens over the inbox: filters, orders, projects, palette, help',
    prepare: (scene) => inboxOfThree(scene),
    async run(page, inspect) {
      await inInbox(page)
      const closeAfter = async (state: string, opened: ReturnType<Page['getByRole']>) => {
        await opened.waitFor()
        await inspect(state)
        await page.keyboard.press('Escape')
        await opened.waitFor({ state: 'hidden' })
      }
      await page.keyboard.press('f')
      await closeAfter('filters', page.getByRole('group', { name: 'Status' }))
      await page.getByRole('button', { name: 'Sort: Newest' }).click()
      await closeAfter('orders', page.getByRole('menuitemradio', { name: 'Oldest' }))
      await page.getByRole('button', { name: 'Project: Kitchen' }).click()
      await closeAfter('projects', page.getByRole('menuitem', { name: 'Kitchen' }).first())
      await page.keyboard.press('Control+k')
      await closeAfter('palette', page.getByRole('option').first())
      await page.keyboard.press('?')
      await closeAfter('help', page.getByRole('dialog', { name: 'Keyboard shortcuts' }))
    },
  },
  {
    name: 'the menu of the person',
    prepare: (scene) => inboxOfThree(scene),
    async run(page, inspect) {
      await openSidebar(page)
      await page.getByRole('button', { name: 'Somebody: account and settings' }).click()
      await page.getByRole('menuitem', { name: 'Profile' }).waitFor()
      await inspect('person')
    },
  },
  {
    name: 'saving a view, and what was said about a move',
    prepare: (scene) => inboxOfThree(scene),
    async run(page, inspect) {
      await inInbox(page)
      await page.keyboard.press('a')
      await page.getByRole('button', { name: 'Undo' }).waitFor()
      await page.keyboard.press('s')
      await page.getByRole('dialog', { name: 'Save view' }).waitFor()
      await inspect('view')
    },
  },
  {
    name: 'the question whether to delete the selected issues',
    prepare: (scene) => inboxOfThree(scene),
    async run(page, inspect) {
      await inInbox(page)
      await page.keyboard.press('x')
      await page.getByRole('button', { name: 'Delete…' }).click()
      await page.getByRole('dialog', { name: 'Delete 1 issue?' }).waitFor()
      await inspect('deletion')
    },
  },
  {
    name: 'a list that could not be loaded',
    complaint: /status of 503/,
    prepare: (scene) => inboxOfThree(scene),
    async run(page, inspect) {
      await inInbox(page)
      await intercept(page, '**/v1/issues?**', (route) => route.fulfill({ status: 503, body: '' }))
      await page.keyboard.press('.')
      await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor()
      await inspect('failure')
    },
  },
  {
    name: 'a list that is being loaded',
    prepare: (scene) => inboxOfThree(scene),
    async run(page, inspect) {
      await inInbox(page)
      await intercept(page, '**/v1/issues?**', () => undefined)
      await page.keyboard.press('.')
      await page.getByRole('status', { name: 'Loading issues' }).waitFor()
      await inspect('loading')
    },
  },
  {
    name: 'unsaved changes',
    async prepare(scene) {
      await inboxOfThree(scene)
      return { path: `/projects/${scene.project.slug}/issues/1` }
    },
    async run(page, inspect) {
      await page.getByRole('button', { name: 'Edit title and description' }).click()
      await page.getByRole('textbox', { name: 'Title' }).fill('Another title')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Continue editing' }).waitFor()
      await inspect('edit')
    },
  },
  {
    name: 'a project and a page that do not exist, and the account',
    prepare: async () => ({ path: '/projects/nowhere/issues' }),
    async run(page, inspect, { app, project }) {
      await page.getByRole('heading', { name: 'Project not found' }).waitFor()
      await inspect('no project')
      await page.goto(`${app.url}/projects/${project.slug}/nowhere`)
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
      await inspect('no page')
      await page.goto(`${app.url}/account`)
      await page.getByText('This browser', { exact: true }).waitFor()
      await inspect('account')
    },
  },
]

async function inboxOfThree(scene: Scene, query = ''): Promise<Visit> {
  for (const title of ['Issue one', 'Issue two', 'Issue three'])
    await scene.submit({
      title,
      description: 'It happened.',
      platform: 'ios',
      appVersion: '2.4.1',
      priority: 'critical',
    })
  return { path: `/projects/${scene.project.slug}/issues${query}` }
}

async function inInbox(page: Page): Promise<void> {
  await page.getByRole('row').first().waitFor()
}

/** In a narrow window, the sidebar is behind a button. */
async function openSidebar(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Menu', exact: true })
  await page.getByRole('grid').waitFor()
  if (await button.isVisible()) await button.click()
}
