import { EXCERPT_CHARS, type Issue, type IssueListItem } from '@bugle/contract'

/** Converts a full issue to a list item. */
export function toListItem(issue: Issue): IssueListItem {
  const { description, metadata, context, reporter, sdk, submissionId, allowedTransitions, ...shared } = issue
  const excerpt = description === null ? null : [...description].slice(0, EXCERPT_CHARS).join('')
  return { ...shared, excerpt }
}
