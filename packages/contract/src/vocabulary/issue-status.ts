/** The status of an issue. A new issue is `open`. */
export const ISSUE_STATUSES = [
  'open',
  'acknowledged',
  'in_progress',
  'resolved',
  'closed',
  'wontfix',
] as const
export type IssueStatus = (typeof ISSUE_STATUSES)[number]

/** The English names of statuses for people outside of the team. */
export const PUBLIC_STATUS_NAMES: Readonly<Record<IssueStatus, string>> = {
  open: 'Received',
  acknowledged: 'Confirmed',
  in_progress: 'In progress',
  resolved: 'Fixed',
  closed: 'Closed',
  wontfix: 'Will not be fixed',
}

/** The status that people outside of the team see of a published issue: it is known, even if the team has not changed its status yet. */
export function publishedStatus<S extends string>(status: S): S | 'acknowledged' {
  return status === 'open' ? 'acknowledged' : status
}

/** The allowed status changes: an active issue may change to any status, a finished one only back to `open`. */
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

const FINAL_STATUSES: readonly IssueStatus[] = ['resolved', 'closed', 'wontfix']

/** Whether an issue is finished: it can only be reopened. */
export function isFinal(status: IssueStatus): boolean {
  return FINAL_STATUSES.includes(status)
}
