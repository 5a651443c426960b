import type { ProjectId } from '../../../model/ids.ts'
import type { ListedIssue } from '../../../model/issue-lists.ts'
import type { StoredIssue } from '../../../model/issues.ts'
import type { IssueAttachmentState } from '../../../model/reports/attachments.ts'
import { issueOfRow, listedIssueOfRow, shortColumns } from '../../issues/issue-rows.ts'
import { prepared } from '../driver/connection.ts'
import { idOf } from '../driver/uuids.ts'

export const SELECT_BY_ID = prepared(
  'load_issues_by_id',
  'SELECT * FROM issues WHERE project = $1 AND id = ANY ($2)',
)
/** Without long fields. */
export const SELECT_SHORT_BY_ID = prepared(
  'load_short_issues_by_id',
  `SELECT i.number, i.id, ${shortColumns('i').join(', ')} FROM issues i WHERE i.project = $1 AND i.id = ANY ($2)`,
)

export interface IssueRow {
  readonly number: number
  readonly id: string
}

export function toIssue(row: IssueRow, projectId: ProjectId): StoredIssue {
  return issueOfRow(row, { id: idOf('iss', row.id), projectId, issueNumber: row.number })
}

export function toListedIssue(
  row: IssueRow,
  projectId: ProjectId,
  attachmentState: IssueAttachmentState,
): ListedIssue {
  const id = idOf('iss', row.id)
  return listedIssueOfRow(row, { id, projectId, issueNumber: row.number, attachmentState })
}
