import { describe } from 'vitest'
import type { TestProject } from '../packages/server/test-support/start-app.ts'
import { NARROW, type PageCheck, runPageCheck, WIDE } from './support/dashboard/appearances.ts'
import { pressSequence } from './support/dashboard/keys.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage()

/** A second project with an issue, and a person who sees both. */
async function addNeighbour({ app, project }: Scene) {
  const neighbour = await app.addProject({ name: 'Garden' })
  await report(neighbour, 'The gate is stuck')
  return { neighbour, user: { name: 'Ada', projects: [project, neighbour] } }

  async function report({ publicKey }: TestProject, title: string) {
    await app.send('POST', '/v1/issues', { key: publicKey, body: { title } })
  }
}

describe('all projects', () => {
  test('are chosen in the project menu, and an issue is opened with the keyboard', async ({ scene }) => {
    await scene.submit({ title: 'The kettle leaks' })
    const { neighbour, user } = await addNeighbour(scene)
    const page = await scene.visit({ user })
    await page.getByRole('button', { name: 'Project: Kitchen' }).click()
    await page.getByRole('menuitem', { name: 'All projects' }).click()
    await page.getByRole('heading', { name: 'All projects' }).waitFor()
    await page.getByText('2 issues').waitFor()
    const rows = page.getByRole('row')
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByRole('row', { name: /Kitchen.*The kettle leaks/ }).waitFor()
    await page.getByRole('row', { name: /Garden.*The gate is stuck/ }).waitFor()
    // The last changed one is the first.
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/projects/${neighbour.slug}/issues/1`)
    await page.getByRole('heading', { name: 'The gate is stuck' }).waitFor()
    await page.goBack()
    await expect.poll(() => rows.count()).toBe(2)
  })

  test('show what is assigned to the person, by a key', async ({ scene }) => {
    await scene.submit({ title: 'The kettle leaks' })
    const { user } = await addNeighbour(scene)
    const email = `ada-${scene.project.slug}@example.com`
    const page = await scene.visit({ user: { ...user, email } })
    const me = (await scene.app.app.storage.users.find(email))?.id ?? ''
    const [issue] = await scene.issues()
    await scene.app.send('PATCH', `/v1/issues/${issue?.['id']}`, {
      key: scene.project.secretKey,
      body: { assigneeId: me },
    })
    await page.getByRole('row', { name: /The kettle leaks/ }).waitFor()
    await pressSequence(page, 'g', 'w')
    await page.getByRole('heading', { name: 'Assigned to me' }).waitFor()
    await page.getByRole('row', { name: /The kettle leaks/ }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(1)
    await page.getByRole('link', { name: 'Done' }).click()
    await page.getByRole('heading', { name: 'No issues' }).waitFor()
  })

  test('do not show projects that the person has no access to', async ({ scene }) => {
    await scene.submit({ title: 'The kettle leaks' })
    await addNeighbour(scene)
    const page = await scene.visit({ path: '/issues', user: { projects: [scene.project] } })
    await page.getByRole('row', { name: /The kettle leaks/ }).waitFor()
    expect(await page.getByRole('row').count()).toBe(1)
  })
})

const CHECK: PageCheck = {
  name: 'all projects, and none assigned',
  async prepare(scene) {
    await scene.submit({ title: 'The kettle leaks', description: 'Hot water everywhere', priority: 'high' })
    const { user } = await addNeighbour(scene)
    return { path: '/issues', user }
  },
  async run(page, inspect) {
    await page.getByRole('row', { name: /The kettle leaks/ }).waitFor()
    await inspect('list')
    await page.getByRole('link', { name: 'Assigned to me' }).last().click()
    await page.getByText('Issues that are assigned to you appear here').waitFor()
    await inspect('empty')
  },
}

describe.each([WIDE, NARROW])('at %i pixels, axe reports nothing for', (width) => {
  test(CHECK.name, ({ scene }) => runPageCheck(scene, CHECK, { width, rulesInDark: 'colours' }))
})
