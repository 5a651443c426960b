import { LATEST_REPORTS_WITH_FILES } from '@bugle/contract/vocabulary'
import type { ProjectId } from '../../../model/ids.ts'
import {
  type IssueAttachmentState,
  numbersNotKept,
  PLACES_PER_REPORT,
} from '../../../model/reports/attachments.ts'
import { type Dialect, forBoth } from '../../dialects.ts'
import { all, List, type Operation, storedSeq } from '../../operations.ts'

/** The number of the last report of an issue; deleted ones count, those of its duplicates do not. */
export const LAST_REPORT =
  'i.report_count - coalesce(i.duplicate_reports, 0) + coalesce(i.deleted_reports, 0)'
const [FIRST_NOT_KEPT] = numbersNotKept(0)
/** Not those of comments. */
const OF_REPORTS = 'r.number >= 0'
const IS_FIRST = `r.number < ${FIRST_NOT_KEPT}`
const IS_LATEST = `r.number >= (${LAST_REPORT} - ${LATEST_REPORTS_WITH_FILES - 1}) * ${PLACES_PER_REPORT}`
/** Files that were omitted when they were declared will not arrive. */
const IS_EXPECTED = 'r.omitted IS NULL'
const OF_FIRST_REPORTS = `${OF_REPORTS} AND ${IS_FIRST}`
const OF_LATEST_REPORTS = `${OF_REPORTS} AND ${IS_LATEST}`
/** Whether the file `r` of a report of issue `i` is kept. */
export const IS_KEPT = `(${IS_FIRST} OR ${IS_LATEST})`

/**
 * The attachment state of issue `i`, as a column; `project` is the sequence number of its project, which only PostgreSQL needs.
 * At most five lookups, however many files the issue has; one for an issue without files.
 */
export function stateColumn(dialect: Dialect, project = ''): string {
  const has = (condition: string, index?: string) => hasOne(dialect, project, condition, index)
  const isReceived = (condition: string) =>
    has(`${condition} AND r.received_at IS NOT NULL`, dialect.byIndex('received_attachments'))
  return `CASE WHEN NOT ${has(OF_REPORTS)} THEN NULL
    WHEN ${isReceived(OF_FIRST_REPORTS)} OR ${isReceived(OF_LATEST_REPORTS)} THEN 'received'
    WHEN ${has(`${OF_FIRST_REPORTS} AND ${IS_EXPECTED}`)} OR ${has(`${OF_LATEST_REPORTS} AND ${IS_EXPECTED}`)} THEN 'pending' END AS attachment_state`
}

/**
 * Whether issue `i` has files, as a column: {@link findStates} is needed only then. Most issues have none, and PostgreSQL
 * spends time on setting up lookups that it never runs.
 */
export function filesColumn(dialect: Dialect, project: string): string {
  return `${hasOne(dialect, project, OF_REPORTS)} AS has_files`
}

const SELECT_STATES = forBoth((dialect) => {
  const project = dialect.seq('$1')
  return `SELECT ${dialect.numberIn('i.number')} AS number, ${stateColumn(dialect, project)} FROM issues i
    WHERE ${dialect.isKeyIn('i.number', project, '$2')}`
})

/** The attachment states of issues, by number. */
export function* findStates(
  projectId: ProjectId,
  numbers: readonly number[],
): Operation<ReadonlyMap<number, IssueAttachmentState>> {
  if (numbers.length === 0) return new Map()
  const found = yield* all<{ number: number; attachment_state: IssueAttachmentState }>(
    SELECT_STATES,
    ...[storedSeq(projectId), new List(numbers)],
  )
  return new Map(found.map(({ number, attachment_state: state }) => [number, state]))
}

/** The attachment state of one issue; `null` also if there is no such issue. */
export function* findState(projectId: ProjectId, issueNumber: number): Operation<IssueAttachmentState> {
  return (yield* findStates(projectId, [issueNumber])).get(issueNumber) ?? null
}

/** Whether the issue has such an attachment. Not with `EXISTS`: PostgreSQL might read the whole table to hash it. */
function hasOne({ isSame }: Dialect, project: string, condition: string, index = ''): string {
  const isOfIssue = isSame('r.issue_number', 'i.number', project)
  return `((SELECT 1 FROM attachments r ${index} WHERE ${isOfIssue} AND ${condition} LIMIT 1) IS NOT NULL)`
}
