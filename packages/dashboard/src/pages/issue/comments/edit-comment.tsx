import type { Comment, Issue } from '@bugle/contract'
import { Button } from '@mantine/core'
import { type FormEvent, useEffect, useRef } from 'react'
import { useEditComment } from '../../../api/comments.ts'
import { Keys } from '../../../keyboard/keys.tsx'
import { announce } from '../../../ui/feedback/announce.tsx'
import { explain } from '../../../ui/feedback/failure.tsx'
import { CommentField } from './comment-field.tsx'
import classes from './comment-form.module.css'

interface EditCommentProps {
  readonly issue: Issue
  readonly comment: Comment
  readonly draft: string
  /** Without a text, the form is closed. */
  readonly onDraft: (draft: string | undefined) => void
}

/** The form for a comment of one's own. What is typed is kept until it is saved or discarded. */
export function EditComment({ issue, comment, draft, onDraft }: EditCommentProps) {
  const edit = useEditComment(issue.id, comment.id)
  const inputRef = useRef<HTMLTextAreaElement>(null)
  const text = draft.trim()
  const cancel = () => onDraft(undefined)
  const isChanged = draft !== comment.text

  // Only if the person has just asked for it: a draft that was kept must not take the focus.
  const isFresh = useRef(!isChanged)
  useEffect(() => {
    if (isFresh.current) inputRef.current?.focus()
  }, [])

  function save(): void {
    if (text === '' || edit.isPending) return
    if (text === comment.text) cancel()
    else edit.mutate(text, { onSuccess: close })
  }

  function close(): void {
    cancel()
    announce('Comment saved.')
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    save()
  }

  return (
    <form onSubmit={onSubmit} className={classes['form']}>
      <CommentField
        issue={issue}
        label="Edit comment"
        text={draft}
        onText={onDraft}
        isPending={edit.isPending}
        onSubmit={save}
        onEscape={() => !isChanged && cancel()}
        inputRef={inputRef}
      >
        <Button size="compact-md" variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button
          type="submit"
          size="compact-md"
          disabled={text === ''}
          loading={edit.isPending}
          rightSection={<Keys keys="mod+enter" />}
        >
          Save
        </Button>
      </CommentField>
      <p role="alert" className={classes['error']}>
        {edit.error && explain(edit.error)}
      </p>
    </form>
  )
}
