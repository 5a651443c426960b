import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createReadiness, createService } from './readiness.ts'

const IN_SERVICE = createService()

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('one probe per second serves all callers', async () => {
  const probe = vi.fn(async () => {})
  const check = createReadiness({ probe }, IN_SERVICE)
  await Promise.all(Array.from({ length: 100 }, check))
  vi.advanceTimersByTime(999)
  await check()
  expect(probe).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  await check()
  expect(probe).toHaveBeenCalledTimes(2)
})

it('a failure is reported to all callers too, until a probe succeeds', async () => {
  const probe = vi.fn(async () => {})
  probe.mockRejectedValueOnce(new Error('away'))
  const check = createReadiness({ probe }, IN_SERVICE)
  const outcomes = await Promise.allSettled([check(), check()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(probe).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1_000)
  await check()
})

it('a probe that is stuck fails after three seconds, and no other starts in the meantime', async () => {
  const stuck = Promise.withResolvers<void>()
  const probe = vi.fn(() => stuck.promise)
  const check = createReadiness({ probe }, IN_SERVICE)
  const first = expect(check()).rejects.toThrow('took longer than 3000 ms')
  await vi.advanceTimersByTimeAsync(3_000)
  await first
  await vi.advanceTimersByTimeAsync(10_000)
  await expect(check()).rejects.toThrow('took longer')
  expect(probe).toHaveBeenCalledTimes(1)
  stuck.resolve()
  await vi.advanceTimersByTimeAsync(0)
  await check()
  expect(probe).toHaveBeenCalledTimes(2)
})
