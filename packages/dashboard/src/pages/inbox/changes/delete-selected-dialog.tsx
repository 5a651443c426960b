import { endpoints, type IssueListItem } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { explain } from '../../../ui/feedback/failure.tsx'
import { showToast } from '../../../ui/feedback/toasts.tsx'
import { countOf } from '../../../ui/words.ts'
import type { IssueList } from '../list/issue-list.ts'
import classes from './delete-selected-dialog.module.css'
import { forEachOf } from './for-each-of.ts'

interface DeleteSelectedDialogProps {
  readonly issues: readonly IssueListItem[]
  readonly list: IssueList
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** Asks for confirmation, because a deletion cannot be undone. */
export function DeleteSelectedDialog({ issues, list, onDeleted, onClose }: DeleteSelectedDialogProps) {
  const [isPending, setPending] = useState(false)
  const what = countOf(issues.length, 'issue')

  async function remove(): Promise<void> {
    setPending(true)
    const errors: unknown[] = []
    await forEachOf(issues, async ({ id }) => {
      try {
        await client.call(endpoints.deleteIssue, { params: { id } })
        list.patch(id, 'gone')
      } catch (error) {
        errors.push(error)
      }
    })
    const deleted = issues.length - errors.length
    if (errors.length > 0) {
      const text = `${countOf(errors.length, 'issue')} could not be deleted.\n${explain(errors[0])}`
      showToast({ tone: 'danger', text })
    }
    if (deleted > 0) showToast({ tone: 'plain', text: `${countOf(deleted, 'issue')} deleted.` })
    onDeleted()
  }

  return (
    <Dialog title={`Delete ${what}?`} onClose={onClose}>
      <p>
        This permanently deletes the selected issues, their reports and their history. Delete issues only to
        remove personal data or leaked secrets. Otherwise, close them.
      </p>
      <div className={classes['buttons']}>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button className={classes['danger'] ?? ''} loading={isPending} onClick={() => void remove()}>
          Delete {what}
        </Button>
      </div>
    </Dialog>
  )
}
