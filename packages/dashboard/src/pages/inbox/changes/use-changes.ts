import { ApiProblem } from '@bugle/client'
import type { IssueListItem } from '@bugle/contract'
import { useQueryClient } from '@tanstack/react-query'
import { ChangedSince } from '../../../api/issues/revert-issue.ts'
import { peopleQuery } from '../../../api/people/people.ts'
import { useProject } from '../../../shell/current-project.ts'
import { explain } from '../../../ui/feedback/failure.tsx'
import { showToast } from '../../../ui/feedback/toasts.tsx'
import { offerUndo, withdrawUndo } from '../../../ui/feedback/undo.ts'
import { countOf, PRIORITY_NAMES, STATUS_NAMES } from '../../../ui/words.ts'
import type { IssueList } from '../list/issue-list.ts'
import { type ChangeResult, changeIssues, revertIssues } from './change-issues.ts'
import { contentOf, fieldOf, type RowContent, type RowField, type RowPatch } from './row-patches.ts'

/** Reasons that are listed one by one; the rest is counted. */
const MAX_REASONS = 3

/** What the list showed, by id. */
type Rows = ReadonlyMap<string, IssueListItem>

export type ChangeRows = (issues: readonly IssueListItem[], patch: RowPatch) => Promise<void>

/** Changes issues of a list: shown at once, reverted if the server refuses, and reported either way. */
export function useChanges(list: IssueList): ChangeRows {
  const queries = useQueryClient()
  const { slug } = useProject()
  const show = (issue: IssueListItem) => list.patch(issue.id, issue)

  function nameOf(personId: string): string {
    const people = queries.getQueryData(peopleQuery(slug).queryKey)
    return people?.find(({ id }) => id === personId)?.name ?? 'someone'
  }

  function latestOf(issue: IssueListItem): IssueListItem {
    const row = list.row(list.indexOf(issue.id))
    return typeof row === 'object' ? row : issue
  }

  /** Reverts what was shown too early to what the rows had before, and shows the reason. */
  function settle(result: ChangeResult, shown: RowField, rows: Rows = new Map()): void {
    for (const { issue, now } of result.failed)
      list.patch(issue.id, now ?? { [shown]: (rows.get(issue.id) ?? issue)[shown] })
    const ids = [
      ...result.changed.map(({ after }) => after.id),
      ...result.failed.map(({ issue }) => issue.id),
    ]
    for (const id of ids) void queries.invalidateQueries({ queryKey: ['issue', id] })
    if (result.failed.length > 0) showToast({ tone: 'danger', text: explainFailures(result) })
  }

  async function undo(made: Promise<ChangeResult>, patch: RowPatch): Promise<void> {
    const field = fieldOf(patch)
    const result = await made
    for (const { before } of result.changed) list.patch(before.id, { [field]: before[field] })
    const reverted = await revertIssues(result, patch, show)
    settle(reverted, field)
    const issues = reverted.changed.map(({ after }) => after)
    // Of labels, only that they changed is told.
    const byValue = Map.groupBy(issues, (issue) => (field === 'labels' ? undefined : issue[field]))
    for (const [value, some] of byValue)
      showToast({ tone: 'plain', text: describe(some, { [field]: value } as RowContent, nameOf) })
  }

  return async (issues, patch) => {
    const field = fieldOf(patch)
    const rows: Rows = new Map(issues.map((issue) => [issue.id, latestOf(issue)]))
    // Has someone changed the same field while a dialog was open? With the version from before, the server refuses.
    const isOutdated = (issue: IssueListItem) => `${rows.get(issue.id)?.[field]}` !== `${issue[field]}`
    for (const issue of issues) list.patch(issue.id, contentOf(issue, patch))
    const made = changeIssues({
      project: slug,
      issues,
      patch,
      latestOf: (issue) => (isOutdated(issue) ? issue : latestOf(issue)),
      onChanged: show,
    })
    // Registered now, so that keys pressed in sequence undo the changes in that order.
    const undoable = { text: describe(issues, patch, nameOf), undo: () => undo(made, patch) }
    offerUndo(undoable)
    const result = await made
    settle(result, field, rows)
    const changed = result.changed.map(({ after }) => after)
    if (changed.length === 0) withdrawUndo(undoable)
    else showToast({ tone: 'plain', text: describe(changed, patch, nameOf), undoable })
  }
}

function describe(
  issues: readonly IssueListItem[],
  patch: RowPatch | RowContent,
  nameOf: (personId: string) => string,
): string {
  const [only, ...others] = issues
  const what =
    only !== undefined && others.length === 0 ? `#${only.issueNumber}` : countOf(issues.length, 'issue')
  if ('status' in patch) return `${what} moved to ${STATUS_NAMES[patch.status]}.`
  if ('priority' in patch) return `${what} set to ${PRIORITY_NAMES[patch.priority].toLowerCase()} priority.`
  if (!('assigneeId' in patch)) return `Labels of ${what} changed.`
  return patch.assigneeId === null
    ? `${what} unassigned.`
    : `${what} assigned to ${nameOf(patch.assigneeId)}.`
}

/** Which issues were not changed, and why. */
export function explainFailures({ changed, failed, refusal }: ChangeResult, reason = reasonOf): string {
  const head =
    changed.length === 0
      ? 'No issues were changed.'
      : `${countOf(failed.length, 'issue')} could not be changed.`
  const named = failed.filter(({ error }) => error !== undefined)
  if (named.length === 0 && refusal !== undefined) return `${head}\n${reason(refusal)}`
  const reasons = named
    .slice(0, MAX_REASONS)
    .map(({ issue, error }) => `#${issue.issueNumber}: ${reason(error)}`)
  const rest = named.length - reasons.length
  return [head, ...reasons, ...(rest > 0 ? [`And ${rest} more.`] : [])].join('\n')
}

export function reasonOf(error: unknown): string {
  const isStale = error instanceof ApiProblem && error.code === 'precondition-failed'
  if (!isStale && !(error instanceof ChangedSince)) return explain(error)
  return 'someone else changed it. Check its current state.'
}
