import type { Issue } from '@bugle/contract'
import { NativeSelect } from '@mantine/core'
import { useId } from 'react'
import type { ReplyTo } from '../../../api/issues/comments.ts'
import { Icon } from '../../../ui/icons/icons.tsx'
import { isolate } from '../../../ui/report-text/isolate.ts'
import { formatCount } from '../../../ui/words.ts'
import classes from './conversation.module.css'
import { describeReaders, findPerson, hasReaders, nameOf, type Reporters } from './reporters.ts'
import { useReporters } from './use-reporters.ts'

/** More would not be useful in a menu; a reply to any reporter can be started from their report. */
const MAX_OFFERED = 50

interface AudienceChoiceProps {
  readonly issue: Issue
  /** `null`: the team. */
  readonly replyTo: ReplyTo | null
  readonly isDisabled: boolean
  readonly onChoose: (replyTo: ReplyTo | null) => void
  /** The id of the text that says who can read it. */
  readonly readersId: string
}

/** Who can read what is being written: the team, or reporters. Not shown if no reporter can read replies. */
export function AudienceChoice({ issue, replyTo, isDisabled, onChoose, readersId }: AudienceChoiceProps) {
  const group = useId()
  const reporters = useReporters(issue)
  if (replyTo === null && !hasReaders(reporters)) return null
  return (
    <>
      <fieldset className={classes['audience']} disabled={isDisabled}>
        <legend className="visually-hidden">Who can read it</legend>
        <label className={classes['choice']}>
          <input type="radio" name={group} checked={replyTo === null} onChange={() => onChoose(null)} />
          Comment for the team
        </label>
        <label className={classes['choice']} data-reply>
          <input
            type="radio"
            name={group}
            checked={replyTo !== null}
            onChange={() => onChoose({ reportId: null })}
          />
          Reply to reporters
        </label>
      </fieldset>
      {replyTo !== null && (
        <>
          <Recipients reporters={reporters} replyTo={replyTo} isDisabled={isDisabled} onChoose={onChoose} />
          <Readers id={readersId} reporters={reporters} replyTo={replyTo} />
        </>
      )}
    </>
  )
}

interface RecipientsProps {
  readonly reporters: Reporters
  readonly replyTo: ReplyTo
  readonly isDisabled: boolean
  readonly onChoose: (replyTo: ReplyTo) => void
}

/** All reporters or one of them, if there are several. */
function Recipients({ reporters, replyTo, isDisabled, onChoose }: RecipientsProps) {
  const { known, isPart, reports } = reporters
  const readers = known.filter(({ isBlocked }) => !isBlocked)
  if (readers.length < 2 && !isPart && replyTo.reportId === null) return null
  const offered = readers.slice(0, MAX_OFFERED)
  const chosen = [...reports.values()].find(({ id }) => id === replyTo.reportId)
  const ones = [
    ...offered.filter(({ reportId }) => reportId !== chosen?.id),
    ...(chosen === undefined ? [] : [{ reportId: chosen.id, reportNumber: chosen.reportNumber }]),
  ].toSorted((one, other) => other.reportNumber - one.reportNumber)
  return (
    <NativeSelect
      size="xs"
      label="To"
      value={replyTo.reportId ?? ''}
      disabled={isDisabled}
      onChange={({ currentTarget }) =>
        onChoose({ reportId: currentTarget.value === '' ? null : currentTarget.value })
      }
      data={[
        { value: '', label: isPart ? 'All reporters' : `All reporters (${formatCount(readers.length)})` },
        ...ones.map(({ reportId, reportNumber }) => ({
          value: reportId,
          label: nameOption(reporters, reportNumber),
        })),
      ]}
    />
  )
}

function nameOption(reporters: Reporters, reportNumber: number): string {
  const person = findPerson(reporters, reportNumber)
  const name = person === null ? 'Reporter' : isolate(nameOf(person))
  return `${name} (report ${reportNumber})`
}

interface ReadersProps {
  readonly id?: string
  readonly reporters: Reporters
  readonly replyTo: ReplyTo
}

/** Says who will read a reply. */
export function Readers({ id, reporters, replyTo }: ReadersProps) {
  return (
    <p id={id} className={classes['readers']} role="status">
      <Icon name="send" size={14} />
      <span>{describeReaders(reporters, replyTo)}</span>
    </p>
  )
}
