import { ApiProblem } from '@bugle/client'
import { endpoints, type IssueListItem, MAX_PAGE_SIZE } from '@bugle/contract'
import { client } from '../api/client.ts'
import { type ChangeResult, forEachIssue } from '../pages/inbox/changes/change-issues.ts'
import { forEachOf } from '../pages/inbox/changes/for-each-of.ts'
import { ignoreServerFailure } from '../pages/inbox/changes/ignore-server-failure.ts'
import { reasonOf } from '../pages/inbox/changes/use-changes.ts'
import { toListItem } from '../pages/inbox/list/list-items.ts'

/** Issues that were merged, with what it takes to undo it. */
export interface Merges extends ChangeResult {
  /** The duplicates that went with an issue, by the id of the issue. */
  readonly followers: ReadonlyMap<string, readonly string[]>
}

type OnChanged = (issue: IssueListItem) => void

/** Makes each issue a duplicate of another one, unless someone changed it since it was read. */
export async function mergeIssues(
  issues: readonly IssueListItem[],
  into: string,
  onChanged: OnChanged,
): Promise<Merges> {
  const followers = new Map<string, readonly string[]>()
  const results: ChangeResult[] = []
  // Duplicates first: they would change together with the issue that they are a duplicate of.
  for (const part of Object.values(byDuplicity(issues)))
    results.push(
      await forEachIssue(part, onChanged, async (issue) => {
        if (issue.duplicateCount) followers.set(issue.id, await readDuplicates(issue.id))
        return mergeOne(issue, into)
      }),
    )
  return { ...joined(results), followers }
}

/** Makes each duplicate an issue of its own again. */
export function unmergeIssues(issues: readonly IssueListItem[], onChanged: OnChanged): Promise<ChangeResult> {
  return forEachIssue(issues, onChanged, unmergeOne)
}

/** Undoes merges, except where someone has changed the issue since. */
export async function undoMerges(
  { changed, followers }: Merges,
  onChanged: OnChanged,
): Promise<ChangeResult> {
  const before = new Map(changed.map((change) => [change.after.id, change.before]))
  const { duplicates, others } = byDuplicity(changed.map((change) => change.before))
  const results: ChangeResult[] = []
  // In the opposite order: a former duplicate goes back to an issue that is not a duplicate any more.
  for (const part of [others, duplicates]) {
    const ids = new Set(part.map(({ id }) => id))
    const issues = changed.map(({ after }) => after).filter(({ id }) => ids.has(id))
    results.push(
      await forEachIssue(issues, onChanged, async (issue) => {
        const former = before.get(issue.id)?.duplicateOf ?? null
        const restored = await (former === null ? unmergeOne(issue) : mergeOne(issue, former))
        await takeBack(followers.get(issue.id) ?? [], { from: issue.duplicateOf, to: issue.id })
        return restored
      }),
    )
  }
  return joined(results)
}

/** Why an issue was not merged or unmerged. */
export function mergeReasonOf(error: unknown): string {
  if (!(error instanceof ApiProblem)) return reasonOf(error)
  if (error.status === 404) return 'it no longer exists, or it is not visible to you.'
  if (error.code !== 'validation-failed') return reasonOf(error)
  return error.problem.errors?.[0]?.code === 'conflict'
    ? 'the other issue is a duplicate of it. Unmerge that one first.'
    : 'the other issue no longer exists, or only one of the two is a security issue.'
}

async function mergeOne({ id, version }: IssueListItem, into: string): Promise<IssueListItem> {
  const headers = { 'If-Match': `"${version}"` }
  return toListItem(
    (await client.call(endpoints.mergeIssue, { params: { id }, body: { into }, headers })).body,
  )
}

async function unmergeOne({ id, version }: IssueListItem): Promise<IssueListItem> {
  const headers = { 'If-Match': `"${version}"` }
  return toListItem((await client.call(endpoints.unmergeIssue, { params: { id }, headers })).body)
}

async function readDuplicates(id: string): Promise<readonly string[]> {
  const ids: string[] = []
  const input = { params: { id }, query: { pageSize: MAX_PAGE_SIZE } }
  for await (const duplicate of client.items(endpoints.listDuplicates, input)) ids.push(duplicate.id)
  return ids
}

/** Merges issues into their former target again; those that have moved on since are left alone. */
function takeBack(
  ids: readonly string[],
  { from, to }: { readonly from: string | null; readonly to: string },
): Promise<void> {
  return forEachOf(ids, async (id) => {
    try {
      const { body: issue } = await client.call(endpoints.retrieveIssue, { params: { id } })
      if (issue.duplicateOf === from) await mergeOne(toListItem(issue), to)
    } catch (error) {
      ignoreServerFailure(error)
    }
  })
}

function byDuplicity(issues: readonly IssueListItem[]) {
  return {
    duplicates: issues.filter(({ duplicateOf }) => duplicateOf !== null),
    others: issues.filter(({ duplicateOf }) => duplicateOf === null),
  }
}

function joined(results: readonly ChangeResult[]): ChangeResult {
  return {
    changed: results.flatMap(({ changed }) => changed),
    failed: results.flatMap(({ failed }) => failed),
  }
}
