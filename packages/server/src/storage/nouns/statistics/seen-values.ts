import type { ProjectId } from '../../../model/ids.ts'
import type { Lane } from '../../../model/lanes.ts'
import type { SeenDimension, SeenRecord } from '../../../model/seen-values.ts'
import { forBoth } from '../../dialects.ts'
import { highestLane, laneOfCode } from '../../issues/lane-codes.ts'
import { all, List, type Operation, type Operations, storedSeq } from '../../operations.ts'
import type { SeenStorage } from '../../ports/statistics.ts'

export function seenStorage({ readLong }: Operations): SeenStorage {
  return {
    async list(projectId, lanes, dimensions) {
      const rows = await readLong(projectId, listSeenValues, projectId, lanes, dimensions)
      return rows.map(toRecord)
    },
  }
}

const SELECT_VALUES = forBoth(
  ({ seq, isIn, current }) =>
    `SELECT lane, dimension, value, build_number, reports, new_issues, fixed_issues, regressions, first_at, last_at, includes_rest
     FROM ${current('seen_values')} WHERE project = ${seq('$1')} AND lane <= $2 AND ${isIn('dimension', '$3')}`,
)

/** At most a few thousand, because the number of values and builds kept by name is limited. */
export function* listSeenValues(
  projectId: ProjectId,
  lanes: readonly Lane[],
  dimensions: readonly SeenDimension[],
): Operation<readonly SeenRow[]> {
  return yield* all<SeenRow>(SELECT_VALUES, storedSeq(projectId), highestLane(lanes), new List(dimensions))
}

interface SeenRow {
  readonly lane: number
  readonly dimension: SeenDimension
  readonly value: string
  readonly build_number: string
  readonly reports: number
  readonly new_issues: number
  readonly fixed_issues: number
  readonly regressions: number
  readonly first_at: number
  readonly last_at: number
  readonly includes_rest: number
}

function toRecord(row: SeenRow): SeenRecord {
  return {
    lane: laneOfCode(row.lane),
    dimension: row.dimension,
    value: row.value,
    buildNumber: row.build_number,
    reports: row.reports,
    newIssues: row.new_issues,
    fixedIssues: row.fixed_issues,
    regressions: row.regressions,
    firstAt: row.first_at,
    lastAt: row.last_at,
    includesRest: row.includes_rest === 1,
  }
}
