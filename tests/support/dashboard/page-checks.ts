import { startReceiver } from '../../../packages/server/test-support/start-receiver.ts'
import { intercept } from '../intercept.ts'
import type { PageCheck } from './appearances.ts'
import { addWebhook, allCounted, change, merge, send } from './prepare.ts'
import { expect, type Scene } from './stage.ts'

const REPORT = {
  title: 'Settings screen stays blank',
  description: 'Steps: https://example.com/steps?a=1.\n\n  1. Open settings\n  2. Nothing is drawn',
  category: 'ui_ux',
  priority: 'high',
  appVersion: '2.4.1',
  buildNumber: '512',
  osVersion: 'iOS 26.1',
  deviceModel: 'iPhone 17',
  platform: 'ios',
  branch: 'release/2.4',
  metadata: { locale: 'de-CH', isOnline: true },
  sdk: { name: '@bugle/sdk', version: '0.1.0' },
  fingerprint: 'axe',
}

/** The states of the pages for an issue, for insights and for the settings of a project. */
export const PAGE_CHECKS: readonly PageCheck[] = [
  {
    name: 'an issue, with its menu, dialogs and a conflict',
    complaint: /status of 412/,
    async prepare(scene) {
      const id = await scene.submit(REPORT)
      await change(scene, id, { status: 'resolved', fixedIn: { appVersion: '2.4.0' }, note: 'Done.' })
      await send(scene, REPORT, 200)
      return { path: `/issues/${id}` }
    },
    async run(page, inspect, scene) {
      await page.getByRole('region', { name: 'Regression' }).waitFor()
      await page.getByRole('slider').waitFor()
      await inspect('issue')
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Delete…' }).waitFor()
      await inspect('menu')
      await page.getByRole('menuitem', { name: 'Delete…' }).click()
      await page.getByRole('button', { name: 'Cancel' }).waitFor()
      await inspect('deletion')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.keyboard.press('r')
      await page.getByRole('dialog', { name: 'Resolve #1' }).waitFor()
      await inspect('resolution')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.keyboard.press('e')
      await page.getByRole('textbox', { name: 'Title' }).fill('Blank')
      const [issue] = await scene.issues()
      await change(scene, String(issue?.['id']), { note: 'Quicker.' })
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('they added a note').waitFor()
      await inspect('conflict')
    },
  },
  {
    name: 'a duplicate, its target, and the choice of a target',
    async prepare(scene) {
      const target = await scene.submit({ title: 'Blank screen' })
      await merge(scene, await scene.submit(REPORT), target)
      await scene.submit({ title: 'Nothing is drawn' })
      return { path: `/issues/${target}` }
    },
    async run(page, inspect) {
      await page.getByRole('link', { name: `#2 ${REPORT.title}` }).waitFor()
      await page.getByText('Report 1 of #2').waitFor()
      await inspect('target')
      await page.getByRole('link', { name: `#2 ${REPORT.title}` }).click()
      await page.getByRole('region', { name: 'Duplicate' }).getByText('Blank screen').waitFor()
      await inspect('duplicate')
      await page.keyboard.press('d')
      await page.getByRole('option', { name: '#3 Nothing is drawn' }).waitFor()
      await inspect('choice')
      await page.getByRole('combobox').fill('2')
      await page.getByText('#2 is this issue.').waitFor()
      await inspect('no choice')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.keyboard.press('u')
      await page.getByRole('link', { name: /^All \d/ }).click()
      await page.getByRole('row').getByText('Duplicate').waitFor()
      await inspect('rows')
    },
  },
  {
    name: 'spam: the questions, the issue that was marked, and the list of spam',
    async prepare(scene) {
      await scene.submit({ title: 'Blank screen' })
      return { path: `/issues/${await scene.submit({ title: 'Buy now' })}` }
    },
    async run(page, inspect, { app, project }) {
      await page.getByRole('heading', { name: 'Buy now' }).waitFor()
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Mark as spam…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Mark #2 as spam?' })
      await dialog.getByRole('checkbox', { name: 'Block the sender' }).check()
      await inspect('question')
      await dialog.getByRole('button', { name: 'Mark as spam' }).click()
      await page.getByRole('region', { name: 'Spam' }).waitFor()
      await page.getByText('marked the issue as spam').waitFor()
      await inspect('spam')
      await page.goto(`${app.url}/projects/${project.slug}/issues?spam=true`)
      await page.getByRole('row', { name: /Buy now/ }).waitFor()
      await page.keyboard.press('x')
      await page.getByRole('button', { name: 'Not spam…' }).waitFor()
      await inspect('list')
      await page.getByRole('button', { name: 'Not spam…' }).click()
      await page.getByRole('dialog', { name: 'Mark 1 issue as not spam?' }).waitFor()
      await inspect('undo')
    },
  },
  {
    name: 'insights of a project without issues',
    prepare: async (scene) => ({ path: insights(scene) }),
    async run(page, inspect) {
      await page.getByRole('heading', { name: 'No data yet' }).waitFor()
      await inspect('empty')
    },
  },
  {
    name: 'insights, as charts, as tables and without the figures',
    complaint: /status of 503/,
    async prepare(scene) {
      await scene.submit({ title: 'One', platform: 'ios', appVersion: '1.0' })
      await send(scene, { title: '' }, 422)
      await allCounted(scene, 2)
      return { path: insights(scene) }
    },
    async run(page, inspect) {
      for (const name of ['Issues and reports by day', 'Reports by version and day'])
        await page.getByRole('slider', { name }).waitFor()
      await inspect('charts')
      for (const title of ['Day by day', 'By status', 'By version', 'Versions over time'])
        await page.getByRole('button', { name: `${title}: show as table` }).click()
      await inspect('tables')
      await intercept(page, '**/stats?**', (route) => route.fulfill({ status: 503, body: '' }))
      await page.reload()
      await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor()
      await inspect('failure')
    },
  },
  {
    name: 'the settings, with a delivery that failed',
    prepare: async ({ project }) => ({ path: `/projects/${project.slug}/settings` }),
    async run(page, inspect, scene) {
      await using receiver = await startReceiver()
      receiver.react(() => ({ status: 500, body: 'out of order' }))
      await addWebhook(scene, receiver)
      await scene.submit({ title: 'News' })
      await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
      await page.reload()
      const card = page.getByRole('region', { name: 'Webhooks' })
      await card.getByRole('button', { name: 'Deliveries' }).click()
      await card.getByRole('button', { name: 'issue.created' }).click()
      await card.getByText('out of order').first().waitFor()
      await page.getByRole('tab', { name: 'Script tag' }).click()
      await inspect('project')
    },
  },
]

/** The server's settings that these checks need. */
export const SETTINGS_FOR_CHECKS = { BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1' }

const insights = ({ project }: Scene) => `/projects/${project.slug}/insights`
