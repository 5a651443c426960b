import type { ProjectId } from '../../../model/ids.ts'
import { type GroupCall, runGroupCall } from '../../issues/group-writes.ts'
import type { ProjectCounters } from '../../issues/issue-tables.ts'
import { StorageUnavailable } from '../../storage.ts'
import { type Database, prepared, type Transaction } from '../driver/connection.ts'
import { isLockTimeout } from '../driver/faults.ts'
import { createBatchTables } from './batch-tables.ts'
import { createCommitAhead } from './commit-ahead.ts'
import { createCounterWrites } from './counters.ts'
import { type LoadedRows, loadRows, NOTHING_LOADED } from './load-rows.ts'
import { createProjectHeads, LOCK_WAIT_MS, lockProject, type ProjectKey } from './project-heads.ts'
import { createSeenWrites } from './seen-values.ts'
import { writeProject, writeRows } from './write-rows.ts'

/** The result of a call. */
export type WriteResult = { readonly value: unknown } | { readonly error: Error }

/**
 * Commits the calls of one project together; if one fails, each is committed separately, so that only that one fails. Rejects with a
 * lock timeout, having stored nothing, if another transaction holds the project for longer than {@link LOCK_WAIT_MS}.
 */
export type CommitBatch = (
  projectId: ProjectId,
  calls: readonly GroupCall[],
) => Promise<readonly WriteResult[]>

const WAIT_BRIEFLY = prepared('wait_briefly', `SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`)

export function createCommitBatch(database: Database): CommitBatch {
  const counters = createCounterWrites()
  const seenValues = createSeenWrites()
  const heads = createProjectHeads()
  const commitAhead = createCommitAhead({ database, heads, counters, seenValues })

  /** Locks the project and reads what the calls need, in one round trip if the project is known, because others wait for the lock. */
  async function lockAndLoad(
    tx: Transaction,
    id: ProjectId,
    load: (project: ProjectKey) => Promise<LoadedRows>,
  ): Promise<readonly [ProjectCounters | undefined, LoadedRows]> {
    const seq = heads.find(id)?.seq
    const [project, early] = await Promise.all([
      lockProject(tx, id),
      seq === undefined ? undefined : load({ id, seq }),
    ])
    if (project === undefined) return [undefined, NOTHING_LOADED]
    return [project, early !== undefined && project.seq === seq ? early : await load(project)]
  }

  async function commitLocked(
    projectId: ProjectId,
    calls: readonly GroupCall[],
    isCareful: boolean,
  ): Promise<readonly unknown[]> {
    const known = heads.find(projectId)
    const { left, values } = await database.transaction(async (tx) => {
      if (!isCareful) tx.send(WAIT_BRIEFLY())
      const [project, loaded] = await lockAndLoad(tx, projectId, (key) => loadRows(tx, key, calls, isCareful))
      const isUndisturbed =
        known?.lastIssueNumber === project?.lastIssueNumber &&
        known?.lastEventPosition === project?.lastEventPosition
      const tables = createBatchTables(project, loaded)
      const values = calls.map((call) => runGroupCall(tables, call))
      if (project === undefined) return { values }
      writeRows(tx, project, tables.changes)
      await counters.write(tx, project, tables.changes.counts)
      await seenValues.write(tx, project, tables.changes)
      writeProject(tx, project)
      return { values, left: { ...project, isUndisturbed } }
    })
    if (left !== undefined) heads.keep(left)
    return values
  }

  return async (projectId, calls) => {
    try {
      const values = (await commitAhead(projectId, calls)) ?? (await commitLocked(projectId, calls, false))
      return values.map((value) => ({ value }))
    } catch (error) {
      if (isLockTimeout(error)) throw error
      // While the database is unreachable the next attempt fails too, and it is unknown whether this one was stored.
      if (error instanceof StorageUnavailable) return calls.map(() => ({ error }))
    }
    const results: WriteResult[] = []
    for (const call of calls) {
      const result = commitLocked(projectId, [call], true).then(([value]) => ({ value }))
      results.push(await result.catch((error: Error) => ({ error })))
    }
    return results
  }
}
