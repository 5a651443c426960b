import type { DatabaseSync } from 'node:sqlite'
import type { StoredIssue } from '../../../model/issues.ts'
import {
  type DailySource,
  LATEST_REPORTS,
  type StoredReport,
  type StoredText,
} from '../../issues/issue-tables.ts'
import { REPORT_CHANGES, type ReportChange } from '../../issues/reports/report-changes.ts'
import { REPORT_COLUMNS, type ReportRow, toStoredReport } from '../../issues/reports/report-rows.ts'
import { send } from '../../operations.ts'
import { operationRunner } from '../driver/run-operations.ts'
import { prepareOnce } from '../driver/statements.ts'

/** What deleting and redacting single reports reads and writes, by the key of the issue. These are rare, so statements are prepared when needed. */
export function prepareReportTables(db: DatabaseSync) {
  const prepare = prepareOnce(db)
  const runOperation = operationRunner(db)
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

    change(projectSeq: number, { issueNumber }: StoredIssue, changes: readonly ReportChange[]): void {
      for (const [name, ...values] of changes)
        runOperation(send(REPORT_CHANGES[name], projectSeq, issueNumber, ...values))
    },

    removeFromSource(row: number, { day, appVersion, buildNumber, branch }: DailySource): void {
      const source = [row, day, appVersion ?? '', buildNumber ?? '', branch ?? '']
      run(`UPDATE report_sources SET count = count - 1 WHERE ${IS_SOURCE}`, ...source)
      run(`DELETE FROM report_sources WHERE ${IS_SOURCE} AND count <= 0`, ...source)
    },
  }
}

const IS_SOURCE = 'issue_row = ? AND day = ? AND app_version = ? AND build_number = ? AND branch = ?'
