import { MAX_REPORT_MESSAGES } from '@bugle/contract/vocabulary'
import { type CommentRecord, hashComment } from '../../../model/comments/comments.ts'
import type { ProjectId } from '../../../model/ids.ts'
import {
  commentIdOf,
  type MyReportListing,
  type MyReportPlace,
  type MyReportRecord,
  type NewMessage,
  type ReadMark,
  type ReporterKey,
  reporterIdOf,
  type SendMessageOutcome,
} from '../../../model/reports/my-reports.ts'
import { FIRST_TEXT } from '../../../model/reports/report-texts.ts'
import { FIRST_REPORT } from '../../../model/reports/reports.ts'
import { type Dialect, forBoth, type Texts } from '../../dialects.ts'
import { laneOfCode } from '../../issues/lane-codes.ts'
import {
  all,
  change,
  List,
  type Operation,
  type Operations,
  one,
  readId,
  storedId,
  storedSeq,
} from '../../operations.ts'
import type { MyReportStorage } from '../../ports/my-reports.ts'
import {
  type CommentRow,
  commentColumns,
  findOne,
  hexOf,
  insertMessage,
  type Place,
  toRecord,
} from '../issues/comments.ts'
import { lockProject } from '../projects.ts'
import { forgetReporter } from './forget-reporter.ts'
import { areSameMarks } from './read-marks.ts'
import { readReporterNews } from './reporter-news.ts'
import { SHOWN_STATUS, type StatusRow, shownStatus, TARGET } from './shown-status.ts'

export function myReportStorage(
  { read, write }: Operations,
  announce: (projectId: ProjectId) => void,
): MyReportStorage {
  return {
    list: (reporter, limit) => read(listMyReports, reporter, limit),
    readNews: (projectId, after) => read(readReporterNews, projectId, after),
    areSameMarks: (marks) => read(areSameMarks, marks),
    listMessages: (place, limit) => read(listMessages, place, limit),
    async sendMessage(message) {
      const outcome = await write(sendMessage, message)
      announce(message.projectId)
      return outcome
    },
    markRead: (place, commentId) => write(markRead, place, commentId),
    forgetReporter: (command) => write(forgetReporter, command),
  }
}

/** The project, unless the reporter is blocked there. */
const SELECT_SEQ = forBoth(
  ({ seq }) =>
    `SELECT CAST(${seq('$1')} AS integer) AS seq
     WHERE (SELECT min(b.lane) FROM blocked_reporters b WHERE b.project = ${seq('$1')} AND b.key_hash = $2) IS NULL`,
)

function* findOpenSeq({ projectId, keyHash }: ReporterKey): Operation<number | undefined> {
  const row = yield* one<{ seq: number | null }>(SELECT_SEQ, storedSeq(projectId), keyHash)
  return row?.seq ?? undefined
}

/** The text of a report, and how far its reporter has read. A text that was redacted has no title, but exists. */
const keptOf = (isOfIssue: string, reportNumber: string, textNumber: string) => {
  const select = (column: string, table: string, isOfReport: string) =>
    `(SELECT ${column} FROM ${table} r WHERE ${isOfIssue} AND ${isOfReport})`
  const isText = `r.number = ${textNumber}`
  return `${select('1', 'report_texts', isText)} AS has_text, ${select('r.title', 'report_texts', isText)} AS kept_title,
    ${select('r.comment_number', 'read_marks', `r.report_number = ${reportNumber}`)} AS read_number`
}
const SELECT_FIRST = forBoth(({ numberIn, isSame }) => {
  const kept = keptOf(isSame('r.issue_number', 'i.number', '$1'), String(FIRST_REPORT), String(FIRST_TEXT))
  return `SELECT i.id, ${numberIn('i.number')} AS issue_number, ${FIRST_REPORT} AS number, i.created_at AS received_at,
    ${FIRST_TEXT} AS text_number, ${kept} FROM issues i WHERE`
})
const SELECT_MY_FIRST: Texts = {
  postgres: `${SELECT_FIRST.postgres} i.project = $1 AND i.reporter_key_hash = $2
    ORDER BY i.reporter_key_hash DESC, i.number DESC LIMIT $3`,
  sqlite: `${SELECT_FIRST.sqlite} i.row >> 32 = $1 AND i.reporter_key_hash = $2 ORDER BY i.row DESC LIMIT $3`,
}
const SELECT_FURTHER = forBoth(({ numberIn, isSame }) => {
  const kept = keptOf(isSame('r.issue_number', 'e.issue_number', '$1'), 'e.number', 'e.text_number')
  return `SELECT e.id, ${numberIn('e.issue_number')} AS issue_number, e.number, e.received_at, e.text_number, ${kept}
    FROM reports e WHERE`
})
const SELECT_MY_FURTHER: Texts = {
  postgres: `${SELECT_FURTHER.postgres} e.project = $1 AND e.reporter_key_hash = $2
    ORDER BY e.reporter_key_hash DESC, e.received_at DESC LIMIT $3`,
  sqlite: `${SELECT_FURTHER.sqlite} e.issue_row >> 32 = $1 AND e.reporter_key_hash = $2
    ORDER BY e.received_at DESC LIMIT $3`,
}
const issuesWith = (target: string, targetNumber: string, { numberIn, isKeyIn }: Dialect) =>
  `SELECT ${numberIn('i.number')} AS number, ${SHOWN_STATUS}, i.edited_at, i.title, ${targetNumber} AS target_number
   FROM issues i ${target} WHERE ${isKeyIn('i.number', '$1', '$2')}`
