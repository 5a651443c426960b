import { describe, expect, test } from 'vitest'
import { fingerprintOfFrames } from '../crashes/frame-fingerprint.ts'
import { chosenFingerprint, fingerprintOfMessage } from './fingerprints.ts'
import { framesOf } from './frames.ts'

const FRAMES = [
  { function: 'main', module: 'os', in_app: false },
  { function: 'start', module: 'shop.app', lineno: 3, in_app: true },
  { function: 'pay', module: 'shop.cart', lineno: 12, in_app: true },
  { function: 'raise', module: 'library', in_app: false },
]

function crash({
  type = 'CartError',
  value = 'no total',
  frames = FRAMES as readonly object[],
} = {}): string {
  return fingerprintOfFrames({ type, value, frames: framesOf({ frames }) })
}

describe('the fingerprint of a crash', () => {
  test('depends on the type and the frames of the app, not on lines, libraries and the message', () => {
    expect(crash()).toMatch(/^s1:CartError:[\w-]{16}$/)
    expect(crash({ value: 'other' })).toBe(crash())
    expect(crash({ frames: FRAMES.map((frame) => ({ ...frame, lineno: 99 })) })).toBe(crash())
    expect(crash({ frames: FRAMES.slice(1, 3) })).toBe(crash())
    expect(crash({ type: 'OtherError' })).not.toBe(crash())
    expect(crash({ frames: FRAMES.slice(0, 2) })).not.toBe(crash())
  })

  test('counts a recursion once', () => {
    const [, start, pay] = FRAMES
    const recursion = Array(100).fill(pay)
    expect(crash({ frames: [start, ...recursion].flatMap((frame) => frame ?? []) })).toBe(crash())
  })

  test('of native code without names is the same at other addresses', () => {
    const at = (image: bigint, offset: bigint) => [
      {
        package: '/app/Shop',
        image_addr: `0x${image.toString(16)}`,
        instruction_addr: `0x${(image + offset).toString(16)}`,
        in_app: true,
      },
    ]
    const value = 'at 0x1f'
    const first = crash({ value, frames: at(0x104000000n, 0x1a2cn) })
    expect(crash({ value: 'at 0xdeadbeef', frames: at(0x7f8800000n, 0x1a2cn) })).toBe(first)
    expect(crash({ value, frames: at(0x104000000n, 0x2b00n) })).not.toBe(first)
  })

  test('of minified code is the same in the next build, and differs by message', () => {
    const frames = (file: string, call: string) => [
      { function: call, filename: `https://a.example/${file}`, in_app: true },
    ]
    const first = crash({ value: 'a is missing', frames: frames('index-D3fAulTs.js', 'e') })
    expect(crash({ value: 'a is missing', frames: frames('index-AbCdEfGh.js', 'tn') })).toBe(first)
    expect(crash({ value: 'nothing works', frames: frames('index-D3fAulTs.js', 'e') })).not.toBe(first)
  })

  test('of minified classes is the same in the next build', () => {
    const frames = (module: string, call: string) => [
      { function: call, module, filename: 'SourceFile', in_app: true },
      { function: 'pay', module: 'com.example.Cart', filename: 'Cart.kt', in_app: true },
    ]
    const first = crash({ frames: frames('com.example.a.b', 'a') })
    expect(crash({ frames: frames('com.example.c.aa', 'bb') })).toBe(first)
    expect(crash({ frames: frames('com.example.Bag', 'a') })).not.toBe(first)
  })

  test('of other code counts short names', () => {
    const frames = (call: string) => [{ function: call, module: 'shop.cart', in_app: true }]
    expect(crash({ frames: frames('pay') })).not.toBe(crash({ frames: frames('add') }))
    expect(crash({ frames: frames('pay'), value: 'other' })).toBe(crash({ frames: frames('pay') }))
  })

  test('without frames depends on the message without its values', () => {
    expect(crash({ frames: [], value: 'order 4711 failed' })).toBe(
      crash({ frames: [], value: 'order 12 failed' }),
    )
    expect(crash({ frames: [], value: 'order 4711 failed' })).not.toBe(
      crash({ frames: [], value: 'no order' }),
    )
  })
})

test('a message is grouped by its template', () => {
  expect(fingerprintOfMessage('order %s failed')).toBe(fingerprintOfMessage('order %s failed'))
  expect(fingerprintOfMessage('order %s failed')).not.toBe(fingerprintOfMessage('order %s paid'))
})

describe("the SDK's fingerprint", () => {
  test.each([undefined, null, [], 'x', [''], [{}], ['{{ default }}'], ['{{default}}']])(
    '%j is ours',
    (fingerprint) => {
      expect(chosenFingerprint(fingerprint, 'ours')).toBe('ours')
    },
  )

  test('is used as it is if it is one text', () => {
    expect(chosenFingerprint(['checkout'], 'ours')).toBe('checkout')
    expect(chosenFingerprint([42], 'ours')).toBe('42')
  })

  test('of several texts, or a long one, is a hash of them', () => {
    const chosen = chosenFingerprint(['checkout', '{{ default }}'], 'ours')
    expect(chosen).toMatch(/^s1:custom:[\w-]{16}$/)
    expect(chosenFingerprint(['checkout', 'ours'], 'x')).toBe(chosen)
    expect(chosenFingerprint(['checkout', '{{ default }}'], 'theirs')).not.toBe(chosen)
    expect(chosenFingerprint(['x'.repeat(129)], 'ours')).toMatch(/^s1:custom:/)
  })
})
