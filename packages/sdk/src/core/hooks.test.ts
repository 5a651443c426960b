import { describe, expect, test } from 'vitest'
import { createWorld, settle } from '../../test-support/fake-world.ts'
import type { DropReason, ReportContent } from './types.ts'

describe('beforeSend', () => {
  test('gets the whole report and changes what is stored and sent, within the limits', async () => {
    const world = createWorld()
    const seen: ReportContent[] = []
    const client = world.start({
      appVersion: '2.4.1',
      beforeSend(content) {
        seen.push(content)
        return {
          ...content,
          title: 'x'.repeat(300),
          deviceModel: undefined,
          metadata: { screen: 'settings' },
        }
      },
    })
    await client._capture({ title: 'Private', category: 'bug' })
    expect(seen).toEqual([
      {
        title: 'Private',
        category: 'bug',
        appVersion: '2.4.1',
        platform: 'test',
        osVersion: 'TestOS 1',
        deviceModel: 'Bench',
        context: {},
        reporter: undefined,
      },
    ])
    expect(world.received).toMatchObject([{ category: 'bug', metadata: { screen: 'settings' } }])
    expect(world.received[0]?.title).toHaveLength(256)
    expect(world.received[0]).not.toHaveProperty('deviceModel')
  })

  test.each([
    ['returns null', () => null],
    ['returns nothing', () => undefined],
    [
      'throws',
      () => {
        throw new Error('a mistake of the app')
      },
    ],
    ['resolves to null', async () => null],
    ['rejects', () => Promise.reject(new Error('a mistake of the app'))],
  ])('that %s prevents the report from being stored and sent, and is counted', async (_, beforeSend) => {
    const world = createWorld()
    const client = world.start({ beforeSend })
    expect(await client._capture({ title: 'Secret' })).toEqual({ status: 'dropped', reason: 'before-send' })
    // Only its count.
    expect([...world.stored.keys()]).toEqual(['counts-bgl_pub_test'])
    expect(world.received).toEqual([])
    await client._close(0)

    const next = world.start()
    await settle()
    await next._capture({ title: 'Public' })
    expect(world.received).toMatchObject([{ title: 'Public', metadata: { 'bugle.dropped.before-send': 1 } }])
  })
})

describe('beforeSend that returns a promise', () => {
  test('changes what is stored and sent, with the device and the time of the capture', async () => {
    const world = createWorld()
    const capturedAt = new Date(world.platform._now()).toISOString()
    const client = world.start({
      async beforeSend(content) {
        await world.pass(5_000)
        return { ...content, title: `${content.title}, pseudonymised` }
      },
    })
    const captured = client._capture({ title: 'Private' })
    expect(world.stored.size).toBe(0)
    expect(await captured).toMatchObject({ status: 'sent' })
    expect(world.received).toMatchObject([
      { title: 'Private, pseudonymised', platform: 'test', occurredAt: capturedAt },
    ])
  })

  test('drops a fatal crash, which cannot wait', async () => {
    const world = createWorld()
    const client = world.start({ beforeSend: async (content) => content })
    expect(await client._capture({ title: 'Fatal' }, true)).toEqual({
      status: 'dropped',
      reason: 'before-send',
    })
    expect([...world.stored.keys()]).toEqual(['counts-bgl_pub_test'])
    expect(world.received).toEqual([])
  })

  test('drops the report if it does not settle', async () => {
    const world = createWorld()
    const client = world.start({ beforeSend: () => new Promise(() => {}) })
    const captured = client._capture({ title: 'Never judged' })
    await world.pass(10_000)
    expect(await captured).toEqual({ status: 'dropped', reason: 'before-send' })
  })
})

describe('onDrop', () => {
  test('is called for every dropped report, with its id if it has one', async () => {
    const world = createWorld()
    const heard: [DropReason, string | undefined][] = []
    world.answer = () => ({ status: 400 })
    const client = world.start({ onDrop: (reason, id) => heard.push([reason, id]) })
    const result = await client._capture({ title: 'Refused' })
    expect(heard).toEqual([['refused', result.id]])
    expect(result.id).toMatch(/^[\da-f-]{36}$/)
  })

  test('that throws has no effect', async () => {
    const world = createWorld()
    world.answer = () => ({ status: 400 })
    const client = world.start({
      onDrop() {
        throw new Error('a mistake of the app')
      },
    })
    expect(await client._capture({ title: 'Refused' })).toMatchObject({
      status: 'dropped',
      reason: 'refused',
    })
    expect([...world.stored.keys()]).toEqual(['counts-bgl_pub_test'])
  })
})

test('counts of drops are sent with the next report, whether it joins an issue or creates one', async () => {
  const world = createWorld()
  const client = world.start()
  world.answer = (_, attempt) => ({ status: attempt < 2 ? 200 : 201, body: { id: 'iss_1' } })
  for (const title of ['Joins', 'Opens']) {
    client._core._ledger._drop('repeated')
    await client._capture({ title })
  }
  await client._capture({ title: 'Later' })
  expect(world.received.map(({ metadata }) => metadata?.['bugle.dropped.repeated'])).toEqual([
    1,
    1,
    undefined,
  ])
})
