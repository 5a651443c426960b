import type { ErrorCode } from '@bugle/contract'
import type { KeyId, ProjectId } from '../../model/ids.ts'
import type { SkipReason } from '../../model/sentry/map-envelope.ts'
import type { IntakeEntry } from '../../model/stats.ts'
import type { Storage } from '../../storage/storage.ts'

/** The outcomes that begin with it count parts of submissions, not submissions. */
export const SKIPPED = 'skipped:'

/** Counts the submissions of a project that were not stored: nothing is lost silently. */
export interface Intake {
  /** A submission with this key was refused with this code. */
  refuse(projectId: ProjectId, keyId: KeyId, code: ErrorCode): void
  /** A submission with this key was rate limited. */
  limit(projectId: ProjectId, keyId: KeyId): void
  /** A part of a submission was not kept, for this reason. */
  skip(projectId: ProjectId, reason: SkipReason): void
  /** Stores the counts since the last call. Called every second, and at shutdown. */
  flush(): Promise<void>
}

/** Stored, joined and replayed submissions are counted in their transaction; the rest in memory, between two flushes. */
export function createIntake(storage: Storage): Intake {
  let counted = new Map<ProjectId, Map<string, IntakeEntry>>()

  function count(projectId: ProjectId, [outcome, by, ...keyId]: IntakeEntry): void {
    const outcomes = counted.get(projectId) ?? new Map<string, IntakeEntry>()
    const name = [outcome, ...keyId].join(' ')
    outcomes.set(name, [outcome, (outcomes.get(name)?.[1] ?? 0) + by, ...keyId])
    counted.set(projectId, outcomes)
  }

  async function write(projectId: ProjectId, entries: readonly IntakeEntry[]): Promise<void> {
    try {
      await storage.stats.addIntake(projectId, entries)
    } catch (error) {
      // Counted again at the next flush, when the database may be back.
      for (const entry of entries) count(projectId, entry)
      throw error
    }
  }

  return {
    refuse: (projectId, keyId, code) => count(projectId, [code, 1, keyId]),
    limit: (projectId, keyId) => count(projectId, ['limited', 1, keyId]),
    skip: (projectId, reason) => count(projectId, [`${SKIPPED}${reason}`, 1]),
    async flush() {
      const due = counted
      counted = new Map()
      await Promise.all([...due].map(([projectId, outcomes]) => write(projectId, [...outcomes.values()])))
    },
  }
}
