import type { ReportCommand } from '../../../model/reports/reports.ts'
import { LATEST_REPORTS, type StoredReport, type StoredText } from '../../issues/issue-tables.ts'
import { REPORT_COLUMNS, type ReportRow, toStoredReport } from '../../issues/reports/report-rows.ts'
import { prepared, type Transaction } from '../driver/connection.ts'
import { uuidOf } from '../driver/uuids.ts'

/** The data that deleting or redacting a report needs. */
export interface LoadedReport {
  readonly reports: readonly (StoredReport & { readonly issueNumber: number; readonly isLatest: boolean })[]
  /** The text of the report, if it is stored. */
  readonly text: (StoredText & { readonly issueNumber: number; readonly number: number }) | undefined
  /** The first other report that has the same text. */
  readonly textUse: number | undefined
}

// Arrays and `LATERAL`, so that PostgreSQL has only one plan to choose.
const ISSUE = 'unnest(ARRAY(SELECT number FROM issues WHERE project = $1 AND id = ANY ($2))) AS i (number)'
const SELECT_REPORTS = prepared(
  'load_report',
  `SELECT r.* FROM ${ISSUE} CROSS JOIN LATERAL (SELECT issue_number, ${REPORT_COLUMNS}, FALSE AS is_latest FROM reports
     WHERE project = $1 AND issue_number = i.number AND number = $3 ORDER BY issue_number, number LIMIT 1) r
   UNION ALL SELECT r.* FROM ${ISSUE} CROSS JOIN LATERAL (SELECT issue_number, ${REPORT_COLUMNS}, TRUE FROM reports
     WHERE project = $1 AND issue_number = i.number
     ORDER BY issue_number DESC, number DESC LIMIT ${LATEST_REPORTS}) r`,
)
const SELECT_TEXT = prepared(
  'load_text_of_report',
  `SELECT t.* FROM ${ISSUE} CROSS JOIN LATERAL (
     SELECT issue_number AS "issueNumber", number, report_number AS "reportNumber", words FROM report_texts
     WHERE project = $1 AND issue_number = i.number AND number = $3 ORDER BY issue_number, number LIMIT 1) t`,
)
/** The first report that has the text `$3`, except for the report `$4`. */
export const SELECT_USE = prepared(
  'load_text_use',
  `SELECT u.number FROM ${ISSUE} CROSS JOIN LATERAL (SELECT number FROM reports
     WHERE project = $1 AND issue_number = i.number AND text_number BETWEEN $3 AND $3 AND text_number > 1
       AND number <> $4 ORDER BY text_number, number LIMIT 1) u`,
)

export async function loadReport(
  tx: Transaction,
  projectSeq: number,
  { issueId, reportNumber }: ReportCommand,
): Promise<LoadedReport> {
  const ids = [uuidOf(issueId)]
  const rows = await tx.run<LoadedRow>(SELECT_REPORTS(projectSeq, ids, reportNumber))
  const reports = rows.map((row) => ({
    ...toStoredReport(row),
    issueNumber: row.issue_number,
    isLatest: row.is_latest,
  }))
  const report = reports.find((one) => one.reportNumber === reportNumber)
  // The first report has the first text.
  const textNumber = report === undefined ? 1 : (report.textNumber ?? 0)
  const [[text], [use]] = await Promise.all([
    tx.run<NonNullable<LoadedReport['text']>>(SELECT_TEXT(projectSeq, ids, textNumber)),
    tx.run<{ number: number }>(SELECT_USE(projectSeq, ids, textNumber, reportNumber)),
  ])
  return { reports, text, textUse: use?.number }
}

interface LoadedRow extends ReportRow {
  readonly issue_number: number
  readonly is_latest: boolean
}
