import type { ProjectId } from '../../../model/ids.ts'
import { type GroupCall, runGroupCall } from '../../issues/group-writes.ts'
import { StorageUnavailable } from '../../storage.ts'
import { type Database, prepared, type Transaction } from '../driver/connection.ts'
import { isLockTimeout } from '../driver/faults.ts'
import { createBatchTables } from './batch-tables.ts'
import { createCommitAhead } from './commit-ahead.ts'
import { createCounterWrites } from './counters.ts'
import { type LoadedRows, loadRows, NOTHING_LOADED } from './load-rows.ts'
import {
  createKnownHeads,
  LOCK_WAIT_MS,
  lockProject,
  numbersOf,
  type ProjectHead,
  type ProjectKey,
  writeHead,
} from './project-heads.ts'
import { createSeenWrites } from './seen-values.ts'
import { writeRows } from './write-rows.ts'

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

export function createCommitBatch(database: Database, isCluster = false): CommitBatch {
  const counters = createCounterWrites()
  const seenValues = createSeenWrites()
  const heads = createKnownHeads()
  // Citus would run each part of its statement by itself, and copy the rows between them to all nodes.
  const commitAhead = isCluster
    ? async () => undefined
    : createCommitAhead({ database, heads, counters, seenValues })

  /** Locks the project and reads what the calls need, in one round trip if the project is known, because others wait for the lock. */
  async function lockAndLoad(
    tx: Transaction,
    id: ProjectId,
    load: (project: ProjectKey) => Promise<LoadedRows>,
  ): Promise<readonly [ProjectHead | undefined, LoadedRows]> {
    const seq = heads.find(id)?.seq
    const [project, early] = await Promise.all([
      lockProject(tx, id, seq),
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
      const [found, loaded] = await lockAndLoad(tx, projectId, (key) => loadRows(tx, key, calls, isCareful))
      const isUndisturbed =
        known?.lastIssueNumber === found?.lastIssueNumber &&
        known?.lastEventPosition === found?.lastEventPosition
      const project = found && numbersOf(found)
      const tables = createBatchTables(project, loaded)
      const values = calls.map((call) => runGroupCall(tables, call))
      if (found === undefined || project === undefined) return { values }
      const { changes } = tables
      writeRows({ tx, isCluster }, project, changes)
      // Refused calls write nothing, not even an unchanged row.
      const isChanged =
        found.lastEventPosition !== project.lastEventPosition ||
        !isEmpty(changes.counts) ||
        !isEmpty(changes.seen)
      const head = isChanged ? writeHead(tx, found, project) : found
      await counters.write(tx, head, changes.counts)
      await seenValues.write(tx, head, changes)
      return { values, left: { ...head, isUndisturbed } }
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

function isEmpty(items: Iterable<unknown>): boolean {
  for (const _ of items) return false
  return true
}
