import type { DatabaseSync } from 'node:sqlite'
import { OTHER_VALUE } from '@bugle/contract/vocabulary'
import { lastReportNumber } from '../../../model/decisions/duplicates.ts'
import { type IssueId, idToBytes } from '../../../model/ids.ts'
import type { StoredIssue } from '../../../model/issues.ts'
import { laneOf } from '../../../model/lanes.ts'
import { attachmentNumber } from '../../../model/reports/attachments.ts'
import { FIRST_TEXT } from '../../../model/reports/report-texts.ts'
import type { IssueReporter } from '../../../model/reports/reporters.ts'
import { SQLITE } from '../../dialects.ts'
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
import {
  hasManyRows,
  type IssueTables,
  MAX_COUNTED_ROWS,
  type OtherRows,
  type ProjectCounters,
} from '../../issues/issue-tables.ts'
import { codeOf, lanesUpTo } from '../../issues/lane-codes.ts'
import { hexOfId } from '../../issues/merging/hex-ids.ts'
import { ADDED_SOURCE, type SourceRow, toSource } from '../../issues/seen/report-sources.ts'
import { type SubmissionRow, toSubmission } from '../../issues/submission-rows.ts'
import { List } from '../../operations.ts'
import { isTaken } from '../driver/faults.ts'
import { keyRange, rowKey } from '../driver/row-keys.ts'
import { prepareText } from '../driver/run-operations.ts'
import { prepareCommand, prepareSilent } from '../driver/statements.ts'
import type { Batch } from '../writer/batch.ts'
import { prepareBulkChanges } from './bulk-changes.ts'
import { ITS_CHANGES, ITS_EVENTS, ITS_HISTORY, prepareEventLog, prepareMoves } from './event-log.ts'
import { type IssueReads, prepareIssueReads, prepareShortReads, toIssue } from './issue-rows.ts'
import { prepareReportTables } from './report-tables.ts'
import { prepareSearchedTexts, prepareSearchWrites } from './search-index.ts'

