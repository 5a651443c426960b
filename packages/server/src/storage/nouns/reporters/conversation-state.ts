import { CONVERSATION_STATES } from '@bugle/contract/vocabulary'
import type { CommentRecord } from '../../../model/comments/comments.ts'
import type { ReporterId } from '../../../model/ids.ts'
import { forBoth } from '../../dialects.ts'
import { type Operation, one, send } from '../../operations.ts'

/** An issue, whose project is locked. */
interface IssueKey {
  readonly project: number
  readonly issueNumber: number
}

const [WAITING_FOR_REPORTER, WAITING_FOR_TEAM] = CONVERSATION_STATES

const UPDATE = forBoth(
  ({ isKey }) =>
    `UPDATE issues AS i SET conversation = $3, message_count = nullif(coalesce(i.message_count, 0) + $4::integer, 0)
     WHERE ${isKey('i.number', '$1', '$2')}`,
)

/** After a reply to reporters. */
export function* waitForReporter({ project, issueNumber }: IssueKey): Operation<void> {
  yield* send(UPDATE, project, issueNumber, WAITING_FOR_REPORTER, 0)
}

/** After a message from a reporter, which is counted. */
export function* waitForTeam({ project, issueNumber }: IssueKey): Operation<void> {
  yield* send(UPDATE, project, issueNumber, WAITING_FOR_TEAM, 1)
}

/** After an entry was deleted: the last one that still has a text decides who is expected to write next. */
export function* restoreConversation(place: IssueKey): Operation<void> {
  const last = yield* findLastEntry(place)
  const state = last && (last.audience === 'reporters' ? WAITING_FOR_REPORTER : WAITING_FOR_TEAM)
  yield* send(UPDATE, place.project, place.issueNumber, state ?? null, 0)
}

/** After a reporter was blocked: the team is not expected to reply to them. */
export function* endConversation(place: IssueKey, reporterId: ReporterId): Operation<void> {
  const last = yield* findLastEntry(place)
  if (last?.author === reporterId) yield* send(UPDATE, place.project, place.issueNumber, null, 0)
}

// Only replies to reporters and messages from them are about a report, or are for reporters.
const SELECT_LAST_ENTRY = forBoth(
  ({ isKey, orderOf }) =>
    `SELECT r.author, r.audience FROM comments r WHERE ${isKey('r.issue_number', '$1', '$2')}
       AND r.text IS NOT NULL AND (r.audience = 'reporters' OR r.report_number IS NOT NULL)
     ORDER BY ${orderOf('r.issue_number')} DESC, r.number DESC LIMIT 1`,
)

function* findLastEntry({
  project,
  issueNumber,
}: IssueKey): Operation<Pick<CommentRecord, 'author' | 'audience'> | undefined> {
  return yield* one<Pick<CommentRecord, 'author' | 'audience'>>(SELECT_LAST_ENTRY, project, issueNumber)
}
