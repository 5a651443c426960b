import { describe, expect, test, vi } from 'vitest'
import { createWorld, settle } from '../../test-support/fake-world.ts'
import type { RemoteConfig } from './types.ts'

const CONFIG: RemoteConfig = {
  enabled: true,
  minSdkVersion: null,
  latestSdkVersion: '0.1.0',
  features: { shake: true },
  categories: ['bug'],
  crash: { enabled: true, sampleRate: 1 },
  refreshAfterSeconds: 3_600,
}

function configured(config: Partial<RemoteConfig>) {
  const world = createWorld()
  world.config = { status: 200, body: { ...CONFIG, ...config } }
  return world
}

describe('the configuration', () => {
  test('is fetched in the background and kept for the next start', async () => {
    const world = configured({})
    const client = world.start()
    expect(client.configs.current()).toBeUndefined()
    await settle()
    expect(client.configs.current()).toEqual(CONFIG)
    world.config = undefined
    const next = world.start()
    await settle()
    expect(next.configs.current()).toEqual(CONFIG)
  })

  test('is asked for again only when it is old enough, and a failure keeps the last good one', async () => {
    const world = configured({})
    const client = world.start()
    await settle()
    world.config = { status: 200, body: { ...CONFIG, features: { shake: false } } }
    world.happen('wake')
    await settle()
    expect(client.configs.current()?.features).toEqual({ shake: true })
    world.config = { status: 500 }
    await world.pass(3_601_000)
    world.happen('wake')
    await settle()
    expect(client.configs.current()?.features).toEqual({ shake: true })
  })

  test.each([
    { status: 200, body: '<html>' },
    { status: 200, body: {} },
    { status: 200, body: null },
    undefined,
  ])('stays unknown when the answer is %j', async (answer) => {
    const world = createWorld()
    world.config = answer
    const client = world.start()
    await settle()
    expect(client.configs.current()).toBeUndefined()
    expect(await client.capture({ title: 'All the same' })).toMatchObject({ status: 'sent' })
  })

  test('that never comes holds up nothing, and is given up after five seconds', async () => {
    const world = createWorld()
    const { fetch } = world.platform
    let isAborted = false
    world.platform.fetch = (url, request) => {
      if (!url.endsWith('sdk-config')) return fetch(url, request)
      request.signal?.addEventListener('abort', () => {
        isAborted = true
      })
      return new Promise(() => {})
    }
    const client = world.start()
    expect(await client.capture({ title: 'Meanwhile' })).toMatchObject({ status: 'sent' })
    expect(isAborted).toBe(false)
    await world.pass(5_000)
    expect([isAborted, world.countTimers()]).toEqual([true, 0])
  })

  test('keeps reports of earlier starts unsent while the server wants none', async () => {
    const world = configured({})
    world.answer = () => undefined
    await world.start().capture({ title: 'Before' })
    world.config = { status: 200, body: { ...CONFIG, enabled: false } }
    await world.pass(3_601_000)
    const sent = world.received.length
    const client = world.start()
    await settle()
    expect(client.configs.obstacle()).toBe('disabled')
    await client.flush(100)
    await client.flush(100)
    expect(world.received.length).toBeLessThanOrEqual(sent + 1)
    expect(world.stored.size).toBe(2)

    // From the next start on nothing is sent at all: the cached answer comes first.
    const told = world.received.length
    await world.start().flush(100)
    expect(world.received.length).toBe(told)
  })

  test('that wants a newer SDK keeps what a person wrote until there is one', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    const world = configured({ minSdkVersion: '9.0.0' })
    const client = world.start()
    await settle()
    expect(await client.capture({ title: 'Patience' })).toMatchObject({
      status: 'queued',
      reason: 'sdk-outdated',
    })
    expect(world.received).toEqual([])
    expect(world.stored.size).toBe(2)
    expect(warn.mock.calls).toEqual([['[bugle] the server wants 9.0.0']])
    warn.mockRestore()
  })
})
