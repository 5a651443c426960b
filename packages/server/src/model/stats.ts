import type { KeyId, ProjectId } from './ids.ts'
import type { StoredIssue } from './issues.ts'
import type { Lane } from './lanes.ts'

/** The number of submissions, by outcome or error code; of refused ones also by key. */
export type IntakeEntry = readonly [outcome: string, count: number, keyId?: KeyId]

/** The counters behind a project's statistics. */
export interface StatsRecord {
  /** Dimension → value → count. */
  readonly counts: Readonly<Record<CountedDimension, ReadonlyMap<string, number>>>
  /** Dimensions that have reached the limit of values counted by name: later values are counted as `other`. */
  readonly full: ReadonlySet<CountedDimension>
}

/** The dimensions that are counted with each write. Days are `YYYY-MM-DD` in UTC, durations whole seconds to two digits. */
export const COUNTED_DIMENSIONS = [
  'status',
  'category',
  'priority',
  'platform',
  'app_version',
  'os_version',
  'device_model',
  'branch',
  'assignee',
  'label',
  'reports',
  'created_day',
  'resolved_day',
  'reports_day',
  'time_to_acknowledge',
  'time_to_resolve',
  'intake',
  'refused_key',
] as const

/** What `refused_key` counts: the key, and the error code or `limited`. */
export function refusedKeyValue(keyId: KeyId, outcome: string): string {
  return `${keyId} ${outcome}`
}

export type CountedDimension = (typeof COUNTED_DIMENSIONS)[number]

/** The fields of an issue that statistics count. */
export type CountedIssue = Pick<
  StoredIssue,
  | 'status'
  | 'category'
  | 'priority'
  | 'platform'
  | 'appVersion'
  | 'osVersion'
  | 'deviceModel'
  | 'assigneeId'
  | 'labels'
  | 'reportCount'
  | 'duplicateReports'
  | 'createdAt'
  | 'firstLeftOpenAt'
  | 'firstResolvedAt'
>

/** Which reports are counted by version and day. */
export interface VersionSelection {
  readonly projectId: ProjectId
  readonly lanes: readonly Lane[]
  readonly appVersions: readonly string[]
  /** The first day, as its start. */
  readonly since: number
  /** How many of the newest issues are examined, and how many of the sources of each version's further reports. */
  readonly maxIssues: number
  readonly maxSources: number
}

export interface VersionCounts {
  readonly counts: readonly VersionCount[]
  /** The first day whose reports were all examined; `null` if that is every day. */
  readonly completeFrom: string | null
}

/** The reports and new issues of a version on a day. */
export interface VersionCount {
  readonly appVersion: string
  readonly day: string
  readonly reports: number
  readonly newIssues: number
}

/** The issues that the statistics of a period cover. */
export interface PeriodSelection {
  readonly projectId: ProjectId
  readonly lanes: readonly Lane[]
  /** Those created since then, and before `until`; `null`: up to now. */
  readonly since: number
  readonly until: number | null
  /** The maximum number of issues to examine, newest first. */
  readonly limit: number
}
