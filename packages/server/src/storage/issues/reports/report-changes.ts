import { attachmentNumber } from '../../../model/reports/attachments.ts'
import { UNNAMED_FILE } from '../../../model/reports/file-names.ts'
import { FIRST_REPORT } from '../../../model/reports/reports.ts'
import { type Dialect, forBoth } from '../../dialects.ts'
import { suspectFiles } from './suspect-files.ts'

const ofReport = ({ isKey }: Dialect) => `${isKey('r.issue_number', '$1', '$2')} AND r.number = $3`
const ofFiles = ({ isKey }: Dialect) =>
  `${isKey('r.issue_number', '$1', '$2')} AND r.number >= $3 AND r.number < $4`
const CLEARED = 'metadata = NULL, context = NULL, reporter = NULL, sender = NULL'

/** The statements that change the rows of a report. The project is `$1`, the number of the issue `$2`. */
export const REPORT_CHANGES = {
  /** Makes another report the first that has the text `$3`. */
  moveText: forBoth(
    (dialect) => `UPDATE report_texts AS r SET report_number = $4 WHERE ${ofReport(dialect)}`,
  ),
  /** Removes the words of the text `$3`; the entry stays as a placeholder. */
  redactText: forBoth(
    (dialect) =>
      `UPDATE report_texts AS r SET title = NULL, description = NULL, words = 0 WHERE ${ofReport(dialect)}`,
  ),
  redactFirst: forBoth(
    ({ isKey }) => `UPDATE issues AS i SET ${CLEARED} WHERE ${isKey('i.number', '$1', '$2')}`,
  ),
  redactReport: forBoth(
    (dialect) => `UPDATE reports AS r SET ${CLEARED}, text_number = coalesce($4::integer, text_number)
      WHERE ${ofReport(dialect)}`,
  ),
  renameAttachments: forBoth(
    (dialect) => `UPDATE attachments AS r SET name = '${UNNAMED_FILE}' WHERE ${ofFiles(dialect)}`,
  ),
  removeReport: forBoth((dialect) => `DELETE FROM reports AS r WHERE ${ofReport(dialect)}`),
  suspectFiles: forBoth((dialect) =>
    suspectFiles(
      dialect.isAmong,
      `SELECT r.digest FROM attachments r WHERE ${ofFiles(dialect)} AND r.received_at IS NOT NULL`,
    ),
  ),
  removeAttachments: forBoth((dialect) => `DELETE FROM attachments AS r WHERE ${ofFiles(dialect)}`),
  keepReceipt: forBoth(
    ({ isKey }) => `UPDATE submissions AS r SET received_at = $4
      WHERE r.project = $1 AND r.id = $3 AND ${isKey('r.issue_number', '$1', '$2')}`,
  ),
}

export type ReportChangeName = keyof typeof REPORT_CHANGES

export type ReportChange = readonly [name: ReportChangeName, ...values: readonly (string | number | null)[]]

/** Removes a report after the first, with its files. Its submission id stays in use. */
export function removalOf({
  reportNumber,
  submissionId,
  receivedAt,
}: RemovedReport): readonly ReportChange[] {
  const files = filesOf(reportNumber)
  return [
    ['removeReport', reportNumber],
    ['suspectFiles', ...files],
    ['removeAttachments', ...files],
    ['keepReceipt', submissionId, receivedAt],
  ]
}

interface RemovedReport {
  readonly reportNumber: number
  readonly submissionId: string | null
  readonly receivedAt: number
}

/** Removes the metadata, context, reporter and file names of a report; with `textNumber`, also sets its text. */
export function redactionOf(reportNumber: number, textNumber: number | null): readonly ReportChange[] {
  const redact: ReportChange =
    reportNumber === FIRST_REPORT ? ['redactFirst'] : ['redactReport', reportNumber, textNumber]
  return [redact, ['renameAttachments', ...filesOf(reportNumber)]]
}

/** The numbers of the files of a report. */
function filesOf(reportNumber: number): readonly [first: number, end: number] {
  return [attachmentNumber(reportNumber, 0), attachmentNumber(reportNumber + 1, 0)]
}
