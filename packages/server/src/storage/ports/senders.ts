import type { ProjectId } from '../../model/ids.ts'
import type { Lane } from '../../model/lanes.ts'
import type { ReporterBlock } from '../../model/reports/my-reports.ts'
import type { BlockCommand, BlockedSender } from '../../model/reports/senders.ts'

export interface SenderStorage {
  /** The key that senders are hashed with on this day. Stores `fresh` if there is none yet. */
  requireKey(day: string, fresh: Uint8Array): Promise<Uint8Array>
  /** The same, unless it was deleted. */
  findKey(day: string): Promise<Uint8Array | undefined>
  listBlocked(projectId: ProjectId): Promise<readonly BlockedSender[]>
  /** The blocked reporters of a project, by the hashes of their secrets. */
  listBlockedReporters(projectId: ProjectId): Promise<readonly string[]>
  /** Which of these were blocked on an issue of this lane. */
  findBlockedReporters(
    projectId: ProjectId,
    lane: Lane,
    keyHashes: readonly string[],
  ): Promise<readonly string[]>
  /** Blocks or unblocks a reporter; false if the issue is missing. */
  setReporterBlocked(command: ReporterBlock): Promise<boolean>
  /** Blocks the senders of an issue's reports, as far as they are known. */
  block(command: BlockCommand): Promise<void>
  /** Unblocks the senders that were blocked with issues that are no longer spam. */
  unblock(projectId: ProjectId): Promise<void>
  /** Deletes the keys of earlier days, so that no one can tell any more who sent the reports of these days. */
  expireKeys(firstDay: string): Promise<void>
  /** The same for what is blocked in a project. */
  expireBlocked(projectId: ProjectId, firstDay: string): Promise<void>
}
