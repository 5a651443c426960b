import type { ProjectId } from '../../model/ids.ts'
import type { IssueRecord } from '../../model/issues.ts'
import { type IssueColumns, toIssue as toRecord } from '../sql/issue-rows.ts'
import { idOf } from './uuids.ts'

export interface IssueRow extends IssueColumns {
  readonly number: number
  readonly id: string
}

export function toIssue(row: IssueRow, projectId: ProjectId): IssueRecord {
  return toRecord(row, { id: idOf('iss', row.id), projectId, issueNumber: row.number })
}
