import type { WriteRates } from '../../inspection.ts'
import type { Database } from '../driver/connection.ts'

const MEASURED_MS = 1_000
const REPORT_BYTES = 1_024
/** The number of writes that share a commit under load. */
const TOGETHER = 64

/** Measures how many writes the database sustains: into its write-ahead log, where they are synced like any other, but not into a table. */
export async function measurePostgresWrites(database: Database): Promise<WriteRates> {
  const commit = (writes: number) =>
    database.transaction((tx) =>
      tx.run({
        text: "SELECT pg_logical_emit_message(true, 'bugle doctor', repeat('x', $1))",
        values: [writes * REPORT_BYTES],
      }),
    )
  const oneByOne = await measure(() => commit(1))
  return { oneByOne, together: TOGETHER * (await measure(() => commit(TOGETHER))) }
}

/** How often a function can be run per second. */
async function measure(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  let times = 0
  let spent = 0
  while (spent < MEASURED_MS) {
    await work()
    times++
    spent = performance.now() - began
  }
  return (times * 1_000) / spent
}
