import type { Event, IssueStatus } from '@bugle/contract'
import { Icon } from '../../../ui/icons/icons.tsx'
import { StatusIcon } from '../../../ui/icons/status-icon.tsx'
import { ReportText } from '../../../ui/report-text/report-text.tsx'
import { Ago } from '../../../ui/time.tsx'
import { actorName } from './actor-name.ts'
import { describeChange } from './describe-change.ts'
import classes from './history.module.css'

/** One thing that happened: who, what, when, and what they said about it. */
export function HistoryEntry({ event }: { readonly event: Event }) {
  return (
    <li className={classes['entry']}>
      <span className={classes['mark']}>
        <EntryIcon event={event} />
      </span>
      <div className={classes['words']}>
        <p>
          <Deed event={event} />{' '}
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

/** Who did what. A report comes from an app, so the key is not who but how. */
function Deed({ event }: { readonly event: Event }) {
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
  return (
    <>
      <b>
        <bdi>{actorName(actor)}</bdi>
      </b>{' '}
      {describe(event)}
    </>
  )
}

function describe({ type, changes, note, confirmed }: Event): string {
  if (type === 'issue.created') return 'reported it'
  if (type === 'issue.regressed' && confirmed === false) return 'reopened it, because it may have come back'
  if (type === 'issue.regressed')
    return changes.length === 0 ? 'confirmed that it came back' : 'reopened it, because it came back'
  if (changes.length === 0) return note === null ? 'looked at it' : 'wrote'
  return changes.map(describeChange).join(', ')
}

function EntryIcon({ event: { type, changes } }: { readonly event: Event }) {
  const move = changes.find(({ member }) => member === 'status')
  if (type === 'issue.regressed') return <Icon name="warning" size={14} />
  if (move !== undefined) return <StatusIcon status={move.to as IssueStatus} label={false} />
  if (type === 'issue.created') return <Icon name="reports" size={14} />
  return <Icon name={changes.length === 0 ? 'note' : 'edit'} size={14} />
}
