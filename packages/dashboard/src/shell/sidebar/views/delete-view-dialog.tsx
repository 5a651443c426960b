import type { View } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useDeleteView } from '../../../api/people/views.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { explain } from '../../../ui/feedback/failure.tsx'
import { showToast } from '../../../ui/feedback/toasts.tsx'
import classes from './view-dialogs.module.css'

interface DeleteViewDialogProps {
  readonly view: View
  readonly onClose: () => void
}

/** Asks for confirmation, because other people use a shared view. */
export function DeleteViewDialog({ view, onClose }: DeleteViewDialogProps) {
  const deletion = useDeleteView()

  function remove(): void {
    deletion.mutate(view.id, {
      onSuccess() {
        showToast({ tone: 'plain', text: `“${view.name}” was deleted.` })
        onClose()
      },
    })
  }

  return (
    <Dialog title="Delete this shared view?" onClose={onClose} size="sm">
      <div className={classes['form']}>
        <p>
          <b>
            <bdi>{view.name}</bdi>
          </b>{' '}
          disappears from the sidebar of everyone in the project. Its issues are not affected.
        </p>
        <p role="alert" className={classes['error']}>
          {deletion.error && explain(deletion.error)}
        </p>
        <div className={classes['buttons']}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button className={classes['danger'] ?? ''} loading={deletion.isPending} onClick={remove}>
            Delete view
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
