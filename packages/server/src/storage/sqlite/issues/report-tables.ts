import type { DatabaseSync } from 'node:sqlite'
import { attachmentNumber, UNNAMED_FILE } from '../../../model/reports/attachments.ts'
import { FIRST_REPORT } from '../../../model/reports/reports.ts'
import {
  type DailySource,
  LATEST_REPORTS,
  type ReportRedaction,
  type StoredReport,
  type StoredText,
} from '../../issues/issue-tables.ts'
import { REPORT_COLUMNS, type ReportRow, toStoredReport } from '../../issues/reports/report-rows.ts'
import { projectSeqOf } from '../driver/row-keys.ts'
import { prepareOnce } from '../driver/statements.ts'

/** What deleting and redacting single reports reads and writes, by the key of the issue. These are rare, so statements are prepared when needed. */
export function prepareReportTables(db: DatabaseSync) {
  const prepare = prepareOnce(db)
  const run = (text: string, ...values: (string | number | null)[]) => void prepare(text).all(...values)

  return {
    find(row: number, number: number): StoredReport | undefined {
      const select = prepare(`SELECT ${REPORT_COLUMNS} FROM reports WHERE issue_row = ? AND number = ?`)
      const found = select.get(row, number) as ReportRow | undefined
      return found && toStoredReport(found)
    },

    latest(row: number): readonly StoredReport[] {
      const rows = prepare(
        `SELECT ${REPORT_COLUMNS} FROM reports WHERE issue_row = ? ORDER BY number DESC LIMIT ${LATEST_REPORTS}`,
      ).all(row) as unknown as readonly ReportRow[]
      return rows.map(toStoredReport)
    },

    findText(row: number, number: number): StoredText | undefined {
      return prepare(
        'SELECT report_number AS "reportNumber", words FROM report_texts WHERE issue_row = ? AND number = ?',
      ).get(row, number) as StoredText | undefined
    },

    findTextUse(row: number, { textNumber, reportNumber }: StoredReport): number | undefined {
      const select = prepare(
        `SELECT min(number) AS number FROM reports INDEXED BY reports_by_text
         WHERE issue_row = ? AND text_number = ? AND text_number > 1 AND number <> ?`,
      )
      const { number } = select.get(row, textNumber, reportNumber) as { number: number | null }
      return number ?? undefined
    },

    moveText(row: number, number: number, reportNumber: number): void {
      run(
        'UPDATE report_texts SET report_number = ? WHERE issue_row = ? AND number = ?',
        reportNumber,
        row,
        number,
      )
    },

    redactText(row: number, number: number): void {
      run(
        'UPDATE report_texts SET title = NULL, description = NULL, words = 0 WHERE issue_row = ? AND number = ?',
        row,
        number,
      )
    },

    redact(row: number, { reportNumber, textNumber }: ReportRedaction): void {
      const cleared = 'metadata = NULL, context = NULL, reporter = NULL, sender = NULL'
      if (reportNumber === FIRST_REPORT) run(`UPDATE issues SET ${cleared} WHERE row = ?`, row)
      run(`UPDATE reports SET ${cleared} WHERE issue_row = ? AND number = ?`, row, reportNumber)
      const files = [row, attachmentNumber(reportNumber, 0), attachmentNumber(reportNumber + 1, 0)]
      run(`UPDATE attachments AS r SET name = '${UNNAMED_FILE}' WHERE ${IS_OF_REPORT}`, ...files)
      if (textNumber === undefined) return
      const values = [textNumber, row, reportNumber]
      run('UPDATE reports SET text_number = ? WHERE issue_row = ? AND number = ?', ...values)
    },

    remove(row: number, { reportNumber, submissionId, receivedAt }: StoredReport): void {
      run('DELETE FROM reports WHERE issue_row = ? AND number = ?', row, reportNumber)
      const files = [row, attachmentNumber(reportNumber, 0), attachmentNumber(reportNumber + 1, 0)]
      run(SUSPECT_FILES, projectSeqOf(row), ...files)
      run(`DELETE FROM attachments AS r WHERE ${IS_OF_REPORT}`, ...files)
      run(
        'UPDATE submissions SET received_at = ? WHERE project = ? AND id = ? AND issue_row = ?',
        receivedAt,
        projectSeqOf(row),
        submissionId,
        row,
      )
    },

    removeFromSource(row: number, { day, appVersion, buildNumber, branch }: DailySource): void {
      const source = [row, day, appVersion ?? '', buildNumber ?? '', branch ?? '']
      run(`UPDATE report_sources SET count = count - 1 WHERE ${IS_SOURCE}`, ...source)
      run(`DELETE FROM report_sources WHERE ${IS_SOURCE} AND count <= 0`, ...source)
    },
  }
}

const IS_OF_REPORT = 'r.issue_row = ? AND r.number >= ? AND r.number < ?'
const SUSPECT_FILES = `UPDATE files SET is_suspect = 1 WHERE project = ? AND digest IN
  (SELECT r.digest FROM attachments r WHERE ${IS_OF_REPORT} AND r.received_at IS NOT NULL)`
const IS_SOURCE = 'issue_row = ? AND day = ? AND app_version = ? AND build_number = ? AND branch = ?'
