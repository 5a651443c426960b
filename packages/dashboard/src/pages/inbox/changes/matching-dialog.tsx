import { type BulkPatch, type IssueStatus, PRIORITIES } from '@bugle/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { AssigneeDialog } from '../../../picks/assignee-dialog.tsx'
import { LabelsDialog } from '../../../picks/labels-dialog.tsx'
import { useProject } from '../../../shell/current-project.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { explain } from '../../../ui/feedback/failure.tsx'
import { showToast } from '../../../ui/feedback/toasts.tsx'
import { PriorityIcon } from '../../../ui/icons/priority-icon.tsx'
import { StatusIcon } from '../../../ui/icons/status-icon.tsx'
import { countOf, MOVES, PRIORITY_NAMES } from '../../../ui/words.ts'
import { type BulkStep, changeTogether, type Matching } from './bulk-changes.ts'
import { DeleteSelectedDialog } from './delete-selected-dialog.tsx'
import classes from './matching-dialog.module.css'

interface MatchingDialogProps {
  readonly matching: Matching
  /** The statuses that all of them may change to. */
  readonly moves: readonly IssueStatus[]
  readonly mayDelete: boolean
  /** Called when the list has to be read again. */
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** The actions for all issues that match the filters, whether or not the list has loaded them. */
export function MatchingDialog({ matching, moves, mayDelete, onChanged, onClose }: MatchingDialogProps) {
  const { slug } = useProject()
  const [step, setStep] = useState<'choose' | 'assign' | 'label' | 'delete'>('choose')
  const [isPending, setPending] = useState(false)
  const back = () => setStep('choose')

  const change = (patch: BulkPatch) => run({ action: 'change', patch })
  const isSpam = matching.filters.spam === true

  async function run(step: BulkStep): Promise<void> {
    setPending(true)
    try {
      const { changedCount } = await changeTogether(slug, matching, step)
      showToast({ tone: 'plain', text: `${countOf(changedCount, 'issue')} changed.` })
    } catch (error) {
      showToast({ tone: 'danger', text: explain(error) })
    }
    onChanged()
  }

  if (step === 'assign')
    return (
      <AssigneeDialog
        chosen={undefined}
        isHidden={false}
        onChoose={(assigneeId) => void change({ assigneeId })}
        onClose={back}
      />
    )
  if (step === 'label')
    return (
      <LabelsDialog chosen={[]} onChange={(added) => void change({ addLabels: [...added] })} onClose={back} />
    )
  if (step === 'delete')
    return <DeleteSelectedDialog chosen={matching} onDeleted={onChanged} onClose={back} />
  return (
    <Dialog title={`All ${countOf(matching.count, 'matching issue')}`} onClose={onClose}>
      <p>
        All of them are changed, or none if another number of issues matches by then. This cannot be undone.
      </p>
      <div className={classes['actions']}>
        {moves.map((status) => (
          <Button
            key={status}
            variant="default"
            disabled={isPending}
            leftSection={<StatusIcon status={status} label={false} />}
            onClick={() => void change({ status })}
          >
            {MOVES[status].title}
          </Button>
        ))}
      </div>
      <div className={classes['actions']}>
        {PRIORITIES.toReversed().map((priority) => (
          <Button
            key={priority}
            variant="default"
            disabled={isPending}
            leftSection={<PriorityIcon priority={priority} label={false} />}
            onClick={() => void change({ priority })}
          >
            {PRIORITY_NAMES[priority]} priority
          </Button>
        ))}
      </div>
      <div className={classes['actions']}>
        <Button variant="default" disabled={isPending} onClick={() => setStep('assign')}>
          Assign…
        </Button>
        <Button variant="default" disabled={isPending} onClick={() => setStep('label')}>
          Add labels…
        </Button>
        <Button
          variant="default"
          disabled={isPending}
          onClick={() => void run({ action: isSpam ? 'unmark_spam' : 'mark_spam' })}
        >
          {isSpam ? 'Not spam' : 'Mark as spam'}
        </Button>
        {mayDelete && (
          <Button
            variant="default"
            disabled={isPending}
            className={classes['delete'] ?? ''}
            onClick={() => setStep('delete')}
          >
            Delete…
          </Button>
        )}
      </div>
    </Dialog>
  )
}
