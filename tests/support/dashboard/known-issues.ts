import type { Page } from 'playwright-core'
import type { PageCheck } from './appearances.ts'
import { change } from './prepare.ts'
import type { Scene } from './stage.ts'

/** Known issues: on the page of an issue, and on the page of a public project. */

/** A public project with known issues and more open issues than fit on a page. */
export async function preparePublic(scene: Scene): Promise<Scene> {
  const project = await scene.app.addProject({ name: 'Weather', isPublic: true })
  const submit = async (body: object): Promise<string> =>
    (await scene.app.send('POST', '/v1/issues', { key: project.publicKey, body })).body.id
  const publicScene = { ...scene, project, submit }
  const forecast = await submit({ title: 'forecast-view: blank on resume' })
  await change(publicScene, forecast, {
    known: {
      title: 'The forecast stays blank after the phone was locked',
      text: 'Pull down to load it again.\nThe next update fixes this.',
    },
  })
  await change(publicScene, forecast, {
    status: 'resolved',
    fixedIn: { appVersion: '2.4.1', buildNumber: null },
  })
  const radar = await submit({ title: 'tiles 404' })
  await change(publicScene, radar, {
    status: 'in_progress',
    known: { title: 'The radar does not load in Norway', text: '' },
  })
  for (let number = 1; number <= 25; number++) await submit({ title: `Report ${number}` })
  await submit({
    title: 'התחזית לא נטענת',
    description: 'כשאני פותח את האפליקציה, המסך נשאר ריק.',
    platform: 'android',
    appVersion: '2.4.0',
  })
  const long = 'Averyveryverylongwordthatdoesnotbreak'.repeat(5)
  const last = await submit({
    ...{ title: `Crash in ${long}`, description: `${long} <b>bold</b>`, category: 'crash' },
    ...{ platform: 'ios', appVersion: '2.4.0' },
  })
  await change(publicScene, last, { status: 'acknowledged' })
  return publicScene
}

export const PUBLIC_CHECK: PageCheck = {
  name: 'the page of a public project',
  async prepare(scene) {
    const { project } = await preparePublic(scene)
    return { path: `/p/${project.slug}`, user: null }
  },
  run: async (page, inspect, scene) => {
    await page.getByRole('region', { name: 'Known issues' }).waitFor()
    await inspect('issues')
    const { slug } = await scene.app.addProject({ name: 'New', isPublic: true })
    await page.goto(`${scene.app.url}/p/${slug}`)
    await page.getByText('There are no open issues.').waitFor()
    await inspect('no issues')
  },
}

export const ISSUE_PATH = '/issues/1'
export const historyOf = (page: Page) => page.getByRole('region', { name: 'History', includeHidden: true })
export const cardOf = (page: Page) => page.getByRole('region', { name: 'Known issue', exact: true })
export const dialogOf = (page: Page) =>
  page.getByRole('dialog', { name: /^(?:Publish #1|Edit the known issue #1)$/ })

/** Opens the page of an issue that was reported by the team. */
export async function visitIssue(scene: Scene, user = {}): Promise<Page> {
  const page = await scene.visit({
    path: `/projects/${scene.project.slug}${ISSUE_PATH}`,
    user: { name: 'Grace', ...user },
  })
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByRole('region', { name: 'History' }).waitFor()
  return page
}

export async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Publish as a known issue…' }).click()
  await dialogOf(page).waitFor()
}

export const KNOWN_CHECK: PageCheck = {
  name: 'a known issue',
  async prepare(scene) {
    await scene.submit({ title: 'settings-view: blank' })
    return { path: `/projects/${scene.project.slug}${ISSUE_PATH}`, user: { name: 'Grace' } }
  },
  async run(page, inspect) {
    await page.getByRole('region', { name: 'History' }).waitFor()
    await openDialog(page)
    await dialogOf(page).getByLabel('Text').fill('Turn the phone.\nIt is fixed soon.')
    await inspect('publishing')
    await dialogOf(page).getByRole('button', { name: 'Publish' }).click()
    await cardOf(page).getByText('Turn the phone.').waitFor()
    await dialogOf(page).waitFor({ state: 'detached' })
    await inspect('published')
  },
}
