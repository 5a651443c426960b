import { describe, expect, test, vi } from 'vitest'
import { createWorld, settle } from '../../../test-support/fake-world.ts'
import type { RemoteConfig } from '../types.ts'

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
  test('is fetched in the background and stored for the next start', async () => {
    const world = configured({})
    const client = world.start()
    expect(client._configs._current().body).toBeUndefined()
    await settle()
    expect(client._configs._current().body).toEqual(CONFIG)
    world.config = undefined
    const next = world.start()
    await settle()
    expect(next._configs._current().body).toEqual(CONFIG)
  })

  test('draws a number for the installation once, and keeps it', async () => {
    const world = configured({})
    const client = world.start()
    await settle()
    const drawn = client._configs._current().draw
    const next = world.start()
    await settle()
    expect(next._configs._current().draw).toBe(drawn)
    await world.pass(3_601_000)
    world.happen('wake')
    await settle()
    const third = world.start()
    await settle()
    expect(third._configs._current().draw).toBe(drawn)
  })

  test('that an earlier SDK stored without a number is requested again, and used until then', async () => {
    const world = configured({ features: { shake: false } })
    const now = world.platform._now()
    world.stored.set('config-bgl_pub_test', JSON.stringify({ body: CONFIG, now }))
    const client = world.start()
    await client._configs._adopted
    expect(client._configs._current().body?.features).toEqual({ shake: true })
    await settle()
    expect(client._configs._current().body?.features).toEqual({ shake: false })
    const next = world.start()
    await settle()
    expect(next._configs._current().draw).toBe(client._configs._current().draw)
  })

  test('is requested again only when it is old enough, and a failure keeps the last valid one', async () => {
    const world = configured({})
    const client = world.start()
    await settle()
    world.config = { status: 200, body: { ...CONFIG, features: { shake: false } } }
    world.happen('wake')
    await settle()
    expect(client._configs._current().body?.features).toEqual({ shake: true })
    world.config = { status: 500 }
    await world.pass(3_601_000)
    world.happen('wake')
    await settle()
    expect(client._configs._current().body?.features).toEqual({ shake: true })
  })

  test.each([
    { status: 200, body: '<html>' },
    { status: 200, body: {} },
    { status: 200, body: null },
    undefined,
  ])('stays unknown if the response is %j', async (answer) => {
    const world = createWorld()
    world.config = answer
    const client = world.start()
    await settle()
    expect(client._configs._current().body).toBeUndefined()
    expect(await client._capture({ title: 'All the same' })).toMatchObject({ status: 'sent' })
  })

  test('that never arrives delays nothing, and times out after five seconds', async () => {
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
    expect(await client._capture({ title: 'Meanwhile' })).toMatchObject({ status: 'sent' })
    expect(isAborted).toBe(false)
    await world.pass(5_000)
    expect([isAborted, world.countTimers()]).toEqual([true, 0])
  })

  test('keeps reports of earlier starts in the queue while the server accepts none', async () => {
    const world = configured({})
    world.answer = () => undefined
    await world.start()._capture({ title: 'Before' })
    world.config = { status: 200, body: { ...CONFIG, enabled: false } }
    await world.pass(3_601_000)
    const sent = world.received.length
    const client = world.start()
    await settle()
    expect(client._configs._blockedBy()).toBe('disabled')
    await client._flush(100)
    await client._flush(100)
    expect(world.received.length).toBeLessThanOrEqual(sent + 1)
    expect(world.stored.size).toBe(2)

    // After a restart nothing is sent, because the cached response applies first.
    const told = world.received.length
    await world.start()._flush(100)
    expect(world.received.length).toBe(told)
  })

  test('that requires a newer SDK keeps reports by people until there is one', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    const world = configured({ minSdkVersion: '9.0.0' })
    const client = world.start()
    await settle()
    expect(await client._capture({ title: 'Patience' })).toMatchObject({
      status: 'queued',
      reason: 'sdk-outdated',
    })
    expect(world.received).toEqual([])
    expect(world.stored.size).toBe(2)
    expect(warn.mock.calls).toEqual([['[bugle] SDK older than 9.0.0']])
    warn.mockRestore()
  })
})
