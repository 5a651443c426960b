import { expect } from 'vitest'
import type { DatasetStore } from '../../bench/datasets.ts'
import { LIMITS, type Result, runCost } from './run-cost.ts'

/** Enough to see that every request works and none is far too expensive. `npm run test:cost` measures the cost with many issues. */
const SHORT = {
  issues: 2_000,
  noisyReports: 500,
  // Enough to measure each request that uses them up several times.
  noisyIssues: 17,
  pendingDeliveries: 100,
  searches: 100,
  seed: 1,
  only: [],
  // Twice the limits, because it has to pass on slow machines too. Wall-clock time is meaningless there.
  limits: { cpuMs: 2 * LIMITS.cpuMs, stallMs: 2 * LIMITS.stallMs, besideMs: Number.POSITIVE_INFINITY },
  // Once: whatever is above a limit is measured again anyway.
  effort: { repeats: 1, besideMs: 100, streamMs: 100 },
  onStep: () => {},
  onResult: () => {},
}

/** Checks the most expensive requests of every endpoint: they cost little CPU, and little of it at once. */
export async function checkCost(store: DatasetStore): Promise<void> {
  const results = await runCost(store, SHORT)
  expect(results.length).toBeGreaterThan(70)
  expect(results.filter(({ verdict }) => verdict === 'TOO MUCH').map(explain)).toEqual([])
}

function explain({ name, cpuMs, stallMs }: Result): string {
  return `${name}: ${cpuMs} ms, ${stallMs} ms in one turn`
}
