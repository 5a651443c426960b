import type { Lane } from '../../../model/lanes.ts'
import { type Dialect, forBoth } from '../../dialects.ts'
import { all, List, type Operation } from '../../operations.ts'
import { CODES } from '../lane-codes.ts'
import { parseStatuses, selectStatuses, sumOf } from './status-counters.ts'

/** Of a project `p`, without the counters of {@link addCounters}. */
export const POSITION_COLUMNS = 'p.seq, p.last_event_position, p.last_open_position'
const OPEN_CODES = [CODES.open, CODES.spam]

/** Of a project `p`. */
export function revisionColumns(dialect: Dialect): string {
  return `${POSITION_COLUMNS}, (${selectStatuses(dialect, 'p.seq')}) AS statuses`
}

/** The revision of a project. No other project ever gets the same sequence number, not even one imported with the same id, and the log only grows. */
export interface RevisionRow {
  readonly seq: number
  readonly last_event_position: number
  readonly last_open_position: number
  /** Counts issues: one that leaves the open lane adds no event there, and spam is deleted without an event. */
  readonly statuses: string | null
}

type PositionRow = Omit<RevisionRow, 'statuses'>

const SELECT_STATUSES = forBoth(
  ({ isIn, textOf, counts }) =>
    `SELECT project AS seq, ${textOf('lane', 'value', 'count')} AS statuses FROM ${counts}
     WHERE ${isIn('project', '$1')} AND lane IN (${Object.values(CODES).join(', ')}) AND dimension = 'status'
     GROUP BY project`,
)

/** The counters of projects on a cluster, which has them elsewhere than the projects. */
export function* addCounters<Row extends PositionRow>(
  projects: readonly Row[],
): Operation<readonly (Row & RevisionRow)[]> {
  const seqs = new List(projects.map(({ seq }) => seq))
  const rows = yield* all<Pick<RevisionRow, 'seq' | 'statuses'>>(SELECT_STATUSES, seqs)
  const bySeq = new Map(rows.map(({ seq, statuses }) => [seq, statuses]))
  return projects.map((project) => ({ ...project, statuses: bySeq.get(project.seq) ?? null }))
}

/** Changes whenever a list of issues in these lanes may have changed, and never because of other lanes. */
export function revisionOf(row: RevisionRow, lanes: readonly Lane[]): string {
  const statuses = parseStatuses(row.statuses)
  if (lanes.includes('security'))
    return `${row.seq}.${row.last_event_position}.${sumOf(statuses, Object.values(CODES))}`
  return `${row.seq}.open.${row.last_open_position}.${sumOf(statuses, OPEN_CODES)}`
}
