import type { Issue } from '@bugle/contract'
import { useNavigate } from '@tanstack/react-router'
import { useDeleteIssue } from '../../../api/issues/issues.ts'
import { useProject } from '../../../shell/current-project.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { DialogButtons } from '../../../ui/dialogs/dialog-buttons.tsx'
import { showToast } from '../../../ui/feedback/toasts.tsx'
import { countOf } from '../../../ui/words.ts'
import { findSession } from '../../inbox/list/list-sessions.ts'
import type { Neighbours } from '../use-neighbours.ts'
import classes from './dialog-form.module.css'

interface DeleteDialogProps {
  readonly issue: Issue
  readonly neighbours: Neighbours | undefined
  readonly onClose: () => void
}

/** Asks for confirmation, because a deletion cannot be undone. */
export function DeleteDialog({ issue, neighbours, onClose }: DeleteDialogProps) {
  const { slug } = useProject()
  const navigate = useNavigate()
  const deletion = useDeleteIssue(issue.id)
  const duplicates = issue.duplicateCount ?? 0

  function remove(): void {
    deletion.mutate(undefined, {
      onSuccess() {
        findSession(issue.id)?.list.patch(issue.id, 'gone')
        showToast({ tone: 'plain', text: `#${issue.issueNumber} was deleted.` })
        void navigate({
          to: '/projects/$slug/issues',
          params: { slug },
          search: neighbours?.search ?? {},
          replace: true,
        })
      },
    })
  }

  return (
    <Dialog title={`Delete #${issue.issueNumber}?`} onClose={onClose}>
      <div className={classes['form']}>
        <p>
          This permanently deletes the issue,{' '}
          {duplicates === 0 ? `its ${countOf(issue.reportCount, 'report')}` : 'its own reports'} and its
          history. {duplicates > 0 && `Its ${countOf(duplicates, 'duplicate')} will be separate again. `}
          Delete issues only to remove personal data or leaked secrets. Otherwise, close the issue.
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
