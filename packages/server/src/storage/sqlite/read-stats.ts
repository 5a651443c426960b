import type { DatabaseSync } from 'node:sqlite'
import { idToBytes, type ProjectId } from '../../model/ids.ts'
import type { CountedDimension, PeriodSelection } from '../../model/stats.ts'
import { highestLane, LANE_CODES } from '../sql/issue-rows.ts'
import { PERIOD_COLUMNS, type PeriodRow } from '../sql/stats.ts'
import { keyRange } from './row-keys.ts'

/** The counters of a dimension, as JSON: that is quicker made, and handed to another thread, than a row for each. */
export interface DimensionRow {
  readonly lane: number
  readonly dimension: CountedDimension
  readonly counts: string
}

/** Reads the counters of a project: some thousand at most, however many issues there are. */
export function prepareStatsReads(db: DatabaseSync) {
  const selectSeq = db.prepare('SELECT seq FROM projects WHERE id = ?')
  // Around those of SDKs, of which each day has its own: the statistics do not show them.
  const ranges = ["dimension < 'sdk:'", "dimension >= 'sdk;'"].map(
    (range) =>
      `SELECT lane, dimension, json_group_object(value, count) AS counts FROM counters
       WHERE project = ?1 AND lane IN (${Object.values(LANE_CODES).join(', ')}) AND ${range}
       GROUP BY lane, dimension`,
  )
  const select = db.prepare(ranges.join(' UNION ALL '))
  const selectPeriod = db.prepare(
    `SELECT * FROM (
       SELECT ${PERIOD_COLUMNS} FROM issues WHERE row > ?1 AND row < ?2 AND lane <= ?3 ORDER BY row DESC LIMIT ?4)
     WHERE created_at >= ?5`,
  )
  return {
    readCounters(projectId: ProjectId): readonly DimensionRow[] {
      const project = selectSeq.get(idToBytes(projectId)) as { seq: number } | undefined
      return project === undefined ? [] : (select.all(project.seq) as unknown as readonly DimensionRow[])
    },
    listPeriod({ projectId, lanes, since, limit }: PeriodSelection): readonly PeriodRow[] {
      const project = selectSeq.get(idToBytes(projectId)) as { seq: number } | undefined
      if (project === undefined) return []
      const { low, high } = keyRange(project.seq)
      return selectPeriod.all(low, high, highestLane(lanes), limit, since) as unknown as readonly PeriodRow[]
    },
  }
}
