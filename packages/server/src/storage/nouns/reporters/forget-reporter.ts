import { FIRST_REPORT, type ReportCommand } from '../../../model/reports/reports.ts'
import { forBoth } from '../../dialects.ts'
import { change, type Operation, send } from '../../operations.ts'
import { COUNT_COMMENTS, lockPlace } from '../issues/comments.ts'
import { restoreConversation } from './conversation-state.ts'

const FORGET_FIRST = forBoth(
  ({ isKey }) => `UPDATE issues AS i SET reporter_key_hash = NULL WHERE ${isKey('i.number', '$1', '$2')}`,
)
const FORGET_FURTHER = forBoth(
  ({ isKey }) =>
    `UPDATE reports AS r SET reporter_key_hash = NULL WHERE ${isKey('r.issue_number', '$1', '$2')} AND r.number = $3`,
)
const ERASE_MESSAGES = forBoth(
  ({ isKey }) =>
    `UPDATE comments AS r SET text = NULL, mentions = NULL, content_hash = NULL
     WHERE ${isKey('r.issue_number', '$1', '$2')} AND r.report_number = $3 AND r.audience = 'team' AND r.text IS NOT NULL`,
)
const DELETE_MARK = forBoth(
  ({ isKey }) =>
    `DELETE FROM read_marks AS r WHERE ${isKey('r.issue_number', '$1', '$2')} AND r.report_number = $3`,
)

/** Erases what the reporter of a report wrote about it. They no longer see the report, and can write no more. */
export function* forgetReporter(command: ReportCommand): Operation<void> {
  const place = yield* lockPlace(command)
  if (place === undefined) return
  const { project, issueNumber } = place
  const { reportNumber } = command
  if (reportNumber === FIRST_REPORT) yield* send(FORGET_FIRST, project, issueNumber)
  else yield* send(FORGET_FURTHER, project, issueNumber, reportNumber)
  const erased = yield* change(ERASE_MESSAGES, project, issueNumber, reportNumber)
  if (erased > 0) {
    yield* send(COUNT_COMMENTS, project, issueNumber, -erased)
    yield* restoreConversation(place)
  }
  yield* send(DELETE_MARK, project, issueNumber, reportNumber)
}
