import { type IssueStatus, TRANSITIONS } from '@bugle/contract'

/** The statuses that all of these issues may change to. That of a duplicate cannot be changed. */
export function commonMoves(
  issues: readonly { readonly status: IssueStatus; readonly duplicateOf?: string | null }[],
): readonly IssueStatus[] {
  const [first, ...rest] = issues.map(({ status, duplicateOf }) => (duplicateOf ? [] : TRANSITIONS[status]))
  return (first ?? []).filter((to) => rest.every((allowed) => allowed.includes(to)))
}