/** The tables of issues: everything is read and written immediately. */
export function prepareIssueTables(db: DatabaseSync, batch: Batch): IssueTables {
  const selectById = prepareIssueReads(db, 'WHERE i.id = ?')
  const selectShortById = prepareShortReads(db, 'WHERE i.id = ?')
  const selectByFingerprint = prepareIssueReads(
    db,
    'WHERE i.row >> 32 = ? AND i.lane = ? AND i.fingerprint = ? AND i.fingerprint IS NOT NULL',
  )
  const selectDuplicates = prepareShortReads(
    db,
    'WHERE i.row >> 32 = ? AND i.duplicate_of = ? ORDER BY i.row',
  )
  const countKnown = db.prepare(
    `SELECT count(*) AS count FROM issues i INDEXED BY issues_known
     WHERE i.row >> 32 = ? AND i.known_title IS NOT NULL`,
  )
  const selectSubmission = db.prepare(
    `SELECT lower(hex(s.content_hash)) AS content_hash, s.status, s.report_count, ${SQLITE.numberIn('i.number')} AS number,
       i.id AS issue_id, i.created_at,
       coalesce(r.received_at, s.received_at) AS received_at
     FROM submissions s JOIN issues i ON i.row = s.issue_row
     LEFT JOIN reports r ON r.issue_row = s.issue_row AND r.number = coalesce(s.report_number, s.report_count)
     WHERE s.project = ? AND s.id = ?`,
  )
  // `other` is the sum of further versions, not a version of that name.
  const selectSeen = db.prepare(
    `SELECT coalesce(sum(reports), 0) AS reports FROM seen_values
     WHERE project = ? AND lane = ? AND dimension = 'version' AND value = ? AND value <> '${OTHER_VALUE}'`,
  )
  const selectSource = db.prepare(
    `SELECT 1 FROM report_sources
     WHERE issue_row >> 32 = ? AND lane = ? AND app_version = ? AND app_version <> '${OTHER_VALUE}' LIMIT 1`,
  )
  const columns = [...CHANGEABLE.columns, 'id', ...FIXED.columns]
  const insertIssue = prepareSilent(
    db,
    `INSERT INTO issues (row, created_position, ${columns.join(', ')})
     VALUES (?, ?, ${columns.map(() => '?').join(', ')})`,
  )
  const updateIssue = prepareSilent(db, updateText(CHANGEABLE))
  // SQLite writes to every index of a column that is set, even to the same value.
  const updateCounts = prepareSilent(db, updateText(COUNTED))
  const updateTriage = prepareSilent(db, updateText(TRIAGED))
  const updateSpam = prepareSilent(db, updateText(MARKED))
  const deleteLabels = prepareCommand(db, 'DELETE FROM issue_labels WHERE issue_row = ?')
  const insertLabel = prepareCommand(db, 'INSERT INTO issue_labels (issue_row, label, lane) VALUES (?, ?, ?)')
  const selectReporter = db.prepare(
    'SELECT reporter, email, reports FROM issue_reporters WHERE issue_row = ? AND reporter = ?',
  )
  const writeReporter = prepareSilent(
    db,
    `INSERT INTO issue_reporters (issue_row, reporter, lane, email, reports) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET email = excluded.email, reports = excluded.reports`,
  )
  const removeReporter = prepareCommand(
    db,
    'DELETE FROM issue_reporters WHERE issue_row = ? AND reporter = ?',
  )
  const moveReporters = prepareCommand(db, 'UPDATE issue_reporters SET lane = ? WHERE issue_row = ?')
  const insertReport = prepareSilent(
    db,
    `INSERT INTO reports (issue_row, number, id, received_at, text_number, ${ON_REPORTS.columns.join(', ')})
     VALUES (?, ?, ?, ?, ?, ${ON_REPORTS.columns.map(() => '?').join(', ')})`,
  )
  const selectReportId = db.prepare('SELECT 1 FROM reports WHERE id = ?')
  const selectText = db.prepare('SELECT number FROM report_texts WHERE issue_row = ? AND hash = unhex(?)')
  const selectLastText = db.prepare('SELECT max(number) AS number FROM report_texts WHERE issue_row = ?')
  const insertText = prepareSilent(
    db,
    `INSERT INTO report_texts (issue_row, number, report_number, words, hash, title, description)
     VALUES (?, ?, ?, ?, unhex(?), ?, ?)`,
  )
  const removeText = prepareSilent(db, 'DELETE FROM report_texts WHERE issue_row = ? AND number = ?')
  const insertException = prepareSilent(
    db,
    'INSERT INTO report_exceptions (issue_row, number, exception) VALUES (?, ?, ?)',
  )
  const removeException = prepareSilent(
    db,
    'DELETE FROM report_exceptions WHERE issue_row = ? AND number = ?',
  )
  const reports = prepareReportTables(db)
  const insertAttachment = prepareSilent(
    db,
    `INSERT INTO attachments (issue_row, number, id, digest, name, declared_type, size, omitted)
     VALUES (?, ?, ?, unhex(?), ?, ?, ?, ?)`,
  )
  const selectSources = db.prepare('SELECT * FROM report_sources WHERE issue_row = ?')
  const addToSource = prepareSilent(
    db,
    `INSERT INTO report_sources
       (issue_row, day, app_version, build_number, branch, lane, count, regressions, first_at, last_at)
     VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?) ON CONFLICT DO UPDATE SET ${ADDED_SOURCE}`,
  )
  const moveSources = prepareCommand(db, 'UPDATE report_sources SET lane = ? WHERE issue_row = ?')
  const insertSubmission = prepareSilent(
    db,
    `INSERT INTO submissions (project, id, content_hash, issue_row, status, report_count, report_number)
     VALUES (?, ?, unhex(?), ?, ?, ?, ?)`,
  )
  const insertEvent = prepareEventLog(db)
  const bulkChanges = prepareBulkChanges(db)
  const freeSubmission = prepareCommand(
    db,
    `DELETE FROM submissions WHERE project = ? AND id = ? AND NOT EXISTS (SELECT 1 FROM issues WHERE row = issue_row)`,
  )
  const countOthers = db.prepare(
    `SELECT (SELECT count(*) FROM (SELECT 1 FROM attachments WHERE issue_row = ?1 LIMIT ${MAX_COUNTED_ROWS})) AS files,
       (SELECT count(*) FROM (${ITS_CHANGES} LIMIT ${MAX_COUNTED_ROWS})) AS history`,
  )
  const moveAll = prepareMoves(db, ITS_EVENTS)
  const moveHistory = prepareMoves(db, ITS_HISTORY)
  const removals = REMOVALS.map((text) => prepareText(db, text))
  const firstRemovals = FIRST_REMOVALS.map((text) => prepareText(db, text))
  const search = prepareSearchWrites(db)
  const textsOf = prepareSearchedTexts(db)

  function isLarge(project: ProjectCounters, issue: StoredIssue): boolean {
    return hasManyRows(issue, countOthers.get(rowOf(project, issue)) as object as OtherRows)
  }

  function isIndexed({ projectId, issueNumber }: StoredIssue): boolean {
    return issueNumber <= (batch.findProject(projectId)?.indexedNumber ?? 0)
  }

  function find(reads: IssueReads, project: ProjectCounters, id: IssueId): StoredIssue | undefined {
    const row = reads.get(idToBytes(id))
    const { low, high } = keyRange(project.seq)
    return row !== undefined && row[0] > low && row[0] < high ? toIssue(row, project.id) : undefined
  }

  return {
    findProject: batch.findProject,

    findIssue: (project, id) => find(selectById, project, id),
    findShortIssue: (project, id) => find(selectShortById, project, id),

    // The index refuses an id that is taken, which fails the whole transaction. Each call is then repeated alone; only a repeated call looks up its id.
    isIdTaken(_, id) {
      if (!batch.isRetry) return false
      const bytes = idToBytes(id)
      return selectById.get(bytes) !== undefined || selectReportId.get(bytes) !== undefined
    },

    findByFingerprint(project, code, fingerprint) {
      const row = selectByFingerprint.get(project.seq, code, fingerprint)
      return row && toIssue(row, project.id)
    },

    countKnown: ({ seq }) => (countKnown.get(seq) as { count: number }).count,

    duplicatesOf: (project, { id }) =>
      selectDuplicates.all(project.seq, hexOfId(id)).map((row) => toIssue(row, project.id)),

    findSubmission(project, id) {
      const row = selectSubmission.get(project.seq, id) as SubmissionRow | undefined
      return row && toSubmission(row)
    },

    isVersionKnown(project, lane, appVersion) {
      const reportsIn = (code: number) => {
        const row = selectSeen.get(project.seq, code, appVersion) as { reports: number }
        return row.reports + batch.seen.reportsOf(project.seq, code, appVersion)
      }
      return lanesUpTo(lane).some(
        (code) => reportsIn(code) > 0 || selectSource.get(project.seq, code, appVersion) !== undefined,
      )
    },

    sources: (project, issue) =>
      (selectSources.all(rowOf(project, issue)) as unknown as readonly SourceRow[]).map(toSource),

    findText(project, issue, hash) {
      const row = selectText.get(rowOf(project, issue), hash) as { number: number } | undefined
      return row?.number
    },

    lastTextNumber(project, issue) {
      const { number } = selectLastText.get(rowOf(project, issue)) as { number: number | null }
      return number ?? FIRST_TEXT
    },

    findReporter: (project, issue, reporter) =>
      selectReporter.get(rowOf(project, issue), reporter) as IssueReporter | undefined,
    findReport: (project, issue, number) => reports.find(rowOf(project, issue), number),
    latestReports: (project, issue) => reports.latest(rowOf(project, issue)),
    findStoredText: (project, issue, number) => reports.findText(rowOf(project, issue), number),
    findTextUse: (project, issue, report) => reports.findTextUse(rowOf(project, issue), report),
    redactText: (project, issue, number) => reports.change(project.seq, issue, [['redactText', number]]),
    changeReport: (project, issue, changes) => reports.change(project.seq, issue, changes),
    removeFromSource: (project, issue, source) => reports.removeFromSource(rowOf(project, issue), source),

    insertIssue(project, issue, createdPosition) {
      const values = [...CHANGEABLE.valuesOf(issue), idToBytes(issue.id), ...FIXED.valuesOf(issue)]
      insertIssue(rowOf(project, issue), createdPosition, ...values)
    },

    updateIssue(project, issue) {
      updateIssue(...CHANGEABLE.valuesOf(issue), rowOf(project, issue))
    },

    updateCounts(project, issue) {
      updateCounts(...COUNTED.valuesOf(issue), rowOf(project, issue))
    },

    updateTriage(project, issue) {
      updateTriage(...TRIAGED.valuesOf(issue), rowOf(project, issue))
    },

    updateSpam(project, issue) {
      const row = rowOf(project, issue)
      updateSpam(...MARKED.valuesOf(issue), row)
      moveSources.run(codeOf(issue), row)
      moveReporters.run(codeOf(issue), row)
    },

    reindexIssue(project, issue) {
      if (!isIndexed(issue)) return
      const row = rowOf(project, issue)
      search.replace(row, issue, textsOf(row))
    },

    removeIssue(project, issue) {
      if (isIndexed(issue)) search.remove(rowOf(project, issue))
      const numbers = new List([issue.issueNumber])
      for (const remove of isLarge(project, issue) ? firstRemovals : removals) remove(project.seq, numbers)
    },

    removeIssues(project, issues) {
      for (const issue of issues) if (isIndexed(issue)) search.remove(rowOf(project, issue))
      const numbers = new List(issues.map(({ issueNumber }) => issueNumber))
      for (const remove of firstRemovals) remove(project.seq, numbers)
    },

    findBulkChange: ({ seq }, id) => bulkChanges.find(seq, id),
    insertBulkChange: ({ seq }, change) => bulkChanges.insert(seq, change),

    replaceLabels(project, issue) {
      const row = rowOf(project, issue)
      deleteLabels.run(row)
      for (const label of issue.labels) insertLabel.run(row, label, codeOf(issue))
    },

    writeReporter(project, issue, { reporter, email, reports }) {
      const row = rowOf(project, issue)
      if (reports === 0) return void removeReporter.run(row, reporter)
      writeReporter(row, reporter, codeOf(issue), email, reports)
    },

    insertReport(project, issue, report) {
      const { reportNumber, receivedAt, textNumber } = report
      const row = rowOf(project, issue)
      const id = idToBytes(report.id)
      insertReport(row, reportNumber, id, receivedAt, textNumber, ...ON_REPORTS.valuesOf(report))
      const source = [report.day, report.appVersion ?? '', report.buildNumber ?? '', report.branch ?? '']
      addToSource(row, ...source, codeOf(issue), Number(report.isRegression), receivedAt, receivedAt)
    },

    // The index catches up with its words afterwards, as with new issues.
    insertText(project, issue, { number, reportNumber, words, hash, title, description }) {
      insertText(rowOf(project, issue), number, reportNumber, words, hash, title, description)
    },

    removeText(project, issue, number) {
      removeText(rowOf(project, issue), number)
    },

    insertException(project, issue, textNumber, exception) {
      insertException(rowOf(project, issue), textNumber, exception)
    },

    removeException(project, issue, textNumber) {
      removeException(rowOf(project, issue), textNumber)
    },

    insertAttachments(project, issue, attachments) {
      attachments.forEach(({ id, sha256, name, declaredType, size, omitted }, place) => {
        const number = attachmentNumber(lastReportNumber(issue), place)
        const declared = [name, declaredType, size, omitted] as const
        insertAttachment(rowOf(project, issue), number, idToBytes(id), sha256, ...declared)
      })
    },

    checkSources: batch.checkSources,

    insertSubmission(project, issue, { id, contentHash }) {
      const { status, reportCount } = issue
      const reportNumber = lastReportNumber(issue)
      const values = [contentHash, rowOf(project, issue), status, reportCount]
      const otherNumber = reportNumber === reportCount ? null : reportNumber
      const insert = () => insertSubmission(project.seq, id, ...values, otherNumber)
      try {
        insert()
      } catch (error) {
        if (!isTaken(error)) throw error
        // It may be left over from a deleted issue.
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

    moveToLane(project, issue) {
      const row = rowOf(project, issue)
      moveSources.run(codeOf(issue), row)
      moveReporters.run(codeOf(issue), row)
      const { hide, show } = isLarge(project, issue) ? moveHistory : moveAll
      if (laneOf(issue.category) === 'security') return void hide.run(row)
      const { changes } = show.run(row, rowKey(project.seq, project.lastOpenPosition))
      project.lastOpenPosition += Number(changes)
    },

    count: batch.count,
    seen: batch.seen,
  }
}

function updateText({ columns }: FieldSet): string {
  return `UPDATE issues SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE row = ?`
}

function rowOf({ seq }: ProjectCounters, { issueNumber }: StoredIssue): number {
  return rowKey(seq, issueNumber)
}
