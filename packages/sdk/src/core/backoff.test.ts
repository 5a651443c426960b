import { expect, test } from 'vitest'
import { backoffMs, retryAfterMs } from './backoff.ts'

test.each([
  [0, 2_000],
  [1, 4_000],
  [8, 512_000],
  [9, 900_000],
  [99, 900_000],
])('after %d failures the pause is anything up to %d ms', (failures, most) => {
  expect(backoffMs(failures, () => 0)).toBe(0)
  expect(backoffMs(failures, () => 1)).toBe(most)
})

const NOW = Date.parse('2026-11-15T12:00:00Z')

test.each([
  [null, 0],
  ['', 0],
  ['0', 0],
  ['2', 2_000],
  ['99999999', 86_400_000],
  ['Sun, 15 Nov 2026 12:00:30 GMT', 30_000],
  ['Sun, 15 Nov 2026 11:00:00 GMT', 0],
  ['soon', 0],
])('Retry-After %j asks for %d ms', (header, milliseconds) => {
  expect(retryAfterMs(header, NOW)).toBe(milliseconds)
})
