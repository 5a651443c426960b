import type { DatabaseSync } from 'node:sqlite'
import type { IssueStatus } from '@bugle/contract/vocabulary'
import { encodeId, idToBytes } from '../../../model/ids.ts'
import type { StoredIssue } from '../../../model/issues.ts'
import { laneOf } from '../../../model/lanes.ts'
import type { Receipt } from '../../../model/reports.ts'
import { CHANGEABLE, FIXED, ON_REPORTS } from '../../issues/issue-fields.ts'
import {
  hasManyRows,
  type IssueTables,
  type ProjectCounters,
  type ReportDay,
} from '../../issues/issue-tables.ts'
import { LANE_CODES } from '../../issues/lane-codes.ts'
import { versionCounters } from '../../issues/version-counters.ts'
import { keyRange, numberOf, rowKey } from '../driver/row-keys.ts'
import { prepareCommand, prepareSilent } from '../driver/statements.ts'
import type { Batch } from '../writer/batch.ts'
import { prepareEventLog } from './event-log.ts'
import { prepareIssueReads, toIssue } from './issue-rows.ts'
import { prepareSearchWrites } from './search-index.ts'

/** The tables of issues: each thing is read and written at once. */
export function prepareIssueTables(db: DatabaseSync, batch: Batch): IssueTables {
  const selectById = prepareIssueReads(db, 'WHERE i.id = ?')
  const selectByFingerprint = prepareIssueReads(
    db,
    'WHERE i.row >> 32 = ? AND i.lane = ? AND i.fingerprint = ? AND i.fingerprint IS NOT NULL',
  )
  const selectSubmission = db.prepare(
    `SELECT lower(hex(s.content_hash)) AS content_hash, s.status, s.report_count, i.row, i.id, i.created_at, r.received_at
     FROM submissions s JOIN issues i ON i.row = s.issue_row
     LEFT JOIN reports r ON r.issue_row = s.issue_row AND r.number = s.report_count
     WHERE s.project = ? AND s.id = ?`,
  )
  const selectReportOf = db.prepare(
    `SELECT 1 FROM reports r CROSS JOIN issues i ON i.row = r.issue_row
     WHERE r.issue_row >> 32 = ? AND r.app_version = ? AND r.app_version IS NOT NULL AND i.lane <= ? LIMIT 1`,
  )
  const selectReportDays = db.prepare('SELECT day, count FROM report_days WHERE issue_row = ?')
  const columns = [...CHANGEABLE.columns, 'id', ...FIXED.columns]
  const insertIssue = prepareSilent(
    db,
    `INSERT INTO issues (row, created_position, ${columns.join(', ')})
     VALUES (?, ?, ${columns.map(() => '?').join(', ')})`,
  )
  const updateIssue = prepareCommand(
    db,
    `UPDATE issues SET ${CHANGEABLE.columns.map((column) => `${column} = ?`).join(', ')} WHERE row = ?`,
  )
  const insertReport = prepareCommand(
    db,
    `INSERT INTO reports (issue_row, number, received_at, ${ON_REPORTS.columns.join(', ')})
     VALUES (?, ?, ?, ${ON_REPORTS.columns.map(() => '?').join(', ')})`,
  )
  const addReportDay = prepareCommand(
    db,
    `INSERT INTO report_days (issue_row, day, count) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1`,
  )
  const insertSubmission = prepareSilent(
    db,
    'INSERT INTO submissions (project, id, content_hash, issue_row, status, report_count) VALUES (?, ?, unhex(?), ?, ?, ?)',
  )
  const insertEvent = prepareEventLog(db)
  const freeSubmission = prepareCommand(
    db,
    `DELETE FROM submissions WHERE project = ? AND id = ? AND NOT EXISTS (SELECT 1 FROM issues WHERE row = issue_row)`,
  )
  const moveAll = prepareMoves(db, ITS_EVENTS)
  const moveHistory = prepareMoves(db, ITS_HISTORY)
  const removals = REMOVALS.map((sql) => prepareCommand(db, sql))
  const firstRemovals = FIRST_REMOVALS.map((sql) => prepareCommand(db, sql))
  const search = prepareSearchWrites(db)

  function isIndexed({ projectId, issueNumber }: StoredIssue): boolean {
    return issueNumber <= (batch.findProject(projectId)?.indexedNumber ?? 0)
  }

  return {
    findProject: batch.findProject,

    findIssue(project, id) {
      const row = selectById.get(idToBytes(id))
      const { low, high } = keyRange(project.seq)
      return row !== undefined && row[0] > low && row[0] < high ? toIssue(row, project.id) : undefined
    },

    // The index refuses an id that is taken, which fails all calls of the transaction. Repeated alone, the call looks.
    isIdTaken: (_, id) => batch.isAlone && selectById.get(idToBytes(id)) !== undefined,

    findByFingerprint(project, lane, fingerprint) {
      const row = selectByFingerprint.get(project.seq, LANE_CODES[lane], fingerprint)
      return row && toIssue(row, project.id)
    },

    findSubmission(project, id) {
      const row = selectSubmission.get(project.seq, id) as SubmissionRow | undefined
      return row && { contentHash: row.content_hash, receipt: toReceipt(row) }
    },

    isVersionKnown(project, lane, appVersion) {
      const isOfNewIssue = versionCounters(project, lane, appVersion).some((key) => batch.readCount(key) > 0)
      return isOfNewIssue || selectReportOf.get(project.seq, appVersion, LANE_CODES[lane]) !== undefined
    },

    reportDays: (project, issue) =>
      selectReportDays.all(rowOf(project, issue)) as unknown as readonly ReportDay[],

    insertIssue(project, issue, createdPosition) {
      const values = [...CHANGEABLE.valuesOf(issue), idToBytes(issue.id), ...FIXED.valuesOf(issue)]
      insertIssue(rowOf(project, issue), createdPosition, ...values)
    },

    updateIssue(project, issue) {
      updateIssue.run(...CHANGEABLE.valuesOf(issue), rowOf(project, issue))
    },

    reindexIssue(project, issue) {
      if (isIndexed(issue)) search.replace(rowOf(project, issue), issue)
    },

    removeIssue(project, issue) {
      const row = rowOf(project, issue)
      if (isIndexed(issue)) search.remove(row)
      for (const removal of hasManyRows(issue) ? firstRemovals : removals) removal.run(row)
    },

    insertReport(project, issue, report) {
      const { reportNumber, receivedAt } = report
      insertReport.run(rowOf(project, issue), reportNumber, receivedAt, ...ON_REPORTS.valuesOf(report))
    },

    addReportDay(project, issue, day) {
      addReportDay.run(rowOf(project, issue), day)
    },

    insertSubmission(project, issue, { id, contentHash }) {
      const { status, reportCount } = issue
      const insert = () =>
        insertSubmission(project.seq, id, contentHash, rowOf(project, issue), status, reportCount)
      try {
        insert()
      } catch (error) {
        if (!isTaken(error)) throw error
        // A deleted issue may have left it.
        if (freeSubmission.run(project.seq, id).changes === 0) return false
        insert()
      }
      return true
    },

    insertEvent(project, issue, event) {
      insertEvent(project.seq, {
        ...event,
        lane: laneOf(issue.category),
        issueRow: rowOf(project, issue),
        deletedId: event.event.type === 'issue.deleted' ? issue.id : undefined,
      })
    },

    moveEvents(project, issue) {
      const row = rowOf(project, issue)
      const { hide, show } = hasManyRows(issue) ? moveHistory : moveAll
      if (laneOf(issue.category) === 'security') return void hide.run(row)
      const { changes } = show.run(row, rowKey(project.seq, project.lastOpenPosition))
      project.lastOpenPosition += Number(changes)
    },

    count: batch.count,
  }
}

