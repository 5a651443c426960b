/** The orders a list of issues can have. Ties are broken by the issue number, in the same direction. */
export const ISSUE_SORTS = ['newest', 'oldest', 'updated', 'reports', 'priority'] as const
export type IssueSort = (typeof ISSUE_SORTS)[number]

/** The orders that a list of several projects can have: numbers of different projects do not compare. */
export const JOINT_SORTS = ['updated', 'reports', 'priority'] as const satisfies readonly IssueSort[]
export type JointSort = (typeof JOINT_SORTS)[number]

export const DEFAULT_JOINT_SORT: JointSort = 'updated'
export const DEFAULT_ISSUE_SORT: IssueSort = 'newest'
