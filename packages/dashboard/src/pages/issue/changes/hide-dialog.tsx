import type { Issue } from '@bugle/contract'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { DialogButtons } from '../../../ui/dialogs/dialog-buttons.tsx'
import classes from './dialog-form.module.css'
import type { IssueChanges } from './use-issue-changes.ts'

interface HideDialogProps {
  readonly issue: Issue
  readonly changes: IssueChanges
  readonly onClose: () => void
}

/** Asks for confirmation before a person who cannot see security issues turns an issue into one. */
export function HideDialog({ issue, changes, onClose }: HideDialogProps) {
  return (
    <Dialog title="Mark as a security issue?" onClose={onClose}>
      <div className={classes['form']}>
        <p>
          #{issue.issueNumber} will be visible only to people with access to security issues. You do not have
          this access: you will no longer see the issue, and you cannot undo this.
        </p>
        <DialogButtons
          action="Mark as a security issue"
          onAction={() => void changes.change({ category: 'security' }, issue).then(onClose)}
          onCancel={onClose}
          isPending={changes.isPending}
          focused="cancel"
        />
      </div>
    </Dialog>
  )
}
