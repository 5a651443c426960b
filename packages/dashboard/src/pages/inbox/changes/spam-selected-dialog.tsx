import { type IssueListItem, SPAM_DAYS } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useProject } from '../../../shell/current-project.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { explain } from '../../../ui/feedback/failure.tsx'
import { showToast } from '../../../ui/feedback/toasts.tsx'
import { countOf } from '../../../ui/words.ts'
import { changeTogether } from './bulk-changes.ts'
import classes from './delete-selected-dialog.module.css'

interface SpamSelectedDialogProps {
  readonly issues: readonly IssueListItem[]
  /** Called after the attempt, with whether the issues have left the list: if not, none has. */
  readonly onMarked: (areMarked: boolean) => void
  readonly onClose: () => void
}

/** Marks the selected issues as spam or, in a list of spam, as not spam: all of them or none. */
export function SpamSelectedDialog({ issues, onMarked, onClose }: SpamSelectedDialogProps) {
  const { slug } = useProject()
  const [isPending, setPending] = useState(false)
  const isSpam = issues.some(({ spamAt }) => spamAt !== null)
  const mark = isSpam ? 'not spam' : 'spam'
  const what = countOf(issues.length, 'issue')

  async function run(): Promise<void> {
    setPending(true)
    try {
      await changeTogether(slug, issues, { action: isSpam ? 'unmark_spam' : 'mark_spam' })
      showToast({ tone: 'plain', text: `${what} marked as ${mark}.` })
      onMarked(true)
    } catch (error) {
      showToast({ tone: 'danger', text: `No issues were changed.\n${explain(error)}` })
      onMarked(false)
    }
  }

  return (
    <Dialog title={`Mark ${what} as ${mark}?`} onClose={onClose}>
      <p>
        {isSpam
          ? 'The selected issues are shown in lists, searches and statistics again, and are not deleted. Senders that were blocked with them are unblocked.'
          : `The selected issues are hidden from lists, searches and statistics, and deleted after ${SPAM_DAYS} days. Until then you can show them again. To block a sender, open the issue.`}
      </p>
      <div className={classes['buttons']}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={isPending} onClick={() => void run()} data-autofocus>
          Mark as {mark}
        </Button>
      </div>
    </Dialog>
  )
}
