import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { startConversations } from '../../packages/sdk/src/conversations/node.ts'
import type { Conversations } from '../../packages/sdk/src/core/conversations/types.ts'
import { close, flush, init, report } from '../../packages/sdk/src/node.ts'
import { createRandom } from '../../packages/server/src/demo/random.ts'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'
import { startGateway } from '../support/sdk/gateway.ts'
import { type Keys, printedKeys, startServerOn, type TestServer } from '../support/start-server.ts'
import { SEED } from './effort.ts'
import { note } from './figures.ts'

const MOST_LOAD_MS = 300
/** For what takes a moment, however slow the machine is. */
const POLLED = { timeout: 120_000, interval: 200 }

interface Story {
  /** The name of the database in the figures. */
  readonly name: string
  readonly databaseUrl: string
  readonly kills: number
}

/**
 * Repeatedly kills a server while a reporter sends messages with the SDK. In the end the team has received each of them once, and
 * the reporter sees them in the order they were written.
 */
export async function killDuringMessages({ name, databaseUrl, kills }: Story): Promise<void> {
  const random = createRandom(SEED)
  using folder = temporaryFolder()
  await using gateway = await startGateway('')
  const texts: string[] = []
  let acknowledged = 0
  const start = async () => {
    const server = await startServerOn(databaseUrl)
    gateway.target = server.url
    return server
  }

  const { server: first, keys } = await firstServer(start)
  await using _ = { [Symbol.asyncDispose]: () => close(0).then(() => {}) }
  init({ endpoint: gateway.url, publicKey: keys.publicKey, queueDirectory: folder.path })
  const conversations = startConversations() as Conversations
  const reportId = await reportAndSee(conversations)
  for (let round = 1; round <= kills; round++) {
    await using server = round === 1 ? first : await start()
    const text = `Message ${round}`
    texts.push(text)
    const sending = conversations.send(reportId, text)
    await sleep(random.integer(0, MOST_LOAD_MS))
    expect(await server.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
    const { status } = await sending
    expect(['sent', 'queued']).toContain(status)
    if (status === 'sent') acknowledged++
  }

  await using last = await start()
  await expect.poll(() => flush(), POLLED).toBe(true)
  const received = await textsOfTeam(last, keys)
  expect(received.toSorted()).toEqual(texts.toSorted())
  conversations.open(reportId)
  await expect
    .poll(() => conversations.readMessages(reportId).messages.map(({ text, state }) => [text, state]), POLLED)
    .toEqual(texts.map((text) => [text, undefined]))
  note({ fault: `${name}: SIGKILL during messages`, rounds: kills, acknowledged, lost: 0, doubled: 0 })
}

async function firstServer(
  start: () => Promise<TestServer>,
): Promise<{ readonly server: TestServer; readonly keys: Keys }> {
  const server = await start()
  return { server, keys: await printedKeys(server) }
}

/** Resolves to the id of the report once the person sees it. */
async function reportAndSee(conversations: Conversations): Promise<string> {
  expect(await report({ title: 'Export fails' })).toMatchObject({ status: 'sent' })
  await expect.poll(() => conversations.refresh(), POLLED).toBe(true)
  await expect.poll(() => conversations.read().reports.length, POLLED).toBe(1)
  return `${conversations.read().reports[0]?.id}`
}

/** The texts of all comments on the only issue. */
async function textsOfTeam({ url }: TestServer, { secretKey }: Keys): Promise<readonly string[]> {
  const list = async (path: string) => {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${secretKey}` } })
    expect(response.status).toBe(200)
    return ((await response.json()) as { data: readonly { id: string; text: string }[] }).data
  }
  const [issue] = await list('/v1/issues')
  return (await list(`/v1/issues/${issue?.id}/comments?pageSize=100`)).map(({ text }) => text)
}
