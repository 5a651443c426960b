import type { IssueId, ProjectId } from '../../model/ids.ts'
import type { ListedIssue } from '../../model/issue-lists.ts'
import type { IssueRecord } from '../../model/issues.ts'
import { CHANGEABLE, emptyObject, FIXED } from './issue-fields.ts'

/** The columns of an issue that both databases have, in the order of {@link toIssue}. How its key and its id are stored differs. */
export const ISSUE_COLUMNS: readonly string[] = [...CHANGEABLE.columns, ...FIXED.columns]

/** What a row's key says. */
export interface IssueKey {
  readonly id: IssueId
  readonly projectId: ProjectId
  readonly issueNumber: number
}

/** The issue of a row, by the places of its values, from the one at `first` on. */
export function toIssue(values: readonly unknown[], first: number, key: IssueKey): IssueRecord {
  const issue: Record<string, unknown> = { ...TEMPLATE }
  issue['id'] = key.id
  issue['projectId'] = key.projectId
  issue['issueNumber'] = key.issueNumber
  CHANGEABLE.fill(issue, values, first)
  FIXED.fill(issue, values, first + CHANGEABLE.columns.length)
  return issue as object as IssueRecord
}

/** The same, of a row by name. */
export function issueOfRow(row: object, key: IssueKey): IssueRecord {
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

/** A record that was read for a list: in the place of its description is the beginning of it. */
export function asListed({ description: excerpt, metadata: _, ...issue }: IssueRecord): ListedIssue {
  return { ...issue, excerpt }
}
