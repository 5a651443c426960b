import { type CounterRow, toCountedIssue, toStats } from '../sql/stats.ts'
import type { StatsStorage } from '../storage.ts'
import type { DimensionRow } from './read-stats.ts'
import type { Reads } from './reader.ts'
import type { Writes } from './writer.ts'

export function statsStorage(reads: Reads, writes: Writes): StatsStorage {
  return {
    async read(projectId, lanes) {
      const dimensions = await reads.run({ projectId }, 'readCounters', projectId)
      return toStats(dimensions.flatMap(toRows), lanes)
    },
    async listPeriod(selection) {
      const rows = await reads.run({ projectId: selection.projectId }, 'listPeriod', selection)
      return rows.map(toCountedIssue)
    },
    addIntake: (projectId, entries) => writes.run('addIntake', projectId, entries),
  }
}

function toRows({ lane, dimension, counts }: DimensionRow): readonly CounterRow[] {
  const values = Object.entries(JSON.parse(counts) as Record<string, number>)
  return values.map(([value, count]) => ({ lane, dimension, value, count }))
}
