/** The orders a list of issues can have. Ties are broken by the issue number, in the same direction. */
export const ISSUE_SORTS = ['newest', 'oldest', 'updated', 'reports', 'priority'] as const
export type IssueSort = (typeof ISSUE_SORTS)[number]

export const DEFAULT_ISSUE_SORT: IssueSort = 'newest'
