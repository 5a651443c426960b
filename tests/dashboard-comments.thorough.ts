import type { Page } from 'playwright-core'
import { describe } from 'vitest'
import { NARROW, type PageCheck, runPageCheck, WIDE } from './support/dashboard/appearances.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'
import { intercept } from './support/intercept.ts'

setStage()

const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'Comment', exact: true })
const historyOf = (page: Page) => page.getByRole('region', { name: 'History' })
const commentsOf = (page: Page) => historyOf(page).getByRole('article')

describe('a comment', () => {
  test('is written with keys alone: a mention, a reference and a preview', async ({ scene }) => {
    await scene.app.addUser({ name: 'Grace Hopper', projects: [scene.project] })
    const { page } = await visitIssue(scene, 'Ada')
    await page.keyboard.press('n')
    await page.keyboard.type('**Look** at #1, @gra')
    const people = page.getByRole('listbox', { name: 'People to mention' })
    await people.getByRole('option', { name: 'Grace Hopper' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => fieldOf(page).inputValue()).toBe('**Look** at #1, @Grace Hopper ')
    await expect.poll(() => people.count()).toBe(0)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByText('@Grace Hopper').and(page.locator('bdi')).waitFor()
    await page.keyboard.press('Control+Enter')
    const comment = commentsOf(page).filter({ hasText: 'Ada' })
    await comment.locator('strong').getByText('Look').waitFor()
    await comment.locator('bdi').getByText('@Grace Hopper').waitFor()
    await comment.getByRole('link', { name: '#1' }).waitFor()
    await expect
      .poll(() => comment.getByRole('link', { name: '#1' }).getAttribute('href'))
      .toBe(`/projects/${scene.project.slug}/issues/1`)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('bugle-drafts'))).toBe('[]')
  })

  test('appears in the other browser; only its author can edit and delete it', async ({ scene }) => {
    const { page, path } = await visitIssue(scene, 'Ada')
    const other = await scene.visit({ path, user: { name: 'Bob' } })
    await other.getByText('Live', { exact: true }).waitFor()
    await fieldOf(page).fill('Frist')
    await page.getByRole('button', { name: /^Comment/ }).click()
    await commentsOf(other).getByText('Frist').waitFor()
    expect(await other.getByRole('button', { name: 'Actions for your comment' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Actions for your comment' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const edit = page.getByRole('textbox', { name: 'Edit comment' })
    await edit.fill('First')
    await edit.press('Control+Enter')
    await page.locator('article:focus').waitFor()
    await commentsOf(other).getByText('First').waitFor()
    await commentsOf(other).getByText('edited').waitFor()
    await historyOf(other).getByText('Ada edited a comment').waitFor()
    await page.getByRole('button', { name: 'Actions for your comment' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await historyOf(other).getByText('Ada deleted a comment').waitFor()
    await expect.poll(() => other.getByText('First').count()).toBe(0)
    await expect.poll(() => commentsOf(other).count()).toBe(0)
  })

  test('is stored once if the response is lost, also after a reload', async ({ scene }) => {
    scene.allow(/ERR_FAILED|Failed to load/)
    const { page, id } = await visitIssue(scene, 'Ada')
    await intercept(page, '**/comments', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await fieldOf(page).fill('Only once')
    await fieldOf(page).press('Control+Enter')
    await page.locator('form').getByRole('alert').getByText(/./).waitFor()
    await page.unroute('**/comments')
    await page.reload()
    await expect.poll(() => fieldOf(page).inputValue()).toBe('Only once')
    await commentsOf(page).getByText('Only once').waitFor()
    await fieldOf(page).press('Control+Enter')
    await expect.poll(() => fieldOf(page).inputValue()).toBe('')
    expect(await textsOf(scene, id)).toEqual(['Only once'])
  })

  test('that is refused stays in its field, and so does an edit', async ({ scene }) => {
    scene.allow(/status of 503/)
    const { page, id } = await visitIssue(scene, 'Ada')
    await fieldOf(page).fill('Stays')
    await fieldOf(page).press('Control+Enter')
    await commentsOf(page).getByText('Stays').waitFor()
    await intercept(page, '**/comments**', (route) => route.fulfill({ status: 503, body: '' }))
    await page.getByRole('button', { name: 'Actions for your comment' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const edit = page.getByRole('textbox', { name: 'Edit comment' })
    await edit.fill('Stays, edited')
    await edit.press('Control+Enter')
    await commentsOf(page).getByRole('alert').getByText(/./).waitFor()
    await page.unroute('**/comments**')
    await page.reload()
    await expect.poll(() => edit.inputValue()).toBe('Stays, edited')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => textsOf(scene, id)).toEqual(['Stays, edited'])
  })

  test('on a security issue suggests only people who can see it', async ({ scene }) => {
    const projects = [scene.project]
    await scene.app.addUser({ name: 'Zoe Without', projects })
    await scene.app.addUser({ name: 'Zoe Within', projects, canSeeSecurity: true })
    const id = await scene.submit({ title: 'Hidden', category: 'security' })
    const page = await scene.visit({ path: `/issues/${id}`, user: { canSeeSecurity: true } })
    await fieldOf(page).pressSequentially('@zoe')
    const options = page.getByRole('option')
    await options.first().waitFor()
    await expect.poll(() => options.allInnerTexts()).toEqual(['Zoe Within'])
  })

  test('is shown at once after a long history', async ({ scene }) => {
    const id = await scene.submit({ title: 'Settings' })
    for (let number = 1; number <= 101; number++) await addComment(scene, id, `Number ${number}`)
    const page = await scene.visit({ path: `/issues/${id}` })
    await commentsOf(page).getByText('Number 101').waitFor()
    await fieldOf(page).fill('And one more')
    await fieldOf(page).press('Control+Enter')
    await commentsOf(page).last().getByText('And one more').waitFor()
    await expect.poll(() => commentsOf(page).count()).toBe(102)
  })

  test('of a viewer is not offered', async ({ scene }) => {
    const id = await scene.submit({ title: 'Settings' })
    await addComment(scene, id, 'Visible to all')
    const page = await scene.visit({ path: `/issues/${id}`, user: { role: 'viewer' } })
    await commentsOf(page).getByText('Visible to all').waitFor()
    expect(await fieldOf(page).count()).toBe(0)
  })
})

const SCRIPT = '<script>document.title = "pwned"</script>'
const HOSTILE: Readonly<Record<string, string>> = {
  html: `${SCRIPT}\n\n<img src=x onerror="document.title='pwned'"> <b>bold</b> <svg/onload=alert(1)> <!-- hidden -->`,
  links:
    '[script](javascript:alert(1)) [data](data:text/html,x) [tab](java\tscript:alert(1)) [vb](vbscript:x) [relative](/sign-in) [bank](https://bank.example@evil.example/) <javascript:alert(1)> [fine](https://fine.example/?a=1&b=2) mail@example.com ![remote](https://remote.example/pixel.png)',
  deep: `${'>'.repeat(4_000)} deep\n\n${'- '.repeat(1_500)}deep`,
  emphasis: `${'*_'.repeat(1_500)}x${'_*'.repeat(1_500)}`,
  mentions: '@Ada '.repeat(1_000),
  rightToLeft: 'safe \u202Eevil\u2066 \u05D0\u05D1\u05D2 #1',
  long: `${'W'.repeat(4_000)} \`${'c'.repeat(2_000)}\` https://long.example/${'p'.repeat(1_000)}`,
  fence: `\`\`\`html\n${SCRIPT}\n${'y'.repeat(1_000)}\n\`\`\``,
}

describe('hostile comments', () => {
  test('run nothing, load nothing and stay within the page', async ({ scene }) => {
    await scene.app.addUser({ name: 'Ada', projects: [scene.project] })
    const id = await scene.submit({ title: 'Hostile' })
    for (const text of Object.values(HOSTILE)) await addComment(scene, id, text)
    const page = await scene.visit({
      path: `/issues/${id}`,
      viewport: { width: NARROW, height: 800 },
    })
    await page.locator('pre').getByText(SCRIPT).waitFor()
    const comments = commentsOf(page)
    await expect.poll(() => comments.count()).toBe(Object.keys(HOSTILE).length)
    await expect.poll(() => page.title()).toContain('Hostile')
    expect(await comments.locator('script, img, iframe, [onload], [onerror]').count()).toBe(0)
    // Only the names of the authors.
    await expect.poll(() => comments.locator('b').count()).toBe(Object.keys(HOSTILE).length)
    await comments.getByText('<img src=x onerror=').waitFor()
    const links = await comments
      .locator('a[target]')
      .evaluateAll((found) => found.map((link) => [link.getAttribute('href'), link.getAttribute('rel')]))
    const rel = 'noopener noreferrer nofollow'
    expect(links).toEqual([
      ['https://fine.example/?a=1&b=2', rel],
      ['mailto:mail@example.com', rel],
      ['https://remote.example/pixel.png', rel],
      [`https://long.example/${'p'.repeat(1_000)}`, rel],
    ])
    await expect.poll(() => comments.locator('bdi').getByText('@Ada').count()).toBe(1_000)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW)
    for (const comment of await comments.all()) {
      const overflow = await comment.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      expect(overflow).toBe(0)
    }
  })
})

const CHECK: PageCheck = {
  name: 'comments, with suggestions, a preview and a deletion',
  async prepare(scene) {
    await scene.app.addUser({ name: 'Grace Hopper', projects: [scene.project] })
    const id = await scene.submit({ title: 'Settings' })
    await addComment(
      scene,
      id,
      '**Bold**, `code`, #1\n\n> quoted\n\n- one\n- two\n\n```\ncode\n```\nhttps://a.example',
    )
    return { path: `/issues/${id}`, user: { name: 'Ada' } }
  },
  async run(page, inspect) {
    await commentsOf(page).locator('pre').waitFor()
    await inspect('comment')
    await fieldOf(page).pressSequentially('Hello @gra')
    await page.getByRole('option', { name: 'Grace Hopper' }).waitFor()
    await inspect('suggestions')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('region', { name: 'Preview' }).getByText('Hello').waitFor()
    await inspect('preview')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Actions for your comment' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Edit comment' }).waitFor()
    await inspect('editing')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions for your comment' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await page.getByRole('dialog', { name: 'Delete this comment?' }).waitFor()
    await inspect('deletion')
  },
}

describe.each([WIDE, NARROW])('the timeline, %i pixels wide', (width) => {
  test('has no accessibility faults', async ({ scene }) => {
    await runPageCheck(scene, CHECK, { width, rulesInDark: 'colours' })
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

let added = 0

/** Comments with a key, through the API. */
async function addComment({ app, project }: Scene, id: string, text: string): Promise<void> {
  const body = { commentId: `added-${++added}`, text }
  const { status } = await app.send('POST', `/v1/issues/${id}/comments`, { key: project.secretKey, body })
  expect(status).toBe(201)
}

async function textsOf({ app, project }: Scene, id: string): Promise<readonly string[]> {
  const { body } = await app.send('GET', `/v1/issues/${id}/comments`, { key: project.secretKey })
  return body.data.map(({ text }: { text: string }) => text)
}
