import { describe, expect, test } from 'vitest'
import { createWorld, settle } from '../../../test-support/fake-world.ts'
import { findKnownIssues } from './known-issues.ts'

const KNOWN = {
  id: 'iss_1',
  title: 'Settings are blank',
  text: '',
  status: 'open',
  fixedIn: null,
  hasFix: null,
}

describe('a search of known issues', () => {
  test('sends the title and the version of the app, and stores nothing', async () => {
    const world = createWorld()
    world.answer = () => ({ status: 200, body: { data: [KNOWN] } })
    const client = world.start({ appVersion: '2.3.0' })
    await settle()
    const before = [...world.stored]
    expect(await findKnownIssues(client, { title: 'Settings' })).toEqual([KNOWN])
    expect(world.received).toEqual([{ title: 'Settings', appVersion: '2.3.0' }])
    expect([...world.stored]).toEqual(before)
  })

  test.each([
    ['a short title', { title: ' ab ' }, {}],
    ['the category security', { title: 'Settings', category: 'security' }, {}],
    ['something that is no title', { title: undefined as unknown as string }, {}],
    ['a hook that returns null', { title: 'Settings' }, { beforeSend: () => null }],
    [
      'a hook that fails',
      { title: 'Settings' },
      { beforeSend: () => Promise.reject(new Error('a mistake of the app')) },
    ],
    [
      'a hook that sets the category',
      { title: 'Settings' },
      { beforeSend: () => ({ title: 'Settings', category: 'security' }) },
    ],
  ])('sends nothing for %s', async (_, draft, options) => {
    const world = createWorld()
    expect(await findKnownIssues(world.start(options), draft)).toBeUndefined()
    expect(world.received).toEqual([])
  })

  test('sends nothing while offline, if the project is closed, and before the start', async () => {
    const world = createWorld()
    const client = world.start()
    world.isOnline = false
    expect(await findKnownIssues(client, { title: 'Settings' })).toBeUndefined()
    expect(await findKnownIssues(undefined, { title: 'Settings' })).toBeUndefined()

    const closed = createWorld()
    closed.config = { status: 200, body: { enabled: false, crash: {}, minSdkVersion: null } }
    const blocked = closed.start()
    await settle()
    expect(await findKnownIssues(blocked, { title: 'Settings' })).toBeUndefined()
    expect([...world.received, ...closed.received]).toEqual([])
  })

  test('pauses for a minute after a failure', async () => {
    const world = createWorld()
    const client = world.start()
    world.answer = () => ({ status: 429 })
    expect(await findKnownIssues(client, { title: 'Settings' })).toBeUndefined()
    world.answer = () => ({ status: 200, body: { data: [KNOWN] } })
    await world.pass(59_000)
    expect(await findKnownIssues(client, { title: 'Settings' })).toBeUndefined()
    expect(world.received).toHaveLength(1)
    await world.pass(1_000)
    expect(await findKnownIssues(client, { title: 'Settings' })).toEqual([KNOWN])
  })

  test.each([
    ['no list', {}],
    ['no object', 'a page'],
  ])('does not take a response with %s for one of the server', async (_, body) => {
    const world = createWorld()
    world.answer = () => ({ status: 200, body })
    expect(await findKnownIssues(world.start(), { title: 'Settings' })).toBeUndefined()
  })

  test('finds only issues that have all texts', async () => {
    const world = createWorld()
    const others = [
      null,
      1,
      'x',
      { ...KNOWN, id: 1 },
      { id: 'x', title: 'x' },
      { ...KNOWN, status: undefined },
    ]
    world.answer = () => ({ status: 200, body: { data: [...others, KNOWN] } })
    expect(await findKnownIssues(world.start(), { title: 'Settings' })).toEqual([KNOWN])
  })

  test('takes no more than three', async () => {
    const world = createWorld()
    world.answer = () => ({ status: 200, body: { data: Array(9).fill(KNOWN) } })
    expect(await findKnownIssues(world.start(), { title: 'Settings' })).toHaveLength(3)
  })
})

test('a report names the known issue that it is about, within the limit of the server', async () => {
  const world = createWorld()
  const client = world.start()
  await client._capture({ title: 'Settings', knownIssueId: 'iss_1' })
  const result = await client._capture({ title: 'Settings', knownIssueId: 'x'.repeat(99) })
  expect(result).toMatchObject({ status: 'sent', trimmed: ['knownIssueId'] })
  expect(world.received.map(({ knownIssueId }) => knownIssueId)).toEqual(['iss_1', 'x'.repeat(64)])
  await client._capture({ title: 'Settings' })
  expect(world.received[2]).not.toHaveProperty('knownIssueId')
})
