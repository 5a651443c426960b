import { describe, expect, it } from 'vitest'
import type { AttemptResult } from '../webhooks.ts'
import { ATTEMPT_DELAYS_MS, judgeDelivery, slotsOf } from './judge-delivery.ts'

const NOW = Date.UTC(2026, 10, 15, 9)
const SECOND = 1_000
const HOUR = 3_600_000
const DAY = 24 * HOUR
const MIDDLE = 0.5

const TAKEN: AttemptResult = {
  status: 200,
  error: null,
  durationMs: 10,
  response: 'ok',
  retryAfterSeconds: null,
}
const FAILED: AttemptResult = { ...TAKEN, status: 500, error: 'unsuccessful-status' }
const TIMED_OUT: AttemptResult = { ...FAILED, status: null, error: 'timeout', response: null }

const judge = (circumstances: Partial<Parameters<typeof judgeDelivery>[0]>) =>
  judgeDelivery({
    attempt: 1,
    result: FAILED,
    failingSince: null,
    now: NOW,
    random: MIDDLE,
    ...circumstances,
  })

describe('a delivery', () => {
  it('is done when the receiver accepts it, which also clears the failure', () => {
    expect(judge({ result: TAKEN, attempt: 9, failingSince: NOW - DAY })).toEqual({
      delivery: { kind: 'delivered' },
      failingSince: null,
      pausedReason: null,
    })
  })

  it.each([
    [1, 5 * SECOND],
    [2, 60 * SECOND],
    [3, 300 * SECOND],
    [4, HOUR / 2],
    [5, 2 * HOUR],
    [6, 5 * HOUR],
    [7, 10 * HOUR],
    [8, 20 * HOUR],
    [9, 24 * HOUR],
  ])('is retried after attempt %i, in %i ms', (attempt, delay) => {
    for (const result of [FAILED, TIMED_OUT])
      expect(judge({ attempt, result }).delivery).toEqual({ kind: 'retry', at: NOW + delay })
  })

  it('has failed after the last attempt', () => {
    expect(ATTEMPT_DELAYS_MS).toHaveLength(10)
    expect(judge({ attempt: 10 }).delivery).toEqual({ kind: 'failed' })
    expect(judge({ attempt: 11 }).delivery).toEqual({ kind: 'failed' })
  })

  it.each([
    [0, 54 * SECOND],
    [0.25, 57 * SECOND],
    [1, 66 * SECOND],
  ])('is up to a tenth earlier or later: with %f', (random, delay) => {
    expect(judge({ attempt: 2, random }).delivery).toEqual({ kind: 'retry', at: NOW + delay })
  })

  it.each([
    ['sooner than the schedule', 1, 5 * SECOND],
    ['later than the schedule', 90, 90 * SECOND],
    ['never again', 10 * 86_400, DAY],
  ])('is delayed as requested by the receiver, %s', (_, retryAfterSeconds, delay) => {
    expect(judge({ result: { ...FAILED, retryAfterSeconds } }).delivery).toEqual({
      kind: 'retry',
      at: NOW + delay,
    })
  })
})

describe('a webhook', () => {
  it('has been failing since the first failure after a success', () => {
    expect(judge({}).failingSince).toBe(NOW)
    expect(judge({ failingSince: NOW - HOUR }).failingSince).toBe(NOW - HOUR)
  })

  it('is paused when the endpoint returns 410; the delivery stays pending', () => {
    expect(judge({ result: { ...FAILED, status: 410 } })).toEqual({
      delivery: { kind: 'retry', at: NOW + 5 * SECOND },
      failingSince: NOW,
      pausedReason: 'The endpoint responded with 410 Gone.',
    })
  })

  it('is paused after five days of failures only', () => {
    expect(judge({ failingSince: NOW - 5 * DAY + 1 }).pausedReason).toBeNull()
    expect(judge({ failingSince: NOW - 5 * DAY }).pausedReason).toBe(
      'All attempts have failed for five days, since 2026-11-10T09:00:00.000Z.',
    )
  })

  it('that has failed for a minute gets one attempt at a time', () => {
    expect(slotsOf({ failingSince: null }, 8, NOW)).toBe(8)
    expect(slotsOf({ failingSince: NOW - 59 * SECOND }, 8, NOW)).toBe(8)
    expect(slotsOf({ failingSince: NOW - 60 * SECOND }, 8, NOW)).toBe(1)
  })
})
