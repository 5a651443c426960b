import type { PageCheck } from './appearances.ts'
import { expect } from './stage.ts'

const LIMIT = { minAppVersion: '2.4', maxAppVersion: null }

/** The states of the settings. */
export const SETTINGS_CHECKS: readonly PageCheck[] = [
  {
    name: 'the profile page, with its dialogs',
    async prepare() {
      return { path: '/account', user: { name: 'Ada', canSeeSecurity: true } }
    },
    async run(page, inspect) {
      await page.getByRole('button', { name: 'New token' }).click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Weekly report')
      await page.getByRole('checkbox', { name: 'issues:read' }).check()
      await inspect('new token')
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByRole('button', { name: 'Done' }).waitFor()
      await inspect('token')
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Revoke Weekly report' }).waitFor()
      await inspect('profile')
    },
  },
  {
    name: 'the settings of projects and keys, with their dialogs',
    async prepare({ app, project }) {
      const { storage } = app.app
      await storage.projects.update(project.id, {
        description: 'Pots and pans',
        websiteUrl: 'https://a.example/',
      })
      await storage.projects.saveSdkSettings(project.id, {
        ...{ enabled: true, minSdkVersion: null, crash: { enabled: true, sampleRate: 1 } },
        ...{ refreshAfterSeconds: 3_600, features: { newHome: true, greeting: 'Hello' } },
        featureLimits: { newHome: { ...LIMIT, platforms: ['ios'], share: 0.5 } },
      })
      const keys = await storage.keys.list(project.id)
      await storage.keys.revoke(keys[0]?.id ?? 'key_', Date.now())
      return { path: '/settings', user: { name: 'Ada', canSeeSecurity: true } }
    },
    async run(page, inspect) {
      await page.getByRole('link', { name: 'Kitchen' }).last().waitFor()
      await inspect('projects')
      await page.getByRole('button', { name: 'New project' }).click()
      await page.getByRole('dialog').waitFor()
      await inspect('new project')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Kitchen' }).last().click()
      await page.getByRole('button', { name: 'New key' }).waitFor()
      await page.getByText('revoked').first().waitFor()
      await inspect('project')
      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Script')
      await page.getByRole('combobox', { name: 'Kind' }).selectOption('secret')
      await inspect('new key')
      await page.getByRole('checkbox', { name: 'issues:read' }).check()
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('button', { name: 'Done' }).waitFor()
      await inspect('secret key')
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'New webhook' }).click()
      await page.getByRole('checkbox', { name: 'All events' }).uncheck()
      await inspect('new webhook')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Limit newHome' }).click()
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('button', { name: 'Save limit' }).waitFor()
      await inspect('limit of a feature')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'New label' }).click()
      await page.getByLabel('Colour').waitFor()
      await inspect('new label')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('checkbox', { name: /^Public/ }).check()
      await page.getByRole('button', { name: 'Save' }).first().click()
      await page.getByText('without signing in, and all future ones').waitFor()
      await inspect('making it public')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Delete project…' }).click()
      await page.getByRole('textbox', { name: 'Type Kitchen to confirm' }).fill('Kitchen')
      await inspect('deletion')
    },
  },
  {
    name: 'the settings of people, keys for all projects and the audit log',
    async prepare({ app, project }) {
      await app.app.storage.actingAs('os:ada', Date.now).projects.update(project.id, { isPublic: true })
      await app.addToken({ name: 'Emil', projects: [project] })
      const { stats, keys } = app.app.storage
      const [key] = await keys.list(project.id)
      await stats.addIntake(project.id, [['validation-failed', 12, key?.id ?? 'key_']])
      await app.app.storage
        .actingAs('os:ada', Date.now)
        .auditLog.add({ action: 'data.backed_up', subjectName: 'copy.db' })
      return { path: '/settings/people', user: { name: 'Ada', canSeeSecurity: true } }
    },
    async run(page, inspect) {
      await page.getByText('(you)').waitFor()
      await inspect('people')
      await page.getByRole('button', { name: 'Access tokens of Emil' }).first().click()
      await page.getByRole('button', { name: 'Revoke Script' }).waitFor()
      await inspect('tokens of a person')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Invite a person' }).click()
      await page.getByRole('checkbox', { name: 'All projects' }).uncheck()
      await page.getByRole('group', { name: 'Projects' }).waitFor()
      await inspect('invitation')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Keys for all projects' }).click()
      await page.getByText('No keys yet.').waitFor()
      await inspect('no keys')
      await page.getByRole('link', { name: 'Server' }).click()
      await page.getByRole('list', { name: 'Checks' }).waitFor()
      await inspect('server')
      await page.getByRole('link', { name: 'Audit log' }).click()
      await page.getByRole('list', { name: 'Entries' }).getByText('changed the project').first().waitFor()
      await inspect('audit log')
      await page.getByRole('combobox', { name: 'Action' }).selectOption('webhook.deleted')
      await expect.poll(() => page.getByText('No entries').count()).toBe(1)
      await inspect('no entries')
    },
  },
]
