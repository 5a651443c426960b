import type { ProjectId } from '../../../model/ids.ts'
import { type GroupCall, runGroupCall } from '../../issues/group-writes.ts'
import type { Database } from '../driver/connection.ts'
import { createBatchTables } from './batch-tables.ts'
import type { CounterWrites } from './counters.ts'
import { NOTHING_LOADED } from './load-rows.ts'
import { type KnownHeads, nextGeneration, numbersOf } from './project-heads.ts'
import type { SeenWrites } from './seen-values.ts'
import { storeNewIssues } from './store-new-issues.ts'

/** Commits calls without reading the project first; stores nothing and returns `undefined` if that is not possible. */
export type CommitAhead = (
  projectId: ProjectId,
  calls: readonly GroupCall[],
) => Promise<readonly unknown[] | undefined>

/**
 * New issues only need the project's last numbers, which this node knows if it was the last to write. So the
 * whole batch is one statement and one round trip, and the project is locked only while the statement runs. The
 * statement does nothing if another node was faster, or if a submission is already stored.
 */
export function createCommitAhead({
  database,
  heads,
  counters,
  seenValues,
}: CommitAheadDependencies): CommitAhead {
  return async (projectId, calls) => {
    const head = heads.find(projectId)
    if (!head?.isUndisturbed || nextGeneration(head) !== head.generation) return undefined
    if (!calls.every(isOfNewIssue)) return undefined
    const project = numbersOf(head)
    const tables = createBatchTables(project, NOTHING_LOADED)
    const values = calls.map((call) => runGroupCall(tables, call))
    const { changes } = tables
    const counts = counters.knownRows(changes.counts)
    if (counts === undefined || !seenValues.areKnown(changes.seen)) return undefined
    const stored = await database.write(storeNewIssues(head, project, { ...changes, counts }))
    const isStored = stored.length > 0
    heads.keep(
      isStored ? { ...head, ...project, commits: head.commits + 1 } : { ...head, isUndisturbed: false },
    )
    return isStored ? values : undefined
  }
}

interface CommitAheadDependencies {
  readonly database: Database
  readonly heads: KnownHeads
  readonly counters: CounterWrites
  readonly seenValues: SeenWrites
}

function isOfNewIssue(call: GroupCall): boolean {
  if (call[0] !== 'submitReport') return false
  const [, { content, attachments, exception, knownIssueId }] = call
  const isPlain = attachments === undefined && exception === undefined
  return content.fingerprint === null && isPlain && knownIssueId === undefined
}
