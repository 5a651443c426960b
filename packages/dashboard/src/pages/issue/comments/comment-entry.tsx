import type { Comment, Issue } from '@bugle/contract'
import { ActionIcon, Menu } from '@mantine/core'
import { Suspense, useRef, useState } from 'react'
import { useDraft } from '../../../api/issues/drafts.ts'
import { useMay, useMe } from '../../../api/people/session.ts'
import { lazyPart } from '../../../shell/lazy-part.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { holdKeys } from '../../../ui/hold-keys.ts'
import { Icon } from '../../../ui/icons/icons.tsx'
import { Ago, formatMoment } from '../../../ui/time.tsx'
import { callReporter } from '../conversation/reporters.ts'
import { useReporters } from '../conversation/use-reporters.ts'
import { actorName } from '../history/actor-name.ts'
import history from '../history/history.module.css'
import classes from './comment-entry.module.css'
import { CommentFiles } from './comment-files.tsx'
import { CommentText } from './comment-text.tsx'
import { EditComment } from './edit-comment.tsx'

const DeleteCommentDialog = lazyPart(() => import('./delete-comment-dialog.tsx'), 'DeleteCommentDialog')

interface CommentEntryProps {
  readonly issue: Issue
  readonly comment: Comment
  readonly mayWrite: boolean
}

/** A comment in the timeline. Its author can edit it, and delete it, as can everyone who may delete issues. */
export function CommentEntry({ issue, comment, mayWrite }: CommentEntryProps) {
  const { id, author, audience, createdAt, editedAt, text, mentions, attachments } = comment
  const reporters = useReporters(issue)
  const me = useMe()
  const [draft, keepDraft] = useDraft(`comment:${issue.id}:${id}`)
  const [isDeleting, setDeleting] = useState(false)
  const articleRef = useRef<HTMLElement>(null)
  const mayDelete = useMay('issues:delete')
  const isOwn = mayWrite && author.kind === 'user' && author.id === me
  const isEdited = isOwn && draft !== undefined
  const close = () => setDeleting(false)
  const name = actorName(author)
  const kind = audience === 'reporters' ? 'reply' : 'comment'
  const readers =
    comment.reportNumber === null ? 'all reporters' : callReporter(reporters, comment.reportNumber)

  function edit(next: string | undefined): void {
    keepDraft(next)
    // The form that had the focus disappears.
    if (next === undefined) articleRef.current?.focus()
  }

  function askToDelete(): void {
    holdKeys(close)
    setDeleting(true)
  }

  return (
    <li className={history['entry']}>
      <span className={history['mark']}>
        {author.kind === 'user' ? (
          <Avatar name={author.name ?? undefined} isDecoration />
        ) : (
          <Icon name={kind === 'reply' ? 'send' : 'note'} size={14} />
        )}
      </span>
      <article
        ref={articleRef}
        tabIndex={-1}
        className={classes['comment']}
        data-audience={audience}
        aria-label={kind === 'reply' ? `Reply by ${name} to ${readers}` : `Comment by ${name}`}
      >
        <div className={classes['head']}>
          <p className={classes['about']}>
            <b>
              <bdi>{name}</bdi>
            </b>{' '}
            {kind === 'reply' && <span className={classes['readers']}>replied to {readers} </span>}
            <span className={history['time']}>
              · <Ago at={createdAt} />
              {editedAt !== null && (
                <>
                  {' '}
                  · <span title={formatMoment(editedAt)}>edited</span>
                </>
              )}
            </span>
          </p>
          {(isOwn || mayDelete) && !isEdited && (
            <CommentMenu
              name={name}
              kind={kind}
              onEdit={isOwn ? () => keepDraft(text) : undefined}
              onDelete={askToDelete}
            />
          )}
        </div>
        {isEdited ? (
          <EditComment issue={issue} comment={comment} draft={draft} onDraft={edit} />
        ) : (
          <>
            <CommentText text={text} names={mentions.map((mention) => mention.name)} />
            <CommentFiles files={attachments} />
          </>
        )}
      </article>
      {isDeleting && (
        <Suspense>
          <DeleteCommentDialog issueId={issue.id} commentId={id} kind={kind} onClose={close} />
        </Suspense>
      )}
    </li>
  )
}

interface CommentMenuProps {
  readonly name: string
  readonly kind: 'comment' | 'reply'
  /** Missing for a comment of someone else. */
  readonly onEdit: (() => void) | undefined
  readonly onDelete: () => void
}

function CommentMenu({ name, kind, onEdit, onDelete }: CommentMenuProps) {
  const label = onEdit ? `Actions for your ${kind}` : `Actions for the ${kind} by ${name}`
  return (
    <Menu position="bottom-end" width={160}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label}>
          <Icon name="more" size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {onEdit && (
          <Menu.Item leftSection={<Icon name="edit" size={14} />} onClick={onEdit}>
            Edit
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Icon name="trash" size={14} />} onClick={onDelete}>
          Delete…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
