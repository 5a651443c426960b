import { appendFileSync, copyFileSync, mkdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createRandom } from '../../packages/server/src/demo/random.ts'
import { openInspection } from '../../packages/server/src/storage/open-storage.ts'
import { openSqliteStorage } from '../../packages/server/src/storage/sqlite/sqlite-storage.ts'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'
import { addProject, reportOf } from '../../packages/server/test-support/transfer-projects.ts'
import { PATIENT, rounds, SEED } from './effort.ts'
import { expectIntact } from './expect-intact.ts'
import { note } from './figures.ts'
import type { Ledger, Receipt } from './ledger.ts'

const REPORTS = 150
const CUTS = rounds({ short: 6, long: 200 })

const folder = temporaryFolder()
const crashed = join(folder.path, 'crashed.db')
const receipts: (readonly [submissionId: string, receipt: Receipt])[] = []
/** The length of the log before the last report, which is lost if the log is shorter. Parts of the index may follow it. */
let lengthBeforeLast = 0

beforeAll(async () => {
  const path = join(folder.path, 'bugle.db')
  const storage = await openSqliteStorage({ path, onCrash: fail })
  const project = await addProject(storage, 'weather')
  for (let n = 1; n <= REPORTS; n++) {
    const submission = { id: `report-${n}`, contentHash: '00'.repeat(16) }
    if (n === REPORTS) lengthBeforeLast = statSync(`${path}-wal`).size
    const outcome = await storage.issues.submit(reportOf(project, null, `Report ${n}`, submission))
    if (!('receipt' in outcome)) throw new Error(`it was not stored: ${outcome.kind}`)
    receipts.push([submission.id, { id: outcome.receipt.issueId, issueNumber: outcome.receipt.issueNumber }])
  }
  // The state after a crash at this point: everything is still in the log.
  for (const companion of ['', '-wal']) copyFileSync(path + companion, crashed + companion)
  await storage.close()
  return () => folder[Symbol.dispose]()
})

test('a torn write after the last commit is ignored: nothing is lost', PATIENT, async () => {
  const { database, url } = copyOf('torn')
  appendFileSync(`${database}-wal`, Buffer.alloc(10_000, 0x5a))
  expect(await expectIntact(url, ledgerOf(REPORTS))).toEqual({ acknowledged: REPORTS, lost: 0, doubled: 0 })
})

test('of a truncated log, everything up to some commit is kept and consistent', PATIENT, async () => {
  const random = createRandom(SEED)
  let kept = 0
  for (let cut = 1; cut <= CUTS; cut++) {
    const { database, url } = copyOf(`cut-${cut}`)
    // The first third contains the tables.
    truncateSync(`${database}-wal`, random.integer(Math.floor(lengthBeforeLast / 3), lengthBeforeLast))
    const count = await countIssues(url)
    expect(count).toBeLessThan(REPORTS)
    await expectIntact(url, ledgerOf(count))
    kept += count
  }
  expect(kept).toBeGreaterThan(0)
  note({ fault: 'SQLite: log cut off at some byte', rounds: CUTS, acknowledged: kept, lost: 0, doubled: 0 })
})

function copyOf(name: string) {
  mkdirSync(join(folder.path, name))
  const database = join(folder.path, name, 'bugle.db')
  for (const companion of ['', '-wal']) copyFileSync(crashed + companion, database + companion)
  return { database, url: `sqlite:${database}` }
}

/** All were sent; this many of the first ones must be stored. */
function ledgerOf(count: number): Pick<Ledger, 'sent' | 'receipts'> {
  return { sent: new Set(receipts.map(([id]) => id)), receipts: new Map(receipts.slice(0, count)) }
}

async function countIssues(url: string): Promise<number> {
  await using inspection = await openInspection(url)
  return (await inspection.audit()).counts.issues
}

function fail(error: Error): never {
  throw error
}
