import type { BulkRecord, SelectedIssue } from '../../../model/bulk-changes.ts'
import type { EventRecord } from '../../../model/events.ts'
import type { IssueId, ProjectId, UserId } from '../../../model/ids.ts'
import type { RetrievedIssue } from '../../../model/issues.ts'
import type { Lane } from '../../../model/lanes.ts'
import type { UserRecord } from '../../../model/people/users.ts'
import { type Dialect, forBoth, type Key, SEQ, type Texts } from '../../dialects.ts'
import { changeIssues } from '../../issues/bulk/bulk-changes.ts'
import { FIND_BULK_CHANGE } from '../../issues/bulk/bulk-rows.ts'
import { type IssueValues, issueColumns, issueIn } from '../../issues/issue-rows.ts'
import { LANE_CODES, SPAM_CODE } from '../../issues/lane-codes.ts'
import { type RevisionRow, revisionColumns, revisionOf } from '../../issues/lists/revisions.ts'
import { mergeIssue } from '../../issues/merging/duplicates.ts'
import { filesColumn, findState } from '../../issues/reports/attachment-state.ts'
import { deleteReport, redactReport } from '../../issues/reports/reports.ts'
import { submitReport } from '../../issues/submissions.ts'
import { changeIssue, deleteIssue, markSpam, unassignIssue, unlabelIssue } from '../../issues/triage.ts'
import {
  all,
  allLists,
  List,
  type Operation,
  type Operations,
  one,
  readId,
  storedId,
  storedSeq,
  type Value,
} from '../../operations.ts'
import type { HistoryListing, IssuePlace, IssueStorage } from '../../ports/issues.ts'
import { findSeq } from '../projects.ts'
import { listDuplicates } from './duplicates.ts'
import { type EventRow, eventColumns, toEvent } from './event-log.ts'
import { listMergedReports } from './merged-reports.ts'
import { findReport, listReports } from './reports.ts'

/** The operations on issues; listeners are notified of events after the commit. */
export function issueWriteStorage(
  { writeInGroup, writeRevocably }: Operations,
  announce: (projectId: ProjectId) => void,
): Pick<
  IssueStorage,
  | 'submit'
  | 'change'
  | 'changeSeveral'
  | 'markSpam'
  | 'merge'
  | 'unassign'
  | 'unlabel'
  | 'delete'
  | 'deleteReport'
  | 'redactReport'
> {
  async function announcing<T>(projectId: ProjectId, write: Promise<T>): Promise<T> {
    const outcome = await write
    announce(projectId)
    return outcome
  }
  return {
    submit: (report, revocation) => {
      const { projectId } = report
      return announcing(projectId, writeRevocably({ projectId, revocation }, submitReport, report))
    },
    change: (command) => announcing(command.projectId, writeInGroup(command.projectId, changeIssue, command)),
    markSpam: (command) => announcing(command.projectId, writeInGroup(command.projectId, markSpam, command)),
    changeSeveral: (command) =>
      announcing(command.projectId, writeInGroup(command.projectId, changeIssues, command)),
    merge: (command) => announcing(command.projectId, writeInGroup(command.projectId, mergeIssue, command)),
    unassign: (command) =>
      announcing(command.projectId, writeInGroup(command.projectId, unassignIssue, command)),
    unlabel: (command) => writeInGroup(command.projectId, unlabelIssue, command),
    delete: (command) => announcing(command.projectId, writeInGroup(command.projectId, deleteIssue, command)),
    deleteReport: (command) =>
      announcing(command.projectId, writeInGroup(command.projectId, deleteReport, command)),
    redactReport: (command) =>
      announcing(command.projectId, writeInGroup(command.projectId, redactReport, command)),
  }
}

/** One issue, its reports and events, and the revision of all issues. */
export function issueReadStorage({
  read,
}: Operations): Pick<
  IssueStorage,
  | ('find' | 'findByNumber' | 'findBulkChange' | 'findReport' | 'listEvents' | 'listReports')
  | ('listUnassignable' | 'listSpam' | 'listDuplicates' | 'listMergedReports' | 'revision')
