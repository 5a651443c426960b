import { canMove, type Issue, type IssuePatch } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { issueEventsQuery } from '../../../api/issues.ts'
import { Icon } from '../../../ui/icons/icons.tsx'
import { actorName } from '../history/actor-name.ts'
import { describeChange, differencesBetween } from '../history/describe-change.ts'
import classes from './conflict-panel.module.css'
import type { IssueChanges } from './use-issue-changes.ts'

interface ConflictPanelProps {
  readonly issue: Issue
  readonly changes: IssueChanges
  /** When the change was made after all. */
  readonly onMade?: () => void
}

/** Someone else changed the issue first: shows what they did, and asks whether the change is still wanted. */
export function ConflictPanel({ issue, changes, onMade }: ConflictPanelProps) {
  const { data } = useInfiniteQuery(issueEventsQuery(issue.id))
  const { conflict } = changes

  async function insist(patch: IssuePatch): Promise<void> {
    if (await changes.change(patch, issue)) onMade?.()
  }

  if (conflict === undefined || issue.version === conflict.before.version) return null
  const { patch, before } = conflict
  const differences = differencesBetween(before, issue).map(describeChange)
  const last = data?.pages.at(-1)?.data.at(-1)
  const to = patch.status ?? issue.status
  const isPossible = to === issue.status || canMove(issue.status, to)
  return (
    <div role="alert" className={classes['panel']}>
      <Icon name="warning" />
      <div className={classes['words']}>
        <p>
          <b>Your change was not saved.</b> {last === undefined ? 'Someone else' : actorName(last.actor)}{' '}
          changed the issue first: they {differences.length === 0 ? 'wrote a note' : differences.join(', ')}.
        </p>
        {!isPossible && <p>This move is not possible from the current status.</p>}
        <div className={classes['buttons']}>
          {isPossible && (
            <Button size="compact-sm" loading={changes.isPending} onClick={() => void insist(patch)}>
              Save my change anyway
            </Button>
          )}
          <Button size="compact-sm" variant="default" onClick={changes.dismissConflict}>
            Discard my change
          </Button>
        </div>
      </div>
    </div>
  )
}