/** How events, as a query finds them by the key of their issue, `?1`, change their lane. */
function prepareMoves(db: DatabaseSync, events: string) {
  return {
    hide: prepareCommand(db, `UPDATE events SET lane = ${LANE_CODES.security} WHERE row IN (${events})`),
    show: prepareCommand(
      db,
      `UPDATE events SET lane = ${LANE_CODES.open}, open_row = ?2 + place
       FROM (SELECT row AS own, row_number() OVER (ORDER BY row) AS place FROM (${events})) WHERE row = own`,
    ),
  }
}

const FIRST_EVENT = 'SELECT created_position + (?1 >> 32 << 32) AS row FROM issues WHERE row = ?1'
/** The events of the issue with the key `?1`. */
const ITS_EVENTS = `SELECT row FROM events WHERE issue_row = ?1 AND type <> 'issue.created' UNION ALL ${FIRST_EVENT}`
/** The same without its further reports. */
const ITS_HISTORY = `SELECT row FROM events INDEXED BY events_of_history
  WHERE issue_row = ?1 AND type <> 'issue.created' AND type <> 'issue.reported' UNION ALL ${FIRST_EVENT}`

const OF_ITS_EVENTS = `project = ?1 >> 32 AND webhook IN (SELECT number FROM webhooks WHERE project = ?1 >> 32) AND position IN
  (SELECT row & 0xffffffff FROM events WHERE issue_row = ?1 AND type <> 'issue.created'
   UNION ALL SELECT created_position FROM issues WHERE row = ?1)`

