import { OTHER_VALUE } from '@bugle/contract/vocabulary'
import type { StoredIssue } from './issues.ts'
import type { Lane } from './lanes.ts'

/** The kinds of values from reports that are counted: app versions with their builds, and branches. */
export const SEEN_DIMENSIONS = ['version', 'branch'] as const
export type SeenDimension = (typeof SEEN_DIMENSIONS)[number]

/** What is counted for a build of a version, or for a branch. */
export const SEEN_COUNTS = ['reports', 'newIssues', 'fixedIssues', 'regressions'] as const
export type SeenCounts = Readonly<Record<(typeof SEEN_COUNTS)[number], number>>

/** What an issue, or some of its reports, adds to a value. The times are those of the first and the last report. */
export interface SeenContribution extends SeenKey, SeenCounts, ReportSpan {
  readonly dimension: SeenDimension
}

/** A version is counted by its builds: each report is counted in one entry. */
export interface SeenKey {
  readonly value: string
  /** Empty for branches, and for reports of a version that name no build, or one that is no longer kept by name. */
  readonly buildNumber: string
}

export interface ReportSpan {
  readonly firstAt: number
  readonly lastAt: number
}

/** The neutral element: any time that is added replaces these. */
export const NO_REPORTS: ReportSpan = { firstAt: 8_640_000_000_000_000, lastAt: 0 }

/** An entry as it is stored. */
export interface SeenRecord extends SeenContribution {
  readonly lane: Lane
  /** Whether this entry also counts values or builds that are no longer kept by name. */
  readonly includesRest: boolean
}

/** Where a report came from. */
export type ReportSource = Pick<StoredIssue, 'appVersion' | 'buildNumber' | 'branch'>

/** Where a report is counted if its source is no longer kept by name. Absent values stay absent. */
export function asOther({ appVersion, buildNumber, branch }: ReportSource): ReportSource {
  const other = (text: string | null) => text && OTHER_VALUE
  return { appVersion: other(appVersion), buildNumber: other(buildNumber), branch: other(branch) }
}

/** Further reports of an issue with the same version, build and branch on one day. */
export interface SourceReports extends ReportSource, ReportSpan {
  readonly day: string
  readonly count: number
  /** How many of them reopened the issue. */
  readonly regressions: number
}

/** What the first report of an issue adds, and the release that fixes it. */
export function seenInIssue(issue: StoredIssue): readonly SeenContribution[] {
  const { createdAt, fixedIn } = issue
  const span = { firstAt: createdAt, lastAt: createdAt }
  const seen = seenIn(issue, { reports: 1, newIssues: 1, fixedIssues: 0, regressions: 0, ...span })
  if (fixedIn === null) return seen
  const fix = { reports: 0, newIssues: 0, fixedIssues: 1, regressions: 0, ...NO_REPORTS }
  return [...seen, { dimension: 'version', value: fixedIn.appVersion, buildNumber: '', ...fix }]
}

/** What further reports of an issue add. */
export function seenInReports(reports: SourceReports): readonly SeenContribution[] {
  const { count, regressions, firstAt, lastAt } = reports
  return seenIn(reports, { reports: count, newIssues: 0, fixedIssues: 0, regressions, firstAt, lastAt })
}

function seenIn(
  { appVersion, buildNumber, branch }: ReportSource,
  counts: SeenCounts & ReportSpan,
): SeenContribution[] {
  const seen: SeenContribution[] = []
  // A blank value counts as absent.
  if (appVersion)
    seen.push({ dimension: 'version', value: appVersion, buildNumber: buildNumber ?? '', ...counts })
  if (branch) seen.push({ dimension: 'branch', value: branch, buildNumber: '', ...counts })
  return seen
}
