import { describe, expect, it } from 'vitest'
import { createRandom } from '../../packages/server/src/demo/random.ts'
import { growthOf, lowsOf, type Point } from './growth.ts'

const random = createRandom(1)
const SECONDS = Array.from({ length: 420 }, (_, index) => index)

/** Memory as it looks: it rises until it is collected, and now and then there is an outlier. */
function curve(leakPerSecond: number): readonly Point[] {
  return SECONDS.map((seconds) => ({
    seconds,
    value: 100 + (seconds % 9) * 2 + leakPerSecond * seconds + (random.chance(0.02) ? 60 : random.fraction()),
  }))
}

describe('growth', () => {
  it('is none where memory only rises and falls', () => {
    expect(Math.abs(growthOf(lowsOf(curve(0), 10)))).toBeLessThan(1)
  })

  it('is found behind the rising and falling', () => {
    expect(growthOf(lowsOf(curve(0.05), 10))).toBeGreaterThan(18)
    expect(growthOf(lowsOf(curve(0.05), 10))).toBeLessThan(24)
  })

  it('is none of a single point, or of none', () => {
    expect(growthOf([{ seconds: 1, value: 5 }])).toBe(0)
    expect(growthOf([])).toBe(0)
  })
})
