import type { DatabaseSync } from 'node:sqlite'
import { MAX_PAGE_SIZE } from '@bugle/contract/vocabulary'
import type { IssueListing, ListBounds } from '../../../model/issue-lists.ts'
import { isByStatusOnly } from '../../issues/lists/issue-filters.ts'
import { deletedIssueStorage } from '../../nouns/issues/deleted-issues.ts'
import { issueReadStorage, issueWriteStorage } from '../../nouns/issues/issues.ts'
import type { Operations } from '../../operations.ts'
import type { IssueStorage } from '../../ports/issues.ts'
import { readInline } from '../readers/read-pool.ts'
import type { Reads } from '../readers/reader.ts'
import type { Announcements } from '../writer/announcements.ts'
import { toListedIssue } from './issue-rows.ts'

/** Pages up to this depth are read here, which saves waking a reader thread and copying the rows. */
const MAX_QUICK_OFFSET = 1_000

interface IssueStorageDependencies {
  readonly reader: DatabaseSync
  readonly operations: Operations
  readonly reads: Reads
  readonly announcements: Announcements
  readonly bounds: ListBounds
}

/** Point reads and short lists run here, on the reader's connection; longer reads go through `reads`. */
export function issueStorage({
  reader,
  operations,
  reads,
  announcements,
  bounds,
}: IssueStorageDependencies): IssueStorage {
  const here = readInline(reader, bounds)

  return {
    ...issueWriteStorage(operations, announcements.announce),

    async list(listing, signal) {
      const request = { projectId: listing.selection.projectId, signal }
      const { rows, ...rest } = await (isQuick(listing) ? here : reads).run(request, 'listIssues', listing)
      return { issues: rows.map((row) => toListedIssue(row, listing.selection.projectId)), ...rest }
    },
    async listJointly(listing, signal) {
      const part = await reads.run({ projectId: null, signal }, 'listJointly', listing)
      const { rows, projectIds, ...rest } = part
      const issues = rows.flatMap((row, index) => {
        const projectId = projectIds[index]
        return projectId === undefined ? [] : [toListedIssue(row, projectId)]
      })
      return { issues, ...rest }
    },
    count: (selection, signal) =>
      (isByStatusOnly(selection) ? here : reads).run(
        { projectId: selection.projectId, signal },
        'countIssues',
        selection,
      ),
    countByStatus: (selection, signal) =>
      (isByStatusOnly(selection) ? here : reads).run(
        { projectId: selection.projectId, signal },
        'countByStatus',
        selection,
      ),
    ...deletedIssueStorage(operations),
    ...issueReadStorage(operations),
  }
}

function isQuick({ selection, sort, start, limit }: IssueListing): boolean {
  if (limit > MAX_PAGE_SIZE) return false
  // The index on statuses is in key order; for other orders, rows have to be examined.
  const isInOrder = selection.statuses === null || sort === 'newest' || sort === 'oldest'
  return isByStatusOnly(selection) && isInOrder && ('after' in start || start.offset <= MAX_QUICK_OFFSET)
}
