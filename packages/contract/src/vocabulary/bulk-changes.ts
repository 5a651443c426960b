/** What can be done to several issues at once. */
export const BULK_ACTIONS = ['change', 'delete', 'mark_spam', 'unmark_spam'] as const
export type BulkAction = (typeof BULK_ACTIONS)[number]
