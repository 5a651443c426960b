import {
  type Issue,
  type IssuePatch,
  type IssueReply,
  MAX_APP_VERSION_CHARS,
  MAX_BUILD_NUMBER_CHARS,
  MAX_COMMENT_CHARS,
  MAX_NOTE_CHARS,
} from '@bugle/contract'
import { Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useId, useState } from 'react'
import type { ReplyTo } from '../../../api/issues/comments.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { DialogButtons } from '../../../ui/dialogs/dialog-buttons.tsx'
import { Readers } from '../conversation/audience-choice.tsx'
import conversation from '../conversation/conversation.module.css'
import { useReplyIds } from '../conversation/reply-ids.ts'
import { hasReaders } from '../conversation/reporters.ts'
import { useReporters } from '../conversation/use-reporters.ts'
import { ConflictPanel } from './conflict-panel.tsx'
import classes from './dialog-form.module.css'
import type { IssueChanges } from './use-issue-changes.ts'

/** A reply that is being written. */
export interface ReplyDraft {
  readonly text: string
  readonly replyTo: ReplyTo
}

interface ResolveDialogProps {
  readonly issue: Issue
  /** The issue as it is now; `issue` may be how the person saw it. */
  readonly current: Issue
  readonly changes: IssueChanges
  /** The note written so far. */
  readonly note: string
  /** The reply written so far. */
  readonly reply: ReplyDraft
  readonly onResolved: () => void
  readonly onClose: () => void
}

/**
 * Resolves an issue, and asks which release has the fix: reports from older ones do not reopen it. Reporters can be told
 * at the same time.
 */
export function ResolveDialog({ issue, current, changes, note, ...props }: ResolveDialogProps) {
  const { onResolved, onClose } = props
  const { replyTo } = props.reply
  const reporters = useReporters(issue)
  const replyIdOf = useReplyIds()
  const readersId = useId()
  const [reply, setReply] = useState(props.reply.text)
  const text = reply.trim()

  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const sent = text === '' ? null : { commentId: replyIdOf(text, replyTo), text, ...replyTo }
    const isResolved = await changes.change(readPatch(new FormData(event.currentTarget), sent), issue)
    if (isResolved) onResolved()
    // A reply that was not sent is not lost.
    if (isResolved || sent === null) onClose()
  }

  function finish(): void {
    onResolved()
    onClose()
  }

  return (
    <Dialog title={`Resolve #${issue.issueNumber}`} onClose={onClose}>
      <form onSubmit={(event) => void onSubmit(event)} className={classes['form']}>
        <p className={classes['hint']}>
          If you enter the version that contains the fix, reports from older versions are counted but do not
          reopen the issue.
        </p>
        <div className={classes['pair']}>
          <TextInput
            label="Fixed in version"
            name="appVersion"
            placeholder="optional"
            maxLength={MAX_APP_VERSION_CHARS}
            defaultValue={issue.fixedIn?.appVersion ?? ''}
            autoComplete="off"
            data-autofocus
          />
          <TextInput
            label="Build"
            name="buildNumber"
            placeholder="optional"
            maxLength={MAX_BUILD_NUMBER_CHARS}
            defaultValue={issue.fixedIn?.buildNumber ?? ''}
            autoComplete="off"
          />
        </div>
        <Textarea
          label="Note for the team"
          name="note"
          placeholder="optional"
          maxLength={MAX_NOTE_CHARS}
          defaultValue={note}
          autosize
          minRows={2}
          maxRows={8}
        />
        {(text !== '' || hasReaders(reporters)) && (
          <div className={conversation['frame']}>
            <Textarea
              label="Reply to reporters"
              aria-describedby={readersId}
              placeholder="optional"
              maxLength={MAX_COMMENT_CHARS}
              value={reply}
              onChange={({ currentTarget }) => setReply(currentTarget.value)}
              autosize
              minRows={2}
              maxRows={8}
            />
            <Readers id={readersId} reporters={reporters} replyTo={replyTo} />
          </div>
        )}
        {text !== '' && <ConflictPanel issue={current} changes={changes} onMade={finish} />}
        <DialogButtons
          action={text === '' ? 'Resolve' : 'Resolve and send reply'}
          onCancel={onClose}
          isPending={changes.isPending}
          className={text === '' ? '' : conversation['send']}
        />
      </form>
    </Dialog>
  )
}

function readPatch(fields: FormData, reply: IssueReply | null): IssuePatch {
  const text = (name: string) => String(fields.get(name) ?? '').trim()
  const appVersion = text('appVersion')
  const buildNumber = text('buildNumber')
  const note = text('note')
  return {
    status: 'resolved',
    ...(appVersion !== '' && {
      fixedIn: { appVersion, buildNumber: buildNumber === '' ? null : buildNumber },
    }),
    ...(note !== '' && { note }),
    ...(reply !== null && { reply }),
  }
}
