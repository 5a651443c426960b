import { describe, expect, test } from 'vitest'
import { ACCEPTED, createWorld, settle } from '../../../test-support/fake-world.ts'
import { overflowOf } from './queue.ts'

const REPORT = {
  title: 'Title',
  publicKey: 'bgl_pub_test',
  submissionId: 'id',
  occurredAt: '2026-11-15T12:00:00.000Z',
  sdk: { name: 'test', version: '0' },
}

describe('the queue', () => {
  test('drops the oldest crash reports first when it is full, and counts them', async () => {
    const world = createWorld()
    world.answer = () => undefined
    const client = world.start()
    for (let number = 0; number < 3; number++) {
      await client._capture({ title: `crash ${number}`, exception: [{ type: 'Error' }] })
      await world.pass(1)
    }
    for (let number = 0; number < 199; number++) await client._capture({ title: `report ${number}` })
    const titles = [...world.stored.values()].flatMap((text) => JSON.parse(text).title ?? [])
    expect(titles).toHaveLength(200)
    expect(titles).not.toContain('crash 0')
    expect(titles).not.toContain('crash 1')
    expect(titles).toContain('crash 2')
    expect(titles).toContain('report 0')
  })

  test('has room for two million bytes, and drops crash reports first', () => {
    const reports = Array.from({ length: 60 }, (_, number) => ({
      ...REPORT,
      title: `report ${number}`,
      description: 'é'.repeat(16_000) + 'd'.repeat(2_000),
      exception: number === 50 ? [{ type: 'Error' }] : undefined,
    }))
    const titles = overflowOf(reports).map(({ title }) => title)
    expect(titles).toHaveLength(21)
    expect(titles).toContain('report 50')
    expect(titles).toContain('report 19')
    expect(titles).not.toContain('report 20')
  })

  test('accepts any burst that a healthy server accepts', async () => {
    const world = createWorld()
    const client = world.start()
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, number) => client._capture({ title: `burst ${number}` })),
    )
    expect(results.every(({ status }) => status === 'sent')).toBe(true)
    expect(world.received).toHaveLength(300)
  })

  test('has a limit while there is no response', async () => {
    const world = createWorld()
    world.platform.fetch = () => new Promise(() => {})
    const client = world.start()
    for (let number = 0; number < 1_000; number++) void client._capture({ title: `loop ${number}` })
    expect(await client._capture({ title: 'one more' })).toMatchObject({ reason: 'overflow' })
    expect([...world.stored.keys()].filter((id) => /^[\da-f-]{36}$/.test(id))).toHaveLength(1_000)
  })

  test('deletes entries that cannot be read', async () => {
    const world = createWorld()
    world.stored.set('half', '{"title": "Ha')
    const client = world.start()
    await settle()
    await client._capture({ title: 'New' })
    expect(world.stored).toEqual(new Map())
    expect(world.received.at(-1)?.metadata).toEqual({ 'bugle.dropped.unreadable': 1 })
  })

  test('has a report in the store when the call returns', () => {
    const world = createWorld()
    void world.start()._capture({ title: 'The end', fingerprint: 'f' })
    expect([...world.stored.values()].map((text) => JSON.parse(text).title)).toEqual(['The end'])
  })

  test('still has a report after the host has cleared the storage', async () => {
    const world = createWorld()
    world.answer = () => undefined
    const client = world.start()
    await client._capture({ title: 'Logged out' })
    world.stored.clear()
    world.answer = () => ACCEPTED
    expect(await client._flush(1_000)).toBe(true)
    expect(world.received.at(-1)?.title).toBe('Logged out')
  })

  test('waits for the other tab that is sending', async () => {
    const world = createWorld()
    let isTaken = true
    world.platform._runAlone = async (task) => {
      if (!isTaken) await task()
      return !isTaken
    }
    const client = world.start()
    expect(await client._capture({ title: 'Second tab' })).toMatchObject({ status: 'queued' })
    isTaken = false
    await world.pass(5_000)
    expect(world.received).toHaveLength(1)
  })
})
