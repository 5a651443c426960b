import { lastReportNumber } from '../../../model/decisions/duplicates.ts'
import type { StoredIssue } from '../../../model/issues.ts'
import { laneOf } from '../../../model/lanes.ts'
import { INSERT_BULK_CHANGE, keptSince, REMOVE_BULK_CHANGES } from '../../issues/bulk/bulk-rows.ts'
import { IS_NO_REPORT_EVENT } from '../../issues/event-rows.ts'
import {
  CHANGEABLE,
  COUNTED,
  FIXED,
  type FieldSet,
  MARKED,
  ON_REPORTS,
  TRIAGED,
} from '../../issues/issue-fields.ts'
import { FIRST_REMOVALS, REMOVALS } from '../../issues/issue-removals.ts'
import type { NewReportRow, NewSubmission, NewText, ProjectCounters } from '../../issues/issue-tables.ts'
import { codeOf, LANE_CODES } from '../../issues/lane-codes.ts'
import { ADDED_SOURCE } from '../../issues/seen/report-sources.ts'
import { prepared, preparedByLocation, type Query, type Transaction } from '../driver/connection.ts'
import { uuidOf } from '../driver/uuids.ts'
import { toAppendedTsvector, toTsvector } from '../issues/search-index.ts'
import type { AttachmentRow, Changes, ReporterChange } from './changes.ts'
import { DROP_SOURCES, REPORT_STATEMENTS } from './report-statements.ts'

interface BatchTransaction {
  readonly tx: Transaction
  readonly isCluster: boolean
}

/**
 * Writes the changes of a batch, with one statement for each table. Rows are sent as JSON: measured, this
 * costs the process half as much as arrays for `unnest`, and the database slightly less. Keys for finding
 * rows are sent as arrays, so that wrong table statistics cannot make PostgreSQL scan the whole table.
 */
export function writeRows(
  { tx, isCluster }: BatchTransaction,
  project: ProjectCounters,
  changes: Changes,
): void {
  const {
    removed,
    removedFirst,
    inserted,
    updated,
    triaged,
    marked,
    recoded,
    counted,
    reindexed,
    indexed,
    bulkChanges,
    labelled,
    events,
    moved,
    reports,
    texts,
    removedTexts,
    exceptions,
    removedExceptions,
    reportChanges,
    attachments,
    reporters,
    submissions,
  } = changes
  const write = (query: ReturnType<typeof prepared>, rows: readonly object[]) => {
    if (rows.length > 0) tx.send(query(project.seq, JSON.stringify(rows)))
  }
  const remove = (queries: typeof REMOVE, numbers: readonly number[]) => {
    if (numbers.length > 0) for (const query of queries) tx.send(query(project.seq, numbers))
  }
  remove([REMOVE_SEARCH], [...removed, ...removedFirst])
  remove(REMOVE, removed)
  remove(REMOVE_FIRST, removedFirst)
  write(INSERT_ISSUES, inserted.map(toNewIssueRow))
  const update = (query: ReturnType<typeof prepared>, issues: readonly StoredIssue[], fields: FieldSet) => {
    if (issues.length === 0) return
    const rows = issues.map((issue) => ({ number: issue.issueNumber, ...fields.rowOf(issue) }))
    tx.send(query(project.seq, JSON.stringify(rows), issues.map(numberOf)))
  }
  update(UPDATE_ISSUES, updated, CHANGEABLE)
  update(UPDATE_TRIAGE, triaged, TRIAGED)
  update(UPDATE_SPAM, marked, MARKED)
  update(UPDATE_COUNTS, counted, COUNTED)
  write(
    WRITE_SEARCH,
    reindexed.map(([issue, reportTexts]) => ({
      number: issue.issueNumber,
      // What is not sent need not be parsed.
      is_spam: issue.spamAt === null ? undefined : true,
      tokens: toTsvector(project.seq, issue.issueNumber, issue, reportTexts),
    })),
  )
  if (indexed.length > 0) {
    const rows = indexed.map(([{ issueNumber, category }, reportTexts]) => ({
      number: issueNumber,
      tokens: toAppendedTsvector(project.seq, issueNumber, laneOf(category), reportTexts),
    }))
    const numbers = rows.map(({ number }) => number)
    tx.send(APPEND_TO_SEARCH(project.seq, JSON.stringify(rows), numbers))
  }
  remove([REMOVE_LABELS], labelled.map(numberOf))
  write(INSERT_LABELS, labelled.flatMap(toLabelRows))
  write(INSERT_EVENTS, events)
  for (const { lane, isHistory, issueNumber, upTo, afterOpen } of moved) {
    const { hide, show } = isHistory ? MOVE_HISTORY : MOVE_EVENTS
    if (lane === 'security') tx.send(hide(project.seq, [issueNumber]))
    else tx.send(show(project.seq, [issueNumber], upTo, afterOpen))
  }
  for (const [code, issues] of Map.groupBy(recoded, codeOf)) {
    const numbers = issues.map(numberOf)
    tx.send(MOVE_SOURCES(isCluster)(project.seq, numbers, code))
    tx.send(MOVE_REPORTERS(isCluster)(project.seq, numbers, code))
  }
  for (const [isSpam, issues] of Map.groupBy(marked, ({ spamAt }) => spamAt !== null))
    tx.send(MARK_SEARCH(project.seq, issues.map(numberOf), isSpam))
  write(INSERT_REPORTS, reports.map(toReportRow))
  for (const [name, ...values] of reportChanges) {
    const query = name === 'dropSources' ? DROP_SOURCES(isCluster) : REPORT_STATEMENTS[name]
    tx.send(query(project.seq, ...values))
  }
  for (const [issueNumber, number] of removedTexts) tx.send(REMOVE_TEXT(project.seq, issueNumber, number))
  write(INSERT_TEXTS, texts.map(toTextRow))
  for (const [issueNumber, number] of removedExceptions)
    tx.send(REMOVE_EXCEPTION(project.seq, issueNumber, number))
  write(INSERT_EXCEPTIONS, exceptions)
  write(INSERT_ATTACHMENTS, attachments.map(toAttachmentRow))
  for (const [{ issueNumber }, { reporter, reports }] of reporters)
    if (reports === 0) tx.send(REMOVE_REPORTER(project.seq, issueNumber, reporter))
  write(WRITE_REPORTERS, reporters.filter(([, { reports }]) => reports > 0).map(toReporterRow))
  for (const { id, contentHash, matched, changed, at } of bulkChanges) {
    tx.send(REMOVE_BULK(project.seq, keptSince(at)))
    tx.send(INSERT_BULK(project.seq, id, contentHash, matched, changed, at))
  }
  write(INSERT_SUBMISSIONS, submissions.map(toSubmissionRow))
}

