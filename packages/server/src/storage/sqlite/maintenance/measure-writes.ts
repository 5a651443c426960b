import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { WriteRates } from '../../inspection.ts'
import { openWriter } from '../driver/connection.ts'
import { inTransaction } from '../driver/transaction.ts'

const MEASURED_MS = 1_000
const REPORT_BYTES = 1_024
/** The number of writes that share a commit under load. */
const TOGETHER = 64

/** Measures how many writes the disk of a folder sustains, in a temporary database. */
export function measureSqliteWrites(folder: string): WriteRates {
  const scratch = mkdtempSync(join(folder, 'measuring-'))
  try {
    using db = openWriter(join(scratch, 'scratch.db'))
    db.exec('CREATE TABLE reports (id INTEGER PRIMARY KEY, report BLOB)')
    const insert = db.prepare('INSERT INTO reports (report) VALUES (zeroblob(?))')
    const commit = (writes: number) =>
      inTransaction(db, () => {
        for (let write = 0; write < writes; write++) insert.run(REPORT_BYTES)
      })
    return { oneByOne: measure(() => commit(1)), together: TOGETHER * measure(() => commit(TOGETHER)) }
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

/** How often a function can be run per second. */
function measure(work: () => void): number {
  const began = performance.now()
  let times = 0
  let spent = 0
  while (spent < MEASURED_MS) {
    work()
    times++
    spent = performance.now() - began
  }
  return (times * 1_000) / spent
}
