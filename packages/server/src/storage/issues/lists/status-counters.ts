import { type Dialect, forBoth } from '../../dialects.ts'
import { all, List, type Operation } from '../../operations.ts'
import { CODES } from '../lane-codes.ts'

/** How many issues of a project a lane has in a status. A status may occur several times, to be added up. */
export type StatusCounter = readonly [lane: number, status: string, count: number]

export interface StatusesRow {
  /** For {@link parseStatuses}. */
  readonly statuses: string | null
}

const IS_STATUS = `lane IN (${Object.values(CODES).join(', ')}) AND dimension = 'status'`

/** The status counters of a project as one text: that is faster than a row for each. */
export function selectStatuses({ textOf, counts }: Dialect, project: string): string {
  return `SELECT ${textOf('lane', 'value', 'count')} FROM ${counts} WHERE project = ${project} AND ${IS_STATUS}`
}

const SELECT_OF_PROJECTS = forBoth(
  ({ isIn, textOf, counts }) =>
    `SELECT project AS seq, ${textOf('lane', 'value', 'count')} AS statuses FROM ${counts}
     WHERE ${isIn('project', '$1')} AND ${IS_STATUS} GROUP BY project`,
)

/** Adds the status counters of projects on a cluster, which has them elsewhere than the projects. */
export function* addStatuses<Row extends { readonly seq: number }>(
  projects: readonly Row[],
): Operation<readonly (Row & StatusesRow)[]> {
  const seqs = new List(projects.map(({ seq }) => seq))
  const rows = yield* all<StatusesRow & { readonly seq: number }>(SELECT_OF_PROJECTS, seqs)
  const bySeq = new Map(rows.map(({ seq, statuses }) => [seq, statuses]))
  return projects.map((project) => ({ ...project, statuses: bySeq.get(project.seq) ?? null }))
}

/** `null`: there are none yet. */
export function parseStatuses(text: string | null): readonly StatusCounter[] {
  if (text === null) return []
  return text.split(',').map((counter) => {
    const [lane, status = '', count] = counter.split(' ')
    return [Number(lane), status, Number(count)]
  })
}

/** The number of issues with one of these codes, in all statuses or in some. */
export function sumOfCounters(
  counters: readonly StatusCounter[],
  codes: readonly number[],
  isIncluded: (status: string) => boolean = () => true,
): number {
  let sum = 0
  for (const [lane, status, count] of counters) if (codes.includes(lane) && isIncluded(status)) sum += count
  return sum
}
