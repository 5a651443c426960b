import type { ProjectId } from '../../../model/ids.ts'
import { type GroupCall, runGroupCall } from '../../issues/group-writes.ts'
import type { ProjectCounters } from '../../issues/issue-tables.ts'
import type { Database } from '../driver/connection.ts'
import { createBatchTables } from './batch-tables.ts'
import type { CounterWrites } from './counters.ts'
import { NOTHING_LOADED } from './load-rows.ts'
import type { ProjectHeads } from './project-heads.ts'
import { storeNewIssues } from './store-new-issues.ts'

/** Commits calls without looking at the project first; nothing is stored, and `undefined` the answer, if that can not be done. */
export type CommitAhead = (
  projectId: ProjectId,
  calls: readonly GroupCall[],
) => Promise<readonly unknown[] | undefined>

/**
 * New issues need nothing of what is stored but the last numbers, and those this node knows if it was the last to write.
 * So all of a batch goes in one statement, one way there and back, and the project is locked only while it runs. The
 * statement does nothing if somebody else was faster, or if a submission is stored already.
 */
export function createCommitAhead(
  database: Database,
  heads: ProjectHeads,
  counters: CounterWrites,
): CommitAhead {
  return async (projectId, calls) => {
    const head = heads.find(projectId)
    if (!head?.isUndisturbed || !calls.every(isOfNewIssue)) return undefined
    const project: ProjectCounters = { ...head }
    const tables = createBatchTables(project, NOTHING_LOADED)
    const values = calls.map((call) => runGroupCall(tables, call))
    const { changes } = tables
    const counts = counters.knownRows(changes.counts)
    if (counts === undefined) return undefined
    const stored = await database.write(storeNewIssues(head, project, { ...changes, counts }))
    heads.keep(stored.length > 0 ? { ...head, ...project } : { ...head, isUndisturbed: false })
    return stored.length > 0 ? values : undefined
  }
}

function isOfNewIssue(call: GroupCall): boolean {
  return call[0] === 'submitReport' && call[1].content.fingerprint === null
}
