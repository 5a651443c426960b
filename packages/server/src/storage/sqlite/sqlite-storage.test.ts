import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addProject, plainReport } from '../../../test-support/plain-reports.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { disposing } from '../../../test-support/temporary-storage.ts'
import { type Storage, StorageUnavailable } from '../storage.ts'
import { describeStorage } from '../suites/storage.contract.ts'
import { openWriter } from './driver/connection.ts'
import { openSqliteStorage } from './sqlite-storage.ts'
import { createGroupCommit } from './writer/group-commit.ts'
import type { WriteCall, WriteResult } from './writer/writer.ts'

describeStorage('SQLite in memory', async () => disposing(await open(':memory:')))

describe('SQLite', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let path: string
  let storage: Storage

  beforeEach(async () => {
    folder = temporaryFolder()
    path = join(folder.path, 'nested', 'bugle.db')
    storage = await open(path)
  })
  afterEach(async () => {
    await storage.close()
    folder[Symbol.dispose]()
  })

  it('uses a write-ahead log, and syncs at each commit', () => {
    const writer = openWriter(path)
    expect(writer.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    expect(writer.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 })
    writer.close()
  })

  it('acknowledges no submission before its commit', async () => {
    const project = await addProject(storage)
    const bystander = new DatabaseSync(path)
    bystander.exec('BEGIN IMMEDIATE')
    let isAnswered = false
    const submitted = storage.issues.submit(plainReport(project)).then(() => {
      isAnswered = true
    })
    // The test holds the lock, so the writer cannot commit: a premature response would have arrived by now.
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(isAnswered).toBe(false)
    bystander.exec('ROLLBACK')
    await submitted
    expect(bystander.prepare('SELECT count(*) AS count FROM issues').get()).toEqual({ count: 1 })
    bystander.close()
  })

  it('keeps the event loop free while another process holds the lock', async () => {
    const project = await addProject(storage)
    const bystander = new DatabaseSync(path)
    bystander.exec('BEGIN IMMEDIATE')
    const submitted = storage.issues.submit(plainReport(project))
    const before = performance.eventLoopUtilization()
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    // If the event loop waited for the lock, it would never be idle.
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.8)
    bystander.exec('ROLLBACK')
    bystander.close()
    expect((await submitted).kind).toBe('stored')
  })

  it('fails only the call that is invalid', async () => {
    const project = await addProject(storage)
    // Text in a numeric column: the database itself refuses it.
    const bad = { ...plainReport(project), receivedAt: 'soon' as unknown as number }
    const outcomes = await Promise.allSettled([
      storage.issues.submit(plainReport(project)),
      storage.issues.submit(bad),
      storage.issues.submit(plainReport(project)),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const numbers = outcomes.map((outcome) =>
      outcome.status === 'fulfilled' && 'receipt' in outcome.value ? outcome.value.receipt.issueNumber : null,
    )
    expect(numbers).toEqual([1, null, 2])
  })

  it('writes one event for each issue, in the same order', async () => {
    const project = await addProject(storage)
    await Promise.all(Array.from({ length: 20 }, () => storage.issues.submit(plainReport(project))))
    const reader = new DatabaseSync(path, { readOnly: true })
    const events = reader
      .prepare(
        "SELECT e.row & 0xffffffff AS position, i.created_position FROM events e JOIN issues i ON i.row = e.issue_row WHERE e.type = 'issue.created' ORDER BY e.row",
      )
      .all()
    expect(events).toHaveLength(20)
    for (const [index, event] of events.entries()) {
      expect(event).toEqual({ position: index + 1, created_position: index + 1 })
    }
    reader.close()
  })

  it('refuses a database of a newer release, and does not change it', async () => {
    await storage.close()
    const db = new DatabaseSync(path)
    db.exec('PRAGMA user_version = 999; UPDATE catalog SET oldest_schema = 999')
    await expect(open(path)).rejects.toThrow(/schema version 999/)
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 999 })
    db.close()
  })

  it('reopens its own database', async () => {
    const project = await addProject(storage)
    await storage.issues.submit(plainReport(project))
    await storage.close()
    storage = await open(path)
    expect(storage.migration.from).toBe(storage.migration.to)
    const again = await storage.issues.submit(plainReport(project))
    expect('receipt' in again && again.receipt.issueNumber).toBe(2)
  })
})

describe('the group commit', () => {
  it('refuses calls when too many wait, and accepts them again afterwards', async () => {
    const held: { calls: readonly WriteCall[]; answer: (results: readonly WriteResult[]) => void }[] = []
    const writes = createGroupCommit({
      migration: { from: 1, to: 1 },
      commit: (calls, answer) => held.push({ calls, answer }),
      close: async () => {},
    })
    const accepted = Array.from({ length: 8_192 }, () => writes.run('probe'))
    await expect(writes.run('probe')).rejects.toThrow(StorageUnavailable)
    await new Promise((resolve) => setImmediate(resolve))
    while (held.length > 0) {
      const { calls, answer } = held.shift() ?? { calls: [], answer: () => {} }
      answer(calls.map(() => ({ value: undefined })))
    }
    await Promise.all(accepted)
    const late = writes.run('probe')
    await new Promise((resolve) => setImmediate(resolve))
    held.shift()?.answer([{ value: undefined }])
    await late
  })

  it('sends calls within a turn of the event loop, and more of them while others are in progress', async () => {
    const sent: { readonly calls: number; readonly answer: () => void }[] = []
    const writes = createGroupCommit({
      migration: { from: 1, to: 1 },
      commit: (calls, answer) =>
        sent.push({ calls: calls.length, answer: () => answer(calls.map(() => ({ value: undefined }))) }),
      close: async () => {},
    })
    const sizes = () => sent.map(({ calls }) => calls)
    const run = async (calls: number) => {
      for (let call = 0; call < calls; call++) void writes.run('probe')
      await Promise.resolve()
      return sizes()
    }
    const turn = () => new Promise((resolve) => setImmediate(resolve))

    expect(await run(31)).toEqual([])
    expect(await run(1)).toEqual([32])
    expect(await run(63)).toEqual([32])
    expect(await run(1)).toEqual([32, 64])
    expect(await run(5)).toEqual([32, 64])
    await turn()
    expect(sizes()).toEqual([32, 64])
    sent[0]?.answer()
    await Promise.resolve()
    expect(sizes()).toEqual([32, 64])
    await turn()
    expect(sizes()).toEqual([32, 64, 5])
  })

  it('fails waiting and later calls when the writer crashes', async () => {
    const writes = createGroupCommit({
      migration: { from: 1, to: 1 },
      commit: () => {},
      close: async () => {},
    })
    const waiting = writes.run('probe')
    writes.abort(new Error('out of memory'))
    await expect(waiting).rejects.toThrow(StorageUnavailable)
    await expect(writes.run('probe')).rejects.toThrow(StorageUnavailable)
    await writes.close()
  })
})

function open(path: string): Promise<Storage> {
  return openSqliteStorage({
    path,
    onCrash: (error) => {
      throw error
    },
  })
}
