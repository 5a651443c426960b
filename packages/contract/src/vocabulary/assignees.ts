/** The values that the filter `assignee` accepts in addition to ids of people. */
export const ASSIGNED_TO_ME = 'me'
export const UNASSIGNED = 'none'
