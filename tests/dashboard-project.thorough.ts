import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { describe } from 'vitest'
import { startReceiver } from '../packages/server/test-support/start-receiver.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { addWebhook } from './support/dashboard/prepare.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'
import { intercept } from './support/intercept.ts'
import { startSite } from './support/sdk/site.ts'

setStage({ BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1' })

const run = promisify(execFile)

const settings = ({ project }: Scene) => `/projects/${project.slug}/settings`

describe('the project', () => {
  test('shows its metadata, its keys with their last use, and a snippet that works', async ({ scene }) => {
    const { project, app } = scene
    await app.addKey({ project, kind: 'public', origins: ['https://app.example.com'] })
    const listed = await app.send('GET', `/v1/projects/${project.slug}/keys`, { key: project.secretKey })
    await app.app.storage.keys.recordUses([{ id: listed.body.data[0].id, at: Date.now() }])
    const page = await scene.visit({ path: settings(scene) })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('region', { name: 'Kitchen' }).getByText(project.id).waitFor()
    const keys = page.getByRole('region', { name: 'Public keys' })
    await keys.getByRole('listitem').nth(1).waitFor()
    const [used, unused] = await keys.getByRole('listitem').allInnerTexts()
    expect(used).toMatch(/Last used just now/)
    expect(unused).toMatch(/Never used[\s\S]*Origins: https:\/\/app.example.com/)

    const ways = page.getByRole('region', { name: 'Send reports' })
    for (const way of ['Script tag', 'npm', 'Node']) {
      await ways.getByRole('tab', { name: way }).click()
      const text = await ways.getByRole('tabpanel').innerText()
      expect(text).toContain(app.url)
      expect(text).toContain(project.publicKey)
    }
    await ways.getByRole('tab', { name: 'Node' }).press('ArrowRight')
    await ways.getByRole('tab', { name: 'curl', selected: true }).waitFor()
    await ways.getByRole('button', { name: 'Copy the snippet' }).click()
    const snippet = await page.evaluate(() => navigator.clipboard.readText())
    expect(await runCurl(snippet)).toBe(201)
    expect((await scene.issues()).map(({ title }) => title)).toContain('Settings screen stays blank')
  })

  test('shows its description and links, and nothing if there are none', async ({ scene }) => {
    const { slug, id } = await scene.app.addProject({
      name: 'Described',
      description: 'First line\n<b>second</b> line',
      websiteUrl: 'https://weather.example/',
      repositoryUrl: 'https://git.example/weather',
    })
    const page = await scene.visit({ path: `/projects/${slug}/settings` })
    const about = page.getByRole('region', { name: 'Described' })
    await about.getByText('First line\n<b>second</b> line').waitFor()
    const website = about.getByRole('link', { name: 'weather.example', exact: true })
    await expect.poll(() => website.getAttribute('href')).toBe('https://weather.example/')
    await expect.poll(() => website.getAttribute('rel')).toBe('noreferrer')
    await expect.poll(() => about.getByRole('link').count()).toBe(2)

    const bare = { description: null, websiteUrl: 'javascript:alert(1)', repositoryUrl: null }
    await scene.app.app.storage.projects.update(id, bare)
    await page.reload()
    await about.getByText('Default branch').waitFor()
    await expect.poll(() => about.getByRole('link').count()).toBe(0)
  })

  test('has snippets that work as pasted', async ({ scene }) => {
    const page = await scene.visit({ path: settings(scene) })
    const ways = page.getByRole('region', { name: 'Send reports' })
    async function read(way: string): Promise<readonly string[]> {
      await ways.getByRole('tab', { name: way }).click()
      return ways.getByRole('tabpanel').locator('pre').allInnerTexts()
    }
    // The widget comes first, and the version is pinned as soon as it is known.
    expect(await ways.getByRole('tab').first().innerText()).toBe('Script tag')
    await expect.poll(async () => (await read('Pinned version'))[0]).toContain('integrity="sha384-')
    await expect.poll(async () => (await read('Pinned version'))[0]).not.toContain('…')

    // On a page of another origin.
    await using site = await startSite('.')
    const app = await page.context().newPage()
    async function sendFrom(address: string, title: string): Promise<void> {
      await app.goto(address)
      await app.getByRole('button', { name: 'Report a problem' }).click()
      await app.getByRole('textbox', { name: 'What is wrong?' }).fill(title)
      await app.getByRole('button', { name: 'Send' }).click()
      await app.getByRole('status').filter({ hasText: 'has arrived' }).waitFor()
    }
    for (const way of ['Script tag', 'Pinned version'])
      await sendFrom(site.page(`<!doctype html><title>App</title>${(await read(way)).join('')}`), way)

    // In an empty folder.
    using folder = temporaryFolder()
    const [install = '', inApp = ''] = await read('npm')
    expect(install).toMatch(/\/sdk\/[\w.]+-[\da-f]{16}\/bugle-sdk\.tgz$/)
    writeFileSync(join(folder.path, 'package.json'), '{}')
    await run('npm', [...install.split(' ').slice(1), '--no-audit', '--no-fund'], { cwd: folder.path })
    writeFileSync(join(folder.path, 'app.mjs'), inApp)
    await using bundle = await rolldown({ cwd: folder.path, input: 'app.mjs', platform: 'browser' })
    await bundle.write({ dir: join(folder.path, 'dist'), entryFileNames: 'app.js' })
    await using ownSite = await startSite(folder.path)
    await sendFrom(
      ownSite.page('<!doctype html><title>App</title><body><script type="module" src="/app.js"></script>'),
      'npm',
    )

    const [sameInstall, inModule = ''] = await read('Node')
    expect(sameInstall).toBe(install)
    writeFileSync(join(folder.path, 'report.mjs'), inModule)
    await run(process.execPath, ['report.mjs'], { cwd: folder.path })

    const titles = (await scene.issues()).map(({ title }) => title).toSorted()
    expect(titles).toEqual(['Pinned version', 'Script tag', 'Settings screen stays blank', 'npm'])
  })

  test('explains how to create a first key', async ({ scene }) => {
    const { slug } = await scene.app.addProject({ name: 'Bare' })
    const page = await scene.visit({ path: `/projects/${slug}/settings` })
    await page.getByRole('heading', { name: 'Public keys' }).waitFor()
    await intercept(page, '**/keys', (route) => route.fulfill({ json: { data: [] } }))
    await page.reload()
    await page.getByText(`npx bugle key create --project ${slug} --kind public`).waitFor()
    await page.getByText('data-public-key="bgl_pub_…"').waitFor()
  })
})

describe('webhooks', () => {
  test('show their state and attempts, and can be redelivered', async ({ scene }) => {
    await using receiver = await startReceiver()
    receiver.react(() => ({ status: 503, body: '<b>starting</b>' }))
    await addWebhook(scene, receiver)
    await scene.submit({ title: 'News' })
    const page = await scene.visit({ path: settings(scene) })
    const card = page.getByRole('region', { name: 'Webhooks' })
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
    await page.reload()
    await card.getByText('Failing').waitFor()
    await card.getByRole('button', { name: 'Deliveries' }).click()
    await card.getByRole('button', { name: 'issue.created' }).click()
    await card
      .getByText(/503 \(\d+ ms\): the status was not 2xx/)
      .first()
      .waitFor()
    await card.getByText('<b>starting</b>').first().waitFor()

    receiver.react(() => ({ status: 200 }))
    await card.getByRole('button', { name: 'Test' }).click()
    await card.getByText(/Test message: delivered, 200 \(/).waitFor()
    await card.getByRole('button', { name: 'Redeliver' }).click()
    await card.getByText(/^delivered, 200 \(/).waitFor()
    expect(receiver.taken.size).toBe(2)
  })

  test('are paused and resumed', async ({ scene }) => {
    await using receiver = await startReceiver()
    await addWebhook(scene, receiver)
    const page = await scene.visit({ path: settings(scene) })
    const card = page.getByRole('region', { name: 'Webhooks' })
    await card.getByRole('button', { name: 'Pause' }).click()
    await card.getByText('Paused').waitFor()
    const id = await scene.submit({ title: 'Held back' })
    await card.getByRole('button', { name: 'Resume' }).click()
    await card.getByText('Active').waitFor()
    await expect.poll(() => receiver.received.some(({ text }) => text.includes(id))).toBe(true)
  })

  test('are only for admins: others see a message, and nothing is requested', async ({ scene }) => {
    const page = await scene.visit({ path: settings(scene), user: { role: 'triager' } })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.reload()
    await page.getByText('Your role is triager').waitFor()
    await page.getByRole('region', { name: 'Public keys' }).getByRole('listitem').first().waitFor()
    expect(asked).not.toContain('/v1/webhooks')
  })
})

/** Runs the pasted code, and returns the status of the response. */
async function runCurl(snippet: string): Promise<number> {
  const [, url = '', rest = ''] = /^curl (\S+) \\\n([\s\S]*)$/.exec(snippet) ?? []
  const headers = [...rest.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ])
  const body = /-d '([^']*)'/.exec(rest)?.[1]
  const response = await fetch(url, {
    method: 'POST',
    headers: Object.fromEntries(headers),
    ...(body !== undefined && { body }),
  })
  return response.status
}
