import { type IssueStatus, PRIORITIES, type Priority } from '@bugle/contract'
import { Button, CloseButton, Menu } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import { ASSIGN_KEYS, LABEL_KEYS, MERGE_KEYS } from '../../../keyboard/assign-commands.ts'
import { Keys } from '../../../keyboard/keys.tsx'
import { Icon } from '../../../ui/icons/icons.tsx'
import { PriorityIcon } from '../../../ui/icons/priority-icon.tsx'
import { StatusIcon } from '../../../ui/icons/status-icon.tsx'
import { countOf, formatCount, MOVES, PRIORITY_NAMES } from '../../../ui/words.ts'
import classes from './selection-bar.module.css'
import type { IssueAction } from './selection-dialog.tsx'

interface SelectionBarProps {
  readonly count: number
  /** The statuses that all of them may change to. */
  readonly moves: readonly IssueStatus[]
  readonly onMove: (to: IssueStatus) => void
  readonly onPriority: (priority: Priority) => void
  /** Whether the list is one of spam. */
  readonly isSpam: boolean
  readonly mayDelete: boolean
  /** Opens the dialog for an action. */
  readonly onAsk: (action: IssueAction) => void
  /** Offers the actions for all issues that match; absent if these are all, or too many. */
  readonly onAll: (() => void) | undefined
  readonly matchingCount: number
  readonly onClear: () => void
}

/** The actions for the selected issues. */
export function SelectionBar({ count, moves, onMove, onAsk, onClear, ...props }: SelectionBarProps) {
  const barRef = useRef<HTMLElement>(null)
  useRoomForToasts(barRef)
  return (
    <section ref={barRef} className={classes['bar']} aria-label="Selected issues">
      <span className={classes['count']}>{countOf(count, 'issue')} selected</span>
      <div className={classes['actions']}>
        {moves.map((status) => (
          <Button
            key={status}
            size="compact-sm"
            variant="default"
            leftSection={<StatusIcon status={status} label={false} />}
            rightSection={
              <span className={classes['keys']}>
                <Keys keys={MOVES[status].keys} />
              </span>
            }
            onClick={() => onMove(status)}
          >
            {MOVES[status].title}
          </Button>
        ))}
        {moves.length === 0 && (
          <span className={classes['none']}>These issues have no status change in common.</span>
        )}
        <Menu position="top-start" width={160}>
          <Menu.Target>
            <Button size="compact-sm" variant="default" rightSection={<Icon name="chevron" size={12} />}>
              Priority
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {PRIORITIES.toReversed().map((priority) => (
              <Menu.Item
                key={priority}
                leftSection={<PriorityIcon priority={priority} label={false} />}
                onClick={() => props.onPriority(priority)}
              >
                {PRIORITY_NAMES[priority]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Button
          size="compact-sm"
          variant="default"
          rightSection={
            <span className={classes['keys']}>
              <Keys keys={ASSIGN_KEYS} />
            </span>
          }
          onClick={() => onAsk('assign')}
        >
          Assign…
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          rightSection={
            <span className={classes['keys']}>
              <Keys keys={LABEL_KEYS} />
            </span>
          }
          onClick={() => onAsk('label')}
        >
          Labels…
        </Button>
        {!props.isSpam && (
          <Button
            size="compact-sm"
            variant="default"
            rightSection={
              <span className={classes['keys']}>
                <Keys keys={MERGE_KEYS} />
              </span>
            }
            onClick={() => onAsk('merge')}
          >
            {count === 1 ? 'Mark as duplicate…' : `Merge ${formatCount(count)} issues into…`}
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={() => onAsk('spam')}>
          {props.isSpam ? 'Not spam…' : 'Spam…'}
        </Button>
        {props.mayDelete && (
          <Button
            size="compact-sm"
            variant="default"
            className={classes['delete'] ?? ''}
            onClick={() => onAsk('delete')}
          >
            Delete…
          </Button>
        )}
        {props.onAll !== undefined && (
          <Button size="compact-sm" variant="default" onClick={props.onAll}>
            Select all {formatCount(props.matchingCount)} matching…
          </Button>
        )}
      </div>
      <CloseButton
        size="sm"
        className={classes['close'] ?? ''}
        aria-label="Clear selection"
        onClick={onClear}
      />
    </section>
  )
}

/** Lifts the toasts above the bar, however many lines it takes. */
function useRoomForToasts(barRef: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const bar = barRef.current
    if (bar === null) return
    const root = document.documentElement
    const observer = new ResizeObserver(() =>
      root.style.setProperty('--bottom-bar-height', `${bar.offsetHeight + 8}px`),
    )
    observer.observe(bar)
    return () => {
      observer.disconnect()
      root.style.removeProperty('--bottom-bar-height')
    }
  }, [barRef])
}
