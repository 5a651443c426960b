import type { Issue } from '@bugle/contract'
import { Button } from '@mantine/core'
import { Dialog } from '../../../ui/dialog.tsx'
import classes from './dialog-form.module.css'
import type { IssueChanges } from './use-issue-changes.ts'

interface HideDialogProps {
  readonly issue: Issue
  readonly changes: IssueChanges
  readonly onClose: () => void
}

/** Asks somebody who may not see security issues, before they make one of it. */
export function HideDialog({ issue, changes, onClose }: HideDialogProps) {
  return (
    <Dialog title="Make it a security issue?" onClose={onClose}>
      <div className={classes['form']}>
        <p>
          #{issue.issueNumber} will be visible only to people who can see security issues. You are not one of
          them: you will no longer see it, and you cannot undo this.
        </p>
        <div className={classes['buttons']}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            loading={changes.isPending}
            onClick={() => void changes.change({ category: 'security' }, issue).then(onClose)}
          >
            Make it a security issue
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
