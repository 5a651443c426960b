import { ApiProblem } from '@bugle/client'
import { canMove, type IssueListItem, type IssueStatus } from '@bugle/contract'
import { useQueryClient } from '@tanstack/react-query'
import { explain } from '../../ui/failure.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { countOf, STATUS_NAMES } from '../../ui/words.ts'
import type { IssueList } from './issue-list.ts'
import { type MoveResult, moveIssues } from './move-issues.ts'

/** Reasons that are listed one by one; the rest is counted. */
const MAX_REASONS = 3

/** Moves issues of a list: shown at once, taken back where the server refuses, and told either way. */
export function useMoves(
  list: IssueList,
): (issues: readonly IssueListItem[], to: IssueStatus) => Promise<void> {
  const queries = useQueryClient()

  function latestOf(issue: IssueListItem): IssueListItem {
    const row = list.row(list.indexOf(issue.id))
    return typeof row === 'object' ? row : issue
  }

  async function apply(issues: readonly IssueListItem[], to: IssueStatus): Promise<MoveResult> {
    for (const { id } of issues) list.patch(id, { status: to })
    const result = await moveIssues({ issues, to, latestOf, onMoved: (issue) => list.patch(issue.id, issue) })
    for (const { issue } of result.failed) list.patch(issue.id, { status: issue.status })
    for (const { id } of issues) void queries.invalidateQueries({ queryKey: ['issue', id] })
    if (result.failed.length > 0) showToast({ tone: 'danger', text: explainFailures(result) })
    return result
  }

  async function undo({ moved }: MoveResult): Promise<void> {
    for (const from of new Set(moved.map((move) => move.from))) {
      const issues = moved.filter((move) => move.from === from).map(({ issue }) => issue)
      const result = await apply(issues, from)
      if (result.moved.length > 0) showToast({ tone: 'plain', text: describe(result.moved, from) })
    }
  }

  return async (issues, to) => {
    const result = await apply(issues, to)
    if (result.moved.length === 0) return
    // What is final only goes back to open: where that is not where it came from, there is no way back.
    const isUndoable = result.moved.every(({ from }) => canMove(to, from))
    showToast({
      tone: 'plain',
      text: describe(result.moved, to),
      ...(isUndoable && { action: { label: 'Undo', run: () => void undo(result) } }),
    })
  }
}

function describe(moved: MoveResult['moved'], to: IssueStatus): string {
  const [only, ...others] = moved
  const what =
    only !== undefined && others.length === 0 ? `#${only.issue.issueNumber}` : countOf(moved.length, 'issue')
  return `${what} moved to ${STATUS_NAMES[to]}.`
}

function explainFailures({ moved, failed }: MoveResult): string {
  const head =
    moved.length === 0 ? 'Nothing was moved.' : `${countOf(failed.length, 'issue')} could not be moved.`
  const reasons = failed
    .slice(0, MAX_REASONS)
    .map(({ issue, error }) => `#${issue.issueNumber}: ${reasonOf(error)}`)
  const rest = failed.length - reasons.length
  return [head, ...reasons, ...(rest > 0 ? [`And ${rest} more.`] : [])].join('\n')
}

function reasonOf(error: unknown): string {
  const isStale = error instanceof ApiProblem && error.code === 'precondition-failed'
  return isStale ? 'somebody changed it meanwhile. Look at it again.' : explain(error)
}
