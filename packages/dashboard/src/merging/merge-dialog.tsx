import type { IssueListItem } from '@bugle/contract'
import { useState } from 'react'
import { useProject } from '../shell/current-project.ts'
import { PickDialog } from '../ui/dialogs/pick-dialog.tsx'
import { InlineFailure } from '../ui/feedback/inline-failure.tsx'
import { StatusIcon } from '../ui/icons/status-icon.tsx'
import { countOf } from '../ui/words.ts'
import classes from './merge-dialog.module.css'
import { useMerges } from './use-merges.ts'
import { useTargets } from './use-targets.ts'

interface MergeDialogProps {
  readonly issues: readonly IssueListItem[]
  /** Called when a target is chosen. */
  readonly onChosen?: () => void
  /** Called for each issue that changed. */
  readonly onChanged?: (issue: IssueListItem) => void
  readonly onClose: () => void
}

/** Asks which issue these are duplicates of, and merges them. Load it with `lazy`. */
export function MergeDialog({ issues, onChosen, onChanged, onClose }: MergeDialogProps) {
  const project = useProject()
  const [text, setText] = useState('')
  const { found, empty, error, retry } = useTargets(project, issues, text)
  const { merge } = useMerges(onChanged)
  const [first, ...others] = issues
  const title =
    others.length === 0
      ? `Mark #${first?.issueNumber} as a duplicate of`
      : `Merge ${countOf(issues.length, 'issue')} into`

  return (
    <PickDialog
      title={title}
      placeholder={`${title}…`}
      options={found.map((issue) => ({
        id: issue.id,
        title: `#${issue.issueNumber} ${issue.title}`,
        icon: <StatusIcon status={issue.status} />,
        hint: hintOf(issue, issues),
        isChosen: false,
      }))}
      empty={empty}
      onText={setText}
      onPick={(into) => {
        onClose()
        onChosen?.()
        void merge(issues, into)
      }}
      onClose={onClose}
    >
      {error !== null && <InlineFailure error={error} onRetry={retry} />}
      <p className={classes['foot']}>{explainMerge(issues)}</p>
    </PickDialog>
  )
}

function hintOf({ id, duplicateOf }: IssueListItem, issues: readonly IssueListItem[]): string | undefined {
  if (issues.length > 1 && issues.some((issue) => issue.id === id)) return 'Keep this one'
  return duplicateOf === null ? undefined : 'Duplicate'
}

function explainMerge(issues: readonly IssueListItem[]): string {
  const followers = issues.reduce((sum, { duplicateCount }) => sum + (duplicateCount ?? 0), 0)
  const what =
    issues.length === 1
      ? 'If it is active, it is closed. Its reports, also new ones, count for the other issue.'
      : 'Those that are active are closed. Their reports, also new ones, count for the other issue.'
  return followers === 0 ? what : `${what} ${countOf(followers, 'duplicate')} will follow.`
}
