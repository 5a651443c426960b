import { expect, test } from 'vitest'
import { addMailbox, type FakeMailbox } from '../../../test-support/fake-mailbox.ts'
import { createWorld, settle, type World } from '../../../test-support/fake-world.ts'
import type { Client } from '../client.ts'
import { createConversations } from './conversations.ts'
import type { Conversations } from './types.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

interface Stage {
  readonly world: World
  readonly mailbox: FakeMailbox
  readonly hash: string
  readonly conversations: Conversations
  openTab(): Client
  /** Advances the clock second by second, and returns the requests of that time. */
  during(milliseconds: number): Promise<FakeMailbox['seen']>
}

/** A tab with a report that the server lists. */
async function setStage(): Promise<Stage> {
  const world = createWorld()
  const mailbox = addMailbox(world)
  const openTab = () => {
    const client = world.start()
    client._conversations = createConversations(client, mailbox.openTab(), () => undefined)
    return client
  }
  const client = openTab()
  await client._capture({ title: 'Blank' })
  const hash = `${world.received[0]?.reporterKeyHash}`
  mailbox.reports.set(hash, [{ id: 'rep_1', unreadCount: 0, lastReplyAt: null }])
  await client._conversations?.refresh()
  return {
    world,
    mailbox,
    hash,
    openTab,
    conversations: client._conversations as Conversations,
    async during(milliseconds) {
      const before = mailbox.seen.length
      for (let passed = 0; passed < milliseconds; passed += SECOND) await world.pass(SECOND)
      return mailbox.seen.slice(before)
    },
  }
}

test('an installation that has reported nothing asks nothing', async () => {
  const world = createWorld()
  const mailbox = addMailbox(world)
  const conversations = createConversations(world.start(), mailbox.openTab(), () => undefined)
  for (let minute = 0; minute < 60; minute++) await world.pass(MINUTE)
  expect(mailbox.seen).toEqual([])
  expect(conversations.read()).toEqual({ reports: [], unreadCount: 0, isCurrent: false })
})

test('asks with the tag of the last response, and less often while nothing changes', async () => {
  const { during, mailbox, hash, conversations } = await setStage()
  const first = await during(5 * MINUTE)
  const later = await during(30 * MINUTE)
  const last = await during(30 * MINUTE)
  expect(first.length).toBeGreaterThanOrEqual(2)
  expect(first.length).toBeLessThanOrEqual(5)
  // At most every 4 minutes, and at least every 6.
  expect(last.length).toBeGreaterThanOrEqual(4)
  expect(last.length).toBeLessThanOrEqual(8)
  for (const { line, tag, status } of [...first, ...later, ...last])
    expect([line, typeof tag, status]).toEqual(['GET /reports', 'string', 304])
  mailbox.reports.set(hash, [{ id: 'rep_1', unreadCount: 0, lastReplyAt: null, status: 'resolved' }])
  const news = await during(10 * MINUTE)
  expect(news.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(news.length).toBeGreaterThanOrEqual(3)
  expect(conversations.read().reports).toMatchObject([{ status: 'resolved' }])
})

test('asks more often while a conversation is shown, and reads that conversation', async () => {
  const { during, conversations, mailbox } = await setStage()
  await during(30 * MINUTE)
  const close = conversations.open('rep_1')
  await settle()
  expect(mailbox.seen.at(-1)?.line).toBe('GET /reports/rep_1/messages')
  const shown = await during(2 * MINUTE)
  const ofConversation = shown.filter(({ line }) => line.endsWith('/messages'))
  expect(ofConversation.length).toBeGreaterThanOrEqual(6)
  expect(ofConversation.length).toBeLessThanOrEqual(9)
  expect(ofConversation.every(({ status }) => status === 304)).toBe(true)
  close()
  close()
  const after = await during(4 * MINUTE)
  expect(after.length).toBeLessThanOrEqual(2)
  expect(after.filter(({ line }) => line.endsWith('/messages'))).toEqual([])
})

test('does not ask while the page is hidden, and asks when it is shown again', async () => {
  const { during, world, mailbox } = await setStage()
  world.happen('hide')
  expect(await during(30 * MINUTE)).toEqual([])
  const before = mailbox.seen.length
  world.happen('wake')
  await settle()
  expect(mailbox.seen.slice(before)).toHaveLength(1)
  // Switching to and fro is no reason to ask again.
  for (let time = 0; time < 5; time++) {
    world.happen('hide')
    world.happen('wake')
    await settle()
  }
  expect(mailbox.seen.slice(before)).toHaveLength(1)
})

test('does not ask while the device is offline, and asks when it is online again', async () => {
  const { during, world, mailbox, conversations } = await setStage()
  world.isOnline = false
  mailbox.fault = 'unreachable'
  // The request that was already planned.
  expect((await during(30 * MINUTE)).length).toBeLessThanOrEqual(1)
  expect(conversations.read().reports).toHaveLength(1)
  world.isOnline = true
  mailbox.fault = undefined
  const before = mailbox.seen.length
  world.happen('wake')
  await settle()
  expect(mailbox.seen.slice(before)).toMatchObject([{ status: 304 }])
})

test('backs off while the server does not respond', async () => {
  const { during, mailbox, conversations } = await setStage()
  mailbox.fault = 'unreachable'
  const failed = await during(60 * MINUTE)
  expect(failed.length).toBeGreaterThanOrEqual(10)
  expect(failed.length).toBeLessThanOrEqual(60)
  expect(conversations.read().isCurrent).toBe(false)
  mailbox.fault = undefined
  expect((await during(6 * MINUTE)).some(({ status }) => status === 304)).toBe(true)
  expect(conversations.read().isCurrent).toBe(true)
})

test.each([
  ['a pause that the server asks for', { status: 429, headers: { 'retry-after': '1200' } }],
  ['a key that the server refuses', { status: 401 }],
  ['a server without conversations', { status: 404 }],
])('respects %s, also when the page is shown again or the person asks', async (_, fault) => {
  const { during, mailbox, world, conversations } = await setStage()
  mailbox.fault = fault
  await during(2 * MINUTE)
  const before = mailbox.seen.length
  world.happen('hide')
  world.happen('wake')
  expect(await conversations.refresh()).toBe(false)
  expect(await during(15 * MINUTE)).toEqual([])
  expect(mailbox.seen).toHaveLength(before)
  mailbox.fault = undefined
  await during(30 * MINUTE)
  expect(mailbox.seen.at(-1)?.status).toBe(304)
})

test('several tabs ask as often as one, and show the same', async () => {
  const one = await setStage()
  const asked = (await one.during(30 * MINUTE)).length
  const several = await setStage()
  const tabs = [several.openTab(), several.openTab(), several.openTab()]
  const together = (await several.during(30 * MINUTE)).length
  expect(together).toBeLessThanOrEqual(asked + 2)
  expect(tabs.map((tab) => tab._conversations?.read().reports.length)).toEqual([1, 1, 1])
})

test('a page that was just opened shows what is stored, and does not ask again', async () => {
  const { openTab, mailbox } = await setStage()
  const before = mailbox.seen.length
  const opened = openTab()._conversations
  expect(opened?.read()).toMatchObject({ reports: [{ id: 'rep_1' }], isCurrent: true })
  await settle()
  expect(mailbox.seen).toHaveLength(before)
})

test('asks again although the clock was set back', async () => {
  const { during, world } = await setStage()
  await world.pass(-86_400 * SECOND)
  world.happen('wake')
  await settle()
  expect((await during(10 * MINUTE)).length).toBeGreaterThanOrEqual(2)
})
