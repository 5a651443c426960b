import { createHash } from 'node:crypto'
import { MAX_MESSAGE_CHARS } from '@bugle/contract/vocabulary'
import { expect, test, vi } from 'vitest'
import {
  follow,
  followed,
  REPLY,
  REPORT,
  replyTo,
  setStage,
} from '../../../test-support/conversation-stage.ts'
import { PUBLIC_KEY, settle } from '../../../test-support/fake-world.ts'

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')

test('reports have the hash of a secret, which only the requests for conversations contain', async () => {
  const stage = setStage()
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const tab = stage.openTab()
  const hash = await follow(stage, tab)
  await tab.conversations.refresh()
  const [secret = ''] = stage.mailbox.secrets
  expect(secret).toMatch(/^[\w-]{42}[AEIMQUYcgkosw048]$/)
  expect(hash).toBe(hashOf(secret))
  await tab.client._capture({ title: 'Again' })
  expect(stage.world.received.map(({ reporterKeyHash }) => reporterKeyHash)).toEqual([hash, hash])
  expect(JSON.stringify(stage.world.received)).not.toContain(secret)
  expect(JSON.stringify(warned.mock.calls)).not.toContain(secret)
  expect([...stage.world.stored.values()].join()).not.toContain(secret)
  expect(stage.mailbox.secrets.size).toBe(1)
  warned.mockRestore()
})

test('a link has the key and the secret of the current person, behind the #', async () => {
  const stage = setStage()
  const tab = stage.openTab()
  expect(tab.conversations.link()).toBeUndefined()
  await follow(stage, tab)
  await tab.conversations.refresh()
  const [secret = ''] = stage.mailbox.secrets
  const { endpoint } = tab.client._core._options
  expect(tab.conversations.link()).toBe(`${endpoint}/r#${PUBLIC_KEY}.${secret}`)
  tab.person.id = 'ada'
  expect(tab.conversations.link()).toBeUndefined()
})

test('crashes and anonymous reports cannot be followed', async () => {
  const stage = setStage()
  const { client } = stage.openTab()
  await client._capture({ title: 'Crash', exception: [{ type: 'Error' }] }, true)
  await client._capture({ title: 'Anonymous', reporter: null })
  expect(stage.world.received).toHaveLength(2)
  for (const report of stage.world.received) expect(report).not.toHaveProperty('reporterKeyHash')
  await stage.world.pass(3_600_000)
  expect(stage.mailbox.seen).toEqual([])
})

test('beforeSend can remove the hash', async () => {
  const stage = setStage()
  const { client } = stage.openTab({
    beforeSend: ({ reporterKeyHash: _, ...content }) => content,
  })
  await client._capture({ title: 'Blank' })
  expect(stage.world.received).toMatchObject([{ title: 'Blank' }])
  expect(stage.world.received[0]).not.toHaveProperty('reporterKeyHash')
})

test('without a secure source of randomness, reports arrive and cannot be followed', async () => {
  const stage = setStage()
  const { client, conversations } = stage.openTab()
  const random = vi.spyOn(crypto, 'getRandomValues').mockImplementation(() => {
    throw new Error('none')
  })
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  expect(await client._capture({ title: 'Blank' })).toMatchObject({ status: 'sent' })
  expect(warned.mock.calls).toEqual([['[bugle] conversations need crypto.getRandomValues']])
  for (const spy of [random, warned]) spy.mockRestore()
  expect(stage.world.received[0]).not.toHaveProperty('reporterKeyHash')
  expect(conversations.read().reports).toEqual([])
})

test('each user of a device has their own conversations, also after a restart', async () => {
  const stage = setStage()
  const first = stage.openTab()
  const hashes: string[] = []
  for (const id of [undefined, 'ada', 'bob']) {
    first.person.id = id
    hashes.push(await follow(stage, first, { title: `Of ${id}` }))
  }
  expect(new Set(hashes).size).toBe(3)
  await first.client._close(0)
  stage.mailbox.fault = 'unreachable'
  const second = stage.openTab()
  const titles = (id: string | undefined) => {
    second.person.id = id
    second.client._onUser?.()
    return second.conversations.read().reports.map(({ title }) => title)
  }
  expect([titles('bob'), titles('ada'), titles(undefined), titles('eve')]).toEqual([
    ['Of bob'],
    ['Of ada'],
    ['Of undefined'],
    [],
  ])
  for (const id of ['ada', 'bob'])
    for (const [key, text] of stage.mailbox.stored)
      if (key.startsWith('reporter-')) expect(key + text).not.toContain(id)
})

