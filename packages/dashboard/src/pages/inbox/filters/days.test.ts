import { describe, expect, it } from 'vitest'
import { dayOf, endOfDay, startOfDay } from './days.ts'

describe('days', () => {
  it.each(['2026-01-01', '2026-03-29', '2026-10-25', '2026-12-31'])(
    '%s begins and ends in the local time zone',
    (day) => {
      const start = startOfDay(day) ?? ''
      const end = endOfDay(day) ?? ''
      expect([dayOf(start), dayOf(end, -1)]).toEqual([day, day])
      expect(dayOf(start, -1)).not.toBe(day)
      expect(dayOf(end)).not.toBe(day)
    },
  )

  it.each(['', '2026-11', 'tomorrow'])('%j is not a day', (text) => {
    expect(startOfDay(text)).toBeNull()
  })
})
