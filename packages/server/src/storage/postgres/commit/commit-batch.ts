import type { ProjectId } from '../../../model/ids.ts'
import { type GroupCall, runGroupCall } from '../../issues/group-writes.ts'
import type { ProjectCounters } from '../../issues/issue-tables.ts'
import { StorageUnavailable } from '../../storage.ts'
import type { Database, Transaction } from '../driver/connection.ts'
import { createBatchTables } from './batch-tables.ts'
import { createCommitAhead } from './commit-ahead.ts'
import { createCounterWrites } from './counters.ts'
import { type LoadedRows, loadRows, lockProject, NOTHING_LOADED, type ProjectKey } from './load-rows.ts'
import { createProjectHeads } from './project-heads.ts'
import { writeProject, writeRows } from './write-rows.ts'

/** What came of a call. */
export type WriteResult = { readonly value: unknown } | { readonly error: Error }

/** Commits the calls of one project together; should one fail, each by itself, so that it fails alone. */
export type CommitBatch = (
  projectId: ProjectId,
  calls: readonly GroupCall[],
) => Promise<readonly WriteResult[]>

export function createCommitBatch(database: Database): CommitBatch {
  const counters = createCounterWrites()
  const heads = createProjectHeads()
  const commitAhead = createCommitAhead(database, heads, counters)

  /** Takes the project and reads what the calls need, in one round trip once the project is known: others wait for the lock. */
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
      const [project, loaded] = await lockAndLoad(tx, projectId, (key) => loadRows(tx, key, calls, isCareful))
      const isUndisturbed =
        known?.lastIssueNumber === project?.lastIssueNumber &&
        known?.lastEventPosition === project?.lastEventPosition
      const tables = createBatchTables(project, loaded)
      const values = calls.map((call) => runGroupCall(tables, call))
      if (project === undefined) return { values }
      writeRows(tx, project, tables.changes)
      await counters.write(tx, project, tables.changes.counts)
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
      // While the database is away the next try fails too, and whether this one was stored nobody knows.
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
