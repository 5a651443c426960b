import type { Lane } from '../../model/lanes.ts'

/** How far a project has come. Another project never gets its number, also not one that is imported under the same id, and its log only grows. */
export interface RevisionRow {
  readonly seq: number
  readonly last_event_position: number
  readonly last_open_position: number
  /** How many issues the open lane has: one that leaves it leaves no event there. */
  readonly open_issues: number
}

export function revisionOf(row: RevisionRow | undefined, lanes: readonly Lane[]): string {
  if (row === undefined) return ''
  if (lanes.includes('security')) return `${row.seq}.${row.last_event_position}`
  return `${row.seq}.open.${row.last_open_position}.${row.open_issues}`
}
