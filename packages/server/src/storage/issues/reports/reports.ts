import { dayOf } from '../../../model/decisions/count-issue.ts'
import { ownReportCount, withOwnCounts } from '../../../model/decisions/duplicates.ts'
import type { NewEvent } from '../../../model/events.ts'
import type { StoredIssue } from '../../../model/issues.ts'
import { FIRST_TEXT, hashText, REDACTED_TEXT } from '../../../model/reports/report-texts.ts'
import { FIRST_REPORT, type ReportCommand, type ReportOutcome } from '../../../model/reports/reports.ts'
import { asOther, type ReportSource, seenInReports } from '../../../model/seen-values.ts'
import { findVisible } from '../find-visible.ts'
import type { IssueTables, ProjectCounters, StoredReport } from '../issue-tables.ts'
import { addEvent, removeSeen, updateIssue } from '../issue-writes.ts'
import { codeOf } from '../lane-codes.ts'
import { recountDuplicates, recountTarget } from '../merging/duplicates.ts'
import { redactionOf, removalOf } from './report-changes.ts'
import { removeText } from './report-texts.ts'
import { uncountReporter } from './reporters.ts'

/** Deletes a report, and its text unless other reports have the same. Its number and its submission id are not reused. */
export function deleteReport(tables: IssueTables, command: ReportCommand): ReportOutcome {
  const project = tables.findProject(command.projectId)
  const issue = findVisible(tables, project, command)
  if (project === undefined || issue === undefined) return 'missing'
  if (command.reportNumber === FIRST_REPORT) return 'first'
  const report = tables.findReport(project, issue, command.reportNumber)
  if (report === undefined) return 'missing'

  const words = releaseText(tables, project, issue, report)
  tables.changeReport(project, issue, removalOf(report))
  countOut(tables, project, issue, report)
  const latest = tables
    .latestReports(project, issue)
    .filter(({ reportNumber }) => reportNumber !== report.reportNumber)
  finish(tables, project, command, issue, {
    ...withOwnCounts(issue, {
      reportCount: ownReportCount(issue) - 1,
      reportedAt: latest[0]?.receivedAt ?? issue.createdAt,
    }),
    reporterCount: uncountReporter(tables, project, issue, report.reporter),
    deletedReports: issue.deletedReports + 1,
    reportWords: issue.reportWords - words,
    lastSeenIn: lastSeenIn(latest),
  })
  if (issue.duplicateCount > 0) recountDuplicates(tables, project, issue.id)
  recountTarget(tables, project, issue)
  return 'done'
}

/** Removes the text, the metadata, the context and the reporter of a report. Other reports with the same text lose it too. */
export function redactReport(tables: IssueTables, command: ReportCommand): ReportOutcome {
  const { reportNumber } = command
  const project = tables.findProject(command.projectId)
  const issue = findVisible(tables, project, command)
  if (project === undefined || issue === undefined) return 'missing'
  const isFirst = reportNumber === FIRST_REPORT
  const report = isFirst ? undefined : tables.findReport(project, issue, reportNumber)
  if (!isFirst && report === undefined) return 'missing'

  const textNumber = report === undefined ? FIRST_TEXT : report.textNumber
  const words = redactText(tables, project, issue, textNumber)
  // Without a stored text to mark, the report itself says so.
  const marked = words === undefined ? REDACTED_TEXT : null
  tables.changeReport(project, issue, redactionOf(reportNumber, marked))
  finish(tables, project, command, issue, {
    ...issue,
    ...(isFirst && { metadata: null, context: null, reporter: null }),
    reporterCount: uncountReporter(
      tables,
      project,
      issue,
      isFirst ? issue.reporter : (report?.reporter ?? null),
    ),
    reportWords: issue.reportWords - (words ?? 0),
  })
  return 'done'
}

/** Removes the text of a deleted report, or assigns it to another report. Returns how many words are no longer searched. */
function releaseText(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  report: StoredReport,
): number {
  const number = report.textNumber ?? REDACTED_TEXT
  if (number <= FIRST_TEXT) return 0
  const text = tables.findStoredText(project, issue, number)
  if (text === undefined) return 0
  const other = tables.findTextUse(project, issue, report)
  if (other === undefined) {
    removeText(tables, project, issue, number)
    return text.words
  }
  if (text.reportNumber === report.reportNumber)
    tables.changeReport(project, issue, [['moveText', number, other]])
  return 0
}

/** Returns how many words are no longer searched; `undefined` if the text is not stored. */
function redactText(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  number: number | null,
): number | undefined {
  if (number === null || number === REDACTED_TEXT) return undefined
  tables.removeException(project, issue, number)
  const text = tables.findStoredText(project, issue, number)
  if (text !== undefined) {
    tables.redactText(project, issue, number)
    return text.words
  }
  // The first text is the issue's own until people change it.
  if (number !== FIRST_TEXT || issue.editedAt !== null) return undefined
  const mark = { number, reportNumber: FIRST_REPORT, hash: hashText(issue), words: 0 }
  tables.insertText(project, issue, { ...mark, title: null, description: null })
  return 0
}

/** Subtracts a report from the counts by day and by origin. */
function countOut(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  report: StoredReport,
): void {
  const day = dayOf(report.receivedAt)
  const lane = codeOf(issue)
  tables.count({ projectSeq: project.seq, lane, dimension: 'reports_day', value: day }, -1)
  const known = tables.sources(project, issue)
  const source = [report, asOther(report)].find((wanted) =>
    known.some((one) => one.day === day && isSame(one, wanted)),
  )
  if (source === undefined) return
  const { appVersion, buildNumber, branch } = source
  const { receivedAt: at } = report
  const counted = { day, appVersion, buildNumber, branch, count: 1, regressions: 0, firstAt: at, lastAt: at }
  tables.removeFromSource(project, issue, counted)
  removeSeen(tables, project, issue, seenInReports(counted))
}

/** A blank value counts as absent. */
function isSame(one: ReportSource, other: ReportSource): boolean {
  const isEqual = (a: string | null, b: string | null) => (a || null) === (b || null)
  return (
    isEqual(one.appVersion, other.appVersion) &&
    isEqual(one.buildNumber, other.buildNumber) &&
    isEqual(one.branch, other.branch)
  )
}

function lastSeenIn(latest: readonly StoredReport[]): StoredIssue['lastSeenIn'] {
  const { appVersion = null, buildNumber = null } = latest.find((report) => report.appVersion) ?? {}
  return appVersion === null ? null : { appVersion, buildNumber }
}

/** Writes the issue, its entry in the full-text index and the history. */
function finish(
  tables: IssueTables,
  project: ProjectCounters,
  { reportNumber, actor, at }: ReportCommand,
  before: StoredIssue,
  after: StoredIssue,
): void {
  const changed = { ...after, updatedAt: at, version: before.version + 1 }
  updateIssue(tables, project, before, changed)
  if (after.reportWords !== before.reportWords) tables.reindexIssue(project, changed)
  const to = after.reportCount < before.reportCount ? 'deleted' : 'redacted'
  const event: NewEvent = {
    type: 'issue.updated',
    changes: [{ member: 'report', from: reportNumber, to }],
    note: null,
    reason: null,
  }
  addEvent(tables, project, changed, event, { at, actor })
}
