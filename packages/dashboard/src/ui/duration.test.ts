import { expect, it } from 'vitest'
import { formatDuration } from './duration.ts'

it.each([
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [2_700, '45 min'],
  [5_400, '1.5 h'],
  [36_100, '10 h'],
  [87_000, '1 d'],
  [340_000, '3.9 d'],
  [8_640_000, '100 d'],
])('%d seconds are %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text)
})
