import { type Issue, type IssueStatus, MAX_NOTE_CHARS } from '@bugle/contract'
import { Button, Menu } from '@mantine/core'
import type { FormEvent, RefObject } from 'react'
import { useAddComment } from '../../../api/comments.ts'
import { Keys } from '../../../keyboard/keys.tsx'
import { useCommands } from '../../../keyboard/use-commands.ts'
import { announce } from '../../../ui/feedback/announce.tsx'
import { explain } from '../../../ui/feedback/failure.tsx'
import { Icon } from '../../../ui/icons/icons.tsx'
import { StatusIcon } from '../../../ui/icons/status-icon.tsx'
import { MOVES } from '../../../ui/words.ts'
import { movesOf } from '../changes/move-bar.tsx'
import type { CommentDraft } from './comment-draft.ts'
import { CommentField } from './comment-field.tsx'
import classes from './comment-form.module.css'

interface CommentFormProps {
  readonly issue: Issue
  readonly draft: CommentDraft
  readonly onDraft: (draft: CommentDraft) => void
  /** Changes the status, with the text as its note. */
  readonly onMove: (to: IssueStatus) => void
  /** Whether the issue is being changed. */
  readonly isChanging: boolean
  readonly inputRef: RefObject<HTMLTextAreaElement | null>
}

/** Writes a comment, or a note for a status change. */
export function CommentForm({ issue, draft, onDraft, onMove, isChanging, inputRef }: CommentFormProps) {
  const addition = useAddComment(issue.id)
  const text = draft.text.trim()

  function add(): void {
    if (text === '' || addition.isPending || isChanging) return
    const { commentId = crypto.randomUUID() } = draft
    onDraft({ ...draft, commentId })
    addition.mutate(
      { commentId, text },
      {
        onSuccess() {
          onDraft({ text: '' })
          announce('Comment added.')
        },
      },
    )
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    add()
  }

  useCommands([
    {
      id: 'issue.add-comment',
      title: 'Add comment',
      section: 'Issues',
      keys: 'mod+enter',
      isKeyOnly: true,
      run: add,
    },
  ])

  return (
    <form onSubmit={onSubmit} className={classes['form']}>
      <CommentField
        issue={issue}
        label="Comment"
        text={draft.text}
        onText={(next) => onDraft({ text: next })}
        isPending={addition.isPending}
        onSubmit={add}
        inputRef={inputRef}
      >
        <Menu position="bottom-end" width={200}>
          <Menu.Target>
            <Button
              size="compact-md"
              variant="default"
              disabled={text === '' || text.length > MAX_NOTE_CHARS || addition.isPending || isChanging}
              rightSection={<Icon name="chevron" size={12} />}
            >
              Change status with note
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {movesOf(issue).map((status) => (
              <Menu.Item
                key={status}
                leftSection={<StatusIcon status={status} label={false} />}
                onClick={() => onMove(status)}
              >
                {MOVES[status].title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Button
          type="submit"
          size="compact-md"
          disabled={text === ''}
          loading={addition.isPending}
          rightSection={<Keys keys="mod+enter" />}
        >
          Comment
        </Button>
      </CommentField>
      <p role="alert" className={classes['error']}>
        {addition.error && explain(addition.error)}
      </p>
    </form>
  )
}
