import { endpoints, type IssueListItem, type IssueStatus } from '@bugle/contract'
import { client } from '../../api/client.ts'
import { forEachOf } from './for-each-of.ts'
import { toListItem } from './list-items.ts'

export interface MoveResult {
  /** The issues as they are now, and where they came from. */
  readonly moved: readonly { readonly issue: IssueListItem; readonly from: IssueStatus }[]
  readonly failed: readonly { readonly issue: IssueListItem; readonly error: unknown }[]
}

/** The last move of each issue that is still under way. */
const underWay = new Map<string, Promise<void>>()
let moves = 0

interface Moving {
  readonly issues: readonly IssueListItem[]
  readonly to: IssueStatus
  /** The issue as it is known when its turn comes: a move before this one may have changed it. */
  readonly latestOf: (issue: IssueListItem) => IssueListItem
  readonly onMoved: (issue: IssueListItem) => void
}

/** Moves each issue, unless somebody changed it since it was read. One that can not be moved does not hold up the others. */
export async function moveIssues({ issues, to, latestOf, onMoved }: Moving): Promise<MoveResult> {
  const moved: { issue: IssueListItem; from: IssueStatus }[] = []
  const failed: { issue: IssueListItem; error: unknown }[] = []

  async function move(issue: IssueListItem): Promise<void> {
    try {
      const { body } = await client.call(endpoints.changeIssue, {
        params: { id: issue.id },
        body: { status: to },
        headers: { 'If-Match': `"${latestOf(issue).version}"` },
      })
      const after = toListItem(body)
      moved.push({ issue: after, from: issue.status })
      onMoved(after)
    } catch (error) {
      failed.push({ issue, error })
    }
  }

  await forEachOf(issues, async (issue) => {
    const before = underWay.get(issue.id)
    moves++
    const now = Promise.resolve(before).then(() => move(issue))
    underWay.set(issue.id, now)
    await now
    if (underWay.get(issue.id) === now) underWay.delete(issue.id)
  })
  return { moved, failed }
}

/** Stays the same as long as nothing is moved; `undefined` while something is. */
export function moveMark(): number | undefined {
  return underWay.size === 0 ? moves : undefined
}

/** Whether the server has yet to say what became of this issue. */
export function isMoving(id: string): boolean {
  return underWay.has(id)
}
