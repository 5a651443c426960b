import type { SQLInputValue } from 'node:sqlite'
import { type Category, DEFAULT_PRIORITY, type IssueStatus, PRIORITIES } from '@bugle/contract/vocabulary'
import { encodeId, idToBytes, type ProjectId } from '../../ids.ts'
import { type IssueRecord, type Lane, laneOf, type Metadata, type NewReport } from '../records.ts'
import { numberOf } from './row-keys.ts'

export const LANE_CODES: Readonly<Record<Lane, number>> = { open: 0, security: 1 }

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
  readonly resolved_at: number | null
  readonly first_left_open_at: number | null
  readonly first_resolved_at: number | null
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
    resolvedAt: row.resolved_at,
    firstLeftOpenAt: row.first_left_open_at,
    firstResolvedAt: row.first_resolved_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
}

/** The issue that a report becomes if it joins none; its number is given to it in the transaction. */
export function toNewIssue(report: NewReport, issueNumber: number): IssueRecord {
  const { content, receivedAt } = report
  return {
    ...content,
    id: report.issueId,
    projectId: report.projectId,
    issueNumber,
    status: 'open',
    submissionId: report.submission?.id ?? null,
    reportCount: 1,
    lastReportedAt: receivedAt,
    fixedIn: null,
    resolvedAt: null,
    firstLeftOpenAt: null,
    firstResolvedAt: null,
    createdAt: receivedAt,
    updatedAt: receivedAt,
    version: 1,
  }
}

/** The columns that may change, in the order of {@link changeableValues}. */
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
] as const

export function changeableValues(issue: IssueRecord): SQLInputValue[] {
  return [
    LANE_CODES[laneOf(issue.category)],
    issue.status,
    issue.category,
    PRIORITIES.indexOf(issue.priority),
    issue.title,
    issue.description,
    issue.fingerprint,
    issue.reportCount,
    issue.lastReportedAt,
    issue.fixedIn?.appVersion ?? null,
    issue.fixedIn?.buildNumber ?? null,
    issue.resolvedAt,
    issue.firstLeftOpenAt,
    issue.firstResolvedAt,
    issue.updatedAt,
    issue.version,
  ]
}

/** The columns that never change, in the order of {@link fixedValues}. */
export const FIXED_COLUMNS = [
  'id',
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
] as const

export function fixedValues(issue: IssueRecord): SQLInputValue[] {
  return [
    idToBytes(issue.id),
    issue.appVersion,
    issue.buildNumber,
    issue.osVersion,
    issue.deviceModel,
    issue.platform,
    issue.branch,
    issue.occurredAt,
    issue.metadata && JSON.stringify(issue.metadata),
    issue.sdk?.name ?? null,
    issue.sdk?.version ?? null,
    issue.submissionId,
    issue.createdAt,
  ]
}
