import { useDeleteComment } from '../../../api/issues/comments.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { DialogButtons } from '../../../ui/dialogs/dialog-buttons.tsx'
import { announce } from '../../../ui/feedback/announce.tsx'
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
        <DialogButtons
          action="Delete permanently"
          onAction={remove}
          onCancel={onClose}
          isPending={deletion.isPending}
          isDangerous
          focused="cancel"
          error={deletion.error}
        />
      </div>
    </Dialog>
  )
}
