/** From least to most urgent, which is also the sort order. */
export const PRIORITIES = ['low', 'medium', 'high', 'critical'] as const
export type Priority = (typeof PRIORITIES)[number]

export const DEFAULT_PRIORITY: Priority = 'medium'
