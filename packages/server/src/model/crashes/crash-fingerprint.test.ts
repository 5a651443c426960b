import { MAX_EXCEPTION_TEXT_CHARS, MAX_FINGERPRINT_CHARS } from '@bugle/contract/vocabulary'
import { describe, expect, test } from 'vitest'
import builds from '../../../test-support/crashes-of-two-builds.json' with { type: 'json' }
import { crashFingerprint, normaliseMessage, stableFile } from './crash-fingerprint.ts'
import { framesOf } from './stack-frames.ts'

/** Without source maps, these differ only in the column: an unnamed chunk and the same message. */
const SAME_IN_BUILD = ['resize', 'resize picture']

/**
 * An app with 21 crashes, built twice by Vite 8, webpack 5 and Next 16 (Turbopack), the second time with another module.
 * The stacks are those of Chromium, Firefox and WebKitGTK, cut to nine lines.
 */
describe.each(Object.entries(builds))('built by %s', (build, { one, two }) => {
  test.each(one.map((crash, index) => [crash.crash, crash, two[index]] as const))(
    '%s keeps its fingerprint in the next build, and shares it with no other crash',
    (name, crash, next) => {
      expect(next && nameOf(next)).toBe(nameOf(crash))
      const others = one.filter((other) => other !== crash && nameOf(other) === nameOf(crash))
      const isKnown = /^(?:webpack|turbopack) in webkit$/.test(build) && SAME_IN_BUILD.includes(name)
      expect(others.map((other) => other.crash)).toEqual(
        isKnown ? SAME_IN_BUILD.filter((other) => other !== name) : [],
      )
    },
  )
})

function nameOf({ name, message, stack }: { name: string; message: string; stack: string }): string {
  return crashFingerprint(name, message, stack)
}

test('lines of a message are not parsed as frames', () => {
  const message =
    'job failed\n    at 12:30:45 for ann@example.com:12:30\nann@example.com:12:30\n    at 12:30:45'
  const stack = `Error: ${message}\n    at save (https://a.example/form.js:1:88)`
  expect(framesOf(stack, message).map(({ file }) => file)).toEqual(['https://a.example/form.js'])
  expect(framesOf(stack, 'changed since').map(({ file }) => file)).toEqual(['https://a.example/form.js'])
})

test.each([
  ['index-D3fAulTs.js', 'index.js'],
  ['main.1229163421a6ba8c40f6.js', 'main.js'],
  ['118.9dc8cde008a29b59a439.js', '.js'],
  ['3r-okv0vpv6lc.js', '.js'],
  ['turbopack-2u1d16houkiyo.js', 'turbopack.js'],
  ['a6dad97d9634a72d.js', '.js'],
  ['user-settings.js', 'user-settings.js'],
  ['index.android.bundle', 'index.android.bundle'],
])('the file %s is %s in every build', (file, stable) => {
  expect(stableFile(`https://a.example/assets/${file}?v=1`)).toBe(stable)
})

test.each([
  ['order 4711 was declined', 'order 0 was declined'],
  ['refund of 6ba7b810-9dad-11d1-80b4-00c04fd430c8 failed', 'refund ? * failed'],
  ['no mailbox for ann@example.com', '? mailbox for *'],
  ['GET https://a.example/x failed', 'GET * failed'],
  ['coupon "A1" is not valid', 'coupon * ? not valid'],
  ["can't do what I don't know", "can'? ? what ? don'? know"],
  [
    "Cannot read properties of undefined (reading 'total')",
    "Cannot read properties ? undefined (reading 'total')",
  ],
  ["undefined is not an object (evaluating 'e.a.b')", "undefined ? not ? object (evaluating '?.a.b')"],
])('the message %j is compared as %j', (message, normal) => {
  expect(normaliseMessage(message)).toBe(normal)
})

const BUILD_ONE = `TypeError: x is not a function
    at save (https://app.example/assets/form-BxK2abc1.js:1:88)
    at async https://app.example/assets/index-D3fAulTs.js?v=7:12:3`
