import type { Issue, Report } from '@bugle/contract'
import { useBlockReporter } from '../../../api/issues/reports.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { DialogButtons } from '../../../ui/dialogs/dialog-buttons.tsx'
import { showToast } from '../../../ui/feedback/toasts.tsx'
import classes from '../changes/dialog-form.module.css'
import { nameOf } from './reporters.ts'

interface BlockDialogProps {
  /** The issue that the page shows. */
  readonly issue: Issue
  /** A report of the reporter. */
  readonly report: Pick<Report, 'id' | 'issueId' | 'reportNumber' | 'reporter'>
  readonly isBlocked: boolean
  readonly onClose: () => void
}

/** Asks for confirmation before a reporter is blocked, or unblocked. */
export function BlockDialog({ issue, report, isBlocked, onClose }: BlockDialogProps) {
  const blocking = useBlockReporter(issue.id)
  const { id: reportId, issueId, reporter } = report
  const word = isBlocked ? 'Unblock' : 'Block'

  function block(): void {
    blocking.mutate(
      { isBlocked: !isBlocked, reportId, issueId },
      {
        onSuccess() {
          showToast({ tone: 'plain', text: `The reporter was ${word.toLowerCase()}ed.` })
          onClose()
        },
      },
    )
  }

  return (
    <Dialog title={`${word} this reporter?`} onClose={onClose}>
      <div className={classes['form']}>
        <p>
          The reporter of report {report.reportNumber}
          {reporter !== null && (
            <>
              , <bdi>{nameOf(reporter)}</bdi>,
            </>
          )}{' '}
          {isBlocked
            ? 'will see their reports again and can write to you. Further reports are no longer spam.'
            : 'can no longer see their reports or write to you in this project, and their further reports are stored as spam. They are not notified. What they have written stays, and you can unblock them.'}
        </p>
        <DialogButtons
          action={`${word} reporter`}
          onAction={block}
          onCancel={onClose}
          isPending={blocking.isPending}
          isDangerous={!isBlocked}
          focused="cancel"
          error={blocking.error}
        />
      </div>
    </Dialog>
  )
}
