import { describe, expect, it } from 'vitest'
import { createTokenBuckets } from './token-buckets.ts'

const NOON = Date.UTC(2026, 10, 15, 12)

describe('a token bucket', () => {
  it.each<
    [rule: string, quota: number, table: readonly [atMs: number, isGranted: boolean, remaining: number][]]
  >([
    [
      'allows a burst of its whole quota, and not one more',
      3,
      [
        [0, true, 2],
        [0, true, 1],
        [0, true, 0],
        [0, false, 0],
      ],
    ],
    [
      'refills evenly over a minute',
      3,
      [
        [0, true, 2],
        [0, true, 1],
        [0, true, 0],
        [19_999, false, 0],
        [20_000, true, 0],
        [39_999, false, 0],
        [40_000, true, 0],
      ],
    ],
    [
      'holds no more than its quota, however long it is idle',
      2,
      [
        [0, true, 1],
        [86_400_000, true, 1],
        [86_400_000, true, 0],
        [86_400_000, false, 0],
      ],
    ],
    [
      'is exact if a minute does not divide evenly',
      7,
      [
        ...[6, 5, 4, 3, 2, 1, 0].map((left): [number, boolean, number] => [0, true, left]),
        [8_571, false, 0],
        [8_572, true, 0],
        [17_142, false, 0],
        [17_143, true, 0],
      ],
    ],
    [
      'charges nothing for what it refuses',
      1,
      [
        [0, true, 0],
        [30_000, false, 0],
        [59_999, false, 0],
        [60_000, true, 0],
      ],
    ],
    [
      'locks no one out when the clock is set back',
      1,
      [
        [3_600_000, true, 0],
        [0, false, 0],
        [59_999, false, 0],
        [60_000, true, 0],
      ],
    ],
  ])('%s', (_, quota, table) => {
    const buckets = createTokenBuckets()
    for (const [atMs, isGranted, remaining] of table) {
      const draw = buckets.draw([{ bucket: 'a', quota }], NOON + atMs)
      expect([atMs, draw.isGranted, draw.levels[0]?.remaining]).toEqual([atMs, isGranted, remaining])
    }
  })

  it.each([1, 7, 20, 60, 119, 120, 1_200, 9_999])(
    'reports exactly when the next of %i per minute is due',
    (quota) => {
      const buckets = createTokenBuckets()
      const claims = [{ bucket: 'a', quota }]
      let now = NOON
      for (let draws = 0; draws < quota; draws++) buckets.draw(claims, now)
      for (let turn = 0; turn < 50; turn++) {
        const { nextAfterMs = 0 } = buckets.draw(claims, now).levels[0] ?? {}
        expect(nextAfterMs).toBeGreaterThan(0)
        expect(buckets.draw(claims, now + nextAfterMs - 1).isGranted).toBe(false)
        now += nextAfterMs
        expect(buckets.draw(claims, now).isGranted).toBe(true)
      }
    },
  )
})

describe('token buckets', () => {
  it('count a request as several draws', () => {
    const buckets = createTokenBuckets()
    const draw = (draws: number, atMs = 0) => {
      const { isGranted, levels } = buckets.draw([{ bucket: 'one', quota: 60, draws }], NOON + atMs)
      return [isGranted, levels[0]?.remaining, levels[0]?.nextAfterMs]
    }
    expect(draw(50)).toEqual([true, 10, 40_000])
    expect(draw(15)).toEqual([false, 10, 5_000])
    expect(draw(10)).toEqual([true, 0, 10_000])
    buckets.giveBack([{ bucket: 'one', quota: 60, draws: 7 }], NOON)
    expect(draw(7)).toEqual([true, 0, 7_000])
    expect(draw(15, 15_000)).toEqual([true, 0, 15_000])
  })

  it('can return a draw, and never hold more than their quota', () => {
    const buckets = createTokenBuckets()
    const claim = { bucket: 'one', quota: 2 }
    const remaining = () => buckets.draw([claim], NOON).levels[0]?.remaining
    expect([remaining(), remaining()]).toEqual([1, 0])
    buckets.giveBack([claim], NOON)
    expect(remaining()).toBe(0)
    for (let time = 0; time < 5; time++) buckets.giveBack([claim], NOON)
    expect([remaining(), remaining(), buckets.draw([claim], NOON).isGranted]).toEqual([1, 0, false])
  })

  it('are drawn from all together or not at all', () => {
    const buckets = createTokenBuckets()
    const [wide, narrow] = [
      { bucket: 'wide', quota: 10 },
      { bucket: 'narrow', quota: 1 },
    ]
    expect(buckets.draw([wide, narrow], NOON).isGranted).toBe(true)
    expect(buckets.draw([wide, narrow], NOON).isGranted).toBe(false)
    expect(buckets.draw([wide], NOON).levels[0]?.remaining).toBe(8)
  })

  it('are independent of each other', () => {
    const buckets = createTokenBuckets()
    buckets.draw([{ bucket: 'a', quota: 1 }], NOON)
    expect(buckets.draw([{ bucket: 'b', quota: 1 }], NOON).isGranted).toBe(true)
  })

  it('have a bounded number, and drop the least recently used', () => {
    const buckets = createTokenBuckets(100)
    for (let name = 0; name < 10_000; name++) {
      buckets.draw([{ bucket: `stranger ${name}`, quota: 1 }], NOON)
      buckets.draw([{ bucket: 'regular', quota: 100_000 }], NOON)
      expect(buckets.size).toBeLessThanOrEqual(100)
    }
    expect(buckets.draw([{ bucket: 'regular', quota: 100_000 }], NOON).levels[0]?.remaining).toBe(89_999)
    expect(buckets.draw([{ bucket: 'stranger 9999', quota: 1 }], NOON).isGranted).toBe(false)
    expect(buckets.draw([{ bucket: 'stranger 0', quota: 1 }], NOON).isGranted).toBe(true)
  })

  it('are dropped when they are full again', () => {
    const buckets = createTokenBuckets()
    for (let name = 0; name < 1_000; name++) buckets.draw([{ bucket: `stranger ${name}`, quota: 1 }], NOON)
    for (const later of [60_000, 120_000]) buckets.draw([{ bucket: 'regular', quota: 1 }], NOON + later)
    expect(buckets.size).toBeLessThanOrEqual(2)
  })
})
