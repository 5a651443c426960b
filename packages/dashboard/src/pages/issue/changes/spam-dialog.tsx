import { type Issue, SPAM_DAYS } from '@bugle/contract'
import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useMarkSpam } from '../../../api/issues/spam.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { DialogButtons } from '../../../ui/dialogs/dialog-buttons.tsx'
import { showToast } from '../../../ui/feedback/toasts.tsx'
import { findSession } from '../../inbox/list/list-sessions.ts'
import classes from './dialog-form.module.css'

interface SpamDialogProps {
  readonly issue: Issue
  readonly onClose: () => void
}

/** Marks the issue as spam and, if wanted, blocks who sent it. */
export function SpamDialog({ issue, onClose }: SpamDialogProps) {
  const [blockSender, setBlockSender] = useState(false)
  const marking = useMarkSpam(issue.id)

  function mark(): void {
    marking.mutate(
      { isSpam: true, blockSender, known: issue },
      {
        onSuccess() {
          findSession(issue.id)?.list.patch(issue.id, 'gone')
          showToast({ tone: 'plain', text: `#${issue.issueNumber} is marked as spam.` })
          onClose()
        },
      },
    )
  }

  return (
    <Dialog title={`Mark #${issue.issueNumber} as spam?`} onClose={onClose}>
      <div className={classes['form']}>
        <p>
          It is hidden from lists, searches and statistics, and deleted after {SPAM_DAYS} days. Until then you
          can show it again.
        </p>
        <Checkbox
          label="Block the sender"
          description={`Further reports from the same address are stored as spam for ${SPAM_DAYS} days. Several people may share an address.`}
          checked={blockSender}
          onChange={({ currentTarget }) => setBlockSender(currentTarget.checked)}
        />
        <DialogButtons
          action="Mark as spam"
          onAction={mark}
          onCancel={onClose}
          isPending={marking.isPending}
          focused="action"
          error={marking.error}
        />
      </div>
    </Dialog>
  )
}
