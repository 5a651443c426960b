import { describe } from 'vitest'
import { startReceiver } from '../packages/server/test-support/start-receiver.ts'
import { addWebhook } from './support/dashboard/prepare.ts'
import { expect, type Scene, setStage, test } from './support/dashboard/stage.ts'

setStage({ BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1' })

const PATIENCE = { timeout: 10_000 }

const settings = ({ project }: Scene) => `/projects/${project.slug}/settings`

describe('the project', () => {
  test('has its metadata, its keys with their use, and a snippet that works as it is', async ({ scene }) => {
    const { project, app } = scene
    await app.addKey({ project, kind: 'public', origins: ['https://app.example.com'] })
    const listed = await app.send('GET', `/v1/projects/${project.slug}/keys`, { key: project.secretKey })
    await app.app.storage.keys.recordUses([{ id: listed.body.data[0].id, at: Date.now() }])
    const page = await scene.visit({ path: settings(scene) })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('region', { name: 'Kitchen' }).getByText(project.id).waitFor()
    const keys = page.getByRole('region', { name: 'Public keys' })
    const [used, unused] = await keys.getByRole('listitem').allInnerTexts()
    expect(used).toMatch(/Last used just now/)
    expect(unused).toMatch(/Never used[\s\S]*Origins: https:\/\/app.example.com/)

    const ways = page.getByRole('region', { name: 'Send reports' })
    for (const way of ['npm', 'Script tag', 'Node']) {
      await ways.getByRole('tab', { name: way }).click()
      const text = await ways.getByRole('tabpanel').innerText()
      expect(text).toContain(app.url)
      expect(text).toContain(project.publicKey)
    }
    await page.keyboard.press('ArrowRight')
    await ways.getByRole('tab', { name: 'curl', selected: true }).waitFor()
    await ways.getByRole('button', { name: 'Copy the snippet' }).click()
    const snippet = await page.evaluate(() => navigator.clipboard.readText())
    expect(await runCurl(snippet)).toBe(201)
    expect((await scene.issues()).map(({ title }) => title)).toContain('Settings screen stays blank')
  })

  test('says how to make a first key', async ({ scene }) => {
    const { slug } = await scene.app.addProject({ name: 'Bare' })
    const page = await scene.visit({ path: `/projects/${slug}/settings` })
    await page.getByRole('heading', { name: 'Public keys' }).waitFor()
    await page.route('**/keys', (route) => route.fulfill({ json: { data: [] } }))
    await page.reload()
    await page.getByText(`npx bugle key create --project ${slug} --kind public`).waitFor()
    await page.getByText("publicKey: 'bgl_pub_…'").waitFor()
  })
})

describe('webhooks', () => {
  test('show how they do, what was tried, and are sent again what they missed', async ({ scene }) => {
    await using receiver = await startReceiver()
    receiver.react(() => ({ status: 503, body: '<b>starting</b>' }))
    await addWebhook(scene, receiver)
    await scene.submit({ title: 'News' })
    const page = await scene.visit({ path: settings(scene) })
    const card = page.getByRole('region', { name: 'Webhooks' })
    await expect.poll(() => receiver.received.length, PATIENCE).toBeGreaterThan(0)
    await page.reload()
    await card.getByText('Failing').waitFor()
    await card.getByRole('button', { name: 'Deliveries' }).click()
    await card.getByRole('button', { name: 'issue.created' }).click()
    await card
      .getByText(/503 after \d+ ms: the status was not 2xx/)
      .first()
      .waitFor()
    await card.getByText('<b>starting</b>').first().waitFor()

    receiver.react(() => ({ status: 200 }))
    await card.getByRole('button', { name: 'Test' }).click()
    await card.getByText(/Test message: delivered, 200 after/).waitFor()
    await card.getByRole('button', { name: 'Deliver again' }).click()
    await card.getByText(/^delivered, 200 after/).waitFor()
    expect(receiver.taken.size).toBe(2)
  })

  test('are paused and go on', async ({ scene }) => {
    await using receiver = await startReceiver()
    await addWebhook(scene, receiver)
    const page = await scene.visit({ path: settings(scene) })
    const card = page.getByRole('region', { name: 'Webhooks' })
    await card.getByRole('button', { name: 'Pause' }).click()
    await card.getByText('Paused').waitFor()
    const id = await scene.submit({ title: 'Held back' })
    await card.getByRole('button', { name: 'Resume' }).click()
    await card.getByText('Active').waitFor()
    await expect.poll(() => receiver.received.some(({ text }) => text.includes(id)), PATIENCE).toBe(true)
  })

  test('are for admins: others are told so, and nothing is asked for', async ({ scene }) => {
    const page = await scene.visit({ path: settings(scene), user: { role: 'triager' } })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.reload()
    await page.getByText('Your role is triager').waitFor()
    await page.getByRole('region', { name: 'Public keys' }).getByRole('listitem').first().waitFor()
    expect(asked).not.toContain('/v1/webhooks')
  })
})

/** Does what the pasted lines would do, and tells the status of the answer. */
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