/** In this order: what tells of the others goes last. */
const REMOVALS = [
  // What receivers answered may repeat what they were told.
  `DELETE FROM attempts WHERE ${OF_ITS_EVENTS}`,
  `DELETE FROM deliveries WHERE ${OF_ITS_EVENTS}`,
  `DELETE FROM submissions WHERE project = ?1 >> 32 AND id IN
     (SELECT submission_id FROM reports WHERE issue_row = ?1 UNION ALL SELECT submission_id FROM issues WHERE row = ?1)`,
  'DELETE FROM reports WHERE issue_row = ?1',
  'DELETE FROM report_days WHERE issue_row = ?1',
  "DELETE FROM events WHERE issue_row = ?1 AND type <> 'issue.created'",
  'DELETE FROM events WHERE row = ((SELECT created_position FROM issues WHERE row = ?1) + (?1 >> 32 << 32))',
  'DELETE FROM issues WHERE row = ?1',
]

/** What goes at once of an issue that has many rows. */
const FIRST_REMOVALS = [
  `INSERT INTO deleted_issues (project, number, created_position)
     SELECT row >> 32, row & 0xffffffff, created_position FROM issues WHERE row = ?1`,
  `DELETE FROM submissions WHERE project = ?1 >> 32 AND issue_row = ?1
     AND id = (SELECT submission_id FROM issues WHERE row = ?1)`,
  'DELETE FROM issues WHERE row = ?1',
]

function rowOf({ seq }: ProjectCounters, { issueNumber }: StoredIssue): number {
  return rowKey(seq, issueNumber)
}

/** SQLite's extended result code for a primary key that exists. */
const PRIMARY_KEY_TAKEN = 1555

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === PRIMARY_KEY_TAKEN
}

interface SubmissionRow {
  readonly content_hash: string
  readonly status: IssueStatus
  readonly report_count: number
  readonly row: number
  readonly id: Uint8Array
  readonly created_at: number
  /** `null` for the report that became the issue. */
  readonly received_at: number | null
}

function toReceipt(row: SubmissionRow): Receipt {
  return {
    issueId: encodeId('iss', row.id),
    issueNumber: numberOf(row.row),
    status: row.status,
    createdAt: row.created_at,
    receivedAt: row.received_at ?? row.created_at,
    reportCount: row.report_count,
  }
}
