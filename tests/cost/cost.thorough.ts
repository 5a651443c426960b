import { describe, expect, test } from 'vitest'
import { openPostgresDatasets } from '../../bench/postgres-datasets.ts'
import { openSqliteDatasets } from '../../bench/sqlite-datasets.ts'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'
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

describe('the most expensive requests of every endpoint', { timeout: 1_200_000 }, () => {
  test('cost little CPU, and little of it at once, on SQLite', async () => {
    using folder = temporaryFolder()
    await using store = await openSqliteDatasets(folder.path)
    expect(tooMuch(await runCost(store, SHORT))).toEqual([])
  })

  test('cost little CPU, and little of it at once, on PostgreSQL', async () => {
    await using store = await openPostgresDatasets()
    expect(tooMuch(await runCost(store, SHORT))).toEqual([])
  })
})

function tooMuch(results: readonly Result[]): readonly string[] {
  expect(results.length).toBeGreaterThan(70)
  return results
    .filter(({ verdict }) => verdict === 'TOO MUCH')
    .map(({ name, cpuMs, stallMs }) => `${name}: ${cpuMs} ms, ${stallMs} ms in one turn`)
}
