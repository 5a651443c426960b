import type { Issue, Report } from '@bugle/contract'
import { type ReportAction, useRemoveReport } from '../../../api/issues/reports.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { DialogButtons } from '../../../ui/dialogs/dialog-buttons.tsx'
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
        <DialogButtons
          action={isDeletion ? 'Delete permanently' : 'Redact permanently'}
          onAction={remove}
          onCancel={onClose}
          isPending={removal.isPending}
          isDangerous
          focused="cancel"
          error={removal.error}
        />
      </div>
    </Dialog>
  )
}

/** Whether the issue itself contains the text of the report. */
function isShown({ title, description }: Report, issue: Issue): boolean {
  return title === issue.title || (description !== null && description === issue.description)
}