const INSERT_BULK = prepared('insert_bulk_change', INSERT_BULK_CHANGE.postgres)
const REMOVE_BULK = prepared('remove_bulk_changes', REMOVE_BULK_CHANGES.postgres)

const ISSUE_COLUMNS = ['number', 'id', 'created_position', ...CHANGEABLE.columns, ...FIXED.columns]
const INSERT_ISSUES = insertion('issues', ISSUE_COLUMNS)
const UPDATE_ISSUES = updating('update_issues', CHANGEABLE, 'json_populate_recordset(NULL::issues, $2) u')
const UPDATE_TRIAGE = updating('update_triage', TRIAGED, 'json_populate_recordset(NULL::issues, $2) u')
const UPDATE_SPAM = updating('update_spam', MARKED, 'json_populate_recordset(NULL::issues, $2) u')
const MARK_SEARCH = prepared(
  'mark_search',
  'UPDATE search SET is_spam = $3 WHERE project = $1 AND number = ANY ($2)',
)
const UPDATE_COUNTS = updating(
  'update_counts',
  COUNTED,
  // Faster than a whole row for each.
  `json_to_recordset($2) AS u (number integer, ${COUNTED.definitions.join(', ')})`,
)

function updating(name: string, { columns }: FieldSet, rows: string) {
  return prepared(
    name,
    `UPDATE issues i SET ${columns.map((column) => `${column} = u.${column}`).join(', ')} FROM ${rows}
     WHERE i.project = $1 AND i.number = ANY ($3) AND i.number = u.number`,
  )
}

