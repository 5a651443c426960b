import type { ProjectId } from '../../../model/ids.ts'
import type { ListBounds } from '../../../model/issue-lists.ts'
import { LANE_CODES } from '../../issues/lane-codes.ts'
import { type RevisionRow, revisionOf } from '../../issues/revisions.ts'
import { deletedIssueStorage } from '../../nouns/deleted-issues.ts'
import { issueDetails, issueWriteStorage } from '../../nouns/issues.ts'
import type { Operations } from '../../operations.ts'
import { type IssueStorage, ReadCancelled } from '../../storage.ts'
import { type Database, prepared } from '../driver/connection.ts'
import { uuidOf } from '../driver/uuids.ts'
import { countByStatus, countIssues, listIssues } from './issue-lists.ts'
import { type IssueRow, toIssue } from './issue-rows.ts'

const SELECT_ONE = prepared(
  'issue_by_id',
  `SELECT * FROM issues WHERE project = (SELECT seq FROM projects WHERE id = $1 AND slug IS NOT NULL) AND id = $2`,
)

const SELECT_NUMBERED = prepared(
  'issue_by_number',
  `SELECT * FROM issues WHERE project = (SELECT seq FROM projects WHERE id = $1 AND slug IS NOT NULL) AND number = $2`,
)

const SELECT_REVISION = prepared(
  'revision_of_project',
  `SELECT seq, last_event_position, last_open_position,
     (SELECT sum(count)::bigint FROM counters
      WHERE project = p.seq AND lane = ${LANE_CODES.open} AND dimension = 'status') AS open_issues
   FROM projects p WHERE id = $1`,
)

interface IssueStorageParts {
  readonly database: Database
  readonly operations: Operations
  /** Tells everyone that events of a project were written. */
  readonly announce: (projectId: ProjectId) => void
  readonly bounds: ListBounds
}

export function issueStorage({ database, operations, announce, bounds }: IssueStorageParts): IssueStorage {
  return {
    ...issueWriteStorage(operations, announce),
    async find(projectId, id) {
      const [row] = await database.run<IssueRow>(SELECT_ONE(uuidOf(projectId), uuidOf(id)))
      return row && toIssue(row, projectId)
    },
    async findByNumber(projectId, issueNumber) {
      const [row] = await database.run<IssueRow>(SELECT_NUMBERED(uuidOf(projectId), issueNumber))
      return row && toIssue(row, projectId)
    },
    async list(listing, signal) {
      if (signal?.aborted) throw new ReadCancelled()
      return database.snapshot((session) => listIssues(session, listing, bounds))
    },
    async count(selection, signal) {
      if (signal?.aborted) throw new ReadCancelled()
      return database.snapshot((session) => countIssues(session, selection, bounds))
    },
    async countByStatus(selection, signal) {
      if (signal?.aborted) throw new ReadCancelled()
      return database.snapshot((session) => countByStatus(session, selection, bounds))
    },
    async revision(projectId, lanes) {
      const [row] = await database.run<RevisionRow>(SELECT_REVISION(uuidOf(projectId)))
      return revisionOf(row, lanes)
    },
    ...deletedIssueStorage(operations),
    ...issueDetails(operations),
  }
}
