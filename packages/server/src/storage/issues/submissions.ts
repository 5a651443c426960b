import { dayOf } from '../../model/decisions/count-issue.ts'
import { lastReportNumber } from '../../model/decisions/duplicates.ts'
import {
  type Joined,
  type JoiningReport,
  joinDuplicate,
  joinLeftDuplicate,
  joinReport,
} from '../../model/decisions/join-report.ts'
import type { NewEvent } from '../../model/events.ts'
import type { StoredIssue } from '../../model/issues.ts'
import { laneOf } from '../../model/lanes.ts'
import { isSameContent } from '../../model/reports/content-hashes.ts'
import { FIRST_TEXT } from '../../model/reports/report-texts.ts'
import { type NewReport, reportIdOf, type SubmitOutcome } from '../../model/reports/reports.ts'
import type { IssueTables, ProjectCounters } from './issue-tables.ts'
import { addEvent, insertIssue, insertReport, updateReported } from './issue-writes.ts'
import { NO_LABELS } from './label-columns.ts'
import { codeOf } from './lane-codes.ts'
import { keepText } from './reports/report-texts.ts'
import { countReporter } from './reports/reporters.ts'

/** Stores a report as a new issue, or adds it to the known issue that it names, or to the issue with its fingerprint. */
export function submitReport(tables: IssueTables, report: NewReport): SubmitOutcome {
  const project = tables.findProject(report.projectId)
  if (project === undefined) return { kind: 'no-project' }
  const known = findKnown(tables, project, report)
  if (known !== undefined) return join(tables, project, report, known)
  const { content } = report
  const { fingerprint } = content
  const existing =
    fingerprint === null
      ? undefined
      : tables.findByFingerprint(project, codeOf({ ...content, spamAt: spamTimeOf(report) }), fingerprint)
  if (existing === undefined) return create(tables, project, report)
  if (report.lanes.includes(laneOf(content.category))) return join(tables, project, report, existing)
  // The response would reveal an issue that the reporter must not see.
  return create(tables, project, report, { ...content, fingerprint: null })
}

/** The known issue that a report joins. It reveals nothing: everyone who can submit can find what is published. */
function findKnown(
  tables: IssueTables,
  project: ProjectCounters,
  { knownIssueId, content, isSpam = false }: NewReport,
): StoredIssue | undefined {
  if (knownIssueId === undefined || isSpam || laneOf(content.category) !== 'open') return undefined
  const issue = tables.findIssue(project, knownIssueId)
  return issue !== undefined && isPublished(issue) ? issue : undefined
}

function isPublished({ known, category, spamAt }: StoredIssue): boolean {
  return known !== null && laneOf(category) === 'open' && spamAt === null
}

/** A report of a blocked sender is spam, and joins no other issues. */
function spamTimeOf({ isSpam = false, receivedAt }: NewReport): number | null {
  return isSpam ? receivedAt : null
}

function create(
  tables: IssueTables,
  project: ProjectCounters,
  report: NewReport,
  content = report.content,
): SubmitOutcome {
  if (tables.isIdTaken(project, report.issueId)) return { kind: 'id-taken' }
  const created = toNewIssue({ ...report, content }, project.lastIssueNumber + 1)
  if (!isFirst(tables, project, report, created)) return repeat(tables, project, report)
  project.lastIssueNumber++
  const issue = countReporter(tables, project, created, content.reporter)
  insertIssue(tables, project, issue, { at: report.receivedAt, actor: report.actor })
  const { exception } = report
  if (exception !== undefined) tables.insertException(project, issue, FIRST_TEXT, exception)
  return finish(tables, project, report, issue, 'stored')
}

function join(
  tables: IssueTables,
  project: ProjectCounters,
  report: NewReport,
  before: StoredIssue,
): SubmitOutcome {
  const { content, receivedAt, submission, exception } = report
  if (tables.isIdTaken(project, report.issueId)) {
    // Taken by the same submission, if it is sent again with the same id.
    const isKnown = submission !== null && tables.findSubmission(project, submission.id) !== undefined
    return isKnown ? repeat(tables, project, report) : { kind: 'id-taken' }
  }
  const { onDefaultBranch = null } = report
  const joining = { ...content, receivedAt, onDefaultBranch }
  const { issue: decided, events, target } = decide(tables, project, before, joining)
  if (!isFirst(tables, project, report, decided)) return repeat(tables, project, report)
  const joined = countReporter(tables, project, decided, content.reporter)
  const reportNumber = lastReportNumber(joined)
  const { textNumber, words } = keepText(tables, project, before, {
    ...content,
    ...(exception !== undefined && { exception }),
    reportNumber,
  })
  const issue = words === 0 ? joined : { ...joined, reportWords: joined.reportWords + words }
  updateReported(tables, project, before, issue)
  insertReport(tables, project, issue, {
    ...content,
    id: reportIdOf(report.issueId),
    submissionId: submission?.id ?? null,
    sender: report.sender ?? null,
    reportNumber,
    receivedAt,
    day: dayOf(receivedAt),
    textNumber,
    isRegression: [...events, ...(target?.joined.events ?? [])].some(isReopening),
  })
  for (const event of events) {
    const actor = event.type === 'issue.reported' ? report.actor : null
    addEvent(tables, project, issue, event, { at: receivedAt, actor })
  }
  if (target !== undefined) {
    updateReported(tables, project, target.before, target.joined.issue)
    for (const event of target.joined.events)
      addEvent(tables, project, target.joined.issue, event, { at: receivedAt, actor: null })
  }
  return finish(tables, project, report, issue, 'joined')
}

