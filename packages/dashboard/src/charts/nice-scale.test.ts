import { describe, expect, it } from 'vitest'
import { formatShare, niceScale, shareOf } from './nice-scale.ts'

describe('the scale of an axis', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [4, [0, 1, 2, 3, 4]],
    [5, [0, 2, 4, 6]],
    [11, [0, 5, 10, 15]],
    [109, [0, 50, 100, 150]],
    [1_000, [0, 500, 1_000]],
    [Number.NaN, [0, 1]],
    [Number.POSITIVE_INFINITY, [0, 1]],
    [-3, [0, 1]],
  ])('up to %d has lines at %j', (max, lines) => {
    expect(niceScale(max)).toEqual(lines)
  })

  it('has fewer lines if there is little space', () => {
    expect(niceScale(109, 2)).toEqual([0, 100, 200])
  })

  it('reaches every value with a handful of whole numbers', () => {
    for (let max = 1; max < 20_000; max = Math.ceil(max * 1.07)) {
      const lines = niceScale(max)
      expect(lines.at(-1)).toBeGreaterThanOrEqual(max)
      expect(lines.length).toBeLessThanOrEqual(6)
      expect(lines.every((line) => Number.isInteger(line))).toBe(true)
    }
  })
})

it.each([
  [1, 2, 0.5],
  [3, 2, 1],
  [0, 0, 0],
  [1, 0, 0],
  [-1, 2, 0],
  [Number.NaN, 2, 0],
  [1, Number.NaN, 0],
  [1, Number.POSITIVE_INFINITY, 0],
])('%d of %d is %d of the axis', (value, max, share) => {
  expect(shareOf(value, max)).toBe(share)
})

it.each([
  [1, 3, '33%'],
  [1, 1_000, '<1%'],
  [0, 0, '0%'],
  [7, 7, '100%'],
])('%d of %d reads %s', (value, total, text) => {
  expect(formatShare(value, total)).toBe(text)
})
