import type { Lane } from '../../../model/lanes.ts'
import type { Dialect } from '../../dialects.ts'
import { CODES } from '../lane-codes.ts'
import {
  parseStatuses,
  type StatusCounter,
  type StatusesRow,
  selectStatuses,
  sumOfCounters,
} from './status-counters.ts'

/** Of a project `p`, without the counters of `addStatuses`. */
export const POSITION_COLUMNS = 'p.seq, p.last_event_position, p.last_open_position'
const OPEN_CODES = [CODES.open, CODES.spam]

/** Of a project `p`. */
export function revisionColumns(dialect: Dialect): string {
  return `${POSITION_COLUMNS}, (${selectStatuses(dialect, 'p.seq')}) AS statuses`
}

/**
 * The revision of a project. It includes the number of issues, because an issue that leaves the open lane adds no event there, and spam is
 * deleted without an event. No other project ever gets the same sequence number, not even one imported with the same id, and the log only grows.
 */
export type RevisionRow = PositionRow & StatusesRow

export interface PositionRow {
  readonly seq: number
  readonly last_event_position: number
  readonly last_open_position: number
}

/** Changes whenever a list of issues in these lanes may have changed, and never because of other lanes. */
export function revisionOf(row: RevisionRow, lanes: readonly Lane[]): string {
  return revisionFrom(row, parseStatuses(row.statuses), lanes)
}

/** The same, if the counters have been read. */
export function revisionFrom(
  { seq, last_event_position: last, last_open_position: lastOpen }: PositionRow,
  statuses: readonly StatusCounter[],
  lanes: readonly Lane[],
): string {
  if (lanes.includes('security')) return `${seq}.${last}.${sumOfCounters(statuses, Object.values(CODES))}`
  return `${seq}.open.${lastOpen}.${sumOfCounters(statuses, OPEN_CODES)}`
}
