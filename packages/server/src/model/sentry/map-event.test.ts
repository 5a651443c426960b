import { IssueSubmission } from '@bugle/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { isStorableTimestamp } from '../../http/input/timestamps.ts'
import { submissionOfEvent, submissionOfFeedback, submissionOfUserReport } from './map-event.ts'
import type { Fields } from './values.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true, allowUnionTypes: true })
ajv.addFormat('date-time', isStorableTimestamp)
const validate = ajv.compile(IssueSubmission)

function map(event: Fields) {
  const submission = submissionOfEvent(event)
  validate(submission)
  expect(validate.errors ?? []).toEqual([])
  return submission
}

/**
 * What SDKs send, cut to what matters. Each case follows a page of Sentry's developer documentation
 * (develop.sentry.dev/sdk/foundations/envelopes/event-payloads).
 */
const PLATFORMS: Readonly<Record<string, { page: string; event: Fields; expected: object; stack: string }>> =
  {
    'Swift (sentry.cocoa)': {
      page: 'Stack Trace Interface: frames of native code have instruction_addr, image_addr and package',
      event: {
        platform: 'cocoa',
        timestamp: 1_763_200_000.25,
        release: 'com.example.shop@2.4.1+512',
        dist: '512',
        level: 'fatal',
        sdk: { name: 'sentry.cocoa', version: '8.56.0' },
        contexts: {
          os: { name: 'iOS', version: '26.1', build: '23B85' },
          device: { family: 'iOS', model: 'iPhone17,3', arch: 'arm64e', simulator: false },
          app: { app_version: '2.4.1', app_build: '512', app_identifier: 'com.example.shop' },
        },
        exception: {
          values: [
            {
              type: 'EXC_BAD_ACCESS',
              value: 'Attempted to dereference garbage pointer at 0x1f.',
              mechanism: { type: 'mach', handled: false },
              stacktrace: {
                frames: [
                  { function: 'main', package: '/usr/lib/dyld', in_app: false },
                  {
                    function: '$s4Shop4CartC3payyyF',
                    package: '/private/var/Shop.app/Shop',
                    image_addr: '0x104000000',
                    instruction_addr: '0x104001a2c',
                    in_app: true,
                  },
                ],
              },
            },
          ],
        },
      },
      expected: {
        title: 'EXC_BAD_ACCESS: Attempted to dereference garbage pointer at 0x1f.',
        category: 'crash',
        priority: 'high',
        platform: 'ios',
        osVersion: 'iOS 26.1',
        deviceModel: 'iPhone17,3',
        appVersion: '2.4.1',
        buildNumber: '512',
        occurredAt: '2025-11-15T09:46:40.250Z',
        sdk: { name: 'sentry.cocoa', version: '8.56.0' },
      },
      stack: '    at $s4Shop4CartC3payyyF (Shop+0x1a2c)\n    at main (dyld)',
    },
    'Kotlin (sentry.java.android)': {
      page: 'Exception Interface: values are sorted from the oldest to the newest',
      event: {
        platform: 'java',
        timestamp: '2026-11-15T09:46:40.250Z',
        release: 'com.example.shop@2.4.1+512',
        contexts: {
          os: { name: 'Android', version: '16' },
          device: { manufacturer: 'Google', model: 'Pixel 10', family: 'Pixel' },
        },
        exception: {
          values: [
            { type: 'IOException', module: 'java.io', value: 'closed' },
            {
              type: 'IllegalStateException',
              value: 'no cart',
              stacktrace: {
                frames: [
                  {
                    function: 'run',
                    module: 'java.lang.Thread',
                    filename: 'Thread.java',
                    lineno: 1012,
                    in_app: false,
                  },
                  {
                    function: 'pay',
                    module: 'com.example.Cart',
                    filename: 'Cart.kt',
                    lineno: 88,
                    in_app: true,
                  },
                ],
              },
            },
          ],
        },
        user: { id: 'u-1', username: 'ada', ip_address: '{{auto}}' },
      },
      expected: {
        title: 'IllegalStateException: no cart',
        platform: 'android',
        osVersion: 'Android 16',
        deviceModel: 'Pixel 10',
        reporter: { id: 'u-1', name: 'ada' },
      },
      stack: '    at com.example.Cart.pay (Cart.kt:88)\n    at java.lang.Thread.run (Thread.java:1012)',
    },
    'Flutter (sentry.dart.flutter)': {
      page: 'Event Payloads: dist',
      event: {
        platform: 'other',
        release: 'shop@2.4.1+512',
        dist: '513',
        sdk: { name: 'sentry.dart.flutter', version: '9.8.0' },
        contexts: { os: { name: 'android', version: '16' }, runtime: { name: 'Dart', version: '3.10' } },
        exception: {
          values: [
            {
              type: 'StateError',
              value: 'Bad state: No element',
              stacktrace: {
                frames: [
                  {
                    package: 'shop',
                    abs_path: 'package:shop/cart.dart',
                    filename: 'cart.dart',
                    function: 'Cart.pay',
                    lineno: 9,
                    colno: 3,
                    in_app: true,
                  },
                ],
              },
            },
          ],
        },
      },
      expected: {
        platform: 'android',
        appVersion: '2.4.1',
        buildNumber: '513',
        title: 'StateError: Bad state: No element',
      },
      stack: '    at Cart.pay (cart.dart:9:3)',
    },
    'Python (sentry.python)': {
      page: 'Message Interface, and tags as a list of pairs',
      event: {
        platform: 'python',
        logger: 'shop',
        logentry: { message: 'order %s failed', params: ['4711'], formatted: 'order 4711 failed' },
        tags: [['region', 'eu'], ['region', 'us'], 'odd'],
        server_name: 'web-1',
        extra: { attempts: 3, cart: { items: 2 } },
        contexts: { runtime: { name: 'CPython', version: '3.14.0' } },
      },
      expected: {
        title: 'order 4711 failed',
        category: 'bug',
        platform: 'python',
        metadata: { logger: 'shop', server_name: 'web-1', region: 'eu', attempts: 3, cart: '{"items":2}' },
        context: { 'runtime.name': 'CPython', 'runtime.version': '3.14.0' },
      },
      stack: '',
    },
    'Go (sentry.go)': {
      page: 'Contexts Interface: device and os',
      event: {
        platform: 'go',
        contexts: { os: { name: 'linux' }, device: { arch: 'amd64', num_cpu: 8 } },
        exception: [
          {
            type: '*errors.errorString',
            value: 'no cart',
            stacktrace: {
              frames: [
                {
                  function: 'Pay',
                  module: 'example.com/shop',
                  abs_path: '/src/cart.go',
                  lineno: 7,
                  in_app: true,
                },
              ],
            },
          },
        ],
      },
      expected: { platform: 'go', osVersion: 'linux', title: '*errors.errorString: no cart' },
      stack: '    at example.com/shop.Pay (/src/cart.go:7)',
    },
    '.NET (sentry.dotnet)': {
      page: 'Threads Interface: the stack trace may be in the thread that crashed',
      event: {
        platform: 'csharp',
        release: 'Shop@2.4.1',
        contexts: { os: { type: 'os', name: 'Windows', version: '11' } },
        exception: { values: [{ type: 'System.InvalidOperationException', value: 'No cart' }] },
        threads: {
          values: [
            { id: 1, crashed: false, stacktrace: { frames: [{ function: 'Idle' }] } },
            {
              id: 2,
              crashed: true,
              stacktrace: { frames: [{ function: 'Pay', module: 'Shop.Cart', in_app: true }] },
            },
          ],
        },
      },
      expected: { platform: 'windows', osVersion: 'Windows 11', appVersion: '2.4.1' },
      stack: '    at Pay (Shop.Cart)',
    },
    'Unity (sentry.dotnet.unity)': {
      page: 'Contexts Interface: app, gpu',
      event: {
        platform: 'csharp',
        sdk: { name: 'sentry.dotnet.unity', version: '4.0.0' },
        contexts: {
          os: { name: 'macOS', version: '26.1' },
          device: { model: 'Mac16,1' },
          app: { app_version: '0.9', app_build: '77' },
          gpu: { name: 'Apple M4', graphics_shader_level: 'Metal' },
          unity: { editor_version: '6000.3' },
        },
        message: { formatted: 'NullReferenceException' },
      },
      expected: {
        platform: 'macos',
        appVersion: '0.9',
        buildNumber: '77',
        deviceModel: 'Mac16,1',
        title: 'NullReferenceException',
        context: expect.objectContaining({ 'gpu.name': 'Apple M4', 'unity.editor_version': '6000.3' }),
      },
      stack: '',
    },
    'a page (sentry.javascript.browser)': {
      page: 'Request Interface: url and headers',
      event: {
        platform: 'javascript',
        request: {
          url: 'https://shop.example/cart?token=secret#top',
          headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Gecko/20100101 Firefox/152.0' },
        },
        exception: {
          values: [
            {
              type: 'TypeError',
              value: 'x is not a function',
              stacktrace: {
                frames: [
                  {
                    function: '?',
                    filename: 'https://shop.example/assets/index-D3fAulTs.js',
                    lineno: 1,
                    colno: 99,
                    in_app: true,
                  },
                ],
              },
            },
          ],
        },
      },
      expected: {
        platform: 'web',
        context: {
          page: 'https://shop.example/cart',
          browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Gecko/20100101 Firefox/152.0',
        },
      },
      stack: '    at ? (https://shop.example/assets/index-D3fAulTs.js:1:99)',
    },
  }

