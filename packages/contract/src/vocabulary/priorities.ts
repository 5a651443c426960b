/** From least to most urgent: the order is the rank. */
export const PRIORITIES = ['low', 'medium', 'high', 'critical'] as const
export type Priority = (typeof PRIORITIES)[number]

export const DEFAULT_PRIORITY: Priority = 'medium'