const SELECT_ISSUES: Texts = {
  postgres: forBoth((dialect) => issuesWith(TARGET.postgres, 't.number', dialect)).postgres,
  sqlite: forBoth((dialect) => issuesWith(TARGET.sqlite, 't.row & 4294967295', dialect)).sqlite,
}

interface ReportRow {
  readonly id: unknown
  readonly issue_number: number
  readonly number: number
  readonly received_at: number
  readonly text_number: number | null
  readonly has_text: number | null
  readonly kept_title: string | null
  readonly read_number: number | null
}

interface IssueRow extends StatusRow {
  readonly number: number
  readonly edited_at: number | null
  readonly title: string
  readonly target_number: number | null
}

const NO_REPORTS: MyReportListing = { reports: [], issueNumbers: [], unread: [] }

function* listMyReports(reporter: ReporterKey, limit: number): Operation<MyReportListing> {
  const seq = yield* findOpenSeq(reporter)
  if (seq === undefined) return NO_REPORTS
  const first = yield* all<ReportRow>(SELECT_MY_FIRST, seq, reporter.keyHash, limit)
  const further = yield* all<ReportRow>(SELECT_MY_FURTHER, seq, reporter.keyHash, limit)
  if (first.length + further.length === 0) return NO_REPORTS
  const reports = [...first, ...further].toSorted(isLaterFirst).slice(0, limit)
  const numbers = new List([...new Set(reports.map((report) => report.issue_number))])
  const rows = yield* all<IssueRow>(SELECT_ISSUES, seq, numbers)
  const issues = new Map(rows.map((row) => [row.number, row]))
  const own = new List([...new Set(reports.map((report) => report.number))])
  const found = yield* all<ReplyRow>(SELECT_REPLIES, seq, numbers, own)
  const replies = Map.groupBy(found, (row) => row.issue_number)
  const shown = reports.flatMap((report) => {
    const issue = issues.get(report.issue_number)
    const own = (replies.get(report.issue_number) ?? []).filter((reply) => reaches(reply, report.number))
    return issue === undefined ? [] : [{ mark: markOf(seq, report), report: toMyReport(report, issue, own) }]
  })
  const targets = rows.flatMap((row) => row.target_number ?? [])
  return {
    reports: shown.map(({ report }) => report),
    issueNumbers: [...new Set([...issues.keys(), ...targets])],
    unread: shown.flatMap(({ mark, report }) => (report.unreadCount > 0 ? [mark] : [])),
  }
}

function markOf(
  project: number,
  { issue_number: issueNumber, number: reportNumber, read_number }: ReportRow,
): ReadMark {
  return { project, issueNumber, reportNumber, replyNumber: read_number ?? 0 }
}

function isLaterFirst(one: ReportRow, other: ReportRow): number {
  return (
    other.received_at - one.received_at || other.issue_number - one.issue_number || other.number - one.number
  )
}

