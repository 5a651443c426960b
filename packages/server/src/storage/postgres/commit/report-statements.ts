import { REPORT_CHANGES, type ReportChangeName } from '../../issues/reports/report-changes.ts'
import { prepared, preparedByLocation } from '../driver/connection.ts'

/** Only the primary key has this order. */
export const DROP_SOURCES = preparedByLocation(
  'drop_report_sources',
  'DELETE FROM report_sources',
  'SELECT ctid FROM report_sources WHERE project = $1 AND issue_number = $2 ORDER BY project, issue_number, day',
  'count <= 0',
)

const NAMES = Object.keys(REPORT_CHANGES) as readonly ReportChangeName[]

/** The statements of a call that deletes or redacts a report. The project is `$1`, the number of the issue `$2`. */
export const REPORT_STATEMENTS = {
  ...(Object.fromEntries(
    NAMES.map((name) => [name, prepared(`report_${name}`, REPORT_CHANGES[name].postgres)]),
  ) as Record<ReportChangeName, ReturnType<typeof prepared>>),
  removeFromSource: prepared(
    'remove_from_source',
    `UPDATE report_sources SET count = count - 1 WHERE project = $1 AND issue_number = $2
       AND day = $3 AND app_version = $4 AND build_number = $5 AND branch = $6`,
  ),
}

export type ReportStatementName = keyof typeof REPORT_STATEMENTS | 'dropSources'
