import type { Issue, Report } from '@bugle/contract'
import { Button } from '@mantine/core'
import { type ReportAction, useRemoveReport } from '../../../api/issues/reports.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { explain } from '../../../ui/feedback/failure.tsx'
import { showToast } from '../../../ui/feedback/toasts.tsx'
import classes from '../changes/dialog-form.module.css'

interface RemoveReportDialogProps {
  readonly issue: Issue
  readonly report: Report
  /** Its number, as the page shows it. */
  readonly name: string
  readonly action: ReportAction
  readonly onClose: () => void
}

/** Asks for confirmation before a report is deleted or redacted, because neither can be undone. */
export function RemoveReportDialog({ issue, report, name, action, onClose }: RemoveReportDialogProps) {
  const removal = useRemoveReport(issue.id)
  const { id: reportId } = report
  const isDeletion = action === 'delete'

  function remove(): void {
    removal.mutate(
      { action, reportId, issueId: report.issueId },
      {
        onSuccess() {
          const done = isDeletion ? 'deleted' : 'redacted'
          showToast({ tone: 'plain', text: `Report ${name} was ${done}.` })
          onClose()
        },
      },
    )
  }

  return (
    <Dialog title={`${isDeletion ? 'Delete' : 'Redact'} report ${name}?`} onClose={onClose}>
      <div className={classes['form']}>
        <p>
          {isDeletion
            ? 'This permanently deletes the report, and what its reporter wrote to you about it. Other reports of the issue stay as they are.'
            : 'This permanently removes the title, description, metadata, context and reporter of this report, and what its reporter wrote to you about it. Other reports with the same text lose it too.'}
        </p>
        {!isDeletion && isShown(report, issue) && (
          <p>The title and description of the issue itself do not change. Edit them separately.</p>
        )}
        <p role="alert" className={classes['error']}>
          {removal.error && explain(removal.error)}
        </p>
        <div className={classes['buttons']}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button className={classes['danger'] ?? ''} loading={removal.isPending} onClick={remove}>
            {isDeletion ? 'Delete permanently' : 'Redact permanently'}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** Whether the issue itself contains the text of the report. */
function isShown({ title, description }: Report, issue: Issue): boolean {
  return title === issue.title || (description !== null && description === issue.description)
}
