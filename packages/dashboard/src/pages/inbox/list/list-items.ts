import { EXCERPT_CHARS, type Issue, type IssueListItem } from '@bugle/contract'

/** An issue in full as a list has it. */
export function toListItem(issue: Issue): IssueListItem {
  const { description, metadata: _, sdk: __, submissionId: ___, allowedTransitions: ____, ...shared } = issue
  const excerpt = description === null ? null : [...description].slice(0, EXCERPT_CHARS).join('')
  return { ...shared, excerpt }
}
