import type { IssueStatus } from '@bugle/contract'
import { Button, CloseButton } from '@mantine/core'
import { Keys } from '../../keyboard/keys.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { countOf, MOVES } from '../../ui/words.ts'
import classes from './selection-bar.module.css'

interface SelectionBarProps {
  readonly count: number
  /** Where all of them may move. */
  readonly moves: readonly IssueStatus[]
  readonly onMove: (to: IssueStatus) => void
  readonly onClear: () => void
}

/** What can be done with the selected issues. */
export function SelectionBar({ count, moves, onMove, onClear }: SelectionBarProps) {
  if (count === 0) return null
  return (
    <section className={classes['bar']} aria-label="Selected issues">
      <span className={classes['count']}>{countOf(count, 'issue')} selected</span>
      {moves.map((status) => (
        <Button
          key={status}
          size="compact-sm"
          variant="default"
          leftSection={<StatusIcon status={status} label={false} />}
          rightSection={<Keys keys={MOVES[status].keys} />}
          onClick={() => onMove(status)}
        >
          {MOVES[status].title}
        </Button>
      ))}
      {moves.length === 0 && <span className={classes['none']}>No move is possible for all of them.</span>}
      <CloseButton size="sm" aria-label="Clear the selection" onClick={onClear} />
    </section>
  )
}
