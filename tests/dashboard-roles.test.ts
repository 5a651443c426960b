import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { expect, setStage, test } from './support/dashboard/stage.ts'

setStage()

describe('who may see and do what', () => {
  test('a viewer cannot move an issue: there is no control, and the API refuses', async ({ scene }) => {
    const id = await scene.submit({ title: 'Look, do not touch' })
    const page = await scene.visit({ user: { role: 'viewer' } })
    await rowOf(page, 'Look, do not touch').waitFor()
    for (const key of ['a', 'r', 'x']) await page.keyboard.press(key)
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await page.getByRole('dialog').getByText('Acknowledge').count()).toBe(0)
    scene.allow(/status of 403/)
    const status = await page.evaluate(async (issueId) => {
      const headers = { 'content-type': 'application/json', 'bugle-csrf': '1' }
      const body = JSON.stringify({ status: 'closed' })
      return (await fetch(`/v1/issues/${issueId}`, { method: 'PATCH', headers, body })).status
    }, id)
    expect(status).toBe(403)
    expect((await scene.issues())[0]).toMatchObject({ status: 'open', version: 1 })
  })

  test('a person without permission sees no trace of a security issue', async ({ scene }) => {
    await scene.submit({ title: 'Plain' })
    const id = await scene.submit({ title: 'Tokens in the log', category: 'security' })
    const page = await scene.visit()
    await rowOf(page, 'Plain').waitFor()
    await page.getByRole('link', { name: 'All 1' }).waitFor()
    await page.getByText('1 issue', { exact: true }).waitFor()
    await page.keyboard.press('f')
    await page.getByRole('group', { name: 'Category' }).waitFor()
    expect(await page.getByText('Security').count()).toBe(0)
    expect(await page.getByText('Tokens in the log').count()).toBe(0)
    scene.allow(/status of 404/)
    await page.goto(`${scene.app.url}/issues/${id}`)
    await page.getByRole('heading', { name: 'Not found' }).waitFor()

    const other = await scene.visit({ user: { canSeeSecurity: true } })
    await rowOf(other, 'Tokens in the log').waitFor()
    await other.getByRole('link', { name: 'All 2' }).waitFor()
  })

  test('a person of another project sees nothing of this one', async ({ scene }) => {
    await scene.submit({ title: 'Private' })
    const other = await scene.app.addProject({ name: 'Garden' })
    const page = await scene.visit({ user: { projects: [other] }, path: '/' })
    await page.getByRole('heading', { name: 'No issues yet' }).waitFor()
    await page.goto(`${scene.app.url}/projects/${scene.project.slug}/issues`)
    await page.getByRole('heading', { name: 'Project not found' }).waitFor()
  })
})

function rowOf(page: Page, title: string) {
  return page.getByRole('row').filter({ has: page.getByRole('link', { name: title, exact: true }) })
}
