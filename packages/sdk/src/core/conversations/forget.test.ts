import { expect, test } from 'vitest'
import {
  follow,
  followed,
  REPLY,
  REPORT,
  replyTo,
  setStage,
} from '../../../test-support/conversation-stage.ts'
import { settle } from '../../../test-support/fake-world.ts'
import { createMemoryStore } from '../delivery/memory-store.ts'
import { createCache } from './cache.ts'
import { createConversations } from './conversations.ts'
import { tidyPeople } from './reporters.ts'

test('a person can be forgotten on a device', async () => {
  const stage = setStage()
  const { conversations, client } = await followed(stage)
  stage.mailbox.fault = 'unreachable'
  await conversations.send('rep_1', 'Unsent')
  await conversations.forget()
  expect([...stage.mailbox.stored.keys()]).toEqual([])
  expect(conversations.read().reports).toEqual([])
  const before = stage.world.received.at(-1)?.reporterKeyHash
  await client._capture({ title: 'New' })
  expect(stage.world.received.at(-1)?.reporterKeyHash).not.toBe(before)
})

test.each([
  'POST /reports/rep_1/messages',
  'PUT /reports/rep_1/read',
  'GET /reports',
  'GET /reports/rep_1/messages',
])('a response to %s is not stored if the person was forgotten in the meantime', async (wanted) => {
  const stage = setStage()
  const tab = stage.openTab()
  const hash = await follow(stage, tab)
  replyTo(stage, hash)
  await tab.conversations.refresh()
  let forgotten: Promise<void> | undefined
  stage.mailbox.beforeResponse = (line) => {
    if (line === wanted) forgotten ??= tab.conversations.forget()
    return forgotten
  }
  stage.mailbox.messages.set('rep_1', [REPLY, { ...REPLY, id: 'reply-2' }])
  stage.mailbox.reports.set(hash, [
    { ...REPORT, replyCount: 2, unreadCount: 1, lastReplyAt: REPLY.createdAt },
  ])
  tab.conversations.open('rep_1')
  tab.conversations.markRead('rep_1')
  await tab.conversations.send('rep_1', 'A Pixel 9')
  await settle()
  expect(forgotten).toBeDefined()
  expect([...stage.mailbox.stored.keys()]).toEqual([])
  expect(tab.conversations.read()).toEqual({ reports: [], unreadCount: 0, isCurrent: false })
  expect(tab.conversations.readMessages('rep_1').messages).toEqual([])
})

test.each([true, false])(
  'a person who is forgotten in one tab is forgotten in all (after a poll: %s)',
  async (hasPolled) => {
    const stage = setStage()
    const first = stage.openTab()
    if (!hasPolled) stage.world.answer = () => undefined
    await follow(stage, first)
    const second = stage.openTab()
    await settle()
    expect(second.conversations.link()).toBeDefined()
    expect(second.conversations.read().reports).toHaveLength(hasPolled ? 1 : 0)
    await second.conversations.forget()
    stage.mailbox.announce()
    await stage.world.pass(100)
    for (const { conversations } of [first, second]) {
      await conversations.refresh()
      expect(conversations.read().reports).toEqual([])
      expect(conversations.link()).toBeUndefined()
    }
    const before = stage.mailbox.seen.length
    await stage.world.pass(3_600_000)
    expect(stage.mailbox.seen).toHaveLength(before)
    expect([...stage.mailbox.stored.keys()]).toEqual([])
  },
)

test.each(['hangs', 'keeps nothing'])('a store that %s is not taken for an empty one', async (kind) => {
  const stage = setStage()
  const { _store: store } = stage.mailbox.openTab()
  let hasFailed = kind !== 'hangs'
  const failing = {
    ...store,
    _readAll: () => (hasFailed ? new Promise<never>(() => {}) : store._readAll()),
    ...(hasFailed && {
      _put: () => Promise.reject(new Error('full')),
      _putNow() {},
      _readNow: () => null,
      _readAll: async () => new Map<string, string>(),
    }),
  }
  const client = stage.world.start()
  const conversations = createConversations(
    client,
    { ...stage.mailbox.openTab(), _store: failing },
    () => undefined,
  )
  const tab = { client, conversations, person: {} }
  await follow(stage, tab)
  hasFailed = true
  stage.mailbox.announce()
  for (let time = 0; time < 5; time++) await stage.world.pass(1_000)
  expect(conversations.read().reports).toHaveLength(1)
  expect(conversations.link()).toBeDefined()
})

test('of more than 100 people, nothing is kept about those who have not reported for the longest time', async () => {
  const store = createMemoryStore()
  const cache = createCache(store)
  await cache._loaded
  for (let index = 0; index < 102; index++) {
    const who = `${index}`.padStart(32, '0')
    await cache._put('reporter-', who, { secret: 's', publicKey: 'k', user: 'u', createdAt: index })
    await cache._put('message-', `message-${index}`, {
      who,
      reportId: 'rep_1',
      text: 'Unsent',
      createdAt: '',
    })
  }
  await tidyPeople(cache)
  const ids = [...(await store._readAll()).keys()]
  for (const kind of ['reporter-', 'message-'])
    expect(ids.filter((id) => id.startsWith(kind))).toHaveLength(100)
  expect(ids).not.toContain('message-message-0')
  expect(ids).toContain('message-message-2')
})
