import type { Lane } from '../../../model/lanes.ts'
import type { Dialect } from '../../dialects.ts'
import { CODES } from '../lane-codes.ts'

/** Of a project `p`. */
export function revisionColumns({ counts }: Dialect): string {
  const countIn = (codes: readonly number[]) =>
    `SELECT CAST(sum(count) AS bigint) FROM ${counts}
     WHERE project = p.seq AND lane IN (${codes.join(', ')}) AND dimension = 'status'`
  return `p.seq, p.last_event_position, p.last_open_position,
    (${countIn([CODES.open, CODES.spam])}) AS open_issues, (${countIn(Object.values(CODES))}) AS all_issues`
}

/** The revision of a project. No other project ever gets the same sequence number, not even one imported with the same id, and the log only grows. */
export interface RevisionRow {
  readonly seq: number
  readonly last_event_position: number
  readonly last_open_position: number
  /** The number of issues in the open lane: an issue that leaves it adds no event there. */
  readonly open_issues: number
  /** The number of all issues: spam is deleted without an event. */
  readonly all_issues: number
}

/** Changes whenever a list of issues in these lanes may have changed, and never because of other lanes. */
export function revisionOf(row: RevisionRow, lanes: readonly Lane[]): string {
  if (lanes.includes('security')) return `${row.seq}.${row.last_event_position}.${row.all_issues}`
  return `${row.seq}.open.${row.last_open_position}.${row.open_issues}`
}
