/** What can be done to several issues at once. */
export const BULK_ACTIONS = ['change', 'delete'] as const
export type BulkAction = (typeof BULK_ACTIONS)[number]