interface Decided extends Joined {
  /** The issue that it is a duplicate of. */
  readonly target?: { readonly before: StoredIssue; readonly joined: Joined }
}

/** What a further report changes: the issue and, if that is a duplicate, its target. */
function decide(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  report: JoiningReport,
): Decided {
  const isKnown = (appVersion: string) => tables.isVersionKnown(project, laneOf(issue.category), appVersion)
  if (issue.duplicateOf === null) return joinReport(issue, report, isKnown)
  const before = tables.findIssue(project, issue.duplicateOf)
  if (before === undefined) return joinLeftDuplicate(issue, report)
  const { duplicate, target } = joinDuplicate(before, issue, report, isKnown)
  return { ...duplicate, target: { before, joined: target } }
}

function isReopening({ type, changes }: NewEvent): boolean {
  return type === 'issue.regressed' && changes.length > 0
}

/** Stores the submission's id, unless it was already used. Nothing else has been written at this point. */
function isFirst(
  tables: IssueTables,
  project: ProjectCounters,
  { submission }: NewReport,
  issue: StoredIssue,
): boolean {
  return submission === null || tables.insertSubmission(project, issue, submission)
}

function repeat(tables: IssueTables, project: ProjectCounters, report: NewReport): SubmitOutcome {
  const { submission } = report
  const earlier = submission && tables.findSubmission(project, submission.id)
  if (!earlier || !isSameContent(earlier.contentHash, report)) return { kind: 'conflict' }
  countIntake(tables, project, 'replayed')
  return { kind: 'replayed', receipt: earlier.receipt }
}

function finish(
  tables: IssueTables,
  project: ProjectCounters,
  report: NewReport,
  issue: StoredIssue,
  outcome: 'stored' | 'joined',
): SubmitOutcome {
  const { receivedAt, content, attachments } = report
  countIntake(tables, project, outcome)
  if (attachments !== undefined) tables.insertAttachments(project, issue, attachments)
  if (content.sdk !== null) {
    const dimension = `sdk:${dayOf(receivedAt)}`
    tables.count({ projectSeq: project.seq, lane: 0, dimension, value: content.sdk.version }, 1)
  }
  const { id: issueId, issueNumber, status, createdAt, reportCount } = issue
  return { kind: outcome, receipt: { issueId, issueNumber, status, createdAt, receivedAt, reportCount } }
}

function countIntake(tables: IssueTables, project: ProjectCounters, outcome: string): void {
  tables.count({ projectSeq: project.seq, lane: 0, dimension: 'intake', value: outcome }, 1)
}

/** The new issue of a report that joins none. */
function toNewIssue(report: NewReport, issueNumber: number): StoredIssue {
  const { content, receivedAt } = report
  return {
    ...content,
    id: report.issueId,
    projectId: report.projectId,
    issueNumber,
    status: 'open',
    submissionId: report.submission?.id ?? null,
    sender: report.sender ?? null,
    reportCount: 1,
    reporterCount: 0,
    deletedReports: 0,
    editedAt: null,
    reportWords: 0,
    commentCount: 0,
    messageCount: 0,
    conversation: null,
    known: null,
    lastReportedAt: receivedAt,
    duplicateOf: null,
    statusBeforeMerge: null,
    duplicateCount: 0,
    duplicateReports: 0,
    ownReportedAt: null,
    fixedIn: null,
    assigneeId: null,
    labels: NO_LABELS,
    lastSeenIn: null,
    onDefaultBranch: report.onDefaultBranch ?? null,
    resolvedAt: null,
    unconfirmedVersion: null,
    firstLeftOpenAt: null,
    firstResolvedAt: null,
    spamAt: spamTimeOf(report),
    createdAt: receivedAt,
    updatedAt: receivedAt,
    version: 1,
  }
}
