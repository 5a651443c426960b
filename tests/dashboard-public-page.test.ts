import { describe } from 'vitest'
import { inspectWalk, NARROW, type Walk, WIDE } from './support/dashboard/appearances.ts'
import { change } from './support/dashboard/prepare.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage()

/** A public project with known issues and more open issues than fit on a page. */
async function preparePublic(scene: Scene): Promise<Scene> {
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

describe('the page of a public project', () => {
  test('is read with the keyboard alone, and leads to older issues and back', async ({ scene }) => {
    const { project } = await preparePublic(scene)
    const page = await scene.visit({ path: `/p/${project.slug}`, user: null })
    const known = page.getByRole('region', { name: 'Known issues' })
    const open = page.getByRole('region', { name: 'Open issues' })
    await known.getByText('Fixed in 2.4.1').waitFor()
    expect(await known.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'The radar does not load in Norway',
      'The forecast stays blank after the phone was locked',
    ])
    expect(await open.getByRole('listitem').count()).toBe(25)
    await open.getByText('<b>bold</b>').waitFor()
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Skip to content')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Older open issues')
    await page.keyboard.press('Enter')
    await open.getByText('Report 1', { exact: true }).waitFor()
    expect(await known.count()).toBe(0)
    await page.getByRole('link', { name: 'All issues of Weather' }).click()
    await known.waitFor()
    expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(
      `../projects/${project.slug}/issues`,
    )
  })
})

const WALK: Walk = {
  name: 'the page of a public project',
  async prepare(scene) {
    const { project } = await preparePublic(scene)
    return { path: `/p/${project.slug}`, user: null }
  },
  through: async (page, inspect, scene) => {
    await page.getByRole('region', { name: 'Known issues' }).waitFor()
    await inspect('issues')
    const { slug } = await scene.app.addProject({ name: 'New', isPublic: true })
    await page.goto(`${scene.app.url}/p/${slug}`)
    await page.getByText('There are no open issues.').waitFor()
    await inspect('no issues')
  },
}

describe.each([WIDE, NARROW])('the page of a public project, %i pixels wide', (width) => {
  test('has no accessibility faults', async ({ scene }) => {
    await inspectWalk(scene, WALK, { width, rulesInDark: 'all' })
  })
})
