import type { SQLInputValue } from 'node:sqlite'
import { encodeId, idToBytes, type ProjectId } from '../../ids.ts'
import type { IssueRecord } from '../records/issues.ts'
import {
  CHANGEABLE_COLUMNS,
  changeableColumns,
  FIXED_COLUMNS,
  fixedColumns,
  type IssueColumns,
  toIssue as toRecord,
} from '../sql/issue-rows.ts'
import { numberOf } from './row-keys.ts'

export interface IssueRow extends IssueColumns {
  readonly row: number
  readonly id: Uint8Array
}

export function toIssue(row: IssueRow, projectId: ProjectId): IssueRecord {
  return toRecord(row, { id: encodeId('iss', row.id), projectId, issueNumber: numberOf(row.row) })
}

/** In the order of {@link CHANGEABLE_COLUMNS}. */
export function changeableValues(issue: IssueRecord): SQLInputValue[] {
  const columns = changeableColumns(issue)
  return CHANGEABLE_COLUMNS.map((column) => columns[column])
}

/** The id, then in the order of {@link FIXED_COLUMNS}. */
export function fixedValues(issue: IssueRecord): SQLInputValue[] {
  const columns = fixedColumns(issue)
  return [idToBytes(issue.id), ...FIXED_COLUMNS.map((column) => columns[column])]
}
