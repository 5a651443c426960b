import type { StoredReport } from '../issue-tables.ts'

/** The columns of a report that {@link toStoredReport} reads. */
export const REPORT_COLUMNS =
  'number, received_at, text_number, submission_id, app_version, build_number, branch, reporter'

export interface ReportRow {
  readonly number: number
  readonly received_at: number
  readonly text_number: number | null
  readonly submission_id: string | null
  readonly app_version: string | null
  readonly build_number: string | null
  readonly branch: string | null
  /** JSON. */
  readonly reporter: string | null
}

export function toStoredReport(row: ReportRow): StoredReport {
  return {
    reportNumber: row.number,
    receivedAt: row.received_at,
    textNumber: row.text_number,
    submissionId: row.submission_id,
    appVersion: row.app_version,
    buildNumber: row.build_number,
    branch: row.branch,
    reporter: row.reporter && JSON.parse(row.reporter),
  }
}