> {
  return {
    find: (projectId, id) => read(findIssue, projectId, id),
    findByNumber: (projectId, issueNumber) => read(findIssueByNumber, projectId, issueNumber),
    findBulkChange: (projectId, id) => read(findBulkChange, projectId, id),
    revision: (projectId, lanes) => read(readRevision, projectId, lanes),
    listUnassignable: (userId, user, limit) => read(listUnassignable, userId, user, limit),
    listSpam: (projectId, before, limit) => read(listSpam, projectId, before, limit),
    listEvents: (listing) => read(listHistory, listing),
    listReports: (listing) => read(listReports, listing),
    listDuplicates: (listing) => read(listDuplicates, listing),
    listMergedReports: (listing) => read(listMergedReports, listing),
    findReport: (issue, id) => read(findReport, issue, id),
  }
}

function selectIssue(dialect: Dialect): string {
  return `SELECT ${issueColumns(dialect)}, ${filesColumn(dialect, dialect.seq('$1'))} FROM issues i`
}

const SELECT_ISSUE = forBoth(selectIssue)
const SELECT_BY_ID: Texts = {
  // A range and an order leave PostgreSQL only one index; while the table is empty, all seem equally good.
  postgres: `${SELECT_ISSUE.postgres} WHERE i.project = ${SEQ.postgres} AND i.id BETWEEN $2 AND $2 ORDER BY i.id LIMIT 1`,
  // `+`: the issue is found only by its id.
  sqlite: `${SELECT_ISSUE.sqlite} WHERE i.id = $2 AND +i.row >> 32 = ${SEQ.sqlite}`,
}
const SELECT_BY_NUMBER = forBoth(
  (dialect) => `${selectIssue(dialect)} WHERE ${dialect.isKey('i.number', dialect.seq('$1'), '$2')}`,
)

function* findIssue(projectId: ProjectId, id: IssueId): Operation<RetrievedIssue | undefined> {
  return yield* retrieve(SELECT_BY_ID, projectId, storedId(id))
}

function* findIssueByNumber(projectId: ProjectId, number: number): Operation<RetrievedIssue | undefined> {
  return yield* retrieve(SELECT_BY_NUMBER, projectId, number)
}

function* retrieve(select: Texts, projectId: ProjectId, key: Value): Operation<RetrievedIssue | undefined> {
  const [row] = yield* allLists<IssueValues>(select, storedSeq(projectId), key)
  if (row === undefined) return undefined
  const issue = issueIn(row, projectId)
  const attachmentState = row.at(-1) ? yield* findState(projectId, issue.issueNumber) : null
  return { ...issue, attachmentState }
}

function* findBulkChange(projectId: ProjectId, id: string): Operation<BulkRecord | undefined> {
  const seq = yield* findSeq(projectId)
  return seq === undefined ? undefined : yield* one<BulkRecord>(FIND_BULK_CHANGE, seq, id)
}

/** Whether an issue is in the security lane and the person does not see it; the place has 1 if they do. */
export function isHiddenFrom(seesSecurity: string): string {
  return `(i.lane % ${SPAM_CODE} > ${seesSecurity} * ${LANE_CODES.security})`
}

// $2: the person was removed; $3: they see the security lane; $4: they are limited to the projects in $5.
const UNASSIGNABLE = forBoth(
  ({ isIdIn }) => `($2 = 1 OR ${isHiddenFrom('$3')} OR ($4 = 1 AND NOT ${isIdIn('p.id', '$5')})) LIMIT $6`,
)
const SELECT_UNASSIGNABLE: Texts = {
  postgres: `SELECT p.id AS project_id, u.id FROM projects p CROSS JOIN LATERAL (
      SELECT i.id FROM issues i WHERE i.project = p.seq AND i.assignee_id = $1 AND ${UNASSIGNABLE.postgres}) u
    WHERE p.slug IS NOT NULL LIMIT $6`,
  sqlite: `SELECT p.id AS project_id, i.id FROM issues i JOIN projects p ON p.seq = i.row >> 32
    WHERE i.assignee_id = $1 AND p.slug IS NOT NULL AND ${UNASSIGNABLE.sqlite}`,
}

