import { Button } from '@mantine/core'
import { useState } from 'react'
import { useProject } from '../../../shell/current-project.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { explain } from '../../../ui/feedback/failure.tsx'
import { showToast } from '../../../ui/feedback/toasts.tsx'
import { countOf } from '../../../ui/words.ts'
import { type Chosen, changeTogether, countOfChosen } from './bulk-changes.ts'
import classes from './delete-selected-dialog.module.css'

interface DeleteSelectedDialogProps {
  readonly chosen: Chosen
  /** Called after the attempt, with whether the issues were deleted: if not, none was. */
  readonly onDeleted: (areDeleted: boolean) => void
  readonly onClose: () => void
}

/** Asks for confirmation, because a deletion cannot be undone. */
export function DeleteSelectedDialog({ chosen, onDeleted, onClose }: DeleteSelectedDialogProps) {
  const { slug } = useProject()
  const [isPending, setPending] = useState(false)
  const what = countOf(countOfChosen(chosen), 'issue')

  async function remove(): Promise<void> {
    setPending(true)
    try {
      await changeTogether(slug, chosen, { action: 'delete' })
      showToast({ tone: 'plain', text: `${what} deleted.` })
      onDeleted(true)
    } catch (error) {
      showToast({ tone: 'danger', text: `No issues were deleted.\n${explain(error)}` })
      onDeleted(false)
    }
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
