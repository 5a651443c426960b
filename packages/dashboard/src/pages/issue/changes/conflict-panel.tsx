import { canMove, type Issue, type IssuePatch } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { issueEventsQuery } from '../../../api/issues/issues.ts'
import { Icon } from '../../../ui/icons/icons.tsx'
import { actorName } from '../history/actor-name.ts'
import { describeChange, differencesBetween } from '../history/describe-change.ts'
import classes from './conflict-panel.module.css'
import type { IssueChanges } from './use-issue-changes.ts'

interface ConflictPanelProps {
  readonly issue: Issue
  readonly changes: IssueChanges
  /** Called when the change is finally saved. */
  readonly onMade?: () => void
}

/** Shown when someone else has changed the issue first: what they changed, and whether to continue. */
export function ConflictPanel({ issue, changes, onMade }: ConflictPanelProps) {
  const { data } = useInfiniteQuery(issueEventsQuery(issue.id))
  const { conflict } = changes

  async function insist(patch: IssuePatch): Promise<void> {
    if (await changes.change(patch, issue)) onMade?.()
  }

  if (conflict === undefined || issue.version === conflict.before.version) return null
  const { patch, before } = conflict
  // Comments and files do not conflict with a change.
  const last = data?.pages.at(-1)?.data.findLast(({ type }) => type.startsWith('issue.'))
  const differences = differencesBetween(before, issue).map((change) => describeChange(change, last?.names))
  const to = patch.status ?? issue.status
  const isPossible = to === issue.status || (issue.duplicateOf === null && canMove(issue.status, to))
  return (
    <div role="alert" className={classes['panel']}>
      <Icon name="warning" />
      <div className={classes['words']}>
        <p>
          <b>Your change was not saved{patch.reply ? ', and the reply was not sent' : ''}.</b>{' '}
          {last === undefined ? 'Someone else' : actorName(last.actor)} changed the issue first: they{' '}
          {differences.length === 0 ? 'added a note' : differences.join(', ')}.
        </p>
        {!isPossible && <p>This status change is no longer possible.</p>}
        <div className={classes['buttons']}>
          {isPossible && (
            <Button
              size="compact-sm"
              loading={changes.isPending}
              onClick={() => void insist(onTopOf(issue, patch, before))}
            >
              {patch.reply ? 'Save my change and send the reply' : 'Save my change anyway'}
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

/** The change for the issue as it is now: labels that someone else has added or removed stay so. */
function onTopOf(issue: Issue, patch: IssuePatch, before: Issue): IssuePatch {
  const { labels } = patch
  if (!labels) return patch
  const removed = (before.labels ?? []).filter((name) => !labels.includes(name))
  const added = labels.filter((name) => !before.labels?.includes(name))
  const kept = (issue.labels ?? []).filter((name) => !removed.includes(name))
  return { ...patch, labels: [...new Set([...kept, ...added])] }
}
