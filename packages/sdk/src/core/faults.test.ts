import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createWorld, PUBLIC_KEY, settle } from '../../test-support/fake-world.ts'
import { close, flush, report, start } from './api.ts'
import { captureException } from './crash/capture-exception.ts'
import type { Platform, Store } from './platform.ts'

/** The ways in which a function of the host can fail. */
const THROWS = {
  throws: () => {
    throw new Error('patched by the host')
  },
}
const FAULTS = {
  ...THROWS,
  rejects: () => Promise.reject(new Error('denied')),
  'never responds': () => new Promise(() => {}),
}

/** Every function of the platform, with the faults it can have. */
const PLATFORM_CALLS = {
  _readDevice: { ...THROWS, ...withFaultySystem() },
  _openStore: THROWS,
  _runAlone: FAULTS,
  _watchLife: { ...THROWS, 'returns what throws': () => THROWS.throws },
  _isOnline: THROWS,
  _isDevelopment: THROWS,
  fetch: FAULTS,
  _later: THROWS,
  _wait: THROWS,
  _random: THROWS,
} satisfies Partial<Record<keyof Platform, object>>
const STORE_CALLS = {
  _put: FAULTS,
  _putNow: THROWS,
  _readNow: THROWS,
  _remove: FAULTS,
  _readAll: FAULTS,
} satisfies Record<Exclude<keyof Store, '_isVolatile'>, object>

function withFaultySystem() {
  return {
    'promises what is rejected': () => ({ _known: {}, _soon: FAULTS.rejects() }),
    'promises what never comes': () => ({ _known: {}, _soon: FAULTS['never responds']() }),
  }
}

const escaped: unknown[] = []
const note = (reason: unknown) => escaped.push(reason)
beforeEach(() => {
  escaped.length = 0
  process.on('unhandledRejection', note)
})
afterEach(() => {
  process.off('unhandledRejection', note)
})

const CASES = [
  ...list(PLATFORM_CALLS).map((fault) => ({
    ...fault,
    breaks: (platform: Platform): Platform => ({ ...platform, [fault.call]: fault.broken }),
  })),
  ...list(STORE_CALLS).map((fault) => ({
    ...fault,
    breaks: (platform: Platform): Platform => ({
      ...platform,
      _openStore: () => ({ ...platform._openStore(), [fault.call]: fault.broken }),
    }),
  })),
]

function list(calls: Readonly<Record<string, Readonly<Record<string, () => unknown>>>>) {
  return Object.entries(calls).flatMap(([call, faults]) =>
    Object.entries(faults).map(([fault, broken]) => ({ call, fault, broken })),
  )
}

describe.each(CASES)('when $call $fault', ({ call, breaks }) => {
  test('the host sees neither an exception nor a rejection, and what can be sent is sent', async () => {
    const world = createWorld()
    start({ endpoint: 'https://bugs.example', publicKey: PUBLIC_KEY }, () => breaks(world.platform))
    const reported = report({ title: 'Through it all' })
    // Most of them are limited as a crash storm; this test only checks that it finishes.
    const captured = captureException(new Error('and this'), { isFatal: true })
    world.happen('hide')
    world.happen('wake')
    for (let turn = 0; turn < 12; turn++) await world.pass(5_000)
    expect(['sent', 'queued']).toContain((await reported).status)
    await captured

    const ends = [flush(10), close(10)]
    for (let turn = 0; turn < 8; turn++) await world.pass(5_000)
    await Promise.all(ends)
    await settle()
    expect(world.received.some(({ title }) => title === 'Through it all')).toBe(call !== 'fetch')
    expect(escaped).toEqual([])
  })
})

