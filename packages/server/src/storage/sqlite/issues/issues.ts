import type { DatabaseSync } from 'node:sqlite'
import { idToBytes } from '../../../model/ids.ts'
import type { IssueListing, IssueSelection, ListBounds } from '../../../model/issue-lists.ts'
import { LANE_CODES } from '../../issues/lane-codes.ts'
import { residualFilters } from '../../issues/lists/issue-filters.ts'
import { type RevisionRow, revisionOf } from '../../issues/revisions.ts'
import { deletedIssueStorage } from '../../nouns/deleted-issues.ts'
import { issueDetails, issueWriteStorage } from '../../nouns/issues.ts'
import type { Operations } from '../../operations.ts'
import type { IssueStorage } from '../../storage.ts'
import { readInline } from '../readers/read-pool.ts'
import type { Reads } from '../readers/reader.ts'
import type { Announcements } from '../writer/announcements.ts'
import { prepareIssueReads, toIssue, toListedIssue } from './issue-rows.ts'

/** Pages this far in are still read at once; deeper ones go to a reader's thread. */
const MAX_QUICK_OFFSET = 200

interface IssueStorageParts {
  readonly reader: DatabaseSync
  readonly operations: Operations
  readonly reads: Reads
  readonly announcements: Announcements
  readonly bounds: ListBounds
}

/** Point reads and short lists run right here, on the reader's connection; whatever may take longer goes through `reads`. */
export function issueStorage({
  reader,
  operations,
  reads,
  announcements,
  bounds,
}: IssueStorageParts): IssueStorage {
  const selectOne = prepareIssueReads(
    reader,
    `JOIN projects p ON p.seq = i.row >> 32 WHERE i.id = ? AND p.id = ? AND p.slug IS NOT NULL`,
  )
  const selectNumbered = prepareIssueReads(
    reader,
    `WHERE i.row = (SELECT seq << 32 FROM projects WHERE id = ? AND slug IS NOT NULL) + ?`,
  )
  const selectRevision = reader.prepare(
    `SELECT seq, last_event_position, last_open_position,
       (SELECT sum(count) FROM counters
        WHERE project = p.seq AND lane = ${LANE_CODES.open} AND dimension = 'status') AS open_issues
     FROM projects p WHERE id = ?`,
  )
  const here = readInline(reader, bounds)

  return {
    ...issueWriteStorage(operations, announcements.announce),

    async find(projectId, id) {
      const row = selectOne.get(idToBytes(id), idToBytes(projectId))
      return row && toIssue(row, projectId)
    },

    async findByNumber(projectId, issueNumber) {
      const row = selectNumbered.get(idToBytes(projectId), issueNumber)
      return row && toIssue(row, projectId)
    },

    async list(listing, signal) {
      const order = { projectId: listing.selection.projectId, signal }
      const { rows, next } = await (isQuick(listing) ? here : reads).run(order, 'listIssues', listing)
      return { issues: rows.map((row) => toListedIssue(row, listing.selection.projectId)), next }
    },
    count: (selection, signal) =>
      (isIndexed(selection) ? here : reads).run(
        { projectId: selection.projectId, signal },
        'countIssues',
        selection,
      ),
    countByStatus: (selection, signal) =>
      (isIndexed(selection) ? here : reads).run(
        { projectId: selection.projectId, signal },
        'countByStatus',
        selection,
      ),
    async revision(projectId, lanes) {
      return revisionOf(selectRevision.get(idToBytes(projectId)) as RevisionRow | undefined, lanes)
    },
    ...deletedIssueStorage(operations),
    ...issueDetails(operations),
  }
}

function isQuick({ selection, sort, start }: IssueListing): boolean {
  // The index on statuses has the order of the keys; for other orders, rows have to be looked at.
  const isInOrder = selection.statuses === null || sort === 'newest' || sort === 'oldest'
  return isIndexed(selection) && isInOrder && ('after' in start || start.offset <= MAX_QUICK_OFFSET)
}

function isIndexed(selection: IssueSelection): boolean {
  return selection.search === null && residualFilters(selection).length === 0
}