function toMyReport(report: ReportRow, issue: IssueRow, replies: readonly ReplyRow[]): MyReportRecord {
  const times = replies.map((reply) => reply.created_at)
  return {
    id: readId('rep', report.id),
    title: titleOf(report, issue),
    receivedAt: report.received_at,
    ...shownStatus(issue),
    replyCount: replies.length,
    unreadCount: replies.filter((reply) => reply.number > (report.read_number ?? 0)).length,
    lastReplyAt: times.length === 0 ? null : Math.max(...times),
  }
}

/** Until someone edits an issue, its title is the one of its first report. */
function titleOf({ has_text, kept_title, text_number }: ReportRow, issue: IssueRow): string | null {
  if (has_text !== null) return kept_title
  return text_number === FIRST_TEXT && issue.edited_at === null ? issue.title : null
}

/** Without those to other reporters. */
const SELECT_REPLIES = forBoth(
  ({ numberIn, isKeyIn, isIn }) =>
    `SELECT ${numberIn('r.issue_number')} AS issue_number, r.number, r.report_number, r.last_report, r.created_at
     FROM comments r WHERE ${isKeyIn('r.issue_number', '$1', '$2')} AND r.audience = 'reporters' AND r.text IS NOT NULL
       AND (r.last_report IS NOT NULL OR ${isIn('r.report_number', '$3')})`,
)

interface ReplyRow {
  readonly issue_number: number
  readonly number: number
  readonly report_number: number | null
  readonly last_report: number | null
  readonly created_at: number
}

/** Whether the reporter of a report may read a reply: it is for them, or for all who had reported the issue by then. */
function reaches(
  { report_number, last_report }: Pick<ReplyRow, 'report_number' | 'last_report'>,
  reportNumber: number,
): boolean {
  return report_number === reportNumber || (last_report !== null && last_report >= reportNumber)
}
const REACHES = '(r.report_number = $3 OR r.last_report >= $3)'

const SELECT_CONVERSATION = forBoth((dialect) => {
  const select = `SELECT ${commentColumns(dialect)} FROM comments r
    WHERE ${dialect.isKey('r.issue_number', '$1', '$2')} AND r.text IS NOT NULL`
  const order = `ORDER BY ${dialect.orderOf('r.issue_number')} DESC`
  return `SELECT * FROM (${select} AND r.audience = 'reporters' AND ${REACHES} ${order}, r.number DESC LIMIT $4) x
    UNION ALL
    SELECT * FROM (${select} AND r.audience = 'team' AND r.report_number = $3
      ${order}, r.report_number DESC, r.number DESC LIMIT $4) y`
})

function* listMessages(place: MyReportPlace, limit: number): Operation<readonly CommentRecord[] | undefined> {
  const seq = yield* findOpenSeq(place)
  const report = seq === undefined ? undefined : yield* findMyReport(seq, place)
  if (seq === undefined || report === undefined) return undefined
  const { issueNumber, reportNumber } = report
  const rows = yield* all<CommentRow>(SELECT_CONVERSATION, seq, issueNumber, reportNumber, limit)
  return rows
    .map(toRecord)
    .toSorted((one, other) => other.number - one.number)
    .slice(0, limit)
}

interface FoundReport extends Place {
  readonly reportNumber: number
}

// A range and an order leave PostgreSQL only one index; while a table is empty, all seem equally good.
const FIND_FIRST: Texts = {
  postgres: `SELECT i.number AS issue_number, ${FIRST_REPORT} AS report_number, i.lane, i.message_count FROM issues i
    WHERE i.project = $1 AND i.id BETWEEN $2 AND $2 AND i.reporter_key_hash = $3 ORDER BY i.id LIMIT 1`,
  sqlite: `SELECT i.row & 4294967295 AS issue_number, ${FIRST_REPORT} AS report_number, i.lane, i.message_count FROM issues i
    WHERE i.id = $2 AND +i.row >> 32 = $1 AND +i.reporter_key_hash = $3`,
}
const FIND_FURTHER: Texts = {
  postgres: `SELECT e.issue_number, e.number AS report_number, i.lane, i.message_count
    FROM (SELECT * FROM reports WHERE project = $1 AND id BETWEEN $2 AND $2 AND reporter_key_hash = $3 ORDER BY id LIMIT 1) e
    CROSS JOIN LATERAL (SELECT lane, message_count FROM issues
      WHERE project = $1 AND number BETWEEN e.issue_number AND e.issue_number ORDER BY number LIMIT 1) i`,
  sqlite: `SELECT e.issue_row & 4294967295 AS issue_number, e.number AS report_number, i.lane, i.message_count
    FROM reports e CROSS JOIN issues i ON i.row = e.issue_row
    WHERE e.id = $2 AND +e.issue_row >> 32 = $1 AND +e.reporter_key_hash = $3`,
}

