import type { ProjectId } from '../../../model/ids.ts'
import type { ListBounds } from '../../../model/issue-lists.ts'
import { countByStatus, countIssues } from '../../issues/lists/issue-lists.ts'
import { deletedIssueStorage } from '../../nouns/issues/deleted-issues.ts'
import { issueReadStorage, issueWriteStorage } from '../../nouns/issues/issues.ts'
import type { Operation, Operations } from '../../operations.ts'
import type { IssueStorage } from '../../ports/issues.ts'
import { ReadCancelled } from '../../storage.ts'
import { clusterIssues } from '../cluster/issues.ts'
import type { Database } from '../driver/connection.ts'
import { runOperation } from '../driver/operations.ts'
import type { ProjectSeqs } from '../driver/project-seqs.ts'
import { listDatabase, listIssues, listJointly } from './issue-lists.ts'

interface IssueStorageDependencies {
  readonly database: Database
  readonly operations: Operations
  readonly seqs: ProjectSeqs
  /** Announces that events of a project were written. */
  readonly announce: (projectId: ProjectId) => void
  readonly bounds: ListBounds
  readonly isCluster: boolean
}

export function issueStorage({
  database,
  operations,
  seqs,
  announce,
  bounds,
  isCluster,
}: IssueStorageDependencies): IssueStorage {
  const lists = listDatabase(bounds, isCluster)

  /** From one snapshot, unless the client has disconnected. */
  async function readTogether<T>(operation: Operation<T>, signal: AbortSignal | undefined): Promise<T> {
    if (signal?.aborted) throw new ReadCancelled()
    return database.snapshot((session) => runOperation(session.execute, operation, seqs))
  }

  return {
    ...issueWriteStorage(operations, announce),
    list: (listing, signal) => readTogether(listIssues(lists, listing), signal),
    listJointly: (listing, signal) => readTogether(listJointly(lists, listing), signal),
    count: (selection, signal) => readTogether(countIssues(lists, selection), signal),
    countByStatus: (selection, signal) => readTogether(countByStatus(lists, selection), signal),
    ...deletedIssueStorage(operations, isCluster),
    ...issueReadStorage(operations),
    ...(isCluster && clusterIssues(operations)),
  }
}
