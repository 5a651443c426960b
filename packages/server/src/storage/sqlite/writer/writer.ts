import type { DatabaseSync } from 'node:sqlite'
import { GROUP_WRITES, type GroupWrite } from '../../issues/group-writes.ts'
import type { IssueTables } from '../../issues/issue-tables.ts'
import { WRITES } from '../../nouns/nouns.ts'
import type { Revocation } from '../../ports/issues.ts'
import { type Migration, StorageUnavailable } from '../../storage.ts'
import { openWriter } from '../driver/connection.ts'
import { externalFaultOf, isIndexFault, reportOf } from '../driver/faults.ts'
import { bindOperations } from '../driver/run-operations.ts'
import { inTransaction } from '../driver/transaction.ts'
import { prepareIssueTables } from '../issues/issue-tables.ts'
import { prepareDamageMark, prepareIndexing } from '../issues/search-index.ts'
import { createSchema, findServiceFault, prepareSchemaVersion } from '../migrations/migrate.ts'
import { prepareBatch } from './batch.ts'
import { prepareProbe } from './probe-disk.ts'

/** All operations that change the database, by name, which the group commit can run. */
export type WriteOperations = ReturnType<typeof prepareOperations>
export type WriteName = keyof WriteOperations

/** Sends a call to the writer: the promise settles after the commit. */
export interface Writes {
  run<N extends WriteName>(
    name: N,
    ...args: Parameters<WriteOperations[N]>
  ): Promise<ReturnType<WriteOperations[N]>>
  /** The same, for a call that can be given up. */
  runRevocably<N extends WriteName>(
    revocation: Revocation | undefined,
    name: N,
    ...args: Parameters<WriteOperations[N]>
  ): Promise<ReturnType<WriteOperations[N]>>
}

/** A call to the writer, and its result. Both cross the thread boundary. */
export type WriteCall = readonly [name: WriteName, ...args: unknown[]]
export type WriteResult =
  | { readonly value: unknown }
  | {
      readonly fault: string
      /** The external fault, if it is one: a retry may succeed. */
      readonly external: string | null
      /** The error that SQLite reported; `null` if it was not SQLite. */
      readonly report: string | null
    }

/** The only connection that writes. It does not use threads or promises. */
export interface Writer {
  readonly db: DatabaseSync
  readonly migration: Migration
  /** Commits all calls together; if one fails, each is repeated in a separate transaction, so that only that one fails. */
  commit(calls: readonly WriteCall[]): WriteResult[]
  /** The largest number of unindexed issues in a project of the last commit. */
  unindexed(): number
  /** Indexes one step; false when the index is up to date. */
  indexSome(): boolean
  close(): void
}

interface WriterObserver {
  /** Called once when the full-text index has failed and is no longer used. */
  readonly onIndexDamage?: (reason: string) => void
}

export function createWriter(path: string, { onIndexDamage = () => {} }: WriterObserver = {}): Writer {
  const db = openWriter(path)
  const migration = createSchema(db)
  const readVersion = prepareSchemaVersion(db)
  const batch = prepareBatch(db)
  const indexing = prepareIndexing(db)
  const markIndexDamaged = prepareDamageMark(db)
  const operations = prepareOperations(db, batch, path) as Record<WriteName, (...args: unknown[]) => unknown>

  /** Nothing is written to a schema that another release or a restore has put in place since the database was opened. */
  function inOwnSchema<T>(work: () => T): T {
    return inTransaction(db, () => {
      const fault = readVersion() === migration.to ? undefined : findServiceFault(db)
      if (fault !== undefined) throw new StorageUnavailable(fault)
      return work()
    })
  }

  function run(calls: readonly WriteCall[], isRetry = false): WriteResult[] {
    batch.begin({ isRetry })
    const results = calls.map(([name, ...args]) => ({ value: operations[name](...args) }))
    batch.finish()
    return results
  }

  /** Repeats a call of a transaction that failed. */
  function commitAgain(call: WriteCall): WriteResult[] {
    try {
      return inOwnSchema(() => run([call], true))
    } catch (error) {
      return isIndexFault(error) ? commitWithoutIndex(call, error) : [describeFault(error)]
    }
  }

  /** The index is abandoned only if the call works without it; otherwise the fault is elsewhere. */
  function commitWithoutIndex(call: WriteCall, fault: unknown): WriteResult[] {
    try {
      const results = inOwnSchema(() => {
        markIndexDamaged()
        return run([call], true)
      })
      onIndexDamage(String(fault))
      return results
    } catch {
      return [describeFault(fault)]
    }
  }

  return {
    db,
    migration,
    commit(calls) {
      try {
        return inOwnSchema(() => run(calls))
      } catch {
        return calls.flatMap(commitAgain)
      }
    },
    unindexed: batch.unindexed,
    indexSome() {
      try {
        return indexing.isBehind() && inOwnSchema(indexing.indexSome)
      } catch (error) {
        if (!isIndexFault(error)) throw error
        inOwnSchema(markIndexDamaged)
        onIndexDamage(String(error))
        return false
      }
    },
    close() {
      db.close()
    },
  }
}

function prepareOperations(db: DatabaseSync, batch: ReturnType<typeof prepareBatch>, path: string) {
  const tables = prepareIssueTables(db, batch)
  return {
    ...bindGroupWrites(tables),
    // These operations read and write projects themselves.
    ...bindOperations(db, WRITES, batch.writeProjects),
    probe: prepareProbe(db, path),
  }
}

type BoundGroupWrites = {
  readonly [N in keyof typeof GROUP_WRITES]: (typeof GROUP_WRITES)[N] extends GroupWrite<infer A, infer T>
    ? (...args: A) => T
    : never
}

function bindGroupWrites(tables: IssueTables): BoundGroupWrites {
  const bound = Object.entries<GroupWrite<never[], unknown>>(GROUP_WRITES).map(([name, write]) => [
    name,
    (...args: never[]) => write(tables, ...args),
  ])
  return Object.fromEntries(bound) as BoundGroupWrites
}

function describeFault(error: unknown): WriteResult {
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { fault, external: externalFaultOf(error), report: reportOf(error) }
}
