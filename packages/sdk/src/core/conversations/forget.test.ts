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
