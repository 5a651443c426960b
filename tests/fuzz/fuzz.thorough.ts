import { expect, test } from 'vitest'
import { fuzzServer } from './fuzz-server.ts'

const REQUESTS = 20_000
const SEED = 2_310

test('every answer is documented, and what is refused writes nothing', async () => {
  const report = await fuzzServer({ requests: REQUESTS, seed: SEED })
  expect(report.sent).toBe(REQUESTS)
})
