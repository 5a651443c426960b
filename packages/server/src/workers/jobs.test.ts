import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createFaultLog } from '../domain/fault-log.ts'
import { createJobs } from './jobs.ts'

const MINUTE_MS = 60_000
const RETRY_MS = 15 * MINUTE_MS

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a job that retries rarely is over only when a retry has succeeded', async () => {
  const lines: string[] = []
  const log = (_: object, text: string) => void lines.push(text)
  const jobs = createJobs(createFaultLog({ warn: log, info: log }))
  let failedAt = Number.NEGATIVE_INFINITY
  let isBroken = true
  const run = async () => {
    if (!isBroken || Date.now() - failedAt < RETRY_MS) return
    failedAt = Date.now()
    throw new Error('The disk is gone.')
  }
  jobs.every(MINUTE_MS, run, 'no backup', { retryMs: RETRY_MS })
  await vi.advanceTimersByTimeAsync(4 * RETRY_MS)
  expect(lines).toEqual(['no backup'])
  isBroken = false
  await vi.advanceTimersByTimeAsync(4 * RETRY_MS)
  expect(lines).toEqual(['no backup', 'resolved: no backup'])
  jobs.stop()
})
