import { describe, expect, it } from 'vitest'
import { bucketDays, countDays } from './day-buckets.ts'

const DAY_MS = 86_400_000
const daysUpTo = (last: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    date: new Date(Date.parse(last) - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  }))

describe('days on an axis', () => {
  it('are one bucket each', () => {
    const { buckets, days, isWeekly } = bucketDays(daysUpTo('2026-11-15', 7))
    expect(isWeekly).toBe(false)
    expect(days.every(({ length }) => length === 1)).toBe(true)
    expect(buckets[6]).toEqual({ key: '2026-11-15', name: 'Sun, Nov 15', short: 'Nov 15' })
  })

  it('are weeks that end today if a year is shown, and no day is missing', () => {
    const year = daysUpTo('2026-11-15', 365)
    const { buckets, days, isWeekly } = bucketDays(year)
    expect(isWeekly).toBe(true)
    expect(days.flat()).toEqual(year)
    expect(days.slice(1).every(({ length }) => length === 7)).toBe(true)
    expect(buckets.at(-1)).toMatchObject({ name: 'Nov 9 – Nov 15' })
    expect(buckets).toHaveLength(53)
  })

  it.each([[[]], [[{ date: 'no date' }]]])('of %j do not fail', (days) => {
    expect(bucketDays(days).buckets).toHaveLength(days.length)
  })
})

describe('days of timestamps', () => {
  const until = Date.parse('2026-11-15T12:00:00.000Z')

  it('have no gaps and continue to the last day', () => {
    const moments = ['2026-11-14T01:00:00.000Z', '2026-11-12T23:59:59.999Z', '2026-11-14T00:00:00.000Z']
    const days = countDays(moments, { until, least: 2, most: 60 })
    expect(days.map(({ date, count }) => `${date} ${count}`)).toEqual([
      '2026-11-12 1',
      '2026-11-13 0',
      '2026-11-14 2',
      '2026-11-15 0',
    ])
  })

  it.each([
    ['only the last ones, however far back the first is', ['1970-01-01T00:00:00.000Z'], 60],
    ['enough for a chart, if it all happened today', ['2026-11-15T00:00:00.000Z'], 14],
    ['all empty, if there are no timestamps', [], 14],
    ['all empty, if the input is invalid', ['nonsense'], 14],
  ])('are %s', (_, moments, length) => {
    const days = countDays(moments, { until, least: 14, most: 60 })
    expect(days).toHaveLength(length)
    expect(days.at(-1)?.date).toBe('2026-11-15')
  })
})
