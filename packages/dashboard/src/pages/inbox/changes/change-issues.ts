import { endpoints, type IssueListItem, type IssueStatus, type Priority } from '@bugle/contract'
import { client } from '../../../api/client.ts'
import { revertIssue } from '../../../api/revert-issue.ts'
import { toListItem } from '../list/list-items.ts'
import { forEachOf } from './for-each-of.ts'

/** The fields that can be changed for several issues at once. */
export type RowPatch =
  | { readonly status: IssueStatus }
  | { readonly priority: Priority }
  | { readonly assigneeId: string | null }
  | { readonly labels: string[] }

export type RowField = 'status' | 'priority' | 'assigneeId' | 'labels'

/** The field that a patch changes. */
export function fieldOf(patch: RowPatch): RowField {
  if ('status' in patch) return 'status'
  if ('priority' in patch) return 'priority'
  return 'labels' in patch ? 'labels' : 'assigneeId'
}

export interface ChangeResult {
  /** The issues as they were, and as they are now. */
  readonly changed: readonly { readonly before: IssueListItem; readonly after: IssueListItem }[]
  readonly failed: readonly { readonly issue: IssueListItem; readonly error: unknown }[]
}

/** The last change of each issue that is still in progress. */
const underWay = new Map<string, Promise<void>>()
let begun = 0

interface Changing {
  readonly issues: readonly IssueListItem[]
  readonly patch: RowPatch
  /** The latest known issue when its turn comes: an earlier change may have changed it. */
  readonly latestOf: (issue: IssueListItem) => IssueListItem
  readonly onChanged: (issue: IssueListItem) => void
}

/** Changes each issue, unless someone changed it since it was read. A failure does not stop the others. */
export function changeIssues({ issues, patch, latestOf, onChanged }: Changing): Promise<ChangeResult> {
  return forEachIssue(issues, onChanged, async (issue) => {
    const { body } = await client.call(endpoints.changeIssue, {
      params: { id: issue.id },
      body: patch,
      headers: { 'If-Match': `"${latestOf(issue).version}"` },
    })
    return toListItem(body)
  })
}

/** Undoes a change, except where someone has changed the issue again. */
export function revertIssues(
  { changed }: ChangeResult,
  patch: RowPatch,
  onReverted: (issue: IssueListItem) => void,
): Promise<ChangeResult> {
  const before = new Map(changed.map((change) => [change.after.id, change.before]))
  const issues = changed.map(({ after }) => after)
  return forEachIssue(issues, onReverted, async (issue) => {
    const field = fieldOf(patch)
    const from = { [field]: (before.get(issue.id) ?? issue)[field] }
    return toListItem(await revertIssue(issue.id, { from, to: patch }))
  })
}

/** Does not change while there are no changes; `undefined` while a change is in progress. */
export function changeRevision(): number | undefined {
  return underWay.size === 0 ? begun : undefined
}

/** Whether a change of this issue is still in progress. */
export function isChanging(id: string): boolean {
  return underWay.has(id)
}

/** Does something with each issue, after what is still in progress with it. A failure does not stop the others. */
export async function forEachIssue(
  issues: readonly IssueListItem[],
  onChanged: (issue: IssueListItem) => void,
  change: (issue: IssueListItem) => Promise<IssueListItem>,
): Promise<ChangeResult> {
  const changed: { before: IssueListItem; after: IssueListItem }[] = []
  const failed: { issue: IssueListItem; error: unknown }[] = []

  async function changeOne(issue: IssueListItem): Promise<void> {
    try {
      const after = await change(issue)
      changed.push({ before: issue, after })
      onChanged(after)
    } catch (error) {
      failed.push({ issue, error })
    }
  }

  await forEachOf(issues, async (issue) => {
    begun++
    const now = Promise.resolve(underWay.get(issue.id)).then(() => changeOne(issue))
    underWay.set(issue.id, now)
    await now
    if (underWay.get(issue.id) === now) underWay.delete(issue.id)
  })
  return { changed, failed }
}
