import { describe, expect, test } from 'vitest'
import { ACCEPTED, createWorld, settle } from '../../test-support/fake-world.ts'

describe('the queue', () => {
  test('gives up the oldest crash reports first when it is full, and counts them', async () => {
    const world = createWorld()
    world.answer = () => undefined
    const client = world.start()
    for (let number = 0; number < 3; number++) {
      await client.capture({ title: `crash ${number}`, fingerprint: `f${number}` })
      await world.pass(1)
    }
    for (let number = 0; number < 49; number++) await client.capture({ title: `report ${number}` })
    const titles = [...world.stored.values()].map((text) => JSON.parse(text).title)
    expect(titles).toHaveLength(50)
    expect(titles).not.toContain('crash 0')
    expect(titles).not.toContain('crash 1')
    expect(titles).toContain('crash 2')
    expect(titles).toContain('report 0')
  })

  test('forgets what is older than thirty days, and what nobody can read', async () => {
    const world = createWorld()
    world.answer = () => undefined
    const client = world.start()
    await client.capture({ title: 'Old' })
    await client.close(0)
    world.stored.set('half', '{"title": "Ha')
    await world.pass(31 * 86_400_000)
    world.answer = () => ACCEPTED
    const later = world.start()
    await settle()
    await later.capture({ title: 'New' })
    expect(world.stored).toEqual(new Map())
    expect(world.received.at(-1)).toMatchObject({
      title: 'New',
      metadata: { 'bugle.dropped.expired': 1, 'bugle.dropped.unreadable': 1 },
    })
  })

  test('keeps its counts over the end of a page', async () => {
    const world = createWorld()
    world.answer = () => ({ status: 400 })
    await world.start().capture({ title: 'Refused' })
    world.happen('hide')
    world.answer = () => ACCEPTED
    const next = world.start()
    await settle()
    await next.capture({ title: 'After' })
    expect(world.received.at(-1)?.metadata).toEqual({ 'bugle.dropped.refused': 1 })
  })

  test('keeps a fatal report when the call returns', () => {
    const world = createWorld()
    void world.start().capture({ title: 'The end', fingerprint: 'f' }, true)
    expect([...world.stored.values()].map((text) => JSON.parse(text).title)).toEqual(['The end'])
  })

  test('still has a report whose storage was wiped by the host', async () => {
    const world = createWorld()
    world.answer = () => undefined
    const client = world.start()
    await client.capture({ title: 'Logged out' })
    world.stored.clear()
    world.answer = () => ACCEPTED
    expect(await client.flush(1_000)).toBe(true)
    expect(world.received.at(-1)?.title).toBe('Logged out')
  })

  test('waits for the other tab that is sending', async () => {
    const world = createWorld()
    let isTaken = true
    world.platform.runAlone = async (task) => {
      if (!isTaken) await task()
      return !isTaken
    }
    const client = world.start()
    expect(await client.capture({ title: 'Second tab' })).toMatchObject({ status: 'queued' })
    isTaken = false
    await world.pass(5_000)
    expect(world.received).toHaveLength(1)
  })
})
