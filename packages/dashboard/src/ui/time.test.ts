import { describe, expect, it } from 'vitest'
import { formatAge } from './time.tsx'

const NOW = Date.parse('2026-11-15T12:00:00.000Z')

describe('an age', () => {
  it.each([
    ['2026-11-15T11:59:30.000Z', 'now'],
    ['2026-11-15T12:00:30.000Z', 'now'],
    ['2026-11-15T11:55:00.000Z', '5m'],
    ['2026-11-15T09:00:00.000Z', '3h'],
    ['2026-11-03T12:00:00.000Z', '12d'],
    ['2026-09-10T12:00:00.000Z', '2mo'],
    ['2024-11-10T12:00:00.000Z', '2y'],
  ])('since %s is %s', (at, age) => {
    expect(formatAge(at, NOW)).toBe(age)
  })
})
