import { type IssueListItem, type IssueStatus, SECURITY_CATEGORY } from '@bugle/contract'
import { MergeDialog } from '../../../merging/merge-dialog.tsx'
import { AssigneeDialog } from '../../../picks/assignee-dialog.tsx'
import { LabelsDialog } from '../../../picks/labels-dialog.tsx'
import type { IssueList } from '../list/issue-list.ts'
import type { Matching } from './bulk-changes.ts'
import { DeleteSelectedDialog } from './delete-selected-dialog.tsx'
import { MatchingDialog } from './matching-dialog.tsx'
import { SpamSelectedDialog } from './spam-selected-dialog.tsx'
import type { ChangeRows } from './use-changes.ts'

/** What a dialog asks about issues of the list. */
export type Question =
  | { readonly action: IssueAction; readonly issues: readonly IssueListItem[] }
  | { readonly action: 'all'; readonly matching: Matching }

export type IssueAction = 'assign' | 'label' | 'merge' | 'spam' | 'delete'

interface SelectionDialogProps {
  readonly question: Question
  readonly list: IssueList
  readonly change: ChangeRows
  /** The statuses that all matching issues may change to. */
  readonly moves: readonly IssueStatus[]
  readonly mayDelete: boolean
  /** Called when the question is answered: the selection is no longer needed. */
  readonly onDone: () => void
  /** Called when the list has to be read again. */
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** The dialog that asks the question. */
export function SelectionDialog({ question, list, change, ...props }: SelectionDialogProps) {
  const { onDone, onClose } = props
  if (question.action === 'all') return <MatchingDialog matching={question.matching} {...props} />
  const { action, issues } = question

  /** Labels that others have added meanwhile stay. */
  function label(addLabels: readonly string[], removeLabels: readonly string[]): void {
    const latest = issues.map((issue) => {
      const row = list.row(list.indexOf(issue.id))
      return typeof row === 'object' ? row : issue
    })
    void change(latest, { addLabels, removeLabels })
    onDone()
  }

  if (action === 'assign')
    return (
      <AssigneeDialog
        chosen={commonAssignee(issues)}
        isHidden={issues.some(({ category }) => category === SECURITY_CATEGORY)}
        onChoose={(assigneeId) => {
          void change(issues, { assigneeId })
          onDone()
        }}
        onClose={onClose}
      />
    )
  if (action === 'label')
    return <LabelsDialog chosen={commonLabels(issues)} onChange={label} onClose={onClose} />
  if (action === 'merge')
    return (
      <MergeDialog
        issues={issues}
        onChosen={onDone}
        onChanged={(issue) => list.patch(issue.id, issue)}
        onClose={onClose}
      />
    )

  function settle(areGone: boolean): void {
    onClose()
    if (areGone) for (const { id } of issues) list.patch(id, 'gone')
    onDone()
  }

  return action === 'spam' ? (
    <SpamSelectedDialog issues={issues} onMarked={settle} onClose={onClose} />
  ) : (
    <DeleteSelectedDialog chosen={issues} onDeleted={settle} onClose={onClose} />
  )
}

/** The labels that all of these issues have. */
function commonLabels([first, ...others]: readonly IssueListItem[]): readonly string[] {
  return (first?.labels ?? []).filter((name) => others.every(({ labels }) => labels?.includes(name)))
}

/** The assignee of all of these issues; `undefined` if they have different ones. */
function commonAssignee(issues: readonly IssueListItem[]): string | null | undefined {
  const [first, ...others] = new Set(issues.map(({ assigneeId }) => assigneeId))
  return others.length === 0 ? first : undefined
}
