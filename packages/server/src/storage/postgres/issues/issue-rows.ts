import type { ProjectId } from '../../../model/ids.ts'
import type { ListedIssue } from '../../../model/issue-lists.ts'
import type { StoredIssue } from '../../../model/issues.ts'
import { issueOfRow, listedIssueOfRow } from '../../issues/issue-rows.ts'
import { idOf } from '../driver/uuids.ts'

export interface IssueRow {
  readonly number: number
  readonly id: string
}

export function toIssue(row: IssueRow, projectId: ProjectId): StoredIssue {
  return issueOfRow(row, { id: idOf('iss', row.id), projectId, issueNumber: row.number })
}

export function toListedIssue(row: IssueRow, projectId: ProjectId): ListedIssue {
  return listedIssueOfRow(row, { id: idOf('iss', row.id), projectId, issueNumber: row.number })
}
