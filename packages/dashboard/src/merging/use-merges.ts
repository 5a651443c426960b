import { endpoints, type IssueListItem } from '@bugle/contract'
import { useQueryClient } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import type { ChangeResult } from '../pages/inbox/changes/change-issues.ts'
import { ignoreServerFailure } from '../pages/inbox/changes/ignore-server-failure.ts'
import { explainFailures } from '../pages/inbox/changes/use-changes.ts'
import { toListItem } from '../pages/inbox/list/list-items.ts'
import { showToast } from '../ui/feedback/toasts.tsx'
import { offerUndo } from '../ui/feedback/undo.ts'
import { countOf } from '../ui/words.ts'
import { type Merges, mergeIssues, mergeReasonOf, undoMerges, unmergeIssues } from './merge-issues.ts'

interface UseMerges {
  /** Makes issues duplicates of another one, reports the result and offers to undo it. */
  merge(issues: readonly IssueListItem[], into: string): Promise<void>
  /** Makes a duplicate an issue of its own again. */
  unmerge(issue: IssueListItem): Promise<void>
}

/** Merges and unmerges issues; `onChanged` gets each of them, and their targets, as they are then. */
export function useMerges(onChanged: (issue: IssueListItem) => void = ignore): UseMerges {
  const queries = useQueryClient()

  /** Reads what the pages show again, and reports failures. */
  async function settle(result: ChangeResult): Promise<void> {
    const { changed, failed } = result
    const issues = [
      ...changed.flatMap(({ before, after }) => [before, after]),
      ...failed.map(({ issue }) => issue),
    ]
    const targets = new Set(issues.flatMap(({ duplicateOf }) => duplicateOf ?? []))
    for (const id of new Set([...issues.map((issue) => issue.id), ...targets]))
      void queries.invalidateQueries({ queryKey: ['issue', id] })
    if (failed.length > 0) showToast({ tone: 'danger', text: explainFailures(result, mergeReasonOf) })
    for (const id of targets) {
      const target = await readIssue(id)
      if (target !== undefined) onChanged(target)
    }
  }

  function tell(text: string, undo: () => Promise<void>): void {
    const undoable = { text, undo }
    offerUndo(undoable)
    showToast({ tone: 'plain', text, undoable })
  }

  async function undoMerge(merges: Merges): Promise<void> {
    const result = await undoMerges(merges, onChanged)
    if (result.changed.length > 0)
      showToast({ tone: 'plain', text: `The merge of ${nameOf(result)} was undone.` })
    await settle(result)
  }

  async function undoUnmerge(issue: IssueListItem, into: string): Promise<void> {
    const result = await mergeIssues([issue], into, onChanged)
    if (result.changed.length > 0)
      showToast({ tone: 'plain', text: `${nameOf(result)} is a duplicate again.` })
    await settle(result)
  }

  return {
    async merge(issues, into) {
      const merges = await mergeIssues(
        issues.filter(({ id }) => id !== into),
        into,
        onChanged,
      )
      const [first] = merges.changed
      if (first !== undefined) {
        const target = await readIssue(first.after.duplicateOf ?? into)
        tell(describeMerge(merges, target), () => undoMerge(merges))
      }
      await settle(merges)
    },

    async unmerge(issue) {
      const result = await unmergeIssues([issue], onChanged)
      const [done] = result.changed
      const former = issue.duplicateOf
      if (done !== undefined && former !== null)
        tell(`${nameOf(result)} is no longer a duplicate.`, () => undoUnmerge(done.after, former))
      await settle(result)
    },
  }
}

function describeMerge(merges: Merges, target: IssueListItem | undefined): string {
  const into = target === undefined ? 'another issue' : `#${target.issueNumber}`
  return merges.changed.length === 1
    ? `${nameOf(merges)} is now a duplicate of ${into}.`
    : `${nameOf(merges)} merged into ${into}.`
}

/** `#12`, or `3 issues`. */
function nameOf({ changed }: ChangeResult): string {
  const [only, ...others] = changed
  return only !== undefined && others.length === 0
    ? `#${only.after.issueNumber}`
    : countOf(changed.length, 'issue')
}

/** `undefined` if it cannot be read; then it is only not mentioned. */
async function readIssue(id: string): Promise<IssueListItem | undefined> {
  try {
    return toListItem((await client.call(endpoints.retrieveIssue, { params: { id } })).body)
  } catch (error) {
    ignoreServerFailure(error)
    return undefined
  }
}

function ignore(): void {}
