import { type Category, DEFAULT_PRIORITY, type IssueStatus, PRIORITIES } from '@bugle/contract/vocabulary'
import type { IssueId, ProjectId } from '../../model/ids.ts'
import type { ListedIssue } from '../../model/issue-lists.ts'
import type { IssueRecord } from '../../model/issues.ts'
import { type Lane, laneOf } from '../../model/lanes.ts'
import type { Metadata } from '../../model/reports.ts'

export const LANE_CODES: Readonly<Record<Lane, number>> = { open: 0, security: 1 }

export function laneOfCode(code: number): Lane {
  return code === LANE_CODES.security ? 'security' : 'open'
}

/** The lanes are nested: whoever sees the second sees the first. */
export function highestLane(lanes: readonly Lane[]): number {
  return Math.max(...lanes.map((lane) => LANE_CODES[lane]))
}

/** The columns of an issue that both databases have. How its key and its id are stored differs. */
export type IssueColumns = ChangeableColumns & FixedColumns

interface ChangeableColumns {
  readonly lane: number
  readonly status: IssueStatus
  readonly category: Category
  readonly priority: number
  readonly title: string
  readonly description: string | null
  readonly fingerprint: string | null
  readonly report_count: number
  readonly last_reported_at: number
  readonly fixed_in_version: string | null
  readonly fixed_in_build: string | null
  readonly resolved_at: number | null
  readonly first_left_open_at: number | null
  readonly first_resolved_at: number | null
  readonly updated_at: number
  readonly version: number
  readonly unconfirmed_version: string | null
}

interface FixedColumns {
  readonly app_version: string | null
  readonly build_number: string | null
  readonly os_version: string | null
  readonly device_model: string | null
  readonly platform: string | null
  readonly branch: string | null
  readonly occurred_at: number | null
  readonly metadata: string | null
  readonly sdk_name: string | null
  readonly sdk_version: string | null
  readonly submission_id: string | null
  readonly created_at: number
}

/** What a row's key says. */
export interface IssueKey {
  readonly id: IssueId
  readonly projectId: ProjectId
  readonly issueNumber: number
}

export function toIssue(row: IssueColumns, { id, projectId, issueNumber }: IssueKey): IssueRecord {
  return {
    id,
    projectId,
    issueNumber,
    status: row.status,
    category: row.category,
    priority: PRIORITIES[row.priority] ?? DEFAULT_PRIORITY,
    title: row.title,
    description: row.description,
    appVersion: row.app_version,
    buildNumber: row.build_number,
    osVersion: row.os_version,
    deviceModel: row.device_model,
    platform: row.platform,
    branch: row.branch,
    fingerprint: row.fingerprint,
    occurredAt: row.occurred_at,
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Metadata),
    sdk: row.sdk_name === null ? null : { name: row.sdk_name, version: row.sdk_version ?? '' },
    submissionId: row.submission_id,
    reportCount: row.report_count,
    lastReportedAt: row.last_reported_at,
    fixedIn:
      row.fixed_in_version === null
        ? null
        : { appVersion: row.fixed_in_version, buildNumber: row.fixed_in_build },
    resolvedAt: row.resolved_at,
    firstLeftOpenAt: row.first_left_open_at,
    firstResolvedAt: row.first_resolved_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
    unconfirmedVersion: row.unconfirmed_version,
  }
}

/** A record that was read for a list: in the place of its description is the beginning of it. */
export function asListed({ description: excerpt, metadata: _, ...issue }: IssueRecord): ListedIssue {
  return { ...issue, excerpt }
}

/** The columns that may change. */
export function changeableColumns(issue: IssueRecord): ChangeableColumns {
  return {
    lane: LANE_CODES[laneOf(issue.category)],
    status: issue.status,
    category: issue.category,
    priority: PRIORITIES.indexOf(issue.priority),
    title: issue.title,
    description: issue.description,
    fingerprint: issue.fingerprint,
    report_count: issue.reportCount,
    last_reported_at: issue.lastReportedAt,
    fixed_in_version: issue.fixedIn?.appVersion ?? null,
    fixed_in_build: issue.fixedIn?.buildNumber ?? null,
    resolved_at: issue.resolvedAt,
    first_left_open_at: issue.firstLeftOpenAt,
    first_resolved_at: issue.firstResolvedAt,
    updated_at: issue.updatedAt,
    version: issue.version,
    unconfirmed_version: issue.unconfirmedVersion,
  }
}

/** The columns that never change. */
export function fixedColumns(issue: IssueRecord): FixedColumns {
  return {
    app_version: issue.appVersion,
    build_number: issue.buildNumber,
    os_version: issue.osVersion,
    device_model: issue.deviceModel,
    platform: issue.platform,
    branch: issue.branch,
    occurred_at: issue.occurredAt,
    metadata: issue.metadata && JSON.stringify(issue.metadata),
    sdk_name: issue.sdk?.name ?? null,
    sdk_version: issue.sdk?.version ?? null,
    submission_id: issue.submissionId,
    created_at: issue.createdAt,
  }
}

export const CHANGEABLE_COLUMNS = [
  'lane',
  'status',
  'category',
  'priority',
  'title',
  'description',
  'fingerprint',
  'report_count',
  'last_reported_at',
  'fixed_in_version',
  'fixed_in_build',
  'resolved_at',
  'first_left_open_at',
  'first_resolved_at',
  'updated_at',
  'version',
  'unconfirmed_version',
] as const satisfies readonly (keyof ChangeableColumns)[]

export const FIXED_COLUMNS = [
  'app_version',
  'build_number',
  'os_version',
  'device_model',
  'platform',
  'branch',
  'occurred_at',
  'metadata',
  'sdk_name',
  'sdk_version',
  'submission_id',
  'created_at',
] as const satisfies readonly (keyof FixedColumns)[]
