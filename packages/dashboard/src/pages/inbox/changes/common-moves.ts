import { type IssueStatus, TRANSITIONS } from '@bugle/contract'

/** The statuses that all of these issues may change to. */
export function commonMoves(issues: readonly { readonly status: IssueStatus }[]): readonly IssueStatus[] {
  const [first, ...rest] = issues.map(({ status }) => TRANSITIONS[status])
  return (first ?? []).filter((to) => rest.every((allowed) => allowed.includes(to)))
}
