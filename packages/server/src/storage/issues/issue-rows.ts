import { EXCERPT_CHARS } from '@bugle/contract/vocabulary'
import type { IssueId, ProjectId } from '../../model/ids.ts'
import type { ListedIssue } from '../../model/issue-lists.ts'
import type { StoredIssue } from '../../model/issues.ts'
import type { Dialect } from '../dialects.ts'
import { readId } from '../operations.ts'
import { CHANGEABLE, emptyObject, FIXED, LISTED, LONG } from './issue-fields.ts'

/** The columns of an issue that both databases have, in the order of {@link toIssue}. How its key and its id are stored differs. */
export const ISSUE_COLUMNS: readonly string[] = [...CHANGEABLE.columns, ...FIXED.columns]

/** The same for a bulk change: long fields are not read, and `null` in the issue. */
export function shortColumns(table: string): readonly string[] {
  return ISSUE_COLUMNS.map((column) =>
    LONG.columns.includes(column) ? `NULL AS ${column}` : `${table}.${column}`,
  )
}

/** The fields in a row's key. */
export interface IssueKey {
  readonly id: IssueId
  readonly projectId: ProjectId
  readonly issueNumber: number
}

/** The issue in a row of values, starting at index `first`. */
export function toIssue(values: readonly unknown[], first: number, key: IssueKey): StoredIssue {
  const issue: Record<string, unknown> = { ...TEMPLATE }
  issue['id'] = key.id
  issue['projectId'] = key.projectId
  issue['issueNumber'] = key.issueNumber
  CHANGEABLE.fill(issue, values, first)
  FIXED.fill(issue, values, first + CHANGEABLE.columns.length)
  return issue as object as StoredIssue
}

/** A row of {@link issueColumns}. */
export type IssueValues = readonly [number: number, id: unknown, ...values: unknown[]]

/** The columns of `issues i` that {@link issueIn} reads. */
export function issueColumns({ numberIn }: Dialect): string {
  return [numberIn('i.number'), 'i.id', ...ISSUE_COLUMNS.map((column) => `i.${column}`)].join(', ')
}

export function issueIn(row: IssueValues, projectId: ProjectId): StoredIssue {
  const [issueNumber, id] = row
  return toIssue(row, 2, { id: readId('iss', id), projectId, issueNumber })
}

/** {@link issueIn} for a row with named columns. */
export function issueOfRow(row: object, key: IssueKey): StoredIssue {
  const columns = row as Readonly<Record<string, unknown>>
  return toIssue(
    ISSUE_COLUMNS.map((column) => columns[column]),
    0,
    key,
  )
}

const TEMPLATE = emptyObject([
  ...['id', 'projectId', 'issueNumber'],
  ...Object.keys(CHANGEABLE.emptyRecord),
  ...Object.keys(FIXED.emptyRecord),
])

/** The columns of `issues i` that lists read, in the order of {@link toListedIssue}. */
export const LISTED_COLUMNS: readonly string[] = [
  `substr(i.description, 1, ${EXCERPT_CHARS}) AS excerpt`,
  ...LISTED.columns.map((column) => `i.${column}`),
]

/** The fields of an issue in a list that are not in {@link LISTED_COLUMNS}. */
type ListedKey = IssueKey & Pick<ListedIssue, 'attachmentState'>

/** The issue in a list row of values, starting at index `first`. */
export function toListedIssue(values: readonly unknown[], first: number, key: ListedKey): ListedIssue {
  const issue: Record<string, unknown> = { ...LISTED_TEMPLATE }
  issue['id'] = key.id
  issue['projectId'] = key.projectId
  issue['issueNumber'] = key.issueNumber
  issue['excerpt'] = values[first]
  issue['attachmentState'] = key.attachmentState
  LISTED.fill(issue, values, first + 1)
  return issue as object as ListedIssue
}

/** The same for a row with named columns. */
export function listedIssueOfRow(row: object, key: ListedKey): ListedIssue {
  const columns = row as Readonly<Record<string, unknown>>
  return toListedIssue(
    LISTED_NAMES.map((name) => columns[name]),
    0,
    key,
  )
}

const LISTED_NAMES = ['excerpt', ...LISTED.columns]

const LISTED_TEMPLATE = emptyObject([
  ...['id', 'projectId', 'issueNumber', 'excerpt', 'attachmentState'],
  ...Object.keys(LISTED.emptyRecord),
])
