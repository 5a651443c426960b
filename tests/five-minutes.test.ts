import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../packages/server/test-support/start-receiver.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { sharedChromium, WAIT_MS } from './support/browser/chromium.ts'
import { curlLinesOf, paste } from './support/printed-lines.ts'
import { type BuiltPackage, buildPackage } from './support/sdk/built-package.ts'
import { startSite } from './support/sdk/site.ts'
import { shellEnvironment, startProcess, type TestProcess } from './support/start-process.ts'
import { printedAddress, printedKeys, settingsFor } from './support/start-server.ts'

/** The first five minutes of a new user: everything is done from what is printed and shown, without knowledge of the code. */

const PASSWORD = 'a sentence only I know'

const folder = temporaryFolder()
let npm: TestProcess
let receiver: Receiver
let built: BuiltPackage

beforeAll(async () => {
  const settings = {
    ...settingsFor(join(folder.path, 'bugle.db')),
    BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1',
  }
  const environment = { ...shellEnvironment(), ...settings }
  npm = startProcess({ command: 'npm', args: ['start'], environment, leadsGroup: true })
  receiver = await startReceiver()
  built = await buildPackage()
})
afterAll(async () => {
  await npm[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  built[Symbol.dispose]()
  folder[Symbol.dispose]()
})

test('start, report by curl, report from a page, see it live, move it, receive the webhook', async () => {
  const began = performance.now()
  const url = await printedAddress(npm)
  const { publicKey, secretKey } = await printedKeys(npm)
  const [, link = ''] = await npm.waitFor(/^ {2}(http\S+#link=\S+)$/m)

  // With the printed command.
  const [curlLine = ''] = curlLinesOf(npm.stdout)
  expect(paste(curlLine)).toMatchObject({
    status: '201',
    body: { issueNumber: 1, status: 'open' },
  })

  // A webhook, before anything else happens.
  const call = async (method: string, path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
    expect(answer.ok).toBe(true)
    return answer.json() as Promise<{ secret: string }>
  }
  const { secret } = await call('POST', '/v1/webhooks', { url: receiver.url })

  // With the printed link, to the inbox.
  const browser = await sharedChromium()
  await using profile = await browser.newContext()
  profile.setDefaultTimeout(WAIT_MS)
  const dashboard = await profile.newPage()
  await dashboard.goto(link)
  await dashboard.getByLabel('Email').fill('ada@example.com')
  await dashboard.getByLabel('Name').fill('Ada')
  await dashboard.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dashboard.getByLabel('Password', { exact: true }).press('Enter')
  await dashboard.getByRole('link', { name: 'Settings screen stays blank' }).waitFor()
  await dashboard.getByText('Live', { exact: true }).waitFor()

  // From a page of another origin, with only a script tag.
  await using site = await startSite(built.sdk)
  const app = await profile.newPage()
  await app.goto(
    site.page(
      `<!doctype html><title>App</title><script src="${url}/sdk/bugle-widget.js" data-public-key="${publicKey}"></script><bugle-report></bugle-report>`,
    ),
  )
  await app.getByRole('button', { name: 'Report a problem' }).click()
  await app.getByRole('textbox', { name: 'What is wrong?' }).fill('The export button does nothing')
  await app.getByRole('button', { name: 'Send' }).click()
  await app.getByRole('status').filter({ hasText: 'has arrived' }).waitFor()

  // It appears automatically, and its status is changed there.
  await dashboard.bringToFront()
  await dashboard.getByRole('link', { name: 'The export button does nothing' }).click()
  await dashboard.getByRole('heading', { name: 'The export button does nothing' }).waitFor()
  await dashboard.keyboard.press('i')
  await dashboard.getByRole('button', { name: 'Undo' }).waitFor()

  // Both were delivered to the receiver, signed.
  const events = () =>
    receiver.received.map(
      ({ text, headers }) =>
        new Webhook(secret).verify(text, headers as Record<string, string>) as WebhookBody,
    )
  const told = () => events().map(({ type, data }) => `${type} #${data.issueNumber}`)
  await expect.poll(told).toEqual(['issue.created #2', 'issue.status_changed #2'])
  expect(events()[1]?.data.issue).toMatchObject({ status: 'in_progress' })
  expect(() =>
    new Webhook(secret).verify('{}', receiver.received[0]?.headers as Record<string, string>),
  ).toThrow()

  const seconds = Math.round((performance.now() - began) / 1_000)
  process.stdout.write(`the five-minute path took ${seconds} s\n`)
})

interface WebhookBody {
  readonly type: string
  readonly data: { readonly issueNumber: number; readonly issue: unknown }
}
