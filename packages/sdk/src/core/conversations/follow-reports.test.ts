import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { addMailbox, type FakeMailbox } from '../../../test-support/fake-mailbox.ts'
import { ACCEPTED, createWorld, settle, type World } from '../../../test-support/fake-world.ts'
import type { Client } from '../client.ts'
import { createMemoryFileStore } from '../files/file-store.ts'
import { addFiles } from '../files/files.ts'
import type { InitOptions, Report, Reporter } from '../types.ts'
import { createConversations } from './conversations.ts'

interface Stage {
  readonly world: World
  readonly mailbox: FakeMailbox
  /** The person who uses the app. */
  readonly shared: { _user?: Reporter | undefined }
  start(options?: Partial<InitOptions>): Client
}

function setStage(): Stage {
  const world = createWorld()
  const mailbox = addMailbox(world)
  const shared: Stage['shared'] = {}
  return {
    world,
    mailbox,
    shared,
    start(options) {
      const client = world.start(options, shared)
      createConversations(client, mailbox.openTab(), () => shared._user?.id)
      return client
    },
  }
}

/** Starts a client that cannot read what earlier starts have stored until `open` is called. */
function startClosed({ world, mailbox, shared }: Stage) {
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const tab = mailbox.openTab()
  const { _store: store } = tab
  const client = world.start({}, shared)
  const readAll = () => gate.then(store._readAll)
  createConversations(client, { ...tab, _store: { ...store, _readAll: readAll } }, () => shared._user?.id)
  return { client, open }
}

const storedReports = ({ world }: Stage) =>
  [...world.stored.values()].map((text) => JSON.parse(text) as Report).filter((report) => report.title)

const storedSecrets = ({ mailbox }: Stage) =>
  [...mailbox.stored]
    .filter(([id]) => id.startsWith('reporter-'))
    .map(([, text]) => (JSON.parse(text) as { readonly secret: string }).secret)

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')

const hashes = ({ world }: Stage) => world.received.map(({ reporterKeyHash }) => reporterKeyHash)

describe('the first report of a person', () => {
  test('is stored with its hash and the secret when the call returns', async () => {
    const stage = setStage()
    const client = stage.start()
    await settle()
    const result = client._capture({ title: 'Blank' })
    const [secret = ''] = storedSecrets(stage)
    expect(storedReports(stage)).toMatchObject([{ title: 'Blank', reporterKeyHash: hashOf(secret) }])
    expect(await result).toMatchObject({ status: 'sent' })
    expect(hashes(stage)).toEqual([hashOf(secret)])
  })

  test('is stored when the call returns, and sent with its hash once the device was read', async () => {
    const stage = setStage()
    const { client, open } = startClosed(stage)
    const results = [client._capture({ title: 'Blank' }), client._capture({ title: 'Again' })]
    expect(storedReports(stage).map(({ title }) => title)).toEqual(['Blank', 'Again'])
    for (const report of storedReports(stage)) expect(report).not.toHaveProperty('reporterKeyHash')
    await settle()
    expect(stage.world.received).toEqual([])
    open()
    for (const result of results) expect(await result).toMatchObject({ status: 'sent' })
    const [secret = ''] = storedSecrets(stage)
    expect(hashes(stage)).toEqual([hashOf(secret), hashOf(secret)])
    expect(storedReports(stage)).toEqual([])
  })

  test('is sent with its hash, although earlier reports are sent while the device is read', async () => {
    const stage = setStage()
    stage.world.answer = () => undefined
    const before = stage.start()
    await before._capture({ title: 'Earlier' })
    await before._close(0)
    stage.world.received.length = 0
    stage.mailbox.stored.clear()
    const { client, open } = startClosed(stage)
    stage.world.answer = async ({ title }) => {
      if (title === 'Earlier') {
        open()
        await settle()
      }
      return ACCEPTED
    }
    expect(await client._capture({ title: 'Blank' })).toMatchObject({ status: 'sent' })
    expect(stage.world.received.map(({ title }) => title)).toEqual(['Earlier', 'Blank'])
    const [secret = ''] = storedSecrets(stage)
    expect(hashes(stage)[1]).toBe(hashOf(secret))
  })

  test('has the secret that is already on the device, although local storage was cleared', async () => {
    const stage = setStage()
    const first = stage.start()
    await first._capture({ title: 'Before' })
    await first._close(0)
    const tab = stage.mailbox.openTab()
    const client = stage.world.start()
    createConversations(client, { ...tab, _store: { ...tab._store, _readNow: () => null } }, () => undefined)
    expect(await client._capture({ title: 'After' })).toMatchObject({ status: 'sent' })
    expect(storedSecrets(stage)).toHaveLength(1)
    expect(new Set(hashes(stage)).size).toBe(1)
  })

  test('is in the queue of the next start if the process ends', async () => {
    const stage = setStage()
    const { client } = startClosed(stage)
    void client._capture({ title: 'Last words' })
    client._sender._stop()
    const next = stage.start()
    expect(await next._flush(0)).toBe(true)
    expect(stage.world.received).toMatchObject([{ title: 'Last words' }])
    expect(stage.world.received[0]).not.toHaveProperty('reporterKeyHash')
  })

  test('is sent once, without a hash, if the page is hidden before the device was read', async () => {
    const stage = setStage()
    const { client, open } = startClosed(stage)
    await settle()
    const result = client._capture({ title: 'Leaving' })
    stage.world.happen('hide')
    await settle()
    expect(stage.world.received).toMatchObject([{ title: 'Leaving' }])
    open()
    expect(await result).toMatchObject({ status: 'sent' })
    await stage.world.pass(3_600_000)
    expect(hashes(stage)).toEqual([undefined])
    expect(storedReports(stage)).toEqual([])
  })

  test('has its hash if the page was hidden while the server was unreachable', async () => {
    const stage = setStage()
    const { client, open } = startClosed(stage)
    await settle()
    stage.world.answer = () => undefined
    const result = client._capture({ title: 'Offline' })
    stage.world.happen('hide')
    await settle()
    open()
    await settle()
    stage.world.answer = () => ({ status: 201, body: { id: 'iss_1', issueNumber: 1 } })
    await stage.world.pass(10_000)
    await result
    expect(hashes(stage).at(-1)).toBe(hashOf(`${storedSecrets(stage)[0]}`))
  })

  test('is one of two tabs, which use one secret', async () => {
    const stage = setStage()
    const tabs = [stage.start(), stage.start()]
    await settle()
    await Promise.all(tabs.map((client) => client._capture({ title: 'Blank' })))
    expect(storedSecrets(stage)).toHaveLength(1)
    expect(new Set(hashes(stage)).size).toBe(1)
  })

  test('keeps its hash with a beforeSend that takes its time', async () => {
    const stage = setStage()
    const client = stage.start({ beforeSend: async (content) => content })
    await client._capture({ title: 'Slow' })
    expect(hashes(stage)).toEqual([hashOf(`${storedSecrets(stage)[0]}`)])
  })

  test('has none if beforeSend removes it', async () => {
    const stage = setStage()
    const client = stage.start({ beforeSend: ({ reporterKeyHash: _, ...content }) => content })
    for (const id of ['ada', 'bob']) {
      stage.shared._user = { id }
      await client._capture({ title: `Of ${id}` })
      await settle()
    }
    expect(hashes(stage)).toEqual([undefined, undefined])
  })
})

