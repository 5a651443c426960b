import { describe, expect, test } from 'vitest'
import builds from '../../../test-support/crashes-of-two-builds.json' with { type: 'json' }
import { fingerprintOf, normaliseMessage, stableFile } from './fingerprint.ts'
import { framesOf } from './stack-frames.ts'

/** Without source maps nothing but the column tells these apart: one chunk without a name, one message. */
const SAME_IN_BUILD = ['resize', 'resize picture']

/**
 * An app of 21 crashes, built twice by Vite 8, webpack 5 and Next 16 (Turbopack), the second time with another module.
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
  return fingerprintOf(name, message, stack)
}

test('lines of a message are not taken for frames', () => {
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