test('a replaced key keeps the conversations of its project, and one of another project does not', async () => {
  const stage = setStage()
  const configOf = (project: string) => ({
    status: 200,
    body: { crash: {}, enabled: true, project: { id: project } },
  })
  stage.world.config = configOf('prj_1')
  const first = stage.openTab()
  await settle()
  const hash = await follow(stage, first)
  await first.client._close(0)
  const hashWith = async (publicKey: string, project: string) => {
    stage.world.config = configOf(project)
    const { client } = stage.openTab({ publicKey })
    const sent = client._capture({ title: 'Later' })
    for (let time = 0; time < 5; time++) await stage.world.pass(100)
    await sent
    await client._close(0)
    return stage.world.received.at(-1)?.reporterKeyHash
  }
  expect(await hashWith(`${PUBLIC_KEY}2`, 'prj_1')).toBe(hash)
  expect(await hashWith(`${PUBLIC_KEY}3`, 'prj_2')).not.toBe(hash)
  expect(await hashWith(PUBLIC_KEY, 'prj_1')).toBe(hash)
})

test('a reply is shown with its badge, offline too, until it is read', async () => {
  const stage = setStage()
  const first = stage.openTab()
  const changed = vi.fn()
  first.conversations.subscribe(changed)
  const hash = await follow(stage, first)
  expect(first.conversations.read()).toEqual({ reports: [REPORT], unreadCount: 0, isCurrent: true })
  const before = first.conversations.read()
  expect(first.conversations.read()).toBe(before)
  replyTo(stage, hash)
  changed.mockClear()
  await first.conversations.refresh()
  expect(changed).toHaveBeenCalled()
  expect(first.conversations.read()).not.toBe(before)
  expect(first.conversations.read().unreadCount).toBe(1)
  await first.client._close(0)

  stage.mailbox.fault = 'unreachable'
  const { conversations } = stage.openTab()
  await settle()
  expect(conversations.read().unreadCount).toBe(1)
  expect(conversations.readMessages('rep_1')).toEqual({ messages: [REPLY], hasEarlier: false })
  conversations.markRead('rep_1')
  expect(conversations.read().unreadCount).toBe(0)
  await settle()
  expect(stage.mailbox.seen.at(-1)).toMatchObject({ line: 'PUT /reports/rep_1/read', status: 0 })

  stage.mailbox.fault = undefined
  await stage.world.pass(10_000)
  expect(
    stage.mailbox.seen.filter(({ line, status }) => line.startsWith('PUT') && status === 204),
  ).toHaveLength(1)
  expect([...stage.mailbox.stored.keys()].filter((id) => id.startsWith('read-'))).toEqual([])
})

test('a listener may mark replies as read, also while newer ones have not been received yet', async () => {
  const stage = setStage()
  const tab = stage.openTab()
  const hash = await follow(stage, tab)
  replyTo(stage, hash)
  const marked = vi.fn(() => tab.conversations.markRead('rep_1'))
  tab.conversations.subscribe(marked)
  await tab.conversations.refresh()
  const createdAt = '2026-11-15T12:40:00.000Z'
  stage.mailbox.messages.set('rep_1', [REPLY, { ...REPLY, id: 'reply-2', createdAt }])
  stage.mailbox.reports.set(hash, [{ ...REPORT, replyCount: 2, unreadCount: 1, lastReplyAt: createdAt }])
  await tab.conversations.refresh()
  await settle()
  expect(tab.conversations.read().unreadCount).toBe(0)
  expect(marked.mock.calls.length).toBeLessThan(20)
  const sent = stage.mailbox.seen.filter(({ line }) => line.startsWith('PUT'))
  expect(sent.length).toBeGreaterThanOrEqual(2)
  expect(sent.length).toBeLessThanOrEqual(3)
})

test('a message that is written offline is stored, and sent once', async () => {
  const stage = setStage()
  const first = stage.openTab()
  await follow(stage, first)
  stage.mailbox.fault = 'unreachable'
  const result = await first.conversations.send('rep_1', ' A Pixel 9\0 ')
  expect(result).toMatchObject({ status: 'queued' })
  expect(first.conversations.readMessages('rep_1').messages).toMatchObject([
    { text: 'A Pixel 9', state: 'queued' },
  ])
  expect(await first.client._flush(0)).toBe(false)
  await first.client._close(0)

  stage.mailbox.fault = undefined
  const second = stage.openTab()
  await settle()
  await stage.world.pass(10_000)
  expect(stage.mailbox.messages.get('rep_1')).toMatchObject([
    { id: 'id' in result && result.id, text: 'A Pixel 9' },
  ])
  expect(await second.client._flush(0)).toBe(true)
  expect(
    stage.mailbox.seen.filter(({ line, status }) => line.startsWith('POST') && status === 201),
  ).toHaveLength(1)
  const [message] = second.conversations.readMessages('rep_1').messages
  expect(message).toMatchObject({ text: 'A Pixel 9' })
  expect(message).not.toHaveProperty('state')
})

