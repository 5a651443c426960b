import type { IssueRecord } from '../../model/issues.ts'
import type { ReportRecord } from '../../model/reports.ts'

/** The columns of a report that are shown. */
export interface ReportColumns {
  readonly number: number
  readonly received_at: number
  readonly occurred_at: number | null
  readonly app_version: string | null
  readonly build_number: string | null
  readonly os_version: string | null
  readonly device_model: string | null
  readonly platform: string | null
  readonly branch: string | null
}

export function toReport(row: ReportColumns): ReportRecord {
  return {
    reportNumber: row.number,
    receivedAt: row.received_at,
    occurredAt: row.occurred_at,
    appVersion: row.app_version,
    buildNumber: row.build_number,
    osVersion: row.os_version,
    deviceModel: row.device_model,
    platform: row.platform,
    branch: row.branch,
  }
}

/** The report that made the issue is the issue itself. */
export function firstReport(issue: IssueRecord): ReportRecord {
  const { occurredAt, appVersion, buildNumber, osVersion, deviceModel, platform, branch } = issue
  return {
    reportNumber: 1,
    receivedAt: issue.createdAt,
    occurredAt,
    appVersion,
    buildNumber,
    osVersion,
    deviceModel,
    platform,
    branch,
  }
}
