import { type Dialect, forBoth } from '../dialects.ts'
import { TABLES } from '../tables.ts'
import { suspectFiles } from './reports/suspect-files.ts'

/** For the issues of project `$1` whose numbers are in the list `$2`. */
const ofIssues = ({ isKeyIn }: Dialect) => isKeyIn('i.number', '$1', '$2')
const ofReports = ({ isKeyIn }: Dialect) => isKeyIn('r.issue_number', '$1', '$2')
const ofEvents = ({ isKeyIn }: Dialect) =>
  `${isKeyIn('e.issue_number', '$1', '$2')} AND e.type <> 'issue.created'`

/** The first event of an issue is found by its position. */
function firstEvents(dialect: Dialect): string {
  return `SELECT i.created_position AS position FROM issues i WHERE ${ofIssues(dialect)}`
}

function eventsOf(dialect: Dialect): string {
  return `SELECT ${dialect.numberIn('e.position')} AS position FROM events e WHERE ${ofEvents(dialect)}
    UNION ALL ${firstEvents(dialect)}`
}

/** Tables whose keys start with the issue. */
export const TABLES_BY_ISSUE = TABLES.filter(
  ({ owner, key }) => owner === 'issue' && key[1] === 'issueNumber',
)

const DELETE_ISSUES = (dialect: Dialect) => `DELETE FROM issues AS i WHERE ${ofIssues(dialect)}`

/** The rows of an issue, except in the full-text index. In this order: rows that are needed to find others are removed last. */
export const REMOVALS = [
  // Deliveries before attempts: an attempt being recorded locks its delivery, and is committed by the time the second statement runs.
  ...['deliveries', 'attempts'].map(
    (table) => (dialect: Dialect) =>
      `DELETE FROM ${table} WHERE project = $1
         AND ${dialect.isAmong('webhook', 'SELECT number FROM webhooks WHERE project = $1')}
         AND ${dialect.isAmong('position', eventsOf(dialect))}`,
  ),
  (dialect: Dialect) =>
    `DELETE FROM submissions WHERE project = $1 AND ${dialect.isAmong(
      'id',
      `SELECT r.submission_id FROM reports r WHERE ${ofReports(dialect)}
       UNION ALL SELECT i.submission_id FROM issues i WHERE ${ofIssues(dialect)}`,
    )}`,
  // Before the attachments: their files may have no other report.
  (dialect: Dialect) =>
    suspectFiles(
      dialect.isAmong,
      `SELECT r.digest FROM attachments r WHERE ${ofReports(dialect)} AND r.received_at IS NOT NULL`,
    ),
  ...TABLES_BY_ISSUE.map(
    ({ name }) =>
      (dialect: Dialect) =>
        `DELETE FROM ${name} AS r WHERE ${ofReports(dialect)}`,
  ),
  (dialect: Dialect) => `DELETE FROM events AS e WHERE ${ofEvents(dialect)}`,
  (dialect: Dialect) =>
    `DELETE FROM events AS e WHERE ${dialect.isKeyAmong('e.position', '$1', firstEvents(dialect))}`,
  DELETE_ISSUES,
].map(forBoth)

/** The rows of issues with many rows that are deleted immediately. */
export const FIRST_REMOVALS = [
  // They are read without their issue, for statistics by version. An issue has a bounded number.
  (dialect: Dialect) => `DELETE FROM report_sources AS r WHERE ${ofReports(dialect)}`,
  // Lists rely on finding the issue of a reporter. An issue has a bounded number of these too.
  (dialect: Dialect) => `DELETE FROM issue_reporters AS r WHERE ${ofReports(dialect)}`,
  (dialect: Dialect) => `INSERT INTO deleted_issues (project, number, created_position)
    SELECT $1::integer, ${dialect.numberIn('i.number')}, i.created_position FROM issues i WHERE ${ofIssues(dialect)}`,
  (dialect: Dialect) => `DELETE FROM submissions AS r WHERE r.project = $1 AND ${ofReports(dialect)}
    AND ${dialect.isAmong('r.id', `SELECT i.submission_id FROM issues i WHERE ${ofIssues(dialect)}`)}`,
  DELETE_ISSUES,
].map(forBoth)
