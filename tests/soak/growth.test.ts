import { describe, expect, it } from 'vitest'
import { createRandom } from '../../packages/server/src/demo/random.ts'
import { growthOf, lowsOf, type Point } from './growth.ts'

const random = createRandom(1)
const SECONDS = Array.from({ length: 420 }, (_, index) => index)

/** A typical memory curve: it rises until a collection, with occasional outliers. */
function curve(leakPerSecond: number): readonly Point[] {
  return SECONDS.map((seconds) => ({
    seconds,
    value: 100 + (seconds % 9) * 2 + leakPerSecond * seconds + (random.chance(0.02) ? 60 : random.fraction()),
  }))
}

describe('growth', () => {
  it('is zero if memory only rises and falls', () => {
    expect(Math.abs(growthOf(lowsOf(curve(0), 10)))).toBeLessThan(1)
  })

  it('is detected despite rising and falling', () => {
    expect(growthOf(lowsOf(curve(0.05), 10))).toBeGreaterThan(18)
    expect(growthOf(lowsOf(curve(0.05), 10))).toBeLessThan(24)
  })

  it('is zero for a single point, or none', () => {
    expect(growthOf([{ seconds: 1, value: 5 }])).toBe(0)
    expect(growthOf([])).toBe(0)
  })
})
