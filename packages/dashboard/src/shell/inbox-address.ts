/** The default filter of the inbox: open issues. */
export const INBOX_SEARCH = { status: 'open' }
/** The built-in view of the issues assigned to the person. */
export const ASSIGNED_SEARCH = { status: 'open,acknowledged,in_progress', assignee: 'me' }
/** The default filters of the list of all projects. */
export const EVERYWHERE_SEARCH = { status: 'open,acknowledged,in_progress' }
