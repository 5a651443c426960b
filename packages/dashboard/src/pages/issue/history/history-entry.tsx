import type { Event, Issue, IssueStatus } from '@bugle/contract'
import { Fragment, type ReactNode } from 'react'
import { Icon } from '../../../ui/icons/icons.tsx'
import { StatusIcon } from '../../../ui/icons/status-icon.tsx'
import { ReportText } from '../../../ui/report-text/report-text.tsx'
import { Ago } from '../../../ui/time.tsx'
import { nameOf } from '../conversation/reporters.ts'
import { useReporters } from '../conversation/use-reporters.ts'
import { IssueReference } from '../duplicates/issue-reference.tsx'
import { actorName } from './actor-name.ts'
import { describeChange } from './describe-change.ts'
import classes from './history.module.css'

interface HistoryEntryProps {
  readonly issue: Issue
  readonly event: Omit<Event, 'position'>
}

/** One entry of the history: who, what, when, and the note. */
export function HistoryEntry({ issue, event }: HistoryEntryProps) {
  return (
    <li className={classes['entry']}>
      <span className={classes['mark']}>
        <EntryIcon event={event} />
      </span>
      <div className={classes['words']}>
        <p>
          <Deed issue={issue} event={event} />{' '}
          <span className={classes['time']}>
            · <Ago at={event.createdAt} />
          </span>
        </p>
        {event.reason !== null && (
          <p className={classes['reason']}>
            <bdi>{event.reason}</bdi>
          </p>
        )}
        {event.note !== null && (
          <div className={classes['note']}>
            <ReportText text={event.note} />
          </div>
        )}
      </div>
    </li>
  )
}

/** Who did what. For a report, the key shows how it was submitted, not by whom. */
function Deed({ issue, event }: HistoryEntryProps) {
  const { type, actor } = event
  if (type === 'issue.created' && actor.kind === 'key') {
    return actor.name === null ? (
      <b>Reported with a key</b>
    ) : (
      <>
        <b>Reported</b> via “<bdi>{actor.name}</bdi>”
      </>
    )
  }
  if (type === 'reporter.blocked' || type === 'reporter.unblocked') {
    return <BlockDeed issue={issue} event={event} />
  }
  if (type === 'attachment.received') {
    return (
      <>
        <b>File received</b>: <bdi>{nameOfFile(event)}</bdi>
      </>
    )
  }
  return (
    <>
      <b>
        <bdi>{actorName(actor)}</bdi>
      </b>{' '}
      {describe(event)}
    </>
  )
}

/** Who blocked or unblocked which reporter. */
function BlockDeed({ issue, event: { type, actor, changes } }: HistoryEntryProps) {
  const { known } = useReporters(issue)
  const reporter = known.find(({ id }) => id === (changes[0]?.to ?? changes[0]?.from))
  return (
    <>
      <b>
        <bdi>{actorName(actor)}</bdi>
      </b>{' '}
      {type === 'reporter.blocked' ? 'blocked' : 'unblocked'}{' '}
      {reporter === undefined ? (
        'a reporter'
      ) : (
        <>
          the reporter of report {reporter.reportNumber}
          {reporter.reporter !== null && (
            <>
              , <bdi>{nameOf(reporter.reporter)}</bdi>
            </>
          )}
        </>
      )}
    </>
  )
}

function nameOfFile({ changes }: HistoryEntryProps['event']): string {
  const file = changes[0]?.to
  const name = typeof file === 'object' && file !== null && 'name' in file ? file.name : null
  return typeof name === 'string' ? name : 'deleted'
}

function describe(event: HistoryEntryProps['event']): ReactNode {
  const { type, changes, names, note, confirmed, actor, comment } = event
  if (type === 'comment.created' && actor.kind === 'reporter') return 'wrote a message that was deleted later'
  if (type === 'comment.updated' && comment?.audience === 'reporters') return 'edited a reply to reporters'
  const deed = COMMENT_DEEDS[type] ?? SPAM_DEEDS[type]
  if (deed !== undefined) return deed
  if (type === 'issue.created') return 'reported the issue'
  if (type === 'issue.regressed' && confirmed === false) return 'reopened the issue: possible regression'
  if (type === 'issue.regressed')
    return changes.length === 0 ? 'confirmed the regression' : 'reopened the issue: regression'
  if (changes.length === 0) return note === null ? 'updated the issue' : 'added a note'
  return changes.map((change, index) => (
    <Fragment key={change.member}>
      {index > 0 && ', '}
      {describeChange(change, names)}
      {change.member === 'duplicateOf' && typeof change.to === 'string' && (
        <>
          {' of '}
          <IssueReference id={change.to} />
        </>
      )}
    </Fragment>
  ))
}

/** A comment that still exists is shown itself. */
const COMMENT_DEEDS: Readonly<Partial<Record<Event['type'], string>>> = {
  'comment.created': 'wrote a comment that was deleted later',
  'comment.updated': 'edited a comment',
  'comment.deleted': 'deleted a comment',
}

const SPAM_DEEDS: Readonly<Partial<Record<Event['type'], string>>> = {
  'issue.marked_as_spam': 'marked the issue as spam',
  'issue.unmarked_as_spam': 'marked the issue as not spam',
}

function EntryIcon({ event: { type, changes } }: Pick<HistoryEntryProps, 'event'>) {
  const move = changes.find(({ member }) => member === 'status')
  if (type === 'issue.regressed' || SPAM_DEEDS[type] !== undefined) return <Icon name="warning" size={14} />
  if (type.startsWith('reporter.')) return <Icon name="person" size={14} />
  if (changes[0]?.member === 'duplicateOf') return <Icon name="merge" size={14} />
  if (move !== undefined) return <StatusIcon status={move.to as IssueStatus} label={false} />
  if (type === 'attachment.received') return <Icon name="file" size={14} />
  if (COMMENT_DEEDS[type] !== undefined) return <Icon name="note" size={14} />
  if (type === 'issue.created') return <Icon name="reports" size={14} />
  if (changes.length === 1 && changes[0]?.member === 'assigneeId') return <Icon name="person" size={14} />
  return <Icon name={changes.length === 0 ? 'note' : 'edit'} size={14} />
}
