import { expect, test } from 'vitest'
import { DATABASE_KINDS } from './database.ts'
import { fuzzServer } from './fuzz-server.ts'

const REQUESTS = 20_000
const SEED = 2_310

test.each(DATABASE_KINDS)(
  '%s: every answer is documented, and what is refused writes nothing',
  async (kind) => {
    const report = await fuzzServer(kind, { requests: REQUESTS, seed: SEED })
    expect(report.sent).toBe(REQUESTS)
  },
)
