import { expect, test } from 'vitest'
import { DATABASE_KINDS } from './database.ts'
import { fuzzServer } from './fuzz-server.ts'

/** A few seconds' worth; `fuzz.thorough.ts` sends more, and `npm run fuzz -- --requests 200000` as many as you like. */
const REQUESTS = 800
const SEED = 9_116

test.each(DATABASE_KINDS)(
  '%s: every answer is documented, and what is refused writes nothing',
  async (kind) => {
    const report = await fuzzServer(kind, { requests: REQUESTS, seed: SEED })
    expect(report.sent).toBe(REQUESTS)
    // A fuzzer that is never let in finds nothing.
    expect(report.accepted).toBeGreaterThan(REQUESTS / 10)
    expect(report.refused).toBeGreaterThan(REQUESTS / 10)
    expect(report.outcomes.get('submitIssue 201')).toBeGreaterThan(10)
  },
  180_000,
)
