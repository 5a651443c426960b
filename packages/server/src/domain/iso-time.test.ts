import { describe, expect, it } from 'vitest'
import { isoReportedTime, isoTime } from './iso-time.ts'

const DAY_MS = 86_400_000

describe('a time in a report', () => {
  it.each([
    [null, null],
    [-1, null],
    [0, '1970-01-01T00:00:00.000Z'],
    [Date.UTC(10_000, 0) - 1, '9999-12-31T23:59:59.999Z'],
    [Date.UTC(10_000, 0), null],
  ])('is shown only with a four-digit year: %j as %j', (time, shown) => {
    expect(isoReportedTime(time)).toBe(shown)
  })
})

describe('a time as text', () => {
  it.each([
    ['the first moment', 0],
    ['the moment before it', -1],
    ['the last moment of a day', DAY_MS - 1],
    ['a leap day', Date.UTC(2028, 1, 29, 23, 59, 59, 999)],
    ['a year before the common era', Date.UTC(-1, 5, 6, 7, 8, 9, 10)],
    ['a year of five digits', Date.UTC(12_026, 10, 15)],
  ])('is the same as from Date: %s', (_, time) => {
    expect(isoTime(time)).toBe(new Date(time).toISOString())
  })

  it('matches Date, for more days than are cached', () => {
    const times = Array.from({ length: 3_000 }, (_, index) => index * (DAY_MS + 1_234_567))
    expect(times.map(isoTime)).toEqual(times.map((time) => new Date(time).toISOString()))
  })

  it('is refused if it is invalid', () => {
    expect(() => isoTime(Number.NaN)).toThrow(RangeError)
  })
})
