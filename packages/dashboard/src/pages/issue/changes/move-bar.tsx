import { ISSUE_STATUSES, type Issue, type IssueStatus } from '@bugle/contract'
import { Button } from '@mantine/core'
import { Keys } from '../../../keyboard/keys.tsx'
import { StatusIcon } from '../../../ui/icons/status-icon.tsx'
import { MOVES } from '../../../ui/words.ts'
import classes from './move-bar.module.css'

interface MoveBarProps {
  readonly issue: Issue
  readonly isPending: boolean
  readonly onMove: (to: IssueStatus) => void
}

/** The status changes that the server allows. */
export function MoveBar({ issue, isPending, onMove }: MoveBarProps) {
  return (
    <section className={classes['bar']} aria-label="Change status">
      {movesOf(issue).map((status) => (
        <Button
          key={status}
          size="compact-sm"
          variant="default"
          disabled={isPending}
          leftSection={<StatusIcon status={status} label={false} />}
          rightSection={<Keys keys={MOVES[status].keys} />}
          onClick={() => onMove(status)}
        >
          {MOVES[status].title}
          {status === 'resolved' && '…'}
        </Button>
      ))}
    </section>
  )
}

/** Forward statuses first, open last. */
export function movesOf({ allowedTransitions }: Issue): readonly IssueStatus[] {
  return [...ISSUE_STATUSES.filter((status) => status !== 'open'), 'open' as const].filter((status) =>
    allowedTransitions.includes(status),
  )
}
