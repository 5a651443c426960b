import { CATEGORIES, type Category, type Issue, PRIORITIES } from '@bugle/contract'
import { useState } from 'react'
import { useMay } from '../../api/people/session.ts'
import { Icon } from '../../ui/icons/icons.tsx'
import { PriorityIcon } from '../../ui/icons/priority-icon.tsx'
import { StatusIcon } from '../../ui/icons/status-icon.tsx'
import { ChoiceMenu } from '../../ui/menu/choice-menu.tsx'
import { Ago } from '../../ui/time.tsx'
import { CATEGORY_NAMES, CONVERSATION_NAMES, countOf, PRIORITY_NAMES, STATUS_NAMES } from '../../ui/words.ts'
import { AssigneeMark } from './assignee-mark.tsx'
import { HideDialog } from './changes/hide-dialog.tsx'
import type { IssueChanges } from './changes/use-issue-changes.ts'
import classes from './issue-title.module.css'
import { LabelMarks } from './label-marks.tsx'
import { formatRelease } from './releases.ts'

interface IssueTitleProps {
  readonly issue: Issue
  readonly changes: IssueChanges
  readonly mayTriage: boolean
  readonly onAsk: (action: 'assign' | 'label') => void
}

/** Title, status, priority, category, assignee and labels. */
export function IssueTitle({ issue, changes, mayTriage, onAsk }: IssueTitleProps) {
  const maySeeSecurity = useMay('security:read')
  const [isHiding, setHiding] = useState(false)
  const { status, priority, category, fixedIn, reportCount, conversation } = issue
  const duplicateCount = issue.duplicateCount ?? 0

  function chooseCategory(chosen: Category): void {
    if (chosen === 'security' && !maySeeSecurity) setHiding(true)
    else void changes.change({ category: chosen }, issue)
  }

  return (
    <div className={classes['head']}>
      <h1 className={classes['title']} dir="auto">
        {issue.title}
      </h1>
      <div className={classes['marks']}>
        <span className={classes['mark']}>
          <StatusIcon status={status} label={false} />
          {STATUS_NAMES[status]}
        </span>
        <ChoiceMenu
          label="Priority"
          options={PRIORITIES.toReversed().map((value) => ({
            value,
            name: PRIORITY_NAMES[value],
            icon: <PriorityIcon priority={value} label={false} />,
          }))}
          chosen={priority}
          isReadOnly={!mayTriage}
          onChoose={(chosen) => void changes.change({ priority: chosen }, issue)}
        />
        <ChoiceMenu
          label="Category"
          options={CATEGORIES.map((value) => ({ value, name: CATEGORY_NAMES[value] }))}
          chosen={category}
          isReadOnly={!mayTriage}
          onChoose={chooseCategory}
        />
        <AssigneeMark
          assigneeId={issue.assigneeId}
          onAssign={mayTriage ? () => onAsk('assign') : undefined}
        />
        <LabelMarks labels={issue.labels ?? []} onLabel={mayTriage ? () => onAsk('label') : undefined} />
        {conversation !== null && (
          <span className={classes['mark']} data-conversation={conversation}>
            <Icon name="note" size={14} />
            {CONVERSATION_NAMES[conversation]}
          </span>
        )}
        {issue.known && (
          <span className={classes['mark']} data-known>
            <Icon name="docs" size={14} />
            Known issue
          </span>
        )}
        {fixedIn !== null && (
          <span className={classes['mark']}>
            {status === 'resolved' ? 'Fixed in' : 'Fix version:'} <bdi>{formatRelease(fixedIn)}</bdi>
          </span>
        )}
        <span className={classes['byline']}>
          Reported <Ago at={issue.createdAt} />
          {reportCount > 1 && (
            <>
              {' · '}
              {countOf(reportCount, 'report')}, last <Ago at={issue.lastReportedAt} />
            </>
          )}
          {duplicateCount > 0 && ` · ${countOf(duplicateCount, 'duplicate')}`}
        </span>
      </div>
      {isHiding && <HideDialog issue={issue} changes={changes} onClose={() => setHiding(false)} />}
    </div>
  )
}
