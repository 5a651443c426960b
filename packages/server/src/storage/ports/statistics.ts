import type { ProjectId } from '../../model/ids.ts'
import type { Lane } from '../../model/lanes.ts'
import type { AttachmentTally, TallyPlace } from '../../model/reports/attachments.ts'
import type { SeenDimension, SeenRecord } from '../../model/seen-values.ts'
import type {
  IntakeEntry,
  PeriodSelection,
  StatsRecord,
  VersionCounts,
  VersionSelection,
} from '../../model/stats.ts'

export interface StatsStorage {
  read(projectId: ProjectId, lanes: readonly Lane[]): Promise<StatsRecord>
  /** The same, and the attachments of the newest issues, without files that are not kept. */
  readWithAttachments(place: TallyPlace): Promise<StatsRecord & { readonly attachments: AttachmentTally }>
  /** Adds counts collected in memory: submissions that were refused or rate limited. */
  addIntake(projectId: ProjectId, entries: readonly IntakeEntry[]): Promise<void>
  /** What {@link read} would return if only the issues of a period existed, without days and intake. */
  countPeriod(selection: PeriodSelection): Promise<StatsRecord>
  /** Counts reports and new issues of some versions by day. */
  countVersions(selection: VersionSelection): Promise<VersionCounts>
}

export interface SeenStorage {
  /** The stored values of these dimensions, for each lane separately. */
  list(
    projectId: ProjectId,
    lanes: readonly Lane[],
    dimensions: readonly SeenDimension[],
  ): Promise<readonly SeenRecord[]>
}
