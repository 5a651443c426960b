import type { ProjectId } from '../../ids.ts'
import type { ProjectCounters } from '../sql/issue-tables.ts'
import { StorageUnavailable } from '../storage.ts'
import { createBatchTables } from './batch-tables.ts'
import type { Database, Transaction } from './connection.ts'
import { createCounterWrites } from './counters.ts'
import { type LoadedRows, loadRows, lockProject, type ProjectKey } from './load-rows.ts'
import { createWriteOperations, type WriteCall, type WriteName } from './write-operations.ts'
import { writeProject, writeRows } from './write-rows.ts'

/** What came of a call. */
export type WriteResult = { readonly value: unknown } | { readonly error: Error }

/** Commits the calls of one project together; should one fail, each by itself, so that it fails alone. */
export type CommitBatch = (
  projectId: ProjectId,
  calls: readonly WriteCall[],
) => Promise<readonly WriteResult[]>

export function createCommitBatch(database: Database): CommitBatch {
  const counters = createCounterWrites()
  const seqs = new Map<ProjectId, number>()

  /** Takes the project and reads what the calls need, in one round trip once the project is known: others wait for the lock. */
  async function lockAndLoad(
    tx: Transaction,
    id: ProjectId,
    load: (project: ProjectKey) => Promise<LoadedRows>,
  ): Promise<readonly [ProjectCounters | undefined, LoadedRows]> {
    const seq = seqs.get(id)
    const [project, early] = await Promise.all([
      lockProject(tx, id),
      seq === undefined ? undefined : load({ id, seq }),
    ])
    if (project === undefined) return [undefined, NOTHING]
    if (early !== undefined && project.seq === seq) return [project, early]
    if (seqs.size >= MAX_REMEMBERED) seqs.clear()
    seqs.set(id, project.seq)
    return [project, await load(project)]
  }

  function commit(
    projectId: ProjectId,
    calls: readonly WriteCall[],
    isCareful: boolean,
  ): Promise<readonly WriteResult[]> {
    return database.transaction(async (tx) => {
      const [project, loaded] = await lockAndLoad(tx, projectId, (key) => loadRows(tx, key, calls, isCareful))
      const tables = createBatchTables(project, loaded)
      const operations = createWriteOperations(tables) as Record<WriteName, (...args: unknown[]) => unknown>
      const results = calls.map(([name, ...args]) => ({ value: operations[name](...args) }))
      if (project === undefined) return results
      writeRows(tx, project, tables.changes)
      await counters.write(tx, project, tables.changes.counts)
      writeProject(tx, project)
      return results
    })
  }

  return async (projectId, calls) => {
    try {
      return await commit(projectId, calls, false)
    } catch (error) {
      // While the database is away the next try fails too, and whether this one was stored nobody knows.
      if (error instanceof StorageUnavailable) return calls.map(() => ({ error }))
    }
    const results: WriteResult[] = []
    for (const call of calls) {
      results.push(...(await commit(projectId, [call], true).catch((error: Error) => [{ error }])))
    }
    return results
  }
}

/** Projects remembered by their numbers. When they are too many it starts over. */
const MAX_REMEMBERED = 10_000

const NOTHING: LoadedRows = { issues: [], submissions: new Map(), reportDays: new Map() }
