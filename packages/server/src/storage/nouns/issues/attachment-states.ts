import { LATEST_REPORTS_WITH_FILES } from '@bugle/contract/vocabulary'
import type { ProjectId } from '../../../model/ids.ts'
import {
  type IssueAttachmentStates,
  numbersNotKept,
  PLACES_PER_REPORT,
} from '../../../model/reports/attachments.ts'
import { type Dialect, forBoth } from '../../dialects.ts'
import { all, List, type Operation, one, storedId } from '../../operations.ts'

/** The number of the last report of an issue; deleted ones count, those of its duplicates do not. */
export const LAST_REPORT =
  'i.report_count - coalesce(i.duplicate_reports, 0) + coalesce(i.deleted_reports, 0)'
const [FIRST_NOT_KEPT] = numbersNotKept(0)
/** Not those of comments. */
const OF_REPORTS = 'r.number >= 0'
const OF_FIRST_REPORTS = `${OF_REPORTS} AND r.number < ${FIRST_NOT_KEPT}`
const OF_LATEST_REPORTS = `${OF_REPORTS} AND r.number >= (${LAST_REPORT} - ${LATEST_REPORTS_WITH_FILES - 1}) * ${PLACES_PER_REPORT}`

/** At most five lookups for each issue, however many files it has; one for an issue without files. */
const STATES = forBoth((dialect) => {
  const has = (condition: string, index = '') => hasOne(dialect, condition, index)
  const isReceived = (condition: string) =>
    has(`${condition} AND r.received_at IS NOT NULL`, dialect.byIndex('received_attachments'))
  return `SELECT ${dialect.numberIn('i.number')} AS number,
      CASE WHEN NOT ${has(OF_REPORTS)} THEN NULL
        WHEN ${isReceived(OF_FIRST_REPORTS)} OR ${isReceived(OF_LATEST_REPORTS)} THEN 'received'
        WHEN ${has(OF_FIRST_REPORTS)} OR ${has(OF_LATEST_REPORTS)} THEN 'pending' END AS state
    FROM issues i WHERE ${dialect.isKeyIn('i.number', '$1', '$2')}`
})

/** Whether issue `i` has such an attachment. Not with `EXISTS`: PostgreSQL might read the whole table to hash it. */
function hasOne({ isKey, numberIn }: Dialect, condition: string, index: string): string {
  const isOfIssue = isKey('r.issue_number', '$1', numberIn('i.number'))
  return `((SELECT 1 FROM attachments r ${index} WHERE ${isOfIssue} AND ${condition} LIMIT 1) IS NOT NULL)`
}

export function* findAttachmentStates(
  projectId: ProjectId,
  issueNumbers: readonly number[],
): Operation<IssueAttachmentStates> {
  const project = yield* one<{ seq: number }>(
    'SELECT seq FROM projects WHERE id = $1 AND slug IS NOT NULL',
    storedId(projectId),
  )
  if (project === undefined) return new Map()
  const rows = yield* all<{ number: number; state: 'received' | 'pending' | null }>(
    STATES,
    ...[project.seq, new List(issueNumbers)],
  )
  return new Map(rows.flatMap(({ number, state }) => (state === null ? [] : [[number, state]])))
}
