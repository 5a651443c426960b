import type { StoredIssue } from '../../../model/issues.ts'
import { CHANGEABLE, FIXED, ON_REPORTS } from '../../issues/issue-fields.ts'
import type { NewReportRow, NewSubmission, ProjectCounters } from '../../issues/issue-tables.ts'
import { LANE_CODES } from '../../issues/lane-codes.ts'
import { prepared, type Query, type Transaction } from '../driver/connection.ts'
import { uuidOf } from '../driver/uuids.ts'
import { toTsvector } from '../issues/search-index.ts'
import type { Changes } from './batch-tables.ts'

/**
 * Writes what a batch has changed, with one statement for each table. Rows travel as JSON: measured, it costs this
 * process half of what arrays for `unnest` do, and the database a little less. Keys travel as arrays wherever rows are
 * found by them: what PostgreSQL believes of a table's size can then not lead it through the whole table.
 */
export function writeRows(tx: Transaction, project: ProjectCounters, changes: Changes): void {
  const {
    removed,
    removedFirst,
    inserted,
    updated,
    reindexed,
    events,
    moved,
    reports,
    reportDays,
    submissions,
  } = changes
  const write = (query: ReturnType<typeof prepared>, rows: readonly object[]) => {
    if (rows.length > 0) tx.send(query(project.seq, JSON.stringify(rows)))
  }
  if (removed.length > 0) for (const query of REMOVALS) tx.send(query(project.seq, removed))
  if (removedFirst.length > 0) for (const query of FIRST_REMOVALS) tx.send(query(project.seq, removedFirst))
  write(INSERT_ISSUES, inserted.map(toNewIssueRow))
  if (updated.length > 0) {
    const rows = JSON.stringify(updated.map(toIssueRow))
    tx.send(UPDATE_ISSUES(project.seq, rows, updated.map(numberOf)))
  }
  write(
    WRITE_SEARCH,
    reindexed.map((issue) => ({
      number: issue.issueNumber,
      tokens: toTsvector(project.seq, issue.issueNumber, issue),
    })),
  )
  write(INSERT_EVENTS, events)
  for (const { lane, isHistory, issueNumber, upTo, afterOpen } of moved) {
    const { hide, show } = isHistory ? MOVE_HISTORY : MOVE_EVENTS
    if (lane === 'security') tx.send(hide(project.seq, [issueNumber]))
    else tx.send(show(project.seq, [issueNumber], upTo, afterOpen))
  }
  write(INSERT_REPORTS, reports.map(toReportRow))
  write(ADD_REPORT_DAYS, reportDays)
  write(INSERT_SUBMISSIONS, submissions.map(toSubmissionRow))
}

/** Takes the numbers that a batch has handed out. */
export function writeProject(tx: Transaction, project: ProjectCounters): void {
  const { seq, lastIssueNumber, lastEventPosition, lastOpenPosition } = project
  tx.send(UPDATE_PROJECT(seq, lastIssueNumber, lastEventPosition, lastOpenPosition))
}

const UPDATE_PROJECT = prepared(
  'update_project',
  // What was refused writes nothing, not even the same row again.
  `UPDATE projects SET last_issue_number = $2, last_event_position = $3, last_open_position = $4
   WHERE seq = $1 AND (last_issue_number <> $2 OR last_event_position <> $3)`,
)

