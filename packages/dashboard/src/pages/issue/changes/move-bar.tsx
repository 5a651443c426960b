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

/** The status changes that the server allows: none for a duplicate. */
export function MoveBar({ issue, isPending, onMove }: MoveBarProps) {
  const moves = movesOf(issue)
  if (moves.length === 0) return null
  return (
    <section className={classes['bar']} aria-label="Change status">
      {moves.map((status) => (
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
