import { describe } from 'vitest'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage()

async function spamOf({ app, project }: Scene): Promise<readonly string[]> {
  const { body } = await app.send('GET', '/v1/issues?spam=true', { key: project.secretKey })
  return body.data.map(({ title }: { title: string }) => title)
}

describe('spam', () => {
  test('is marked on the page of an issue by keys alone, and undone there', async ({ scene }) => {
    const path = `/projects/${scene.project.slug}/issues/1`
    await scene.submit({ title: 'Buy now' })
    const page = await scene.visit({ path })
    await page.getByRole('heading', { name: 'Buy now' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find a command' }).fill('mark as spam')
    await page.getByRole('option', { name: /Mark as spam/ }).waitFor()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Mark #1 as spam?' })
    await dialog.locator('button:focus', { hasText: 'Mark as spam' }).waitFor()
    await page.keyboard.press('Enter')
    const notice = page.getByRole('region', { name: 'Spam' })
    await notice.getByText('Marked as spam.').waitFor()
    await page.getByText('marked the issue as spam').waitFor()
    await expect.poll(() => spamOf(scene)).toEqual(['Buy now'])
    await notice.getByRole('button', { name: 'Not spam' }).click()
    await notice.waitFor({ state: 'detached' })
    await expect.poll(() => spamOf(scene)).toEqual([])
  })

  test('is marked for all selected issues, listed with the filter, and shown again', async ({ scene }) => {
    for (const title of ['Buy now', 'Buy this', 'Blank screen']) await scene.submit({ title })
    const page = await scene.visit()
    const row = (name: RegExp) => page.getByRole('row', { name })
    const bar = page.getByRole('region', { name: 'Selected issues' })
    await row(/Blank screen/).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+J')
    await bar.getByText('2 issues selected').waitFor()
    await bar.getByRole('button', { name: 'Spam…' }).click()
    const question = page.getByRole('dialog', { name: 'Mark 2 issues as spam?' })
    await question.locator('button:focus', { hasText: 'Mark as spam' }).waitFor()
    await page.keyboard.press('Enter')
    await row(/Buy now/).waitFor({ state: 'detached' })
    await expect.poll(() => spamOf(scene)).toEqual(['Buy this', 'Buy now'])
    await row(/Blank screen/).waitFor()
    await page.goto(`${scene.app.url}/projects/${scene.project.slug}/issues?spam=true`)
    await row(/Buy this/).waitFor()
    expect(await row(/Blank screen/).count()).toBe(0)
    await page.keyboard.press('x')
    await bar.getByRole('button', { name: 'Not spam…' }).click()
    await page
      .getByRole('dialog', { name: 'Mark 1 issue as not spam?' })
      .getByRole('button', { name: 'Mark as not spam' })
      .click()
    await row(/Buy this/).waitFor({ state: 'detached' })
    await expect.poll(() => spamOf(scene)).toEqual(['Buy now'])
  })
})
