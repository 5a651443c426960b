import { MAX_BODY_BYTES } from '@bugle/contract'
import { expect, it } from 'vitest'
import { isTooSlow, PATIENCE } from './patience.ts'

const KIB = 1_024

it.each<[what: string, elapsedMs: number, receivedBytes: number, maxBodyBytes: number, tooSlow: boolean]>([
  ['one byte, at first', 9_999, 1, MAX_BODY_BYTES, false],
  ['one byte, after ten seconds', 10_000, 1, MAX_BODY_BYTES, true],
  ['a kibibyte a second', 12_000, 12 * KIB, MAX_BODY_BYTES, false],
  ['less than that', 12_000, 11 * KIB, MAX_BODY_BYTES, true],
  ['a large body of an endpoint for large bodies', 25_999, 200 * KIB, MAX_BODY_BYTES, false],
  ['and in the end that too', 26_001, 255 * KIB, MAX_BODY_BYTES, true],
  ['a small body has less time in all', 10_501, 100 * KIB, 8 * KIB, true],
])('a body: %s', (_, elapsedMs, receivedBytes, maxBodyBytes, tooSlow) => {
  expect(isTooSlow({ elapsedMs, receivedBytes, maxBodyBytes }, PATIENCE)).toBe(tooSlow)
})
