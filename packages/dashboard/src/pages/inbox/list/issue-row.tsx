import type { IssueListItem } from '@bugle/contract'
import { Link } from '@tanstack/react-router'
import { type MouseEvent, memo } from 'react'
import { useProject } from '../../../shell/current-project.ts'
import { issueAddress } from '../../../shell/issue-address.ts'
import { PriorityIcon } from '../../../ui/icons/priority-icon.tsx'
import { StatusIcon } from '../../../ui/icons/status-icon.tsx'
import { Age } from '../../../ui/time.tsx'
import { CATEGORY_NAMES, countOf, formatCount, platformName } from '../../../ui/words.ts'
import { Cell } from './cell.tsx'
import classes from './issue-row.module.css'

interface IssueRowProps {
  readonly issue: IssueListItem
  readonly index: number
  readonly isSelected: boolean
  /** Whether it can be selected at all: who may move nothing has nothing to select for. */
  readonly isSelectable: boolean
  /** Whether it no longer is what the list asks for. */
  readonly isDone: boolean
  readonly onToggle: (index: number, isRange: boolean) => void
}

/** An issue in one line; two where there is little room. */
export const IssueRow = memo(function IssueRow({ issue, index, onToggle, ...props }: IssueRowProps) {
  const { isSelected, isSelectable, isDone } = props
  const { slug } = useProject()
  const { issueNumber, title, excerpt, status, priority, category, platform, appVersion, reportCount } = issue

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
        {excerpt !== null && (
          <span className={classes['excerpt']} dir="auto">
            {excerpt}
          </span>
        )}
      </Cell>
      <Cell className={classes['reports']}>
        {reportCount > 1 && <span title={countOf(reportCount, 'report')}>×{formatCount(reportCount)}</span>}
      </Cell>
      <Cell className={classes['category']}>{CATEGORY_NAMES[category]}</Cell>
      <Cell className={classes['platform']}>{platform === null ? '' : platformName(platform)}</Cell>
      <Cell className={classes['version']}>{appVersion}</Cell>
      <Cell className={classes['age']}>
        <Age at={issue.createdAt} />
      </Cell>
    </>
  )
})

/** The click has said it already, and with it whether the shift key was down. */
function ignore(): void {}
