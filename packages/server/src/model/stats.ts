import type { ProjectId } from './ids.ts'
import type { StoredIssue } from './issues.ts'
import type { Lane } from './lanes.ts'

/** What became of submissions, by outcome or error code. */
export type IntakeEntry = readonly [outcome: string, count: number]

/** The counters behind a project's statistics. */
export interface StatsRecord {
  /** Dimension → value → count. */
  readonly counts: Readonly<Record<CountedDimension, ReadonlyMap<string, number>>>
  /** Dimensions that have as many values as are counted by name: what came later is counted as `other`. */
  readonly full: ReadonlySet<CountedDimension>
}

/** What is counted with the writes. Days are `YYYY-MM-DD` in UTC, durations whole seconds to two digits. */
export const COUNTED_DIMENSIONS = [
  'status',
  'category',
  'priority',
  'platform',
  'app_version',
  'reports',
  'created_day',
  'resolved_day',
  'reports_day',
  'time_to_acknowledge',
  'time_to_resolve',
  'intake',
] as const

export type CountedDimension = (typeof COUNTED_DIMENSIONS)[number]

/** What statistics count of an issue. */
export type CountedIssue = Pick<
  StoredIssue,
  | 'status'
  | 'category'
  | 'priority'
  | 'platform'
  | 'appVersion'
  | 'reportCount'
  | 'createdAt'
  | 'firstLeftOpenAt'
  | 'firstResolvedAt'
>

/** Which issues the statistics of a period are about. */
export interface PeriodSelection {
  readonly projectId: ProjectId
  readonly lanes: readonly Lane[]
  /** Those created since then. */
  readonly since: number
  /** So many of the newest are looked at. */
  readonly limit: number
}