function* listUnassignable(
  userId: UserId,
  user: UserRecord | undefined,
  limit: number,
): Operation<readonly IssuePlace[]> {
  const projectIds = user?.projectIds ?? null
  const rows = yield* all<{ project_id: unknown; id: unknown }>(
    SELECT_UNASSIGNABLE,
    userId,
    Number(user === undefined),
    Number(user?.canSeeSecurity ?? false),
    Number(projectIds !== null),
    new List((projectIds ?? []).map(storedId)),
    limit,
  )
  return rows.map((row) => ({
    projectId: readId('prj', row.project_id),
    issueId: readId('iss', row.id),
  }))
}

const SELECT_SPAM: Texts = {
  postgres: `SELECT i.id, i.version FROM issues i WHERE i.project = ${SEQ.postgres} AND i.spam_at IS NOT NULL
    AND i.spam_at < $2 ORDER BY i.spam_at LIMIT $3`,
  sqlite: `SELECT i.id, i.version FROM issues i INDEXED BY issues_by_spam
    WHERE i.row >> 32 = ${SEQ.sqlite} AND i.spam_at IS NOT NULL AND i.spam_at < $2 ORDER BY i.spam_at LIMIT $3`,
}

function* listSpam(projectId: ProjectId, before: number, limit: number): Operation<readonly SelectedIssue[]> {
  const rows = yield* all<{ id: unknown; version: number }>(SELECT_SPAM, storedSeq(projectId), before, limit)
  return rows.map(({ id, version }) => ({ issueId: readId('iss', id), version }))
}

/** The events of an issue are in the same order in both logs. */
function historyAfter(key: Key) {
  return forBoth((dialect) => {
    const columns = `${eventColumns(dialect)}, ${dialect.orderOf('e.position')} AS place`
    const { isKey, isAfter, byIndex } = dialect
    const project = dialect.seq('$1')
    const firstEvent = `(SELECT i.created_position FROM issues i WHERE ${isKey('i.number', project, '$2')})`
    return `SELECT ${columns} FROM events e WHERE ${isKey('e.position', project, firstEvent)} AND ${isAfter(key, project, '$3')}
      UNION ALL
      SELECT ${columns} FROM events e ${byIndex('events_of_history')}
      WHERE ${isKey('e.issue_number', project, '$2')} AND ${isAfter(key, project, '$3')}
        AND e.type <> 'issue.created' AND e.type <> 'issue.reported'
      ORDER BY place LIMIT $4`
  })
}

const SELECT_EVENTS = historyAfter('e.position')
const SELECT_OPEN_EVENTS = historyAfter('e.open_position')

function* listHistory({
  issue,
  lanes,
  afterPosition,
  limit,
}: HistoryListing): Operation<readonly EventRecord[]> {
  const { projectId, issueNumber, id: issueId } = issue
  const select = lanes.includes('security') ? SELECT_EVENTS : SELECT_OPEN_EVENTS
  const rows = yield* all<EventRow>(select, storedSeq(projectId), issueNumber, afterPosition, limit)
  return rows.map((row) => ({ ...toEvent(row), issueId, issueNumber }))
}

const SELECT_REVISION = forBoth(
  (dialect) => `SELECT ${revisionColumns(dialect)} FROM ${dialect.current('projects')} p WHERE id = $1`,
)

function* readRevision(projectId: ProjectId, lanes: readonly Lane[]): Operation<string> {
  const row = yield* one<RevisionRow>(SELECT_REVISION, storedId(projectId))
  return row === undefined ? '' : revisionOf(row, lanes)
}
