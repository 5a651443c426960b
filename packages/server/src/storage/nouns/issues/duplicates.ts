import type { ProjectId } from '../../../model/ids.ts'
import type { ListedIssue } from '../../../model/issue-lists.ts'
import type { IssueAttachmentState } from '../../../model/reports/attachments.ts'
import { forBoth, SEQ, type Texts } from '../../dialects.ts'
import { type IssueValues, LISTED_COLUMNS, toListedIssue } from '../../issues/issue-rows.ts'
import { hexOfId } from '../../issues/merging/hex-ids.ts'
import { stateColumn } from '../../issues/reports/attachment-state.ts'
import { allLists, type Operation, readId, storedSeq } from '../../operations.ts'
import type { DuplicateListing } from '../../ports/issues.ts'

/** SQL for the duplicates `i` of the issue whose id is `$2`. A range and an order leave PostgreSQL only one index. */
export const DUPLICATES: Texts = {
  postgres: `(SELECT * FROM issues WHERE project = ${SEQ.postgres} AND duplicate_of BETWEEN $2 AND $2
    ORDER BY duplicate_of) i WHERE true`,
  sqlite: `issues i WHERE i.row >> 32 = ${SEQ.sqlite} AND i.duplicate_of = $2`,
}

const COLUMNS = forBoth((dialect) => [stateColumn(dialect, dialect.seq('$1')), ...LISTED_COLUMNS].join(', '))
const SELECT_DUPLICATES: Texts = {
  postgres: `SELECT i.number, i.id, ${COLUMNS.postgres} FROM ${DUPLICATES.postgres}
    AND i.number < $3::bigint ORDER BY i.number DESC LIMIT $4`,
  sqlite: `SELECT i.row & 4294967295, i.id, ${COLUMNS.sqlite} FROM ${DUPLICATES.sqlite}
    AND i.row & 4294967295 < $3 ORDER BY i.row DESC LIMIT $4`,
}

/** The duplicates of an issue, newest first. Their number is bounded. */
export function* listDuplicates({
  issue,
  before,
  limit,
}: DuplicateListing): Operation<readonly ListedIssue[]> {
  const { projectId, id } = issue
  const rows = yield* allLists<IssueValues>(
    SELECT_DUPLICATES,
    ...[storedSeq(projectId), hexOfId(id), before, limit],
  )
  return rows.map((row) => listedIn(row, projectId))
}

function listedIn(row: IssueValues, projectId: ProjectId): ListedIssue {
  const [issueNumber, id, state] = row
  const attachmentState = state as IssueAttachmentState
  return toListedIssue(row, 3, { id: readId('iss', id), projectId, issueNumber, attachmentState })
}
