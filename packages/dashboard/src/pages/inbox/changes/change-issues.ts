import { ApiProblem } from '@bugle/client'
import { endpoints, type IssueListItem } from '@bugle/contract'
import { client } from '../../../api/client.ts'
import { ChangedSince, isSame, revertIssue } from '../../../api/issues/revert-issue.ts'
import { toListItem } from '../list/list-items.ts'
import { changeTogether, type IssueVersion } from './bulk-changes.ts'
import { forEachOf } from './for-each-of.ts'
import { contentOf, fieldOf, type RowPatch, toBulkPatch } from './row-patches.ts'

export interface ChangeResult {
  /** The issues as they were, and as they are now. */
  readonly changed: readonly { readonly before: IssueListItem; readonly after: IssueListItem }[]
  readonly failed: readonly FailedChange[]
  /** Why all of them were refused, if it was together. */
  readonly refusal?: unknown
}

interface FailedChange {
  readonly issue: IssueListItem
  /** Absent if it was not changed only because others could not be. */
  readonly error?: unknown
  /** The issue as it is now, if it was read. */
  readonly now?: IssueListItem
}

/** The last change of each issue that is still in progress. */
const underWay = new Map<string, Promise<void>>()
let begun = 0

interface Changing {
  /** The project's id or slug. */
  readonly project: string
  readonly issues: readonly IssueListItem[]
  readonly patch: RowPatch
  /** The latest known issue when its turn comes: an earlier change may have changed it. */
  readonly latestOf: (issue: IssueListItem) => IssueListItem
  readonly onChanged: (issue: IssueListItem) => void
}

/** Changes an issue, or several with one request: all of them or, if someone changed one since it was read, none. */
export async function changeIssues(changing: Changing): Promise<ChangeResult> {
  const { issues, patch, latestOf, onChanged } = changing
  if (issues.length > 1) {
    let result: ChangeResult = { changed: [], failed: [] }
    await inTurn(issues, async () => {
      result = await changeAll(changing)
    })
    return result
  }
  return forEachIssue(issues, onChanged, async (issue) => {
    const { body } = await client.call(endpoints.changeIssue, {
      params: { id: issue.id },
      body: contentOf(issue, patch),
      headers: { 'If-Match': `"${latestOf(issue).version}"` },
    })
    return toListItem(body)
  })
}

async function changeAll({ project, issues, patch, latestOf, onChanged }: Changing): Promise<ChangeResult> {
  const field = fieldOf(patch)
  const sent = issues.map((issue) => ({ id: issue.id, version: latestOf(issue).version }))
  try {
    await changeTogether(project, sent, { action: 'change', patch: toBulkPatch(patch) })
  } catch (error) {
    const failed = await findChanged(issues, sent, error)
    return { changed: [], failed, refusal: error }
  }
  const changed = issues.map((before, index) => {
    const after = { ...latestOf(before), ...contentOf(before, patch) }
    // As on the server, where the version counts the changes.
    const version = (sent[index]?.version ?? 0) + (isSame(before[field], after[field]) ? 0 : 1)
    return { before, after: { ...after, version: Math.max(version, after.version) } }
  })
  for (const { after } of changed) onChanged(after)
  return { changed, failed: [] }
}

/** None of the issues was changed. If it is because others have changed some of them, finds out which. */
async function findChanged(
  issues: readonly IssueListItem[],
  sent: readonly IssueVersion[],
  refusal: unknown,
): Promise<readonly FailedChange[]> {
  if (!(refusal instanceof ApiProblem && refusal.code === 'selection-changed'))
    return issues.map((issue) => ({ issue }))
  const versions = new Map(sent.map(({ id, version }) => [id, version]))
  const found = new Map<string, Omit<FailedChange, 'issue'>>()
  await forEachOf(issues, async ({ id }) => {
    try {
      const now = toListItem((await client.call(endpoints.retrieveIssue, { params: { id } })).body)
      found.set(id, now.version === versions.get(id) ? { now } : { now, error: new ChangedSince() })
    } catch (error) {
      found.set(id, { error })
    }
  })
  return issues.map((issue) => ({ issue, ...found.get(issue.id) }))
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
    const original = before.get(issue.id) ?? issue
    const from = { [field]: original[field] }
    return toListItem(await revertIssue(issue.id, { from, to: contentOf(original, patch) }))
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

  await forEachOf(issues, (issue) => inTurn([issue], () => changeOne(issue)))
  return { changed, failed }
}

/** Changes issues after what is still in progress with them. */
async function inTurn(issues: readonly IssueListItem[], change: () => Promise<void>): Promise<void> {
  begun++
  const now = Promise.all(issues.map(({ id }) => underWay.get(id))).then(change)
  for (const { id } of issues) underWay.set(id, now)
  try {
    await now
  } finally {
    for (const { id } of issues) if (underWay.get(id) === now) underWay.delete(id)
  }
}
