import {
  ISSUE_STATUSES,
  type Issue,
  type IssueListItem,
  type IssueStatus,
  SECURITY_CATEGORY,
} from '@bugle/contract'
import { useNavigate } from '@tanstack/react-router'
import { assignCommands } from '../../keyboard/assign-commands.ts'
import type { Command } from '../../keyboard/command.ts'
import { moveCommands } from '../../keyboard/move-commands.ts'
import { useCommands } from '../../keyboard/use-commands.ts'
import { useProject } from '../../shell/current-project.ts'
import { issueAddress } from '../../shell/issue-address.ts'
import { announce } from '../../ui/feedback/announce.tsx'
import { STATUS_NAMES } from '../../ui/words.ts'
import { copyIssueLink, copyIssueMarkdown } from './copy/copy-issue.ts'
import type { Neighbours } from './use-neighbours.ts'

/** The actions that a dialog asks about. */
export type IssueDialog = 'resolve' | 'delete' | 'spam' | 'assign' | 'label' | 'merge' | 'block' | 'publish'

export interface IssueActions {
  readonly mayTriage: boolean
  readonly mayDelete: boolean
  readonly neighbours: Neighbours | undefined
  readonly onMove: (to: IssueStatus) => void
  readonly onEdit: () => void
  /** Opens the dialog for an action. */
  readonly onAsk: (action: IssueDialog) => void
  readonly onComment: () => void
  /** Absent if no reporter can read replies. */
  readonly onReply: (() => void) | undefined
  readonly onAssignToMe: () => void
}

/** Security issues and spam cannot be published. */
export function canPublish({ category, spamAt }: Issue): boolean {
  return category !== SECURITY_CATEGORY && spamAt === null
}

/** The commands of an issue, for keys and palette. */
export function useIssueCommands(issue: Issue, actions: IssueActions): void {
  const { mayTriage, mayDelete, neighbours } = actions
  const { slug } = useProject()
  const navigate = useNavigate()
  const issueNumber = `#${issue.issueNumber}`

  function goTo(next: IssueListItem | undefined): void {
    if (next === undefined) announce('No more issues in this direction.')
    else void navigate({ ...issueAddress(slug, next), replace: true })
  }

  function move(to: IssueStatus): void {
    if (issue.allowedTransitions.includes(to)) actions.onMove(to)
    else if (issue.duplicateOf !== null)
      announce(`${issueNumber} is a duplicate. Unmerge it to change its status.`)
    else announce(`${issueNumber} cannot move to ${STATUS_NAMES[to]} from its current status.`)
  }

  const moves = moveCommands(ISSUE_STATUSES, move)
  const navigation: readonly Command[] = [
    { id: 'list.next', title: 'Next issue', section: 'List', keys: 'j', run: () => goTo(neighbours?.next) },
    {
      id: 'list.previous',
      title: 'Previous issue',
      section: 'List',
      keys: 'k',
      run: () => goTo(neighbours?.previous),
    },
  ]
  useCommands([
    ...(mayTriage ? moves : []),
    ...(mayTriage ? assignCommands(actions.onAsk, actions.onAssignToMe) : []),
    ...(mayTriage
      ? ([
          { id: 'issue.edit', title: 'Edit', section: 'Issues', keys: 'e', run: actions.onEdit },
          {
            id: 'issue.comment',
            title: 'Write a comment',
            section: 'Issues',
            keys: 'n',
            run: actions.onComment,
          },
        ] as const)
      : []),
    ...(mayTriage && actions.onReply
      ? ([
          {
            id: 'issue.reply',
            title: 'Reply to reporters',
            section: 'Issues',
            keys: 'shift+r',
            run: actions.onReply,
          },
        ] as const)
      : []),
    {
      id: 'issue.copy-link',
      title: 'Copy link',
      section: 'Issues',
      keys: 'y',
      run: () => void copyIssueLink(slug, issue),
    },
    {
      id: 'issue.copy-markdown',
      title: 'Copy as Markdown',
      section: 'Issues',
      keys: 'shift+y',
      run: () => void copyIssueMarkdown(slug, issue),
    },
    ...(mayTriage && canPublish(issue)
      ? ([
          {
            id: 'issue.publish',
            title: issue.known === null ? 'Publish as a known issue' : 'Edit the known issue',
            section: 'Issues',
            run: () => actions.onAsk('publish'),
          },
        ] as const)
      : []),
    ...(mayTriage && issue.spamAt === null
      ? ([
          {
            id: 'issue.spam',
            title: 'Mark as spam',
            section: 'Issues',
            run: () => actions.onAsk('spam'),
          },
        ] as const)
      : []),
    ...(mayDelete
      ? ([
          {
            id: 'issue.delete',
            title: 'Delete issue',
            section: 'Issues',
            run: () => actions.onAsk('delete'),
          },
        ] as const)
      : []),
    ...(neighbours === undefined ? [] : navigation),
    {
      id: 'list.back',
      title: 'Back to list',
      section: 'List',
      keys: 'u',
      run: () =>
        void navigate({ to: '/projects/$slug/issues', params: { slug }, search: neighbours?.search ?? {} }),
    },
  ])
}
