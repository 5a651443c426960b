import { type CounterRow, toStats } from '../sql/stats.ts'
import type { StatsStorage } from '../storage.ts'
import { type Database, prepared } from './connection.ts'
import type { GroupCommit } from './group-commit.ts'
import { uuidOf } from './uuids.ts'

const SELECT = prepared(
  'stats',
  `SELECT lane, dimension, value, count FROM counters
   WHERE project = (SELECT seq FROM projects WHERE id = $1) AND count <> 0 AND dimension NOT LIKE 'sdk:%'`,
)

/** Reads the counters of a project: some thousand rows at most, however many issues there are. */
export function statsStorage(database: Database, writes: GroupCommit): StatsStorage {
  return {
    read: async (projectId, lanes) =>
      toStats(await database.run<CounterRow>(SELECT(uuidOf(projectId))), lanes),
    addIntake: (projectId, entries) => writes.run(projectId, 'addIntake', projectId, entries),
  }
}
