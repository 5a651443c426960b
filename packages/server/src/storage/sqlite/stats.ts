import type { DatabaseSync } from 'node:sqlite'
import { idToBytes, type ProjectId } from '../../ids.ts'
import type { Lane } from '../records/lanes.ts'
import type { StatsRecord } from '../records/stats.ts'
import { type CounterRow, toStats } from '../sql/stats.ts'
import type { StatsStorage } from '../storage.ts'
import type { Reads } from './reader.ts'
import type { Writes } from './writer.ts'

export function statsStorage(reads: Reads, writes: Writes): StatsStorage {
  return {
    read: (projectId, lanes) => reads.run('readStats', projectId, lanes),
    addIntake: (projectId, entries) => writes.run('addIntake', projectId, entries),
  }
}

/** Reads the counters of a project: some thousand rows at most, however many issues there are. */
export function prepareStatsReads(db: DatabaseSync) {
  const select = db.prepare(
    `SELECT c.lane, c.dimension, c.value, c.count FROM counters c JOIN projects p ON p.seq = c.project_seq
     WHERE p.id = ? AND c.count <> 0 AND c.dimension NOT LIKE 'sdk:%'`,
  )
  return {
    readStats(projectId: ProjectId, lanes: readonly Lane[]): StatsRecord {
      return toStats(select.all(idToBytes(projectId)) as unknown as CounterRow[], lanes)
    },
  }
}
