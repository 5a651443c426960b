import type { IssueRecord } from '../records/issues.ts'
import { CHANGEABLE_COLUMNS, changeableColumns, FIXED_COLUMNS, fixedColumns } from '../sql/issue-rows.ts'
import type { NewSubmission } from '../sql/issue-tables.ts'
import { toTsvector } from './search-index.ts'
import { uuidOf } from './uuids.ts'

/** How rows that travel as JSON get into a table of a project. */
export interface Insertion {
  readonly table: string
  readonly columns: readonly string[]
  readonly onConflict?: string
}

/** The statement: `project` is an expression, `rows` a parameter, and `from` what the expression needs. */
export function insertText(
  { table, columns, onConflict = '' }: Insertion,
  { project, rows, from = '' }: { readonly project: string; readonly rows: string; readonly from?: string },
): string {
  const names = columns.join(', ')
  return `INSERT INTO ${table} (project, ${names})
    SELECT ${project}, ${names} FROM ${from} json_populate_recordset(NULL::${table}, ${rows}) ${onConflict}`
}

export const ISSUES: Insertion = {
  table: 'issues',
  columns: ['number', 'id', 'created_position', ...CHANGEABLE_COLUMNS, ...FIXED_COLUMNS],
}

export const SEARCH: Insertion = {
  table: 'search',
  columns: ['number', 'tokens'],
  onConflict: 'ON CONFLICT (number, project) DO UPDATE SET tokens = excluded.tokens',
}

export const EVENTS: Insertion = {
  table: 'events',
  columns: ['position', 'type', 'at', 'actor', 'issue_number', 'lane', 'details'],
}

export const SUBMISSIONS: Insertion = {
  table: 'submissions',
  columns: ['id', 'content_hash', 'issue_number', 'status', 'report_count'],
}

export const COUNTERS: Insertion = {
  table: 'counters',
  columns: ['lane', 'dimension', 'value', 'count'],
  onConflict: `ON CONFLICT (project, lane, dimension, value)
    DO UPDATE SET count = counters.count + excluded.count`,
}

export function toNewIssueRow([issue, createdPosition]: readonly [IssueRecord, number]): object {
  return {
    ...toIssueRow(issue),
    id: uuidOf(issue.id),
    created_position: createdPosition,
    ...fixedColumns(issue),
  }
}

export function toIssueRow(issue: IssueRecord): object {
  return { number: issue.issueNumber, ...changeableColumns(issue) }
}

export function toSearchRow(projectSeq: number, issue: IssueRecord): object {
  return { number: issue.issueNumber, tokens: toTsvector(projectSeq, issue.issueNumber, issue) }
}

export function toSubmissionRow([issue, submission]: readonly [IssueRecord, NewSubmission]): object {
  const { id, contentHash } = submission
  return {
    id,
    content_hash: `\\x${Buffer.from(contentHash).toString('hex')}`,
    issue_number: issue.issueNumber,
    status: issue.status,
    report_count: issue.reportCount,
  }
}
