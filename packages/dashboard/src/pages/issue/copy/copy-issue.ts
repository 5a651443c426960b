import type { Issue } from '@bugle/contract'
import { copyText } from '../../../ui/clipboard/copy-text.ts'
import { issueMarkdown } from './issue-markdown.ts'

export function copyIssueLink(slug: string, issue: Issue): Promise<void> {
  return copyText(linkTo(slug, issue), `Copied link to #${issue.issueNumber}.`)
}

export function copyIssueMarkdown(slug: string, issue: Issue): Promise<void> {
  return copyText(issueMarkdown(issue, linkTo(slug, issue)), `Copied #${issue.issueNumber} as Markdown.`)
}

function linkTo(slug: string, { issueNumber }: Issue): string {
  return `${location.origin}/projects/${slug}/issues/${issueNumber}`
}
