import { ApiProblem } from '@bugle/client'
import type { Issue, IssuePatch } from '@bugle/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { issueEventsQuery, issueQuery, useChangeIssue } from '../../../api/issues/issues.ts'
import { ChangedSince, revertIssue } from '../../../api/issues/revert-issue.ts'
import { explainChange } from '../../../ui/feedback/explain-change.ts'
import { explain } from '../../../ui/feedback/failure.tsx'
import { showToast } from '../../../ui/feedback/toasts.tsx'
import { offerUndo } from '../../../ui/feedback/undo.ts'
import { STATUS_NAMES } from '../../../ui/words.ts'

/** A change that was not saved because someone else changed the issue first. */
export interface Conflict {
  readonly patch: IssuePatch
  /** The issue as it was when the change was requested. */
  readonly before: Issue
}

export interface IssueChanges {
  readonly isPending: boolean
  readonly conflict: Conflict | undefined
  /** Resolves to whether the change was made; if not, the reason has been shown. */
  change(patch: IssuePatch, known: Issue): Promise<boolean>
  dismissConflict(): void
}

/** Changes an issue. If someone else has changed it since it was read, asks what to do. */
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
        showToast({ tone: 'danger', text: explainChange(error) })
      }
      return false
    }
  }

  function tell({ note: _, reply, ...patch }: IssuePatch, known: Issue, issue: Issue): void {
    if (Object.keys(patch).length === 0) {
      showToast({ tone: 'plain', text: `Note added to #${issue.issueNumber}.` })
      return
    }
    const text = describe(issue, known) + (reply ? ' The reply was sent.' : '')
    const undoable = { text, undo: () => undo(patch, known, issue) }
    offerUndo(undoable)
    showToast({ tone: 'plain', text, undoable })
  }

  async function undo(patch: IssuePatch, known: Issue, issue: Issue): Promise<void> {
    const fields = Object.keys(patch) as (keyof IssuePatch & keyof Issue)[]
    const pick = (from: Issue) => Object.fromEntries(fields.map((field) => [field, from[field]]))
    try {
      const reverted = await revertIssue(id, { from: pick(known), to: pick(issue) })
      queries.setQueryData(issueQuery(id).queryKey, reverted)
      showToast({ tone: 'plain', text: describe(reverted, issue) })
    } catch (error) {
      const isOurs = !(error instanceof ChangedSince)
      const text = isOurs
        ? explain(error)
        : `#${issue.issueNumber} has been changed since and was not reverted.`
      showToast({ tone: 'danger', text })
    }
    await queries.invalidateQueries({ queryKey: issueEventsQuery(id).queryKey })
  }

  return { isPending, conflict, change, dismissConflict: () => setConflict(undefined) }
}

function describe(issue: Issue, before: Issue): string {
  const number = `#${issue.issueNumber}`
  if (issue.known !== null && before.known === null) return `${number} was published as a known issue.`
  if (issue.known === null && before.known !== null) return `${number} is no longer a known issue.`
  if (issue.status === before.status) return `${number} was changed.`
  return `${number} moved to ${STATUS_NAMES[issue.status]}.`
}