const WRITE_SEARCH = insertion(
  'search',
  ['number', 'is_spam', 'tokens'],
  'ON CONFLICT (number, project) DO UPDATE SET tokens = excluded.tokens',
)
const APPEND_TO_SEARCH = prepared(
  'append_to_search',
  `UPDATE search s SET tokens = s.tokens || a.tokens FROM json_populate_recordset(NULL::search, $2) a
   WHERE s.project = $1 AND s.number = ANY ($3) AND s.number = a.number`,
)
export const INSERT_EVENTS = insertion('events', [
  'position',
  'open_position',
  'type',
  'at',
  'actor',
  'issue_number',
  'lane',
  'details',
])
const REPORT_COLUMNS = [
  ...['issue_number', 'number', 'id', 'received_at', 'text_number'],
  ...ON_REPORTS.columns,
].join(', ')
const INSERT_REPORTS = prepared(
  'insert_reports',
  `WITH given AS MATERIALIZED (SELECT * FROM json_to_recordset($2) AS g (
       issue_number integer, number integer, id uuid, received_at bigint, text_number integer,
       ${ON_REPORTS.definitions.join(', ')}, day text, lane smallint, regressions integer)
   ), stored AS (
     INSERT INTO reports (project, ${REPORT_COLUMNS}) SELECT $1::integer, ${REPORT_COLUMNS} FROM given
   )
   INSERT INTO report_sources (project, issue_number, day, app_version, build_number, branch, lane, count, regressions, first_at, last_at)
   SELECT $1, issue_number, day, coalesce(app_version, ''), coalesce(build_number, ''), coalesce(branch, ''), lane,
     count(*), coalesce(sum(regressions), 0), min(received_at), max(received_at)
   FROM given GROUP BY 2, 3, 4, 5, 6, 7
   ON CONFLICT (project, issue_number, day, app_version, build_number, branch) DO UPDATE SET ${ADDED_SOURCE}`,
)
const INSERT_TEXTS = insertion('report_texts', [
  'issue_number',
  'number',
  'report_number',
  'words',
  'hash',
  'title',
  'description',
])
const REMOVE_TEXT = prepared(
  'remove_text',
  'DELETE FROM report_texts WHERE project = $1 AND issue_number = $2 AND number = $3',
)
const INSERT_EXCEPTIONS = insertion('report_exceptions', ['issue_number', 'number', 'exception'])
const REMOVE_EXCEPTION = prepared(
  'remove_exception',
  'DELETE FROM report_exceptions WHERE project = $1 AND issue_number = $2 AND number = $3',
)
const INSERT_ATTACHMENTS = insertion('attachments', [
  'issue_number',
  'number',
  'id',
  'digest',
  'name',
  'declared_type',
  'size',
  'omitted',
])
const WRITE_REPORTERS = insertion(
  'issue_reporters',
  ['issue_number', 'reporter', 'lane', 'email', 'reports'],
  `ON CONFLICT (project, issue_number, reporter) DO UPDATE SET email = excluded.email, reports = excluded.reports`,
)
const REMOVE_REPORTER = prepared(
  'remove_reporter',
  'DELETE FROM issue_reporters WHERE project = $1 AND issue_number = $2 AND reporter = $3',
)
/** Only the primary key has this order. */
const MOVE_REPORTERS = preparedByLocation(
  'move_reporters',
  'UPDATE issue_reporters SET lane = $3',
  'SELECT ctid FROM issue_reporters WHERE project = $1 AND issue_number = ANY ($2) ORDER BY project, issue_number, reporter',
)
const MOVE_SOURCES = preparedByLocation(
  'move_sources',
  'UPDATE report_sources SET lane = $3',
  'SELECT ctid FROM report_sources WHERE project = $1 AND issue_number = ANY ($2) ORDER BY project, issue_number, day',
)
const INSERT_SUBMISSIONS = insertion('submissions', [
  'id',
  'content_hash',
  'issue_number',
  'status',
  'report_count',
  'report_number',
])

const FIRST_EVENTS =
  'SELECT created_position AS position FROM issues WHERE project = $1 AND number = ANY ($2)'
const ITS_EVENTS = `SELECT position FROM events WHERE project = $1 AND issue_number = ANY ($2) AND type <> 'issue.created'
    UNION ALL ${FIRST_EVENTS}`
/** The same without those that reports cause. */
const ITS_HISTORY = `SELECT position FROM events WHERE project = $1 AND issue_number = ANY ($2) AND type <> 'issue.created'
    AND ${IS_NO_REPORT_EVENT} UNION ALL ${FIRST_EVENTS}`

const MOVE_EVENTS = movesOf('events', ITS_EVENTS)
const MOVE_HISTORY = movesOf('history', ITS_HISTORY)

