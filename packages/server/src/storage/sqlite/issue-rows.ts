import type { SQLInputValue } from 'node:sqlite'
import { type Category, DEFAULT_PRIORITY, type IssueStatus, PRIORITIES } from '@bugle/contract/vocabulary'
import { encodeId, idToBytes, type ProjectId } from '../../ids.ts'
import { type Actor, type IssueRecord, type Lane, laneOf, type Metadata, type NewReport } from '../records.ts'
import { numberOf } from './row-keys.ts'

export const LANE_CODES: Readonly<Record<Lane, number>> = { open: 0, security: 1 }

/** The columns that a report fills, in the order of {@link ReportRow}. */
export const REPORT_COLUMNS = [
  'id',
  'lane',
  'status',
  'category',
  'priority',
  'title',
  'description',
  'app_version',
  'build_number',
  'os_version',
  'device_model',
  'platform',
  'branch',
  'fingerprint',
  'occurred_at',
  'metadata',
  'sdk_name',
  'sdk_version',
  'submission_id',
  'report_count',
  'last_reported_at',
  'created_at',
  'updated_at',
  'version',
] as const

/** A report on its way to the writer: flat, because objects cost more than arrays between threads. */
export type ReportRow = readonly [
  projectId: ProjectId,
  actor: Actor,
  receivedAt: number,
  lane: number,
  submissionId: string | null,
  contentHash: Uint8Array | null,
  columns: readonly SQLInputValue[],
]

export function fromReport(report: NewReport): ReportRow {
  const { content, receivedAt, submission } = report
  const lane = LANE_CODES[laneOf(content.category)]
  const columns = [
    idToBytes(report.issueId),
    lane,
    'open',
    content.category,
    PRIORITIES.indexOf(content.priority),
    content.title,
    content.description,
    content.appVersion,
    content.buildNumber,
    content.osVersion,
    content.deviceModel,
    content.platform,
    content.branch,
    content.fingerprint,
    content.occurredAt,
    content.metadata && JSON.stringify(content.metadata),
    content.sdk?.name ?? null,
    content.sdk?.version ?? null,
    submission?.id ?? null,
    1,
    receivedAt,
    receivedAt,
    receivedAt,
    1,
  ]
  return [
    report.projectId,
    report.actor,
    receivedAt,
    lane,
    submission?.id ?? null,
    submission?.contentHash ?? null,
    columns,
  ]
}

/** A row of the table, as far as it is shown. */
export interface IssueRow {
  readonly row: number
  readonly id: Uint8Array
  readonly status: IssueStatus
  readonly category: Category
  readonly priority: number
  readonly title: string
  readonly description: string | null
  readonly app_version: string | null
  readonly build_number: string | null
  readonly os_version: string | null
  readonly device_model: string | null
  readonly platform: string | null
  readonly branch: string | null
  readonly fingerprint: string | null
  readonly occurred_at: number | null
  readonly metadata: string | null
  readonly sdk_name: string | null
  readonly sdk_version: string | null
  readonly submission_id: string | null
  readonly report_count: number
  readonly last_reported_at: number
  readonly fixed_in_version: string | null
  readonly fixed_in_build: string | null
  readonly created_at: number
  readonly updated_at: number
  readonly version: number
}

export function toIssue(row: IssueRow, projectId: ProjectId): IssueRecord {
  return {
    id: encodeId('iss', row.id),
    projectId,
    issueNumber: numberOf(row.row),
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
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
}
