import type { Comment, Issue, Report } from '@bugle/contract'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { ReplyTo } from '../../../api/issues/comments.ts'
import { useMay } from '../../../api/people/session.ts'
import { lazyPart } from '../../../shell/lazy-part.ts'
import { holdKeys } from '../../../ui/hold-keys.ts'
import { Icon } from '../../../ui/icons/icons.tsx'
import { PlainText } from '../../../ui/report-text/plain-text.tsx'
import { Ago } from '../../../ui/time.tsx'
import comments from '../comments/comment-entry.module.css'
import history from '../history/history.module.css'
import classes from './conversation.module.css'
import { ReporterLink } from './reporter-link.tsx'
import { callReporter, findPerson, nameOf } from './reporters.ts'
import { useReporters } from './use-reporters.ts'

const BlockDialog = lazyPart(() => import('./block-dialog.tsx'), 'BlockDialog')

const DeleteCommentDialog = lazyPart(
  () => import('../comments/delete-comment-dialog.tsx'),
  'DeleteCommentDialog',
)

interface MessageEntryProps {
  readonly issue: Issue
  readonly comment: Comment
  readonly mayWrite: boolean
  readonly onReply: (to: ReplyTo) => void
}

/** A message from a reporter in the timeline. It is plain text, whatever it looks like. */
export function MessageEntry({ issue, comment, mayWrite, onReply }: MessageEntryProps) {
  const { id, createdAt, text } = comment
  const reportNumber = comment.reportNumber ?? 0
  const reporters = useReporters(issue)
  const report = reporters.reports.get(reportNumber)
  const person = findPerson(reporters, reportNumber)
  const mayDelete = useMay('issues:delete')
  const [open, setOpen] = useState<'block' | 'delete'>()
  const close = () => setOpen(undefined)
  const isBlocked = report?.isReporterBlocked ?? false

  function ask(dialog: 'block' | 'delete'): void {
    holdKeys(close)
    setOpen(dialog)
  }

  return (
    <li className={history['entry']}>
      <span className={history['mark']}>
        <Icon name="person" size={14} />
      </span>
      <article
        className={comments['comment']}
        data-author="reporter"
        aria-label={`Message from ${callReporter(reporters, reportNumber)}`}
      >
        <div className={comments['head']}>
          <p className={comments['about']}>
            {person === null ? <b>Reporter</b> : <Person person={person} />}{' '}
            <span className={comments['readers']}>wrote about report {reportNumber}</span>{' '}
            {isBlocked && <span className={classes['tag']}>Blocked</span>}{' '}
            <span className={history['time']}>
              · <Ago at={createdAt} />
            </span>
          </p>
          <div className={classes['buttons']}>
            {mayWrite && report !== undefined && !isBlocked && (
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                onClick={() => onReply({ reportId: report.id })}
              >
                Reply
              </Button>
            )}
            <MessageMenu
              isBlocked={isBlocked}
              onBlock={mayWrite && report?.reporterId ? () => ask('block') : undefined}
              onDelete={mayDelete ? () => ask('delete') : undefined}
            />
          </div>
        </div>
        <PlainText text={text} />
      </article>
      {open !== undefined && (
        <Suspense>
          {open === 'delete' && (
            <DeleteCommentDialog issueId={issue.id} commentId={id} kind="message" onClose={close} />
          )}
          {open === 'block' && report !== undefined && (
            <BlockDialog issue={issue} report={report} isBlocked={isBlocked} onClose={close} />
          )}
        </Suspense>
      )}
    </li>
  )
}

/** Who they are, as far as the app says. */
function Person({ person }: { readonly person: NonNullable<Report['reporter']> }) {
  const name = nameOf(person)
  return (
    <>
      <b>
        <ReporterLink reporter={person}>
          <bdi>{name}</bdi>
        </ReporterLink>
      </b>
      {person.email !== null && person.email !== name && (
        <>
          {' '}
          <bdi className={classes['email']}>{person.email}</bdi>
        </>
      )}
    </>
  )
}

interface MessageMenuProps {
  readonly isBlocked: boolean
  /** Missing if the reporter cannot be blocked. */
  readonly onBlock: (() => void) | undefined
  readonly onDelete: (() => void) | undefined
}

function MessageMenu({ isBlocked, onBlock, onDelete }: MessageMenuProps) {
  if (onBlock === undefined && onDelete === undefined) return null
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label="Actions for the message">
          <Icon name="more" size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {onBlock && (
          <Menu.Item leftSection={<Icon name="person" size={14} />} onClick={onBlock}>
            {isBlocked ? 'Unblock reporter…' : 'Block reporter…'}
          </Menu.Item>
        )}
        {onDelete && (
          <Menu.Item leftSection={<Icon name="trash" size={14} />} onClick={onDelete}>
            Delete…
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
