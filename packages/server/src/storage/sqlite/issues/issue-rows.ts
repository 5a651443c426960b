import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { encodeId, type ProjectId } from '../../../model/ids.ts'
import type { ListedIssue } from '../../../model/issue-lists.ts'
import type { StoredIssue } from '../../../model/issues.ts'
import type { IssueAttachmentState } from '../../../model/reports/attachments.ts'
import { SQLITE } from '../../dialects.ts'
import {
  ISSUE_COLUMNS,
  LISTED_COLUMNS,
  shortColumns,
  toListedIssue as toListed,
  toIssue as toRecord,
} from '../../issues/issue-rows.ts'
import { stateColumn } from '../../issues/reports/attachment-state.ts'
import { numberOf } from '../driver/row-keys.ts'

/** In the order of {@link IssueRow}. */
const COLUMNS = ['row', 'id', ...ISSUE_COLUMNS]

/** A row as a list of values. Rows with named columns are dictionaries here: with this many columns they take twice as long, and longer to pass to another thread. */
export type IssueRow = readonly [row: number, id: Uint8Array, ...values: unknown[]]

export interface IssueReads {
  get(...values: SQLInputValue[]): IssueRow | undefined
  all(...values: SQLInputValue[]): readonly IssueRow[]
}

/** Prepares a query for whole issues; `from` selects the rows `i`. */
export function prepareIssueReads(db: DatabaseSync, from: string): IssueReads {
  return prepareReads(
    db,
    COLUMNS.map((name) => `i.${name}`),
    from,
  )
}

/** The same without long fields. */
export function prepareShortReads(db: DatabaseSync, from: string): IssueReads {
  return prepareReads(db, ['i.row', 'i.id', ...shortColumns('i')], from)
}

/** The same, for lists: see {@link toListedIssue}. */
export function prepareListReads(db: DatabaseSync, from: string): IssueReads {
  return prepareReads(db, ['i.row', 'i.id', stateColumn(SQLITE), ...LISTED_COLUMNS], from)
}

function prepareReads(db: DatabaseSync, columns: readonly string[], from: string): IssueReads {
  const select = db.prepare(`SELECT ${columns.join(', ')} FROM issues i ${from}`)
  select.setReturnArrays(true)
  return {
    get: (...values) => select.get(...values) as unknown as IssueRow | undefined,
    all: (...values) => select.all(...values) as unknown as readonly IssueRow[],
  }
}

export function toIssue(row: IssueRow, projectId: ProjectId): StoredIssue {
  const [key, id] = row
  return toRecord(row, 2, { id: encodeId('iss', id), projectId, issueNumber: numberOf(key) })
}

export function toListedIssue(row: IssueRow, projectId: ProjectId): ListedIssue {
  const [key, id, state] = row
  return toListed(row, 3, {
    id: encodeId('iss', id),
    projectId,
    issueNumber: numberOf(key),
    attachmentState: state as IssueAttachmentState,
  })
}
