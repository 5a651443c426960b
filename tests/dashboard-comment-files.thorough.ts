import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { NARROW, type PageCheck, runPageCheck, WIDE } from './support/dashboard/appearances.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'
import { intercept } from './support/intercept.ts'

setStage()

const SCREENSHOTS = process.env['BUGLE_TEST_SCREENSHOTS']
/** A red square. */
const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'
const SHOT = { name: 'shot.png', mimeType: 'image/png', buffer: Buffer.from(IMAGE, 'base64') }
const LOG = { name: 'server.log', mimeType: 'text/plain', buffer: Buffer.from('It stopped here.') }

const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'Comment', exact: true })
const commentsOf = (page: Page) => page.getByRole('region', { name: 'History' }).getByRole('article')
const chosenIn = (page: Page) => page.getByRole('list', { name: 'Files to attach' }).getByRole('listitem')
const filesOf = (page: Page) => page.getByRole('list', { name: 'Files of the comment' })
const choose = (page: Page, files: (typeof SHOT)[]) =>
  page.locator('input[type=file]').first().setInputFiles(files)

describe('files of a comment', () => {
  test('are chosen, pasted and dropped, removed with the keyboard, and shown to others', async ({
    scene,
  }) => {
    const { page, path, id } = await visitIssue(scene, 'Ada')
    const other = await scene.visit({ path, user: { name: 'Bob' } })
    await other.getByText('Live', { exact: true }).waitFor()
    await choose(page, [LOG])
    await give(page, 'paste', SHOT)
    await give(page, 'drop', { ...LOG, name: 'dropped.log' })
    await expect.poll(() => chosenIn(page).count()).toBe(3)
    await page.getByRole('button', { name: 'Remove dropped.log' }).press('Enter')
    await expect.poll(() => chosenIn(page).count()).toBe(2)
    await page
      .locator('button:focus')
      .and(page.getByRole('button', { name: 'Remove shot.png' }))
      .waitFor()
    await fieldOf(page).fill('See the files')
    await fieldOf(page).press('Control+Enter')
    await expect.poll(() => chosenIn(page).count()).toBe(0)
    await expect.poll(() => fieldOf(page).inputValue()).toBe('')

    for (const one of [page, other]) {
      await filesOf(one).getByRole('link', { name: 'server.log' }).waitFor()
      await filesOf(one).getByRole('button', { name: 'View shot.png' }).waitFor()
      expect(await one.getByText('File received').count()).toBe(0)
    }
    await filesOf(other).getByRole('button', { name: 'View shot.png' }).press('Enter')
    await other.getByRole('dialog', { name: 'shot.png' }).getByText('1 of 1').waitFor()
    const image = other.getByRole('dialog').getByRole('img', { name: 'shot.png' })
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(1)
    expect(await storedFiles(scene, id)).toEqual([['server.log received', 'shot.png received']])
  })

  test('are enough for a comment, which then has their names as its text', async ({ scene }) => {
    const { page, id } = await visitIssue(scene, 'Ada')
    await choose(page, [SHOT])
    await page.getByRole('button', { name: /^Comment/ }).click()
    // The strip of files may show the name too, until the file is received.
    await commentsOf(page).getByText('shot.png').first().waitFor()
    await expect.poll(() => storedFiles(scene, id)).toEqual([['shot.png received']])
  })

  test('are removed and added in an edit', async ({ scene }) => {
    const { page, id } = await visitIssue(scene, 'Ada')
    await choose(page, [SHOT, LOG])
    await fieldOf(page).fill('First')
    await fieldOf(page).press('Control+Enter')
    await filesOf(page).getByRole('link', { name: 'server.log' }).waitFor()
    await page.getByRole('button', { name: 'Actions for your comment' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Remove server.log' }).click()
    await choose(page, [{ ...LOG, name: 'new.log', buffer: Buffer.from('Later it worked.') }])
    await page.getByRole('button', { name: 'Save' }).click()
    await filesOf(page).getByRole('link', { name: 'new.log' }).waitFor()
    await expect
      .poll(async () => (await storedFiles(scene, id)).map((files) => files.toSorted()))
      .toEqual([['new.log received', 'shot.png received']])
  })

  test('that could not be sent are sent again, with the comment once', async ({ scene }) => {
    scene.allow(/ERR_FAILED|Failed to load/)
    const { page, id } = await visitIssue(scene, 'Ada')
    await intercept(page, '**/attachments/*', (route) => route.abort())
    await choose(page, [LOG])
    await fieldOf(page).fill('Only once')
    await fieldOf(page).press('Control+Enter')
    await page.getByText('The comment was saved, but the file “server.log” was not sent.').waitFor()
    await filesOf(page).getByText('not received yet').waitFor()
    await page.unroute('**/attachments/*')
    await fieldOf(page).press('Control+Enter')
    await filesOf(page).getByRole('link', { name: 'server.log' }).waitFor()
    expect(await storedFiles(scene, id)).toEqual([['server.log received']])
  })
})

const CHECK: PageCheck = {
  name: 'a comment with files',
  async prepare(scene) {
    await scene.submit({ title: 'Settings' })
    return { path: `/projects/${scene.project.slug}/issues/1`, user: { name: 'Ada' } }
  },
  async run(page, inspect) {
    const width = page.viewportSize()?.width
    const capture = async (state: string) => {
      if (SCREENSHOTS)
        await page.screenshot({ path: `${SCREENSHOTS}/files-${state}-${width}.png`, fullPage: true })
      await inspect(state)
    }
    await fieldOf(page).fill('See the files')
    const long = `${'a-very-long-name-'.repeat(8)}.log`
    await choose(page, [SHOT, LOG, { ...LOG, name: long, buffer: Buffer.from('Long.') }])
    await page.getByRole('button', { name: 'Remove shot.png' }).waitFor()
    await capture('chosen')
    await fieldOf(page).press('Control+Enter')
    await filesOf(page).getByRole('link', { name: long }).waitFor()
    await capture('sent')
    await page.getByRole('button', { name: 'Actions for your comment' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Remove shot.png' }).waitFor()
    await capture('editing')
  },
}

describe('with files', () => {
  test('axe finds nothing on a wide screen', async ({ scene }) => {
    await runPageCheck(scene, CHECK, { width: WIDE, rulesInDark: 'colours' })
  })

  test('axe finds nothing on a phone', async ({ scene }) => {
    await runPageCheck(scene, CHECK, { width: NARROW, rulesInDark: 'colours' })
  })
})

async function visitIssue(scene: Scene, name: string) {
  const id = await scene.submit({ title: 'Settings' })
  const path = `/projects/${scene.project.slug}/issues/1`
  const page = await scene.visit({ path, user: { name } })
  await page.getByText('Live', { exact: true }).waitFor()
  await fieldOf(page).waitFor()
  return { page, id, path }
}

/** Pastes or drops a file, as a browser does. */
async function give(
  page: Page,
  how: 'paste' | 'drop',
  { name, mimeType, buffer }: typeof SHOT,
): Promise<void> {
  const given = { how, name, mimeType, bytes: buffer.toString('base64') }
  await fieldOf(page).evaluate((field, { how, name, mimeType, bytes }) => {
    const data = new DataTransfer()
    const content = Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0))
    data.items.add(new File([content], name, { type: mimeType }))
    const init = { bubbles: true, cancelable: true }
    field.dispatchEvent(
      how === 'paste'
        ? new ClipboardEvent('paste', { ...init, clipboardData: data })
        : new DragEvent('drop', { ...init, dataTransfer: data }),
    )
  }, given)
}

/** The files of each comment, by name. */
async function storedFiles({ app, project }: Scene, id: string): Promise<readonly string[][]> {
  const { body } = await app.send('GET', `/v1/issues/${id}/comments`, { key: project.secretKey })
  return body.data.map(({ attachments }: { attachments: { name: string; state: string }[] }) =>
    attachments.map(({ name, state }) => `${name} ${state}`),
  )
}