const BUILD_TWO = `TypeError: x is not a function
    at save (https://cdn.example/v2/form-Zz91kkQQ.js:1:93)
    at async https://cdn.example/v2/index-AbCdEfGh.js:14:30`

function fingerprint(stack: string, { type = 'TypeError', message = 'x is not a function' } = {}): string {
  return crashFingerprint(type, message, stack)
}

describe('a fingerprint', () => {
  test('is the same in another build, on another host, at another line', () => {
    expect(fingerprint(BUILD_TWO)).toBe(fingerprint(BUILD_ONE))
    expect(fingerprint(BUILD_ONE)).toMatch(/^2:TypeError:[\w-]{16}$/)
  })

  test('is the same for a stack without the type and the message', () => {
    expect(fingerprint(BUILD_ONE.slice(BUILD_ONE.indexOf('\n')))).toBe(fingerprint(BUILD_ONE))
  })

  test('is the same whatever numbers are in the message', () => {
    const [first, second] = ['item 12 is gone', 'item 7 is gone'].map((message) =>
      fingerprint(BUILD_ONE.replace('x is not a function', message), { message }),
    )
    expect(first).toBe(second)
    expect(fingerprint('', { message: 'order 4711 failed' })).toBe(
      fingerprint('', { message: 'order 12 failed' }),
    )
  })

  test('differs by frame and type', () => {
    expect(fingerprint(BUILD_ONE.replace('save', 'load'))).not.toBe(fingerprint(BUILD_ONE))
    expect(fingerprint(BUILD_ONE, { type: 'RangeError' })).not.toBe(fingerprint(BUILD_ONE))
  })

  test('supports the stacks of Firefox and Safari too', () => {
    const firefox =
      'save@https://app.example/assets/form-BxK2abc1.js:1:88\n@https://app.example/assets/index-D3fAulTs.js:12:3\n'
    expect(fingerprint(firefox)).toBe(fingerprint(BUILD_ONE))
  })

  test('supports the stacks of Hermes too, which has odd names for anonymous functions', () => {
    const hermes = '    at ?anon_0_ (address at index.android.bundle:1:88)\n    at next (native)\n'
    expect(fingerprint(hermes)).toBe(fingerprint('@http://localhost/index.android.bundle:7:7'))
    expect(fingerprint(hermes)).not.toBe(fingerprint(''))
  })

  test('fits its limit', () => {
    const odd = fingerprint('', { type: 'N'.repeat(256), message: 'm'.repeat(1_000) })
    expect(odd.length).toBeLessThanOrEqual(MAX_FINGERPRINT_CHARS)
  })
})

/** Texts that the patterns start with, continue with or search for. */
const FRAGMENTS = [
  ...['a', '1', ' ', '\n', '"', "'", '`', '-', '_', '.', ':', '@', '/', '?', '#', '(', ')', '<', '*'],
  ...[':1', ':1:1', '1:', 'a:', 'a-', 'a@', '@a', '://', '://a@', '?:1', '#:1', '"a', "'a", "a'"],
  ...[
    '    at ',
    '\n    at ',
    '    at a (',
    '    at a (b)',
    ' (',
    'address at ',
    'async ',
    ' [as ',
    'eval at ',
  ],
  ...[
    '@http://a/:1',
    'a@http://a/b.js:1:1\n',
    '<*/',
    'reading ',
    "reading '",
    'node_modules',
    '0a',
    '-A',
    'é',
  ],
]

test.each(FRAGMENTS)('the longest exception made of %j takes little time', (fragment) => {
  const text = (chars: number) => fragment.repeat(Math.ceil(chars / fragment.length)).slice(0, chars)
  const stack = (head: string) => head + text(MAX_EXCEPTION_TEXT_CHARS - head.length)
  const before = process.cpuUsage().user
  for (const head of ['', '    at ', '\n    at a (', 'a@http://'])
    crashFingerprint(text(MAX_EXCEPTION_TEXT_CHARS), text(MAX_EXCEPTION_TEXT_CHARS), stack(head))
  // One takes about a millisecond; a quadratic pattern takes seconds.
  expect((process.cpuUsage().user - before) / 1_000 / 4).toBeLessThan(50)
})
