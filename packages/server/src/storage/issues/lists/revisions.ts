import type { Lane } from '../../../model/lanes.ts'
import { type Dialect, forBoth } from '../../dialects.ts'
import { all, List, type Operation } from '../../operations.ts'
import { CODES } from '../lane-codes.ts'

/** Of a project `p`, without the counts of {@link addCounts}. */
export const POSITION_COLUMNS = 'p.seq, p.last_event_position, p.last_open_position'
const OPEN_CODES = [CODES.open, CODES.spam]

/** Of a project `p`. */
export function revisionColumns({ counts }: Dialect): string {
  const countIn = (codes: readonly number[]) =>
    `SELECT CAST(sum(count) AS bigint) FROM ${counts}
     WHERE project = p.seq AND lane IN (${codes.join(', ')}) AND dimension = 'status'`
  return `${POSITION_COLUMNS},
    (${countIn(OPEN_CODES)}) AS open_issues, (${countIn(Object.values(CODES))}) AS all_issues`
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

type PositionRow = Omit<RevisionRow, 'open_issues' | 'all_issues'>

const SELECT_COUNTS = forBoth(
  ({ isIn, counts }) =>
    `SELECT project AS seq, lane, CAST(sum(count) AS bigint) AS count FROM ${counts}
     WHERE ${isIn('project', '$1')} AND lane IN (${Object.values(CODES).join(', ')}) AND dimension = 'status'
     GROUP BY project, lane`,
)

/** The counts of projects on a cluster, which has their counters elsewhere than the projects. */
export function* addCounts<Row extends PositionRow>(
  projects: readonly Row[],
): Operation<readonly (Row & RevisionRow)[]> {
  const rows = yield* all<{ seq: number; lane: number; count: number }>(
    SELECT_COUNTS,
    new List(projects.map(({ seq }) => seq)),
  )
  const bySeq = Map.groupBy(rows, ({ seq }) => seq)
  return projects.map((project) => {
    const counts = bySeq.get(project.seq) ?? []
    const sum = (some: typeof counts) => some.reduce((total, { count }) => total + count, 0)
    const open = counts.filter(({ lane }) => OPEN_CODES.some((code) => code === lane))
    return { ...project, open_issues: sum(open), all_issues: sum(counts) }
  })
}

/** Changes whenever a list of issues in these lanes may have changed, and never because of other lanes. */
export function revisionOf(row: RevisionRow, lanes: readonly Lane[]): string {
  if (lanes.includes('security')) return `${row.seq}.${row.last_event_position}.${row.all_issues}`
  return `${row.seq}.open.${row.last_open_position}.${row.open_issues}`
}