/** A report of the reporter, by its id. */
function* findMyReport(
  seq: number,
  { reportId, keyHash }: MyReportPlace,
): Operation<FoundReport | undefined> {
  const key = [seq, storedId(reportId), keyHash] as const
  const row = (yield* one<FoundRow>(FIND_FIRST, ...key)) ?? (yield* one<FoundRow>(FIND_FURTHER, ...key))
  return (
    row && {
      project: seq,
      issueNumber: row.issue_number,
      reportNumber: row.report_number,
      lane: laneOfCode(row.lane),
      messageCount: row.message_count ?? 0,
    }
  )
}

interface FoundRow {
  readonly issue_number: number
  readonly report_number: number
  readonly lane: number
  readonly message_count: number | null
}

/** The project is locked first, as by every commit. */
function* lockMyReport(place: MyReportPlace): Operation<FoundReport | undefined> {
  const project = yield* lockProject(place.projectId)
  const seq = project === undefined ? undefined : yield* findOpenSeq(place)
  return seq === undefined ? undefined : yield* findMyReport(seq, place)
}

const COUNT_MESSAGES = forBoth(
  ({ isKey }) =>
    `SELECT count(*) AS count FROM comments r
     WHERE ${isKey('r.issue_number', '$1', '$2')} AND r.report_number = $3 AND r.audience = 'team'`,
)

export function* sendMessage(message: NewMessage): Operation<SendMessageOutcome> {
  const report = yield* lockMyReport(message)
  if (report === undefined) return { kind: 'missing' }
  const { project, issueNumber, reportNumber } = report
  const { text, at } = message
  const commentId = commentIdOf(reportNumber, message.messageId)
  const written = { actor: reporterIdOf(message), audience: 'team', text, reportNumber } as const
  const known = yield* findOne(report, commentId)
  if (known !== undefined) {
    // One that the team has deleted is not stored again, and the reporter does not learn of it.
    if (known.text === null) return { kind: 'replayed', message: { ...toRecord(known), text } }
    const isSame = hexOf(known.content_hash) === hashComment(written)
    return isSame ? { kind: 'replayed', message: toRecord(known) } : { kind: 'conflict' }
  }
  const sent = yield* one<{ count: number }>(COUNT_MESSAGES, project, issueNumber, reportNumber)
  if ((sent?.count ?? 0) >= MAX_REPORT_MESSAGES) return { kind: 'too-many' }
  const stored = yield* insertMessage(report, { ...written, commentId, at, mentioned: [] })
  return { kind: 'created', message: stored }
}

const FIND_REPLY = forBoth(
  ({ isKey }) =>
    `SELECT r.number FROM comments r WHERE ${isKey('r.issue_number', '$1', '$2')} AND r.id BETWEEN $4 AND $4
       AND r.audience = 'reporters' AND ${REACHES} ORDER BY r.id LIMIT 1`,
)
const INSERT_MARK: Texts = {
  postgres: `INSERT INTO read_marks AS m (project, issue_number, report_number, comment_number) VALUES ($1, $2, $3, $4)
    ON CONFLICT (project, issue_number, report_number) DO UPDATE SET comment_number = excluded.comment_number
    WHERE m.comment_number < excluded.comment_number`,
  sqlite: `INSERT INTO read_marks AS m (issue_row, report_number, comment_number) VALUES (($1 << 32) + $2, $3, $4)
    ON CONFLICT (issue_row, report_number) DO UPDATE SET comment_number = excluded.comment_number
    WHERE m.comment_number < excluded.comment_number`,
}

export function* markRead(place: MyReportPlace, commentId: string): Operation<boolean> {
  const report = yield* lockMyReport(place)
  if (report === undefined) return false
  const { project, issueNumber, reportNumber } = report
  const reply = yield* one<{ number: number }>(FIND_REPLY, project, issueNumber, reportNumber, commentId)
  if (reply !== undefined) yield* change(INSERT_MARK, project, issueNumber, reportNumber, reply.number)
  return true
}