describe('flush and close', () => {
  test('wait for the hash of a report', async () => {
    for (const how of ['_flush', '_close'] as const) {
      const stage = setStage()
      const { client, open } = startClosed(stage)
      await settle()
      void client._capture({ title: 'Blank' })
      let hasEnded = false
      const ending = client[how](5_000).then((result) => {
        hasEnded = true
        return result
      })
      await settle()
      expect(hasEnded).toBe(false)
      open()
      expect(await ending).toBe(how === '_flush' ? true : undefined)
      expect(hashes(stage)).toEqual([hashOf(`${storedSecrets(stage)[0]}`)])
    }
  })

  test('do not wait longer than they may, and leave the report in the queue', async () => {
    const stage = setStage()
    const { client } = startClosed(stage)
    await settle()
    void client._capture({ title: 'Blank' })
    const closing = client._close(500)
    for (let time = 0; time < 5; time++) await stage.world.pass(500)
    await closing
    expect(stage.world.received).toEqual([])
    expect(storedReports(stage)).toMatchObject([{ title: 'Blank' }])
  })
})

describe('a report', () => {
  const hashOfPerson = async ({ world }: Stage, client: Client): Promise<string> => {
    await client._capture({ title: 'Whose?' })
    return `${world.received.at(-1)?.reporterKeyHash}`
  }

  test.each(['before the device was read', 'later'])('is of the person who has sent it: %s', async (when) => {
    const stage = setStage()
    stage.shared._user = { id: 'ada', name: 'Ada' }
    const client = stage.start()
    if (when === 'later') await settle()
    const result = client._capture({ title: 'Of Ada' })
    stage.shared._user = { id: 'bob', name: 'Bob' }
    client._onUser?.()
    await result
    const [report] = stage.world.received
    expect(report).toMatchObject({ title: 'Of Ada', reporter: { id: 'ada', name: 'Ada' } })
    expect(await hashOfPerson(stage, client)).not.toBe(report?.reporterKeyHash)
    stage.shared._user = { id: 'ada' }
    expect(await hashOfPerson(stage, client)).toBe(report?.reporterKeyHash)
  })

  test.each([
    ['conversations', undefined],
    ['conversations', { id: 'ada' }],
    ['files', undefined],
    ['files', { id: 'ada' }],
  ])('is of the person who has sent it, although files delay it: %s first, of %j', async (first, user) => {
    const stage = setStage()
    stage.shared._user = user
    const { world, mailbox, shared } = stage
    const { fetch } = world.platform
    world.platform.fetch = (url, request) =>
      request.method === 'PUT' ? Promise.resolve(Response.json({ id: 'att_1' })) : fetch(url, request)
    const client = world.start({}, shared)
    if (first === 'files') addFiles(client, createMemoryFileStore())
    createConversations(client, mailbox.openTab(), () => shared._user?.id)
    if (first !== 'files') addFiles(client, createMemoryFileStore())
    const attachments = [{ name: 'a.txt', content: 'a' }]
    const result = client._capture({ title: 'With a file', attachments })
    shared._user = { id: 'bob', name: 'Bob' }
    await result
    const [report] = world.received
    expect(report?.reporter).toEqual(user)
    expect(await hashOfPerson(stage, client)).not.toBe(report?.reporterKeyHash)
    shared._user = user
    expect(await hashOfPerson(stage, client)).toBe(report?.reporterKeyHash)
  })
})

test('the secret is not sent to another server by a redirect', async () => {
  const stage = setStage()
  const redirects = new Set<unknown>()
  const { fetch } = stage.world.platform
  stage.world.platform.fetch = (url, request) => {
    if (Object.keys(request.headers ?? {}).some((name) => /^bugle-reporter$/i.test(name)))
      redirects.add(request.redirect)
    return fetch(url, request)
  }
  const client = stage.start()
  await client._capture({ title: 'Blank' })
  await settle()
  expect(redirects).toEqual(new Set(['error']))
})
