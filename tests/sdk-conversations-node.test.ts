import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startConversations } from '../packages/sdk/src/conversations/node.ts'
import type { Conversations } from '../packages/sdk/src/core/conversations/types.ts'
import { close, flush, init, report, setUser } from '../packages/sdk/src/node.ts'
import { startApp, type TestApp, type TestProject } from '../packages/server/test-support/start-app.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { buildPackage } from './support/sdk/built-package.ts'
import { type Gateway, startGateway } from './support/sdk/gateway.ts'

const TIMEOUT = { timeout: 60_000 }
const MESSAGES = 50

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app[Symbol.asyncDispose]())

interface Scene extends AsyncDisposable {
  readonly project: TestProject
  readonly gateway: Gateway
  readonly folder: string
  /** Starts the app. */
  start(): Conversations
  /** The titles of all issues. */
  titles(): Promise<readonly string[]>
  /** The texts of all comments on the only issue, as the team sees them, oldest first. */
  comments(): Promise<readonly string[]>
  reply(text: string): Promise<void>
}

async function setScene(): Promise<Scene> {
  const project = await app.addProject()
  const gateway = await startGateway(app.url)
  const folder = temporaryFolder()
  const { secretKey: key, publicKey } = project
  let replies = 0
  async function issuePath(): Promise<string> {
    const { body } = await app.send('GET', '/v1/issues', { key })
    return `/v1/issues/${body.data[0].id}`
  }
  return {
    project,
    gateway,
    folder: folder.path,
    start() {
      init({ endpoint: gateway.url, publicKey, queueDirectory: folder.path })
      return startConversations() as Conversations
    },
    async titles() {
      const { body } = await app.send('GET', '/v1/issues', { key })
      return body.data.map(({ title }: { readonly title: string }) => title)
    },
    async comments() {
      const { body } = await app.send('GET', `${await issuePath()}/comments?pageSize=100`, { key })
      return body.data.map(({ text }: { readonly text: string }) => text)
    },
    async reply(text) {
      const body = { commentId: `reply-${++replies}`, text, audience: 'reporters' }
      const { status } = await app.send('POST', `${await issuePath()}/comments`, { key, body })
      expect(status).toBe(201)
    },
    async [Symbol.asyncDispose]() {
      await close(0)
      setUser(null)
      await gateway[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

/** Reports, and resolves to the id of the report once the person sees it. */
async function reportAndSee(conversations: Conversations): Promise<string> {
  expect(await report({ title: 'Export fails' })).toMatchObject({ status: 'sent' })
  await expect.poll(() => conversations.read().reports.length, TIMEOUT).toBe(1)
  return `${conversations.read().reports[0]?.id}`
}

test('before init there are no conversations', () => {
  expect(startConversations()).toBeUndefined()
})

test('a reply is shown after the next start, and a message reaches the team', async () => {
  await using scene = await setScene()
  const first = scene.start()
  expect(startConversations()).toBe(first)
  const reportId = await reportAndSee(first)
  await close()
  await scene.reply('Which version?')

  const second = scene.start()
  // What is stored is shown at once.
  expect(second.read().reports).toMatchObject([{ id: reportId, title: 'Export fails', unreadCount: 0 }])
  await expect.poll(() => second.refresh(), TIMEOUT).toBe(true)
  expect(second.read()).toMatchObject({ unreadCount: 1, isCurrent: true })
  expect(second.readMessages(reportId)).toMatchObject({
    messages: [{ from: 'team', text: 'Which version?' }],
    hasEarlier: false,
  })
  second.markRead(reportId)
  expect(second.read().unreadCount).toBe(0)
  expect(await second.send(reportId, '2.4.1')).toMatchObject({ status: 'sent' })
  expect(second.readMessages(reportId).messages.map(({ text }) => text)).toEqual(['Which version?', '2.4.1'])
  expect([...(await scene.comments())].sort()).toEqual(['2.4.1', 'Which version?'])
  await expect.poll(() => second.refresh(), TIMEOUT).toBe(true)
  expect(second.read().unreadCount).toBe(0)
})

test('an unchanged list costs an empty 304', async () => {
  await using scene = await setScene()
  const conversations = scene.start()
  await reportAndSee(conversations)
  const polls = () => scene.gateway.seen.filter(({ line }) => line === 'GET /v1/my/reports')
  await expect.poll(() => conversations.refresh(), TIMEOUT).toBe(true)
  const before = polls().length
  for (let time = 0; time < 3; time++) await conversations.refresh()
  const statuses = polls().map(({ status }) => status)
  expect(statuses.length).toBeGreaterThanOrEqual(before + 3)
  expect(new Set(statuses.slice(before))).toEqual(new Set([304]))
})

test(`${MESSAGES} messages on dying connections arrive once each, in order`, async () => {
  await using scene = await setScene()
  const conversations = scene.start()
  const reportId = await reportAndSee(conversations)
  const texts = Array.from({ length: MESSAGES }, (_, index) => `Message ${index}`)
  for (const [index, text] of texts.entries()) {
    scene.gateway.messageMishap = { kind: index % 2 ? 'lose the answer' : 'break' }
    expect(await conversations.send(reportId, text)).toMatchObject({ status: 'queued' })
    scene.gateway.messageMishap = undefined
    await expect.poll(() => flush(), TIMEOUT).toBe(true)
  }
  expect([...(await scene.comments())].sort()).toEqual([...texts].sort())
  const posts = scene.gateway.seen.filter(({ line }) => /^POST .*messages$/.test(line))
  expect(posts.length).toBeGreaterThanOrEqual(2 * MESSAGES)
  conversations.open(reportId)
  await expect
    .poll(() => conversations.readMessages(reportId).messages.map(({ text }) => text), TIMEOUT)
    .toEqual(texts)
})

test('the secret is in a private file, and in no report and no other request', async () => {
  await using scene = await setScene()
  setUser({ id: 'ada@example.com' })
  const conversations = scene.start()
  const reportId = await reportAndSee(conversations)
  await conversations.send(reportId, 'Hello')
  const files = globSync('**/*.json', { cwd: scene.folder }).map((name) => join(scene.folder, name))
  const withSecret = files.filter((path) => readFileSync(path, 'utf8').includes('"secret"'))
  expect(withSecret).toHaveLength(1)
  const [path = ''] = withSecret
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(path).toMatch(/-conversations.reporter-[0-9a-f]{32}\.json$/)
  const { secret } = JSON.parse(readFileSync(path, 'utf8')) as { readonly secret: string }
  expect(secret).toMatch(/^[\w-]{43}$/)
  const sent = scene.gateway.seen.map(({ line, body }) => line + body).join('\n')
  expect(sent).toContain('reporterKeyHash')
  expect(sent).not.toContain(secret)
})

test('a script waits for what it asks for, and exits by itself', async () => {
  await using scene = await setScene()
  const { code, stdout, stderr } = await run(
    scene,
    `const conversations = startConversations()
await report({ title: 'From a script' })
const hasResponded = await conversations.refresh()
const [{ id, title }] = conversations.read().reports
const { status } = await conversations.send(id, 'Hello')
console.log(JSON.stringify({ hasResponded, title, status }))`,
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toEqual({ hasResponded: true, title: 'From a script', status: 'sent' })
  expect(await scene.comments()).toEqual(['Hello'])
})

test('the first report of a script that exits immediately arrives at the next start', async () => {
  await using scene = await setScene()
  const { code } = await run(
    scene,
    `startConversations()
void report({ title: 'Too early' })
process.exit(3)`,
  )
  expect(code).toBe(3)
  expect(await scene.titles()).toEqual([])
  scene.start()
  await expect.poll(() => flush(), TIMEOUT).toBe(true)
  expect(await scene.titles()).toEqual(['Too early'])
})

test('once the folder was read, such a report can also be followed', async () => {
  await using scene = await setScene()
  const { code } = await run(
    scene,
    `await new Promise((resolve) => startConversations().subscribe(resolve))
void report({ title: 'Last words' })
process.exit(3)`,
  )
  expect(code).toBe(3)
  const conversations = scene.start()
  await expect.poll(() => flush(), TIMEOUT).toBe(true)
  await expect.poll(() => conversations.refresh(), TIMEOUT).toBe(true)
  expect(conversations.read().reports).toMatchObject([{ title: 'Last words' }])
})

test('flush waits for the first report', async () => {
  await using scene = await setScene()
  scene.start()
  void report({ title: 'Just now' })
  await expect.poll(() => flush(), TIMEOUT).toBe(true)
  const [submission] = scene.gateway.seen.filter(({ line }) => line === 'POST /v1/issues')
  expect(JSON.parse(`${submission?.body}`)).toMatchObject({
    title: 'Just now',
    reporterKeyHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
})

/** Runs a script that has started the SDK. */
async function run({ gateway, project, folder }: Scene, script: string) {
  using built = await buildPackage()
  const options = { endpoint: gateway.url, publicKey: project.publicKey, queueDirectory: folder }
  const path = join(built.path, 'script.mjs')
  writeFileSync(
    path,
    `import { init, report } from '@bugle/sdk'
import { startConversations } from '@bugle/sdk/conversations'
init(${JSON.stringify(options)})
${script}`,
  )
  const child = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, stdout, stderr }
}
