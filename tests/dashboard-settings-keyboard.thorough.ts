import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { waitForFocus } from './support/dashboard/keys.ts'
import { readSecret, row } from './support/dashboard/settings-page.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage()

/** Each page, and something that is there once it is complete. */
const PAGES: readonly (readonly [path: (scene: Scene) => string, ready: (page: Page) => Promise<unknown>])[] =
  [
    [() => '/account', (page) => page.getByRole('button', { name: 'New token' }).waitFor()],
    [() => '/settings/projects', (page) => page.getByRole('button', { name: 'New project' }).waitFor()],
    [
      ({ project }) => `/settings/projects/${project.slug}`,
      (page) => page.getByRole('button', { name: 'Limit newHome' }).waitFor(),
    ],
    [() => '/settings/people', (page) => page.getByRole('button', { name: 'Edit Ada' }).first().waitFor()],
    [() => '/settings/keys', (page) => page.getByText('No keys yet.').waitFor()],
    [() => '/settings/server', (page) => page.getByRole('list', { name: 'Checks' }).waitFor()],
    [() => '/settings/audit-log', (page) => page.getByRole('list', { name: 'Entries' }).waitFor()],
  ]

/** The names of controls that Tab does not reach, from the top of the page. */
async function findUnreached(page: Page): Promise<readonly string[]> {
  const count = await page.evaluate(() => {
    const controls = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea')]
    const usable = controls.filter(
      (control) =>
        control.checkVisibility() && control.tabIndex >= 0 && !control.matches(':disabled, [type=hidden]'),
    )
    for (const control of usable) control.dataset['unreached'] = 'yes'
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    return usable.length
  })
  expect(count).toBeGreaterThan(5)
  for (let step = 0; step < count + 10; step++) {
    await page.keyboard.press('Tab')
    await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) delete document.activeElement.dataset['unreached']
    })
  }
  return page
    .locator('[data-unreached]')
    .evaluateAll((controls) => controls.map((control) => control.outerHTML.slice(0, 200)))
}

/** Presses a button with the keyboard. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).first().press('Enter')
}

/** A form is submitted only if its button is enabled. */
async function expectReady(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.getByRole('button', { name }).isEnabled()).toBe(true)
}

const focusedName = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  )

async function prepare({ app, project }: Scene): Promise<void> {
  await app.app.storage.actingAs('os:ada', Date.now).projects.saveSdkSettings(project.id, {
    ...{ enabled: true, minSdkVersion: null, crash: { enabled: true, sampleRate: 1 } },
    ...{ refreshAfterSeconds: 3_600, features: { newHome: true }, featureLimits: {} },
  })
}

describe('with the keyboard alone', () => {
  test('every control of every page of the settings is reached', async ({ scene }) => {
    await prepare(scene)
    const page = await scene.visit({ path: '/account', user: { name: 'Ada', canSeeSecurity: true } })
    for (const [path, ready] of PAGES) {
      await page.goto(scene.app.url + path(scene))
      await ready(page)
      expect(await findUnreached(page), path(scene)).toEqual([])
    }
  })

  test('dialogs open, close with Escape, and return the focus', async ({ scene }) => {
    await prepare(scene)
    const page = await scene.visit({ path: '/account', user: { name: 'Ada', canSeeSecurity: true } })
    for (const [path, button] of [
      ['/account', 'New token'],
      ['/settings/projects', 'New project'],
      [`/settings/projects/${scene.project.slug}`, 'New key'],
      [`/settings/projects/${scene.project.slug}`, 'New label'],
      [`/settings/projects/${scene.project.slug}`, 'Limit newHome'],
      [`/settings/projects/${scene.project.slug}`, 'New webhook'],
      [`/settings/projects/${scene.project.slug}`, 'Delete project…'],
      ['/settings/people', 'Invite a person'],
      ['/settings/people', 'Edit Ada'],
      ['/settings/keys', 'New key'],
    ] as const) {
      if (new URL(page.url()).pathname !== path) await page.goto(scene.app.url + path)
      await page.getByRole('button', { name: button }).first().waitFor()
      await press(page, button)
      const dialog = page.getByRole('dialog')
      await waitForFocus(dialog)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => focusedName(page), { message: button }).toBe(button)
    }
  })

  test('a token is created and revoked, a feature limited, a label created, and the log filtered', async ({
    scene,
  }) => {
    await prepare(scene)
    const page = await scene.visit({ path: '/account', user: { name: 'Ada' } })
    await page.getByRole('button', { name: 'New token' }).waitFor()
    await press(page, 'New token')
    const dialog = page.getByRole('dialog')
    await waitForFocus(dialog)
    await dialog.getByRole('textbox', { name: 'Name' }).pressSequentially('Weekly report')
    await page.getByRole('checkbox', { name: 'issues:read' }).press('Space')
    await expectReady(page, 'Create token')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Copy your token now' }).waitFor()
    await readSecret(page)
    await row(page, 'Weekly report').waitFor()
    await press(page, 'Revoke Weekly report')
    await waitForFocus(dialog)
    await dialog.getByRole('button', { name: 'Revoke' }).press('Enter')
    await expect.poll(() => row(page, 'Weekly report').count()).toBe(0)

    await page.goto(`${scene.app.url}/settings/projects/${scene.project.slug}`)
    await page.getByRole('button', { name: 'Limit newHome' }).waitFor()
    await press(page, 'Limit newHome')
    await waitForFocus(dialog)
    await page.getByRole('textbox', { name: 'Platforms' }).pressSequentially('ios')
    await page.keyboard.press('Enter')
    await expectReady(page, 'Save limit')
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Who gets each feature' }).getByText('on ios').waitFor()
    await press(page, 'New label')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor()
    await expect.poll(() => page.getByRole('dialog').locator('input:focus').count()).toBe(1)
    await page.keyboard.type('design')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Edit design' }).waitFor()

    await page.getByRole('link', { name: 'Audit log' }).press('Enter')
    const entries = page.getByRole('list', { name: 'Entries' })
    await entries.getByText('created the label').waitFor()
    const action = page.getByRole('combobox', { name: 'Action' })
    await action.focus()
    await expect
      .poll(async () => {
        if ((await action.inputValue()) !== 'label.created') await page.keyboard.press('ArrowDown')
        return action.inputValue()
      })
      .toBe('label.created')
    await expect.poll(() => entries.getByText('changed the SDK').count()).toBe(0)
    await page.getByRole('link', { name: 'Server' }).press('Enter')
    await page.getByRole('list', { name: 'Checks' }).waitFor()
    await press(page, 'Check again')
    await page.getByRole('list', { name: 'Facts' }).getByText('Last backup').waitFor()
  })
})
