import type { IssueListItem } from '@bugle/contract'
import { Link } from '@tanstack/react-router'
import { type MouseEvent, memo } from 'react'
import { usePersonName } from '../../../api/people/people.ts'
import { useLabelColours } from '../../../api/projects/labels.ts'
import { useProject } from '../../../shell/current-project.ts'
import { issueAddress } from '../../../shell/issue-address.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Icon } from '../../../ui/icons/icons.tsx'
import { PriorityIcon } from '../../../ui/icons/priority-icon.tsx'
import { StatusIcon } from '../../../ui/icons/status-icon.tsx'
import { LabelChip } from '../../../ui/label-chip.tsx'
import { Age } from '../../../ui/time.tsx'
import { CATEGORY_NAMES, countOf, formatCount, platformName } from '../../../ui/words.ts'
import { Cell } from './cell.tsx'
import classes from './issue-row.module.css'

interface IssueRowProps {
  readonly issue: IssueListItem
  readonly index: number
  readonly isSelected: boolean
  /** Whether it can be selected: not if the person may not change issues. */
  readonly isSelectable: boolean
  /** Whether it no longer matches the list. */
  readonly isDone: boolean
  readonly onToggle: (index: number, isRange: boolean) => void
}

/** An issue in one line, or in two on a narrow screen. */
export const IssueRow = memo(function IssueRow({ issue, index, onToggle, ...props }: IssueRowProps) {
  const { isSelected, isSelectable, isDone } = props
  const { slug } = useProject()
  const { issueNumber, title, excerpt, status, priority, category, platform, appVersion, reportCount } = issue
  const { assigneeId, attachmentState, duplicateOf, conversation } = issue
  const assignee = usePersonName(slug, assigneeId)
  const labels = issue.labels ?? []
  const colours = useLabelColours(slug, labels.length > 0)

  function onCheck(event: MouseEvent<HTMLInputElement>): void {
    onToggle(index, event.shiftKey)
  }

  return (
    <>
      {isSelectable && (
        <Cell className={classes['check']}>
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Select #${issueNumber}`}
            checked={isSelected}
            onClick={onCheck}
            onChange={ignore}
          />
        </Cell>
      )}
      <Cell className={classes['marks']}>
        <PriorityIcon priority={priority} />
        <StatusIcon status={status} />
      </Cell>
      <Cell className={classes['text']} data-done={isDone}>
        <span className={classes['number']}>#{issueNumber}</span>
        <Link
          {...issueAddress(slug, issue)}
          tabIndex={-1}
          preload={false}
          className={classes['title']}
          dir="auto"
        >
          {title}
        </Link>
        {duplicateOf !== null && <span className={classes['duplicate']}>Duplicate</span>}
        {labels.length > 0 && (
          <span className={classes['labels']}>
            {labels.slice(0, MAX_SHOWN_LABELS).map((name) => (
              <LabelChip key={name} name={name} colour={colours.get(name)} />
            ))}
            {labels.length > MAX_SHOWN_LABELS && (
              <span title={labels.join(', ')}>+{labels.length - MAX_SHOWN_LABELS}</span>
            )}
          </span>
        )}
        {excerpt !== null && (
          <span className={classes['excerpt']} dir="auto">
            {excerpt}
          </span>
        )}
      </Cell>
      <Cell className={classes['files']}>
        {conversation === 'waiting-for-team' && <MessageMark />}
        {attachmentState !== null && <FilesMark state={attachmentState} />}
      </Cell>
      <Cell className={classes['reports']}>
        {reportCount > 1 && <span title={countOf(reportCount, 'report')}>×{formatCount(reportCount)}</span>}
      </Cell>
      <Cell className={classes['category']}>{CATEGORY_NAMES[category]}</Cell>
      <Cell className={classes['platform']}>{platform === null ? '' : platformName(platform)}</Cell>
      <Cell className={classes['version']}>{appVersion}</Cell>
      <Cell className={classes['assignee']}>{assigneeId !== null && <Avatar name={assignee} />}</Cell>
      <Cell className={classes['age']}>
        <Age at={issue.createdAt} />
      </Cell>
    </>
  )
})

/** Shows that a reporter has written, and that no one has replied since. */
function MessageMark() {
  const text = 'A reporter has written'
  return (
    <span className={classes['message']} role="img" aria-label={text} title={text}>
      <Icon name="note" size={14} />
    </span>
  )
}

/** Shows that the issue has files. The line is dashed while none of them has arrived. */
function FilesMark({ state }: { readonly state: NonNullable<IssueListItem['attachmentState']> }) {
  const text = state === 'received' ? 'Has files' : 'Files not received yet'
  return (
    <span className={classes['mark']} data-state={state} role="img" aria-label={text} title={text}>
      <Icon name="paperclip" size={14} />
    </span>
  )
}

/** There is room for a few; the page of the issue shows all. */
const MAX_SHOWN_LABELS = 3

/** Handled by the click event, which also has the state of the shift key. */
function ignore(): void {}