/** Moves the events that a query finds to another lane. */
function movesOf(name: string, events: string) {
  return {
    hide: prepared(
      `hide_${name}`,
      `UPDATE events SET lane = ${LANE_CODES.security} WHERE project = $1 AND position = ANY (ARRAY(${events}))`,
    ),
    // Events written after the move, in the same batch, already have their positions. The inner array is sorted on its own:
    // to avoid a sort, PostgreSQL would read all events of the project in the order of their positions.
    show: prepared(
      `show_${name}`,
      `UPDATE events SET lane = ${LANE_CODES.open}, open_position = $4::bigint + place
       FROM unnest(ARRAY(SELECT own FROM unnest(ARRAY(${events})) own WHERE own <= $3 ORDER BY own))
         WITH ORDINALITY AS own (own_position, place)
       WHERE project = $1 AND position = ANY (ARRAY(${events})) AND position = own_position`,
    ),
  }
}

const REMOVE = REMOVALS.map(({ postgres }, index) => prepared(`remove_issues_${index}`, postgres))
const REMOVE_FIRST = FIRST_REMOVALS.map(({ postgres }, index) =>
  prepared(`remove_issues_first_${index}`, postgres),
)
const REMOVE_SEARCH = prepared(
  'remove_issues_from_search',
  'DELETE FROM search WHERE project = $1 AND number = ANY ($2)',
)

const REMOVE_LABELS = prepared(
  'remove_labels',
  'DELETE FROM issue_labels WHERE project = $1 AND issue_number = ANY ($2)',
)
const INSERT_LABELS = insertion('issue_labels', ['issue_number', 'label', 'lane'])

/** Inserts rows of a project, sent as JSON. */
function insertion(
  table: string,
  columns: readonly string[],
  onConflict = '',
): (...values: unknown[]) => Query {
  const names = columns.join(', ')
  return prepared(
    `insert_${table}`,
    `INSERT INTO ${table} (project, ${names})
     SELECT $1, ${names} FROM json_populate_recordset(NULL::${table}, $2) ${onConflict}`,
  )
}

function toNewIssueRow([issue, createdPosition]: readonly [StoredIssue, number]): object {
  return {
    number: issue.issueNumber,
    ...CHANGEABLE.rowOf(issue),
    id: uuidOf(issue.id),
    created_position: createdPosition,
    ...FIXED.rowOf(issue),
  }
}

function numberOf({ issueNumber }: StoredIssue): number {
  return issueNumber
}

function toLabelRows(issue: StoredIssue): readonly object[] {
  const { issueNumber, labels } = issue
  const lane = codeOf(issue)
  return labels.map((label) => ({ issue_number: issueNumber, label, lane }))
}

function toReportRow([issue, report]: readonly [StoredIssue, NewReportRow]): object {
  const { reportNumber: number, id, receivedAt, textNumber, day, isRegression } = report
  return {
    issue_number: issue.issueNumber,
    number,
    id: uuidOf(id),
    received_at: receivedAt,
    text_number: textNumber,
    ...ON_REPORTS.rowOf(report),
    day,
    lane: codeOf(issue),
    // What is not sent need not be parsed.
    regressions: isRegression ? 1 : undefined,
  }
}

function toTextRow([issueNumber, text]: readonly [number, NewText]): object {
  const { number, reportNumber, words, hash, title, description } = text
  return {
    issue_number: issueNumber,
    number,
    report_number: reportNumber,
    words,
    hash: `\\x${hash}`,
    title,
    description,
  }
}

function toAttachmentRow({ attachment, ...key }: AttachmentRow): object {
  const { id, sha256, name, declaredType, size, omitted } = attachment
  return { ...key, id: uuidOf(id), digest: `\\x${sha256}`, name, declared_type: declaredType, size, omitted }
}

function toReporterRow([issue, { reporter, email, reports }]: ReporterChange): object {
  const lane = codeOf(issue)
  return { issue_number: issue.issueNumber, reporter, lane, email, reports }
}

function toSubmissionRow([issue, { id, contentHash }]: readonly [StoredIssue, NewSubmission]): object {
  return {
    id,
    content_hash: `\\x${contentHash}`,
    issue_number: issue.issueNumber,
    status: issue.status,
    report_count: issue.reportCount,
    report_number: lastReportNumber(issue) === issue.reportCount ? null : lastReportNumber(issue),
  }
}
