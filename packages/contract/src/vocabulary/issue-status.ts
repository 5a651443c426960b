/** Where an issue stands. A new one is `open`. */
export const ISSUE_STATUSES = [
  'open',
  'acknowledged',
  'in_progress',
  'resolved',
  'closed',
  'wontfix',
] as const
export type IssueStatus = (typeof ISSUE_STATUSES)[number]

/** The moves a person may make: an active issue goes anywhere, a final one only back to `open`. */
export const TRANSITIONS: Readonly<Record<IssueStatus, readonly IssueStatus[]>> = {
  open: ['acknowledged', 'in_progress', 'resolved', 'closed', 'wontfix'],
  acknowledged: ['open', 'in_progress', 'resolved', 'closed', 'wontfix'],
  in_progress: ['open', 'acknowledged', 'resolved', 'closed', 'wontfix'],
  resolved: ['open'],
  closed: ['open'],
  wontfix: ['open'],
}

export function canMove(from: IssueStatus, to: IssueStatus): boolean {
  return TRANSITIONS[from].includes(to)
}
