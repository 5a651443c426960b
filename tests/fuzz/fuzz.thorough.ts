import { expect, test } from 'vitest'
import { DATABASE_KINDS } from './database.ts'
import { fuzzServer } from './fuzz-server.ts'

/** `npm run fuzz -- --requests 200000` sends as many as you like. */
const REQUESTS = { sqlite: 20_000, postgres: 10_000 }
const SEED = 2_310

test.each(DATABASE_KINDS)(
  '%s: every response is documented, and refused requests write nothing',
  async (kind) => {
    const requests = REQUESTS[kind]
    const report = await fuzzServer(kind, { requests, seed: SEED })
    expect(report.sent).toBe(requests)
    // A fuzzer whose requests are all refused would find nothing.
    expect(report.accepted).toBeGreaterThan(requests / 10)
    expect(report.refused).toBeGreaterThan(requests / 10)
    expect(report.outcomes.get('submitIssue 201')).toBeGreaterThan(requests / 200)
  },
)
