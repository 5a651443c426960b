import { expect } from 'vitest'
import type { SentryPlatform } from './platform.ts'

const NET_EXCEPTION = { values: [{ type: 'System.InvalidOperationException', value: 'No cart' }] }
const GO_FRAME = {
  function: 'Pay',
  module: 'example.com/shop',
  abs_path: '/src/cart.go',
  lineno: 7,
  in_app: true,
}
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Gecko/20100101 Firefox/152.0'

/** What SDKs of servers and pages send. */
export const SERVERS: Readonly<Record<string, SentryPlatform>> = {
  'Python (sentry.python)': {
    section: 'Message Interface, Attributes; Event Payloads, Optional Attributes: tags as a list of pairs',
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
    beside: [
      [{ type: 'attachment', filename: 'order.json', content_type: 'application/json' }, { order: 4711 }],
    ],
    files: ['order.json'],
    skipped: {},
    notKept: {
      section: 'Check-Ins, Check-In Payload; Logs, `log` Envelope Item',
      items: [
        [{ type: 'check_in' }, { monitor_slug: 'nightly', status: 'ok' }],
        [
          { type: 'log', item_count: 1, content_type: 'application/vnd.sentry.items.log+json' },
          { items: [] },
        ],
      ],
      skipped: { 'check-in': 1, log: 1 },
    },
    malformed: {
      'a message without its text': {
        event: { logentry: { params: ['4711'] } },
        expected: { title: 'Event without a message', category: 'bug' },
      },
      'tags that are a text': {
        event: { tags: 'region:eu' },
        expected: { title: 'order 4711 failed', metadata: { logger: 'shop', server_name: 'web-1' } },
      },
    },
  },
  'Go (sentry.go)': {
    section: 'Contexts Interface, Device Context and OS Context; Errors, Chained Exceptions: a flat list',
    event: {
      platform: 'go',
      contexts: { os: { name: 'linux' }, device: { arch: 'amd64', num_cpu: 8 } },
      exception: [{ type: '*errors.errorString', value: 'no cart', stacktrace: { frames: [GO_FRAME] } }],
    },
    expected: {
      title: '*errors.errorString: no cart',
      category: 'crash',
      platform: 'go',
      osVersion: 'linux',
    },
    stack: '    at example.com/shop.Pay (/src/cart.go:7)',
    beside: [],
    files: [],
    skipped: {},
    notKept: {
      section: 'Envelope Items, Transaction; Metrics, `trace_metric` Envelope Item',
      items: [
        [{ type: 'transaction' }, { type: 'transaction', transaction: 'GET /cart' }],
        [{ type: 'trace_metric', item_count: 1 }, { items: [] }],
      ],
      skipped: { transaction: 1, metric: 1 },
    },
    malformed: {
      'an exception that is a text': {
        event: { exception: 'no cart' },
        expected: { title: 'Event without a message', category: 'bug' },
      },
      'a line that is a text': {
        event: {
          exception: [{ type: 'Error', stacktrace: { frames: [{ ...GO_FRAME, lineno: 'seven' }] } }],
        },
        expected: { title: 'Error', description: 'Error\n    at example.com/shop.Pay (/src/cart.go)' },
      },
    },
  },
  '.NET (sentry.dotnet)': {
    section: 'Threads Interface, Attributes: the stack trace may be in the thread that crashed',
    event: {
      platform: 'csharp',
      release: 'Shop@2.4.1',
      contexts: { os: { type: 'os', name: 'Windows', version: '11' } },
      exception: NET_EXCEPTION,
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
    expected: {
      title: 'System.InvalidOperationException: No cart',
      category: 'crash',
      platform: 'windows',
      osVersion: 'Windows 11',
      appVersion: '2.4.1',
    },
    stack: '    at Pay (Shop.Cart)',
    beside: [[{ type: 'session' }, { sid: '7c7b6585', status: 'errored', errors: 1 }]],
    files: [],
    skipped: { session: 1 },
    notKept: {
      section: 'Envelopes, Items: items of unknown type are skipped',
      items: [[{ type: 'dotnet_counters' }, { gc: 12 }]],
      skipped: { other: 1 },
    },
    malformed: {
      'a thread without a stack trace': {
        event: { threads: [{ id: 1, crashed: true, stacktrace: null }] },
        expected: { title: 'System.InvalidOperationException: No cart', category: 'crash' },
      },
      'threads that are a number': {
        event: { threads: 2 },
        expected: { title: 'System.InvalidOperationException: No cart', category: 'crash' },
      },
    },
  },
  'a page (sentry.javascript.browser)': {
    section: 'Request Interface, Attributes: url and headers',
    event: {
      platform: 'javascript',
      request: { url: 'https://shop.example/cart?token=secret#top', headers: { 'User-Agent': FIREFOX } },
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
      title: 'TypeError: x is not a function',
      category: 'crash',
      platform: 'web',
      context: { page: 'https://shop.example/cart', browser: expect.stringContaining('Firefox') },
    },
    stack: '    at ? (https://shop.example/assets/index-D3fAulTs.js:1:99)',
    beside: [],
    files: [],
    skipped: {},
    notKept: {
      section: 'Span Protocol, Span v2 Envelope Item Header',
      items: [[{ type: 'span', item_count: 1 }, { items: [] }]],
      skipped: { span: 1 },
    },
    malformed: {
      'a request without an address': {
        event: { request: { url: 7, headers: [['User-Agent', FIREFOX]] } },
        expected: { title: 'TypeError: x is not a function' },
      },
    },
  },
}
