import type { ProjectId } from '../../model/ids.ts'
import type { IntakeEntry } from '../../model/stats.ts'
import type { IssueTables } from './issue-tables.ts'

/** What is counted beside the issues, as it runs in a transaction. */
export function createIntakeWrites(tables: Pick<IssueTables, 'findProject' | 'count'>) {
  return {
    addIntake(projectId: ProjectId, entries: readonly IntakeEntry[]): void {
      const project = tables.findProject(projectId)
      if (project === undefined) return
      for (const [value, count] of entries) {
        tables.count({ projectSeq: project.seq, lane: 0, dimension: 'intake', value }, count)
      }
    },
  }
}
