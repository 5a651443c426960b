import { UNNAMED_FILE } from '../../../model/reports/attachments.ts'
import { prepared, preparedByLocation } from '../driver/connection.ts'

/** Only the primary key has this order. */
export const DROP_SOURCES = preparedByLocation(
  'drop_report_sources',
  'DELETE FROM report_sources',
  'SELECT ctid FROM report_sources WHERE project = $1 AND issue_number = $2 ORDER BY project, issue_number, day',
  'count <= 0',
)

/** The statements of a call that deletes or redacts a report. The project is `$1`, the number of the issue `$2`. */
export const REPORT_CHANGES = {
  moveText: change('move_text', 'UPDATE report_texts SET report_number = $4', 'AND number = $3'),
  redactText: change(
    'redact_text',
    'UPDATE report_texts SET title = NULL, description = NULL, words = 0',
    'AND number = $3',
  ),
  redactFirst: prepared(
    'redact_first_report',
    'UPDATE issues SET metadata = NULL, context = NULL, reporter = NULL, sender = NULL WHERE project = $1 AND number = $2',
  ),
  redactReport: change(
    'redact_report',
    `UPDATE reports SET metadata = NULL, context = NULL, reporter = NULL, sender = NULL,
       text_number = coalesce($4::integer, text_number)`,
    'AND number = $3',
  ),
  removeReport: change('remove_report', 'DELETE FROM reports', 'AND number = $3'),
  suspectFiles: prepared(
    'suspect_files_of_report',
    `UPDATE files SET is_suspect = 1 WHERE project = $1 AND digest = ANY (ARRAY(
       SELECT digest FROM attachments WHERE project = $1 AND issue_number = $2 AND number >= $3 AND number < $4
         AND received_at IS NOT NULL))`,
  ),
  renameAttachments: change(
    'rename_attachments',
    `UPDATE attachments SET name = '${UNNAMED_FILE}'`,
    'AND number >= $3 AND number < $4',
  ),
  removeAttachments: change(
    'remove_attachments',
    'DELETE FROM attachments',
    'AND number >= $3 AND number < $4',
  ),
  keepReceipt: change('keep_receipt', 'UPDATE submissions SET received_at = $4', 'AND id = $3'),
  removeFromSource: change(
    'remove_from_source',
    'UPDATE report_sources SET count = count - 1',
    'AND day = $3 AND app_version = $4 AND build_number = $5 AND branch = $6',
  ),
}

export type ReportChangeName = keyof typeof REPORT_CHANGES | 'dropSources'

function change(name: string, text: string, condition: string) {
  return prepared(name, `${text} WHERE project = $1 AND issue_number = $2 ${condition}`)
}
