import type { Category } from '@bugle/contract/vocabulary'

/** The security lane contains issues that are visible only with `security:read`. */
export type Lane = 'open' | 'security'

/** A caller who sees only the open lane counts positions within it: other positions would reveal what happens in the security lane. */
export function positionFor(
  lanes: readonly Lane[],
  { position, openPosition }: { readonly position: number; readonly openPosition: number },
): number {
  return lanes.includes('security') ? position : openPosition
}

export function laneOf(category: Category): Lane {
  return category === 'security' ? 'security' : 'open'
}
