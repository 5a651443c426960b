import { ApiProblem } from '@bugle/client'
import { canMove, type Issue, type IssuePatch } from '@bugle/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { issueEventsQuery, issueQuery, useChangeIssue } from '../../api/issues.ts'
import { explain } from '../../ui/failure.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { STATUS_NAMES } from '../../ui/words.ts'

/** A change that was not made, because somebody else was quicker. */
export interface Conflict {
  readonly patch: IssuePatch
  /** The issue as it was when the change was asked for. */
  readonly before: Issue
}

export interface IssueChanges {
  readonly isPending: boolean
  readonly conflict: Conflict | undefined
  /** Resolves to whether the change was made; if not, the person has been told why. */
  change(patch: IssuePatch, known: Issue): Promise<boolean>
  dismissConflict(): void
}

/** Changes an issue, unless somebody else has since: then it asks what to do. */
export function useIssueChanges(id: string): IssueChanges {
  const queries = useQueryClient()
  const { mutateAsync, isPending } = useChangeIssue(id)
  const [conflict, setConflict] = useState<Conflict>()

  async function change(patch: IssuePatch, known: Issue): Promise<boolean> {
    try {
      const issue = await mutateAsync({ patch, known })
      setConflict(undefined)
      tell(patch, known, issue)
      return true
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'precondition-failed') {
        setConflict({ patch, before: known })
        void queries.invalidateQueries({ ...issueQuery(id), exact: true })
        void queries.invalidateQueries({ queryKey: issueEventsQuery(id).queryKey })
      } else {
        showToast({ tone: 'danger', text: explain(error) })
      }
      return false
    }
  }

  function tell(patch: IssuePatch, known: Issue, issue: Issue): void {
    const number = `#${issue.issueNumber}`
    if (issue.status === known.status) {
      const isNote = Object.keys(patch).join() === 'note'
      showToast({ tone: 'plain', text: isNote ? `Note added to ${number}.` : `${number} was changed.` })
      return
    }
    const undo = { label: 'Undo', run: () => void change({ status: known.status }, issue) }
    showToast({
      tone: 'plain',
      text: `${number} moved to ${STATUS_NAMES[issue.status]}.`,
      ...(canMove(issue.status, known.status) && { action: undo }),
    })
  }

  return { isPending, conflict, change, dismissConflict: () => setConflict(undefined) }
}
