import { expect } from 'vitest'
import { PNG } from '../attachment-stage.ts'
import type { SentryPlatform } from './platform.ts'

const SCREENSHOT = [
  { type: 'attachment', filename: 'screenshot.png', content_type: 'image/png' },
  PNG,
] as const

const SWIFT_FRAME = {
  function: '$s4Shop4CartC3payyyF',
  package: '/private/var/Shop.app/Shop',
  image_addr: '0x104000000',
  instruction_addr: '0x104001a2c',
  in_app: true,
}

function swiftException(frame: object) {
  const frames = [{ function: 'main', package: '/usr/lib/dyld', in_app: false }, frame]
  const mechanism = { type: 'mach', handled: false }
  const value = 'Attempted to dereference garbage pointer at 0x1f.'
  return { values: [{ type: 'EXC_BAD_ACCESS', value, mechanism, stacktrace: { frames } }] }
}

const KOTLIN_CAUSE = { type: 'IOException', module: 'java.io', value: 'closed' }
const KOTLIN_EXCEPTION = {
  type: 'IllegalStateException',
  value: 'no cart',
  stacktrace: {
    frames: [
      { function: 'run', module: 'java.lang.Thread', filename: 'Thread.java', lineno: 1012, in_app: false },
      { function: 'pay', module: 'com.example.Cart', filename: 'Cart.kt', lineno: 88, in_app: true },
    ],
  },
}

/** What SDKs of apps send. */
export const APPS: Readonly<Record<string, SentryPlatform>> = {
  'Swift (sentry.cocoa)': {
    section:
      'Stack Trace Interface, Frame Attributes: instruction_addr, image_addr and package of native code',
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
      exception: swiftException(SWIFT_FRAME),
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
    beside: [[{ type: 'session' }, { sid: '7c7b6585', status: 'crashed', errors: 1 }], SCREENSHOT],
    files: ['screenshot.png'],
    skipped: { session: 1 },
    notKept: {
      section: 'Profiles, V1 Envelope Format',
      items: [
        [{ type: 'transaction' }, { type: 'transaction', transaction: 'CartView' }],
        [{ type: 'profile' }, { version: '1', platform: 'cocoa' }],
      ],
      skipped: { transaction: 1, profile: 1 },
    },
    malformed: {
      'an address that is no hexadecimal number': {
        event: { exception: swiftException({ ...SWIFT_FRAME, instruction_addr: 'over there' }) },
        expected: { description: expect.stringContaining('at $s4Shop4CartC3payyyF (Shop)\n') },
      },
      'frames that are no list': {
        event: {
          exception: { values: [{ type: 'EXC_BAD_ACCESS', stacktrace: { frames: { function: 'main' } } }] },
        },
        expected: { title: 'EXC_BAD_ACCESS', category: 'crash' },
      },
    },
  },
  'Kotlin (sentry.java.android)': {
    section: 'Errors, Chained Exceptions: values are sorted from the oldest to the newest',
    event: {
      platform: 'java',
      timestamp: '2026-11-15T09:46:40.250Z',
      release: 'com.example.shop@2.4.1+512',
      contexts: {
        os: { name: 'Android', version: '16' },
        device: { manufacturer: 'Google', model: 'Pixel 10', family: 'Pixel' },
      },
      exception: { values: [KOTLIN_CAUSE, KOTLIN_EXCEPTION] },
      user: { id: 'u-1', username: 'ada', ip_address: '{{auto}}' },
    },
    expected: {
      title: 'IllegalStateException: no cart',
      category: 'crash',
      platform: 'android',
      osVersion: 'Android 16',
      deviceModel: 'Pixel 10',
      reporter: { id: 'u-1', name: 'ada' },
    },
    stack: '    at com.example.Cart.pay (Cart.kt:88)\n    at java.lang.Thread.run (Thread.java:1012)',
    beside: [
      [
        {
          type: 'attachment',
          filename: 'view-hierarchy.json',
          content_type: 'application/json',
          attachment_type: 'event.view_hierarchy',
        },
        { rendering_system: 'android_view_system', windows: [] },
      ],
      [{ type: 'session' }, { sid: '7c7b6585', status: 'crashed', errors: 1 }],
    ],
    files: ['view-hierarchy.json'],
    skipped: { session: 1 },
    notKept: {
      section: 'Replay, Replay Event Payload: replay_event and replay_recording are sent together',
      items: [
        [{ type: 'replay_event' }, { type: 'replay_event', segment_id: 0 }],
        [{ type: 'replay_recording' }, '{"segment_id":0}\n[]'],
      ],
      skipped: { replay: 2 },
    },
    malformed: {
      'causes that are no objects': {
        event: { exception: { values: ['closed', null, KOTLIN_EXCEPTION] } },
        expected: { title: 'IllegalStateException: no cart', category: 'crash' },
      },
      'a user that is a text': {
        event: { user: 'ada' },
        expected: { title: 'IllegalStateException: no cart', reporter: null },
      },
    },
  },
  'Flutter (sentry.dart.flutter)': {
    section: 'Event Payloads, Optional Attributes: dist',
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
      title: 'StateError: Bad state: No element',
      category: 'crash',
      platform: 'android',
      appVersion: '2.4.1',
      buildNumber: '513',
    },
    stack: '    at Cart.pay (cart.dart:9:3)',
    beside: [SCREENSHOT],
    files: ['screenshot.png'],
    skipped: {},
    notKept: {
      section: 'Envelope Items, Transaction',
      items: [[{ type: 'transaction' }, { type: 'transaction', transaction: 'root /' }]],
      skipped: { transaction: 1 },
    },
    malformed: {
      'a dist that is an object': { event: { dist: { build: 513 } }, expected: { appVersion: '2.4.1' } },
      'a release that is a number': { event: { release: [], dist: '513' }, expected: { buildNumber: '513' } },
    },
  },
  'Unity (sentry.dotnet.unity)': {
    section: 'Contexts Interface, App Context, GPU Context and Unity Context',
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
      title: 'NullReferenceException',
      category: 'bug',
      platform: 'macos',
      appVersion: '0.9',
      buildNumber: '77',
      deviceModel: 'Mac16,1',
      context: expect.objectContaining({ 'gpu.name': 'Apple M4', 'unity.editor_version': '6000.3' }),
    },
    stack: '',
    beside: [
      SCREENSHOT,
      [
        { type: 'client_report' },
        { discarded_events: [{ reason: 'sample_rate', category: 'error', quantity: 1 }] },
      ],
    ],
    files: ['screenshot.png'],
    skipped: { 'client-report': 1 },
    notKept: {
      section: 'Sessions, Session Update Payload',
      items: [
        [
          { type: 'session', length: undefined },
          { sid: '7c7b6585', status: 'exited' },
        ],
      ],
      skipped: { session: 1 },
    },
    malformed: {
      'contexts that are a list': {
        event: { contexts: [{ os: 'macOS' }] },
        expected: { title: 'NullReferenceException', deviceModel: null },
      },
      'a context that is a text': {
        event: { contexts: { os: 'macOS', unity: '6000.3', app: { app_version: '0.9' } } },
        expected: { title: 'NullReferenceException', appVersion: '0.9', osVersion: null },
      },
    },
  },
}
