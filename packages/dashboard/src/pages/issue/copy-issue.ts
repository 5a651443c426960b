import type { Issue } from '@bugle/contract'
import { copyText } from '../../ui/copy-text.ts'
import { issueMarkdown } from './issue-markdown.ts'

export function copyIssueLink(issue: Issue): Promise<void> {
  return copyText(addressOf(issue), `The link to #${issue.issueNumber} was copied.`)
}

export function copyIssueMarkdown(issue: Issue): Promise<void> {
  return copyText(issueMarkdown(issue, addressOf(issue)), `#${issue.issueNumber} was copied as Markdown.`)
}

function addressOf({ id }: Issue): string {
  return `${location.origin}/issues/${id}`
}
