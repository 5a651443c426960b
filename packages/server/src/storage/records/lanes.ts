import type { Category } from '@bugle/contract/vocabulary'

/** The security lane holds the issues that need a right to be seen. */
export type Lane = 'open' | 'security'

export function laneOf(category: Category): Lane {
  return category === 'security' ? 'security' : 'open'
}