describe.each(Object.entries(PLATFORMS))('an event of %s', (_, { event, expected, stack }) => {
  test('becomes a report', () => {
    const submission = map(event)
    expect(submission).toMatchObject(expected)
    expect(submission.exception?.[0]?.stack ?? '').toBe(stack)
    expect(JSON.stringify(submission)).not.toMatch(/ip_address|\{\{auto\}\}|token=secret/)
  })

  test('becomes a valid report even if any of its fields is something else', () => {
    for (const odd of [
      null,
      1,
      true,
      '',
      ' ',
      'x\0\ud800',
      [],
      [null],
      {},
      { values: 7 },
      { values: [1, {}] },
      [[]],
    ]) {
      for (const name of Object.keys(event)) map({ ...event, [name]: odd })
      for (const name of Object.keys((event['contexts'] as object | undefined) ?? {}))
        map({ ...event, contexts: { ...(event['contexts'] as object), [name]: odd } })
    }
  })
})

test('what is too long is cut', () => {
  const long = '🐞'.repeat(40_000)
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${n}${long}`, long]))
  const frames = Array(1_000).fill({ function: long, filename: long, module: long, lineno: 1 })
  const submission = map({
    ...{ platform: long, release: long, dist: long, level: long, transaction: long, message: long },
    ...{ tags: many, extra: many, fingerprint: Array(100).fill(long), timestamp: 1e300 },
    ...{ user: { id: long, username: long, email: long }, sdk: { name: long, version: long } },
    contexts: { os: { name: long, version: long }, device: { model: long }, app: many },
    exception: { values: Array(40).fill({ type: long, value: long, stacktrace: { frames } }) },
  })
  expect(submission.occurredAt).toBeUndefined()
  expect(submission.exception).toHaveLength(10)
  expect(Object.keys(submission.metadata ?? {})).toHaveLength(50)
})

test.each([
  ['shop@2.4.1+512', '2.4.1', '512'],
  ['2.4.1', '2.4.1', undefined],
  ['@scope/shop@2.4.1', '2.4.1', undefined],
  ['8f3ad1c', '8f3ad1c', undefined],
  ['shop@', 'shop@', undefined],
])('the release %s is version %s and build %s', (release, appVersion, buildNumber) => {
  expect(map({ release })).toMatchObject({ appVersion, ...(buildNumber && { buildNumber }) })
})

test.each([
  [1_763_200_000, '2025-11-15T09:46:40.000Z'],
  ['2026-11-15T09:46:40+01:00', '2026-11-15T08:46:40.000Z'],
  ['2026-11-15T09:46:40.123456', '2026-11-15T09:46:40.123Z'],
  ['yesterday', undefined],
  [-1, undefined],
])('the timestamp %s is %s', (timestamp, occurredAt) => {
  expect(map({ timestamp }).occurredAt).toBe(occurredAt)
})

test('a message that is repeated as an exception without a type is no crash', () => {
  const exception = { values: [{ value: 'Hello', stacktrace: { frames: [{ function: 'main' }] } }] }
  expect(map({ message: 'Hello', exception })).toMatchObject({ title: 'Hello', category: 'bug' })
  expect(map({ exception })).toMatchObject({ title: 'Error: Hello', category: 'crash' })
})

test('an event that says nothing is a report all the same', () => {
  expect(map({})).toEqual({ title: 'Event without a message', category: 'bug', platform: 'other' })
})

test('a field cannot change the prototype of an object', () => {
  const { metadata } = map(JSON.parse('{"tags":{"__proto__":{"a":1},"b":"c"}}'))
  expect(metadata).toEqual({ b: 'c' })
})

describe('a report of a person', () => {
  test('needs their words', () => {
    expect(submissionOfFeedback({ contexts: { feedback: { message: ' ' } } })).toBeUndefined()
    expect(submissionOfUserReport({ name: 'Ada' })).toBeUndefined()
  })

  test('is from the user of the event if the feedback names no one', () => {
    const feedback = { message: 'Hello', associated_event_id: 'e' }
    const submission = submissionOfFeedback({
      user: { id: 7, email: 'ada@example.com' },
      contexts: { feedback },
    })
    expect(submission).toMatchObject({
      title: 'Hello',
      reporter: { id: '7', email: 'ada@example.com' },
      metadata: { crashEventId: 'e' },
    })
    expect(validate(submission)).toBe(true)
  })
})
