import { Button } from '@mantine/core'
import { useDeleteComment } from '../../../api/issues/comments.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { announce } from '../../../ui/feedback/announce.tsx'
import { explain } from '../../../ui/feedback/failure.tsx'
import classes from '../changes/dialog-form.module.css'

interface DeleteCommentDialogProps {
  readonly issueId: string
  readonly commentId: string
  /** What it is. */
  readonly kind: 'comment' | 'reply' | 'message'
  readonly onClose: () => void
}

/** Asks for confirmation, because a deleted comment cannot be restored. */
export function DeleteCommentDialog({ issueId, commentId, kind, onClose }: DeleteCommentDialogProps) {
  const deletion = useDeleteComment(issueId, commentId)

  function remove(): void {
    deletion.mutate(undefined, {
      onSuccess() {
        announce(`The ${kind} was deleted.`)
        onClose()
      },
    })
  }

  return (
    <Dialog title={`Delete this ${kind}?`} onClose={onClose}>
      <div className={classes['form']}>
        <p>
          This permanently removes the text. The history shows that it was deleted.
          {kind === 'reply' && ' Reporters may have read it.'}
        </p>
        <p role="alert" className={classes['error']}>
          {deletion.error && explain(deletion.error)}
        </p>
        <div className={classes['buttons']}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button className={classes['danger'] ?? ''} loading={deletion.isPending} onClick={remove}>
            Delete permanently
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
