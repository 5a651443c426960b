import { type Comment, type Issue, MAX_ATTACHMENTS } from '@bugle/contract'
import { Button } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useEditComment } from '../../../api/issues/comments.ts'
import { removable } from '../../../files/chosen-files.tsx'
import { chooseFile } from '../../../files/prepared-files.ts'
import { usePreparedFiles } from '../../../files/use-prepared-files.ts'
import { Keys } from '../../../keyboard/keys.tsx'
import { announce } from '../../../ui/feedback/announce.tsx'
import { useChosenFiles } from './comment-draft.ts'
import { CommentField } from './comment-field.tsx'
import classes from './comment-form.module.css'
import { explainComment } from './explain-comment.ts'

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
  const [kept, keep] = useState(comment.attachments)
  const [chosen, choose] = useChosenFiles(`${issue.id}:${comment.id}`)
  const preparation = usePreparedFiles()
  const hasOtherFiles = chosen.length > 0 || kept.length < comment.attachments.length
  const isChanged = draft !== comment.text || hasOtherFiles
  const isPending = edit.isPending || preparation.isPending

  // Only if the person has just asked for it: a draft that was kept must not take the focus.
  const isFresh = useRef(!isChanged)
  useEffect(() => {
    if (isFresh.current) inputRef.current?.focus()
  }, [])

  function cancel(): void {
    choose([])
    onDraft(undefined)
  }

  async function save(): Promise<void> {
    if (text === '' || kept.length + chosen.length > MAX_ATTACHMENTS || isPending) return
    if (text === comment.text && !hasOtherFiles) return cancel()
    const files = await preparation.prepare(chosen)
    if (files === undefined) return
    const attachments = [
      ...kept.map(({ name, declaredType, size, sha256 }) => ({
        name,
        contentType: declaredType,
        size,
        sha256,
      })),
      ...files.map(({ declared }) => declared),
    ]
    edit.mutate({ text, ...(hasOtherFiles && { attachments }), files }, { onSuccess: close })
  }

  function close(): void {
    cancel()
    announce('Comment saved.')
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    void save()
  }

  return (
    <form onSubmit={onSubmit} className={classes['form']}>
      <CommentField
        issue={issue}
        label={comment.audience === 'reporters' ? 'Edit reply' : 'Edit comment'}
        audience={comment.audience}
        text={draft}
        onText={onDraft}
        isPending={isPending}
        onSubmit={() => void save()}
        onEscape={() => !isChanged && cancel()}
        inputRef={inputRef}
        files={[
          ...kept.map((file) => ({
            key: file.id,
            name: file.name,
            size: file.size,
            onRemove: () => keep(kept.filter((other) => other !== file)),
          })),
          ...chosen.map((one) => removable(one, () => choose(chosen.filter((other) => other !== one)))),
        ]}
        onFiles={(files) => choose([...chosen, ...files.map(chooseFile)])}
      >
        <Button size="compact-md" variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button
          type="submit"
          size="compact-md"
          disabled={text === ''}
          loading={isPending}
          rightSection={<Keys keys="mod+enter" />}
        >
          Save
        </Button>
      </CommentField>
      <p role="alert" className={classes['error']}>
        {preparation.error ?? (edit.error && explainComment(edit.error))}
      </p>
    </form>
  )
}
