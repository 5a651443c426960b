import type { DatabaseSync } from 'node:sqlite'
import { idToBytes, type ProjectId } from '../../ids.ts'
import {
  COUNTED_DIMENSIONS,
  type CountedDimension,
  type IntakeEntry,
  type Lane,
  type StatsRecord,
} from '../records.ts'
import type { StatsStorage } from '../storage.ts'
import type { Batch } from './batch.ts'
import { LANE_CODES } from './issue-rows.ts'
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
      const counts = Object.fromEntries(
        COUNTED_DIMENSIONS.map((dimension) => [dimension, new Map<string, number>()]),
      )
      const visible = new Set(lanes.map((lane) => LANE_CODES[lane]))
      for (const { lane, dimension, value, count } of select.all(
        idToBytes(projectId),
      ) as unknown as CounterRow[]) {
        // The intake ledger has no lanes: its totals are one of the two traces that are accepted.
        if (!visible.has(lane) && dimension !== 'intake') continue
        const values = counts[dimension]
        values?.set(value, (values.get(value) ?? 0) + count)
      }
      return counts as object as StatsRecord
    },
  }
}

interface CounterRow {
  readonly lane: number
  readonly dimension: CountedDimension
  readonly value: string
  readonly count: number
}

export function prepareStatsWrites(batch: Batch) {
  return {
    addIntake(projectId: ProjectId, entries: readonly IntakeEntry[]): void {
      const project = batch.project(projectId)
      if (project === undefined) return
      for (const [value, count] of entries) {
        batch.count({ projectSeq: project.seq, lane: 0, dimension: 'intake', value }, count)
      }
    },
  }
}
