import { type IssueStatus, TRANSITIONS } from '@bugle/contract'

/** Where all of these issues may move. */
export function commonMoves(issues: readonly { readonly status: IssueStatus }[]): readonly IssueStatus[] {
  const [first, ...rest] = issues.map(({ status }) => TRANSITIONS[status])
  return (first ?? []).filter((to) => rest.every((allowed) => allowed.includes(to)))
}
