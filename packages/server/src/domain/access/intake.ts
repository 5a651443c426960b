import type { ErrorCode } from '@bugle/contract'
import type { ProjectId } from '../../model/ids.ts'
import type { SkipReason } from '../../model/sentry/map-envelope.ts'
import type { Storage } from '../../storage/storage.ts'

/** The outcomes that begin with it count parts of submissions, not submissions. */
export const SKIPPED = 'skipped:'

/** Counts the submissions of a project that were not stored: nothing is lost silently. */
export interface Intake {
  /** A submission with a valid key was refused with this code. */
  refuse(projectId: ProjectId, code: ErrorCode): void
  /** A submission with a valid key was rate limited. */
  limit(projectId: ProjectId): void
  /** A part of a submission was not kept, for this reason. */
  skip(projectId: ProjectId, reason: SkipReason): void
  /** Stores the counts since the last call. Called every second, and at shutdown. */
  flush(): Promise<void>
}

/** Stored, joined and replayed submissions are counted in their transaction; the rest in memory, between two flushes. */
export function createIntake(storage: Storage): Intake {
  let counted = new Map<ProjectId, Map<string, number>>()

  function count(projectId: ProjectId, outcome: string, by: number): void {
    const outcomes = counted.get(projectId) ?? new Map<string, number>()
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + by)
    counted.set(projectId, outcomes)
  }

  async function write(projectId: ProjectId, outcomes: ReadonlyMap<string, number>): Promise<void> {
    try {
      await storage.stats.addIntake(projectId, [...outcomes])
    } catch (error) {
      // Counted again at the next flush, when the database may be back.
      for (const [outcome, by] of outcomes) count(projectId, outcome, by)
      throw error
    }
  }

  return {
    refuse: (projectId, code) => count(projectId, code, 1),
    limit: (projectId) => count(projectId, 'limited', 1),
    skip: (projectId, reason) => count(projectId, `${SKIPPED}${reason}`, 1),
    async flush() {
      const due = counted
      counted = new Map()
      await Promise.all([...due].map(([projectId, outcomes]) => write(projectId, outcomes)))
    },
  }
}
