import { highestLane } from '../sql/issue-rows.ts'
import { type CounterRow, PERIOD_COLUMNS, type PeriodRow, toCountedIssue, toStats } from '../sql/stats.ts'
import type { StatsStorage } from '../storage.ts'
import { type Database, prepared } from './connection.ts'
import type { GroupCommit } from './group-commit.ts'
import { uuidOf } from './uuids.ts'

/** Those below and above what is counted of SDKs, day by day: `;` is the character after `:`. */
const RANGES = ["dimension < 'sdk:'", "dimension >= 'sdk;'"]
const SELECT = prepared(
  'stats',
  RANGES.map(
    (range) => `SELECT lane, dimension, value, count FROM counters
      WHERE project = (SELECT seq FROM projects WHERE id = $1) AND lane IN (0, 1) AND ${range}`,
  ).join(' UNION ALL '),
)

const SELECT_PERIOD = prepared(
  'stats_of_period',
  `SELECT * FROM (
     SELECT ${PERIOD_COLUMNS} FROM issues
     WHERE project = (SELECT seq FROM projects WHERE id = $1) AND lane <= $2 ORDER BY number DESC LIMIT $3) newest
   WHERE created_at >= $4`,
)

/** Reads the counters of a project: some thousand rows at most, however many issues there are. */
export function statsStorage(database: Database, writes: GroupCommit): StatsStorage {
  return {
    read: async (projectId, lanes) =>
      toStats(await database.run<CounterRow>(SELECT(uuidOf(projectId))), lanes),
    async listPeriod({ projectId, lanes, since, limit }) {
      const values = [uuidOf(projectId), highestLane(lanes), limit, since] as const
      return (await database.run<PeriodRow>(SELECT_PERIOD(...values))).map(toCountedIssue)
    },
    addIntake: (projectId, entries) => writes.run(projectId, 'addIntake', projectId, entries),
  }
}
