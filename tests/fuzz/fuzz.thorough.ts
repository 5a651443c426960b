import { expect, test } from 'vitest'
import { DATABASE_KINDS } from './database.ts'
import { fuzzServer } from './fuzz-server.ts'

/** `npm run fuzz -- --requests 200000` sends as many as you like. */
const REQUESTS = 20_000
const SEED = 2_310

test.each(DATABASE_KINDS)(
  '%s: every response is documented, and refused requests write nothing',
  async (kind) => {
    const report = await fuzzServer(kind, { requests: REQUESTS, seed: SEED })
    expect(report.sent).toBe(REQUESTS)
    // A fuzzer whose requests are all refused would find nothing.
    expect(report.accepted).toBeGreaterThan(REQUESTS / 10)
    expect(report.refused).toBeGreaterThan(REQUESTS / 10)
    expect(report.outcomes.get('submitIssue 201')).toBeGreaterThan(REQUESTS / 200)
  },
)
