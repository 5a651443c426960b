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

/** What kind of problem an issue is. */
export const CATEGORIES = ['bug', 'crash', 'performance', 'ui_ux', 'security'] as const
export type Category = (typeof CATEGORIES)[number]

export const DEFAULT_CATEGORY: Category = 'bug'

/** Issues of this category exist only for callers with the scope `security:read`. */
export const SECURITY_CATEGORY: Category = 'security'

/** From least to most urgent, which is also the sort order. */
export const PRIORITIES = ['low', 'medium', 'high', 'critical'] as const
export type Priority = (typeof PRIORITIES)[number]

export const DEFAULT_PRIORITY: Priority = 'medium'

/** Known platforms. The list is open: a closed one would reject reports from future devices. */
export const KNOWN_PLATFORMS = [
  'ios',
  'android',
  'web',
  'macos',
  'windows',
  'linux',
  'tvos',
  'watchos',
  'node',
  'electron',
  'other',
] as const

/** The orders a list of issues can have. Ties are broken by the issue number, in the same direction. */
export const ISSUE_SORTS = ['newest', 'oldest', 'updated', 'reports', 'priority'] as const
export type IssueSort = (typeof ISSUE_SORTS)[number]

/** The orders that a list of several projects can have: numbers of different projects do not compare. */
export const JOINT_SORTS = ['updated', 'reports', 'priority'] as const satisfies readonly IssueSort[]
export type JointSort = (typeof JOINT_SORTS)[number]

export const DEFAULT_JOINT_SORT: JointSort = 'updated'
export const DEFAULT_ISSUE_SORT: IssueSort = 'newest'

/** The values that the filter `assignee` accepts in addition to ids of people. */
export const ASSIGNED_TO_ME = 'me'
export const UNASSIGNED = 'none'

/** A colour as in CSS, in lower case: `#1a7f37`. */
export const LABEL_COLOUR_PATTERN = '^#[0-9a-f]{6}$'
export const DEFAULT_LABEL_COLOUR = '#596273'

/** What can be done to several issues at once. */
export const BULK_ACTIONS = ['change', 'delete', 'mark_spam', 'unmark_spam'] as const
export type BulkAction = (typeof BULK_ACTIONS)[number]

/** After this time, an issue that was marked as spam is deleted, and reports no longer tell who sent them. */
export const SPAM_DAYS = 30

/** Why a file was not taken with its report, in an envelope of one of Sentry's SDKs. */
export const OMISSION_REASONS = ['server-busy', 'rate-limited', 'no-space'] as const
export type OmissionReason = (typeof OMISSION_REASONS)[number]