test('messages are bounded, and those that the server refuses are shown until they are discarded', async () => {
  const stage = setStage()
  const { conversations } = await followed(stage)
  const invalid = { status: 'dropped', reason: 'invalid' }
  expect(await conversations.send('rep_1', ' \n')).toEqual(invalid)
  expect(await conversations.send('rep_2', 'Not mine')).toEqual(invalid)
  expect(await conversations.send('rep_1', 'x'.repeat(MAX_MESSAGE_CHARS + 1))).toEqual(invalid)
  expect(await conversations.send('rep_1', '👻'.repeat(MAX_MESSAGE_CHARS))).toMatchObject({ status: 'sent' })

  stage.mailbox.messageFault = { status: 409, body: { code: 'limit-reached' } }
  expect(await conversations.send('rep_1', 'One too many')).toEqual({ status: 'dropped', reason: 'refused' })
  const refused = conversations.readMessages('rep_1').messages.find(({ state }) => state === 'refused')
  expect(refused).toMatchObject({ text: 'One too many' })
  conversations.discard(`${refused?.id}`)
  expect(conversations.readMessages('rep_1').messages.filter(({ state }) => state)).toEqual([])

  stage.mailbox.messageFault = { status: 422 }
  for (let count = 0; count < 60; count++) await conversations.send('rep_1', `${count}`)
  const stored = () => [...stage.mailbox.stored.keys()].filter((id) => id.startsWith('message-'))
  expect(stored()).toHaveLength(50)
  stage.mailbox.messageFault = undefined
  stage.mailbox.fault = 'unreachable'
  for (let count = 0; count < 50; count++)
    expect(await conversations.send('rep_1', `${count}`)).toMatchObject({ status: 'queued' })
  expect(await conversations.send('rep_1', 'Full')).toEqual({ status: 'dropped', reason: 'overflow' })
  expect(stored()).toHaveLength(50)
})

test('what a hostile server responds is not stored', async () => {
  const stage = setStage()
  const tab = stage.openTab()
  const hash = await follow(stage, tab, { id: '../../evil' })
  expect(tab.conversations.read().reports).toEqual([])
  stage.mailbox.reports.set(hash, [{ ...REPORT, title: 'Right' }])
  await tab.conversations.refresh()
  for (const body of [null, 'text', [], { data: 1 }, { data: null }]) {
    stage.mailbox.fault = { status: 200, body }
    expect(await tab.conversations.refresh()).toBe(false)
    expect(tab.conversations.read().reports).toMatchObject([{ title: 'Right' }])
  }
  stage.mailbox.fault = { status: 200, body: { data: [null, 1, { id: 'rep_1' }, { id: 'rep_1', text: 2 }] } }
  tab.conversations.open('rep_1')
  await settle()
  expect(tab.conversations.read().reports).toEqual([{ id: 'rep_1' }, { id: 'rep_1', text: 2 }])
  expect(tab.conversations.readMessages('rep_1').messages).toEqual([])
  stage.mailbox.fault = undefined
  expect(await tab.conversations.refresh()).toBe(true)
  expect(tab.conversations.read().reports).toMatchObject([{ title: 'Right' }])
})

test('what is kept for offline use is bounded, and the secrets of all stay', async () => {
  const stage = setStage()
  const tab = stage.openTab()
  const countStored = (start: string) =>
    [...stage.mailbox.stored.keys()].filter((id) => id.startsWith(start)).length
  const reports = Array.from({ length: 15 }, (_, index) => ({
    ...REPORT,
    id: `rep_${index}`,
    lastReplyAt: `2026-11-15T12:${10 + index}:00.000Z`,
  }))
  for (const { id } of reports)
    stage.mailbox.messages.set(id, [{ ...REPLY, text: 'x'.repeat(60_000) }, REPLY])
  for (let user = 0; user < 7; user++) {
    tab.person.id = `user-${user}`
    const hash = await follow(stage, tab)
    stage.mailbox.reports.set(hash, reports)
    expect(await tab.conversations.refresh()).toBe(true)
    expect(tab.conversations.read().reports).toHaveLength(15)
    await stage.world.pass(1_000)
  }
  expect([countStored('reporter-'), countStored('reports-')]).toEqual([7, 5])
  expect(countStored('conversation-')).toBe(50)
  expect(tab.conversations.readMessages('rep_14').messages).toHaveLength(2)
  // The oldest conversations are read when they are opened.
  expect(tab.conversations.readMessages('rep_0').messages).toEqual([])
  tab.conversations.open('rep_0')
  await settle()
  expect(tab.conversations.readMessages('rep_0').messages).toHaveLength(2)
})

test('a long conversation is stored from its end', async () => {
  const stage = setStage()
  const tab = stage.openTab()
  const hash = await follow(stage, tab)
  const long = { ...REPLY, text: 'x'.repeat(40_000) }
  stage.mailbox.messages.set('rep_1', [{ ...long, id: 'first' }, { ...long, id: 'second' }, REPLY])
  stage.mailbox.reports.set(hash, [{ ...REPORT, lastReplyAt: REPLY.createdAt }])
  await tab.conversations.refresh()
  const { messages, hasEarlier } = tab.conversations.readMessages('rep_1')
  expect([messages.map(({ id }) => id), hasEarlier]).toEqual([['second', 'reply-1'], true])
})

test('after close there is no timer, no watcher and no request', async () => {
  const stage = setStage()
  const { client } = await followed(stage)
  await client._close(0)
  const count = stage.mailbox.seen.length
  expect([stage.world.countTimers(), stage.world.countWatchers()]).toEqual([0, 0])
  await stage.world.pass(3_600_000)
  expect(stage.mailbox.seen).toHaveLength(count)
})