const ISSUE_COLUMNS = ['number', 'id', 'created_position', ...CHANGEABLE.columns, ...FIXED.columns]
const INSERT_ISSUES = insertion('issues', ISSUE_COLUMNS)
const UPDATE_ISSUES = prepared(
  'update_issues',
  `UPDATE issues i SET ${CHANGEABLE.columns.map((column) => `${column} = u.${column}`).join(', ')}
   FROM json_populate_recordset(NULL::issues, $2) u
   WHERE i.project = $1 AND i.number = ANY ($3) AND i.number = u.number`,
)
const WRITE_SEARCH = insertion(
  'search',
  ['number', 'tokens'],
  'ON CONFLICT (number, project) DO UPDATE SET tokens = excluded.tokens',
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
const INSERT_REPORTS = insertion('reports', ['issue_number', 'number', 'received_at', ...ON_REPORTS.columns])
const ADD_REPORT_DAYS = insertion(
  'report_days',
  ['issue_number', 'day', 'count'],
  'ON CONFLICT (project, issue_number, day) DO UPDATE SET count = report_days.count + excluded.count',
)
const INSERT_SUBMISSIONS = insertion('submissions', [
  'id',
  'content_hash',
  'issue_number',
  'status',
  'report_count',
])

const IS_FIRST_EVENT = `project = $1 AND position = ANY (ARRAY(
  SELECT created_position FROM issues WHERE project = $1 AND number = ANY ($2)))`

const FIRST_EVENTS =
  'SELECT created_position AS position FROM issues WHERE project = $1 AND number = ANY ($2)'
const ITS_EVENTS = `SELECT position FROM events WHERE project = $1 AND issue_number = ANY ($2) AND type <> 'issue.created'
    UNION ALL ${FIRST_EVENTS}`
/** The same without its further reports. */
const ITS_HISTORY = `SELECT position FROM events WHERE project = $1 AND issue_number = ANY ($2) AND type <> 'issue.created'
    AND type <> 'issue.reported' UNION ALL ${FIRST_EVENTS}`

const MOVE_EVENTS = movesOf('events', ITS_EVENTS)
const MOVE_HISTORY = movesOf('history', ITS_HISTORY)

/** How events, as a query finds them, change their lane. */
function movesOf(name: string, events: string) {
  return {
    hide: prepared(
      `hide_${name}`,
      `UPDATE events SET lane = ${LANE_CODES.security} WHERE project = $1 AND position = ANY (ARRAY(${events}))`,
    ),
    // Those that were written after the move, in the same batch, have their places already.
    show: prepared(
      `show_${name}`,
      `UPDATE events SET lane = ${LANE_CODES.open}, open_position = $4::bigint + place
       FROM unnest(ARRAY(SELECT own.position FROM (${events}) own WHERE own.position <= $3 ORDER BY own.position))
         WITH ORDINALITY AS own (own_position, place)
       WHERE project = $1 AND position = ANY (ARRAY(${events})) AND position = own_position`,
    ),
  }
}

const OF_ITS_EVENTS = `project = $1 AND webhook = ANY (ARRAY(SELECT number FROM webhooks WHERE project = $1))
  AND position = ANY (ARRAY(${ITS_EVENTS}))`

/** In this order: what tells of the others goes last. */
const REMOVALS = [
  // Deliveries before attempts: an attempt being recorded holds its delivery, and is committed when the second statement looks.
  `DELETE FROM deliveries WHERE ${OF_ITS_EVENTS}`,
  // What receivers answered may repeat what they were told.
  `DELETE FROM attempts WHERE ${OF_ITS_EVENTS}`,
  `DELETE FROM submissions WHERE project = $1 AND id = ANY (ARRAY(
     SELECT submission_id FROM reports WHERE project = $1 AND issue_number = ANY ($2)
     UNION ALL SELECT submission_id FROM issues WHERE project = $1 AND number = ANY ($2)))`,
  'DELETE FROM reports WHERE project = $1 AND issue_number = ANY ($2)',
  'DELETE FROM report_days WHERE project = $1 AND issue_number = ANY ($2)',
  "DELETE FROM events WHERE project = $1 AND issue_number = ANY ($2) AND type <> 'issue.created'",
  `DELETE FROM events WHERE ${IS_FIRST_EVENT}`,
  'DELETE FROM search WHERE project = $1 AND number = ANY ($2)',
  'DELETE FROM issues WHERE project = $1 AND number = ANY ($2)',
].map((text, index) => prepared(`remove_issues_${index}`, text))

/** What goes at once of issues that have many rows. */
const FIRST_REMOVALS = [
  `INSERT INTO deleted_issues (project, number, created_position)
   SELECT project, number, created_position FROM issues WHERE project = $1 AND number = ANY ($2)`,
  `DELETE FROM submissions WHERE project = $1 AND issue_number = ANY ($2)
     AND id = ANY (ARRAY(SELECT submission_id FROM issues WHERE project = $1 AND number = ANY ($2)))`,
  'DELETE FROM search WHERE project = $1 AND number = ANY ($2)',
  'DELETE FROM issues WHERE project = $1 AND number = ANY ($2)',
].map((text, index) => prepared(`remove_issues_first_${index}`, text))

/** Inserts rows of a project that come as JSON. */
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
    ...toIssueRow(issue),
    id: uuidOf(issue.id),
    created_position: createdPosition,
    ...FIXED.rowOf(issue),
  }
}

function toIssueRow(issue: StoredIssue): object {
  return { number: issue.issueNumber, ...CHANGEABLE.rowOf(issue) }
}

function numberOf({ issueNumber }: StoredIssue): number {
  return issueNumber
}

function toReportRow([issueNumber, report]: readonly [number, NewReportRow]): object {
  const { reportNumber: number, receivedAt } = report
  return { issue_number: issueNumber, number, received_at: receivedAt, ...ON_REPORTS.rowOf(report) }
}

function toSubmissionRow([issue, { id, contentHash }]: readonly [StoredIssue, NewSubmission]): object {
  return {
    id,
    content_hash: `\\x${contentHash}`,
    issue_number: issue.issueNumber,
    status: issue.status,
    report_count: issue.reportCount,
  }
}
