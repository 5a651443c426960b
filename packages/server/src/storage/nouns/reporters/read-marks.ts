import type { ReadMark } from '../../../model/reports/my-reports.ts'
import { forBoth } from '../../dialects.ts'
import { type Operation, one } from '../../operations.ts'

const SELECT_MARK = forBoth(
  ({ isKey }) =>
    `SELECT r.comment_number AS number FROM read_marks r
     WHERE ${isKey('r.issue_number', '$1', '$2')} AND r.report_number = $3`,
)

/** Whether the reporters have read no further. */
export function* areSameMarks(marks: readonly ReadMark[]): Operation<boolean> {
  for (const { project, issueNumber, reportNumber, replyNumber } of marks) {
    const mark = yield* one<{ number: number }>(SELECT_MARK, project, issueNumber, reportNumber)
    if ((mark?.number ?? 0) !== replyNumber) return false
  }
  return true
}