describe('a host that misuses the functions', () => {
  test.each([null, undefined, 42, {}, { title: '' }, { title: '  ' }, { title: 7 }])(
    'gets a dropped report for %j',
    async (input) => {
      const world = createWorld()
      start({ endpoint: 'https://bugs.example', publicKey: PUBLIC_KEY }, () => world.platform)
      expect(await report(input as never)).toMatchObject({ status: 'dropped' })
      await close(0)
      expect(escaped).toEqual([])
    },
  )

  test('gets a dropped report before init, and its count is sent with the first one after', async () => {
    expect(await report({ title: 'Too early' })).toEqual({ status: 'dropped', reason: 'not-initialised' })
    expect(await captureException(new Error('early'))).toMatchObject({ reason: 'not-initialised' })
    const world = createWorld()
    start({ endpoint: 'https://bugs.example', publicKey: PUBLIC_KEY }, () => world.platform)
    await report({ title: 'In time' })
    expect(world.received[0]?.metadata).toMatchObject({ 'bugle.dropped.not-initialised': 2 })
    await close(0)
  })

  test('can throw a value that throws when it is read', async () => {
    const world = createWorld()
    start({ endpoint: 'https://bugs.example', publicKey: PUBLIC_KEY }, () => world.platform)
    const hostile = {
      get message() {
        throw new Error('gotcha')
      },
    }
    expect(await captureException(hostile)).toEqual({ status: 'dropped', reason: 'internal' })
    await close(0)
  })

  test('clicks twice and reports once', async () => {
    const world = createWorld()
    start({ endpoint: 'https://bugs.example', publicKey: PUBLIC_KEY }, () => world.platform)
    const [first, second] = await Promise.all([report({ title: 'Click' }), report({ title: 'Click' })])
    expect(second).toEqual({ ...first, isRepeat: true })
    expect(world.received).toHaveLength(1)
    await close(0)
  })

  test('reports with metadata and a fingerprint, which make two reports different', async () => {
    const world = createWorld()
    start({ endpoint: 'https://bugs.example', publicKey: PUBLIC_KEY }, () => world.platform)
    const circular: Record<string, unknown> = { screen: 'Settings' }
    circular['self'] = circular
    const all = [{ id: 1 }, { id: 2 }, { id: 2 }, circular as never, circular as never]
    const results = []
    for (const metadata of all)
      results.push(await report({ title: 'Sync failed', fingerprint: 'sync', metadata }))
    expect(results.map(({ status, isRepeat = false }) => [status, isRepeat])).toEqual([
      ['sent', false],
      ['sent', false],
      ['sent', true],
      ['sent', false],
      ['sent', false],
    ])
    expect(results[3]?.trimmed).toEqual(['metadata.self'])
    expect(world.received.map(({ fingerprint, metadata }) => [fingerprint, metadata])).toEqual([
      ['sync', { id: 1 }],
      ['sync', { id: 2 }],
      ['sync', { screen: 'Settings' }],
      ['sync', { screen: 'Settings' }],
    ])
    await close(0)
  })

  test('starts twice gets a warning, and keeps the first client', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    const [first, second] = [createWorld(), createWorld()]
    for (const { platform } of [first, second])
      start({ endpoint: 'https://bugs.example', publicKey: PUBLIC_KEY }, () => platform)
    expect(warn.mock.calls).toEqual([['[bugle] init called twice']])
    warn.mockRestore()
    expect(await report({ title: 'Once' })).toMatchObject({ status: 'sent' })
    expect([first.received.length, second.received.length, second.countWatchers()]).toEqual([1, 0, 0])
    await close(0)
  })

  test.each([{}, { endpoint: 'https://x' }, { endpoint: 'https://x', publicKey: 'bgl_sec_x' }, null])(
    'gets a warning about init(%j), which does nothing',
    async (options) => {
      const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
      const world = createWorld()
      start(options as never, () => world.platform)
      expect(warn).toHaveBeenCalledOnce()
      warn.mockRestore()
      expect(await report({ title: 'Nowhere' })).toMatchObject({ reason: 'not-initialised' })
      expect(world.countWatchers()).toBe(0)
    },
  )
})
