import { type Issue, type IssueStatus, MAX_ATTACHMENTS, MAX_NOTE_CHARS } from '@bugle/contract'
import { Button, Menu } from '@mantine/core'
import { type FormEvent, type RefObject, useId, useRef } from 'react'
import { type ReplyTo, useAddComment } from '../../../api/issues/comments.ts'
import { removable } from '../../../files/chosen-files.tsx'
import { chooseFile } from '../../../files/prepared-files.ts'
import { usePreparedFiles } from '../../../files/use-prepared-files.ts'
import { Keys } from '../../../keyboard/keys.tsx'
import { useCommands } from '../../../keyboard/use-commands.ts'
import { announce } from '../../../ui/feedback/announce.tsx'
import { Icon } from '../../../ui/icons/icons.tsx'
import { StatusIcon } from '../../../ui/icons/status-icon.tsx'
import { MOVES } from '../../../ui/words.ts'
import { movesOf } from '../changes/move-bar.tsx'
import { AudienceChoice } from '../conversation/audience-choice.tsx'
import conversation from '../conversation/conversation.module.css'
import { type CommentDraft, EMPTY_DRAFT, useChosenFiles } from './comment-draft.ts'
import { CommentField } from './comment-field.tsx'
import classes from './comment-form.module.css'
import { explainComment } from './explain-comment.ts'

interface CommentFormProps {
  readonly issue: Issue
  readonly draft: CommentDraft
  readonly onDraft: (draft: CommentDraft) => void
  /** Changes the status, with the text as its note, or with the reply. */
  readonly onMove: (to: IssueStatus) => void
  /** Whether the issue is being changed. */
  readonly isChanging: boolean
  readonly inputRef: RefObject<HTMLTextAreaElement | null>
}

/** Writes a comment, or a note for a status change, or a reply to reporters. */
export function CommentForm({ issue, draft, onDraft, onMove, isChanging, inputRef }: CommentFormProps) {
  const addition = useAddComment(issue.id)
  const [chosen, choose] = useChosenFiles(issue.id)
  const preparation = usePreparedFiles()
  const text = draft.text.trim()
  const { replyTo } = draft
  const isReply = replyTo !== null
  const readersId = useId()
  const formRef = useRef<HTMLFormElement>(null)
  const isPending = addition.isPending || preparation.isPending
  const isEmpty = text === '' && (isReply || chosen.length === 0)
  const hasHiddenFiles = isReply && chosen.length > 0

  async function add(): Promise<void> {
    if (isEmpty || hasHiddenFiles || chosen.length > MAX_ATTACHMENTS || isPending || isChanging) return
    const files = await preparation.prepare(chosen)
    if (files === undefined) return
    const { commentId = crypto.randomUUID(), attachments: sent = [] } = draft
    const attachments = files.length === 0 ? sent : files.map(({ declared }) => declared)
    // A comment needs a text: that of files alone is their names.
    const said = text === '' ? attachments.map(({ name }) => name).join(', ') : text
    onDraft({ text: text === '' ? said : draft.text, replyTo, commentId, attachments })
    addition.mutate(
      { commentId, text: said, replyTo, attachments, files },
      {
        onSuccess() {
          onDraft(EMPTY_DRAFT)
          choose([])
          announce(isReply ? 'Reply sent.' : 'Comment added.')
        },
      },
    )
  }

  /** What is sent is another comment from now on. */
  function change(files: typeof chosen): void {
    choose(files)
    onDraft({ text: draft.text, replyTo })
  }

  function address(next: ReplyTo | null): void {
    addition.reset()
    onDraft({ text: draft.text, replyTo: next })
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    void add()
  }

  useCommands([
    {
      id: 'issue.add-comment',
      title: 'Add comment',
      section: 'Issues',
      keys: 'mod+enter',
      isKeyOnly: true,
      run() {
        // A reply cannot be taken back: it is sent only by someone who is in its form.
        if (!isReply || formRef.current?.contains(document.activeElement)) void add()
      },
    },
  ])

  return (
    <form
      ref={formRef}
      onSubmit={onSubmit}
      className={`${classes['form']} ${isReply ? conversation['frame'] : ''}`}
      aria-label={isReply ? 'Reply to reporters' : 'Comment'}
    >
      <AudienceChoice
        issue={issue}
        replyTo={replyTo}
        isDisabled={isPending}
        onChoose={address}
        readersId={readersId}
      />
      <CommentField
        issue={issue}
        label={isReply ? 'Reply to reporters' : 'Comment'}
        audience={isReply ? 'reporters' : 'team'}
        describedBy={isReply ? readersId : undefined}
        text={draft.text}
        onText={(next) => onDraft({ text: next, replyTo })}
        isPending={isPending}
        onSubmit={() => void add()}
        inputRef={inputRef}
        files={chosen.map((one) => removable(one, () => change(chosen.filter((other) => other !== one))))}
        onFiles={(files) => change([...chosen, ...files.map(chooseFile)])}
      >
        <Menu position="bottom-end" width={200}>
          <Menu.Target>
            <Button
              size="compact-md"
              variant="default"
              disabled={
                text === '' ||
                (!isReply && text.length > MAX_NOTE_CHARS) ||
                hasHiddenFiles ||
                isPending ||
                isChanging
              }
              rightSection={<Icon name="chevron" size={12} />}
            >
              {isReply ? 'Reply and change status' : 'Change status with note'}
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
          className={isReply ? (conversation['send'] ?? '') : ''}
          disabled={isEmpty || hasHiddenFiles}
          loading={isPending}
          rightSection={<Keys keys="mod+enter" />}
        >
          {isReply ? 'Send reply' : 'Comment'}
        </Button>
      </CommentField>
      <p role="alert" className={classes['error']}>
        {hasHiddenFiles && 'Reporters cannot see files. Remove them to send the reply.'}
        {preparation.error ?? (addition.error && explainComment(addition.error))}
      </p>
    </form>
  )
}
