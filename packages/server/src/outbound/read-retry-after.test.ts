import { describe, expect, it } from 'vitest'
import { MAX_RETRY_AFTER_SECONDS, readRetryAfter } from './read-retry-after.ts'

const NOW = Date.UTC(2026, 10, 15, 9, 30, 0, 500)

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120],
    [' 120 ', 120],
    ['999999999999999999999', MAX_RETRY_AFTER_SECONDS],
    ['Sun, 15 Nov 2026 09:31:00 GMT', 60],
    ['Sun, 15 Nov 2026 09:29:00 GMT', 0],
    ['Sun, 15 Nov 2099 09:29:00 GMT', MAX_RETRY_AFTER_SECONDS],
    [undefined, null],
    ['', null],
    ['-5', null],
    ['1.5', null],
    ['1e3', null],
    ['0x10', null],
    ['soon', null],
    ['2026-11-15T09:31:00Z', null],
    ['Sun, 99 Foo 2026 09:31:00 GMT', null],
  ])('%j means %s seconds', (header, seconds) => {
    expect(readRetryAfter(header, NOW)).toBe(seconds)
  })
})
