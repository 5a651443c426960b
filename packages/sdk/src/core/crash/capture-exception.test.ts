import { afterEach, expect, test, vi } from 'vitest'
import { createWorld, PUBLIC_KEY, settle } from '../../../test-support/fake-world.ts'
import { close, report, start } from '../api.ts'
import type { RemoteConfig } from '../types.ts'
import { captureException, isIgnored } from './capture-exception.ts'

const CONFIG: RemoteConfig = {
  enabled: true,
  minSdkVersion: null,
  latestSdkVersion: '0.1.0',
  features: {},
  categories: ['bug'],
  crash: { enabled: true, sampleRate: 1 },
  refreshAfterSeconds: 3_600,
}

afterEach(async () => {
  await close(0)
  vi.restoreAllMocks()
})

test.each<[settings: Partial<RemoteConfig>, ofCrashes: object, ofPeople: object]>([
  [{}, { status: 'sent' }, { status: 'sent' }],
  [{ crash: { enabled: false, sampleRate: 1 } }, { reason: 'sampled' }, { status: 'sent' }],
  [{ crash: { enabled: true, sampleRate: 0 } }, { reason: 'sampled' }, { status: 'sent' }],
  [{ minSdkVersion: '9.0.0' }, { reason: 'sdk-outdated' }, { status: 'queued', reason: 'sdk-outdated' }],
  [{ enabled: false }, { reason: 'disabled' }, { reason: 'disabled' }],
])(
  'with the configuration %j, a crash is %j and a report by a person %j',
  async (settings, ofCrashes, ofPeople) => {
    vi.spyOn(console, 'warn').mockReturnValue(undefined)
    const world = createWorld()
    world.config = { status: 200, body: { ...CONFIG, ...settings } }
    start({ endpoint: 'https://bugs.example', publicKey: PUBLIC_KEY }, () => world.platform)
    await settle()
    expect(await captureException(new Error(JSON.stringify(settings)))).toMatchObject(ofCrashes)
    expect(await report({ title: 'From a person' })).toMatchObject(ofPeople)
  },
)

test('a crash has the metadata and the fingerprint that the app gives it, and whether it was handled', async () => {
  const world = createWorld()
  start({ endpoint: 'https://bugs.example', publicKey: PUBLIC_KEY }, () => world.platform)
  await captureException(new Error('x'), {
    fingerprint: 'sync',
    metadata: { screen: 'Settings' },
    isHandled: false,
  })
  await captureException(new Error('y'))
  expect(world.received).toMatchObject([
    { fingerprint: 'sync', metadata: { screen: 'Settings', handled: false } },
    { metadata: { handled: true } },
  ])
  expect(world.received[1]).not.toHaveProperty('fingerprint')
})

test('a share of the crashes is sent', async () => {
  const world = createWorld()
  world.config = { status: 200, body: { ...CONFIG, crash: { enabled: true, sampleRate: 0.5 } } }
  start({ endpoint: 'https://bugs.example', publicKey: PUBLIC_KEY }, () => world.platform)
  await settle()
  vi.spyOn(Math, 'random').mockReturnValueOnce(0.49).mockReturnValueOnce(0.5)
  expect(await captureException('below')).toMatchObject({ status: 'sent' })
  expect(await captureException('above')).toMatchObject({ status: 'dropped', reason: 'sampled' })
})

test.each([
  ['Error: Script error.', false, undefined, true],
  ['Error: ResizeObserver loop limit exceeded', false, undefined, true],
  ['Error: ResizeObserver loop completed with undelivered notifications.', false, [], true],
  ['Error: Script error.', true, undefined, false],
  ['TypeError: x is not a function', false, undefined, false],
  ['TypeError: x is not a function', true, ['not a function'], true],
  ['TypeError: x is not a function', true, [/^TypeError/g], true],
  ['RangeError: x', true, [/^TypeError/g, 'other'], false],
])('%s, handled: %s, with %s, is ignored: %s', (title, isHandled, ignoreErrors, isExpected) => {
  expect([1, 2].map(() => isIgnored(title, isHandled, ignoreErrors))).toEqual([isExpected, isExpected])
})
