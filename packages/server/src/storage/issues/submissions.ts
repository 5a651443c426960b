import { isSameContent } from '../../model/content-hashes.ts'
import { dayOf } from '../../model/decisions/count-issue.ts'
import { joinReport } from '../../model/decisions/join-report.ts'
import type { StoredIssue } from '../../model/issues.ts'
import { laneOf } from '../../model/lanes.ts'
import type { NewReport, SubmitOutcome } from '../../model/reports.ts'
import type { IssueTables, ProjectCounters } from './issue-tables.ts'
import { addEvent, insertIssue, updateIssue } from './issue-writes.ts'
import { LANE_CODES } from './lane-codes.ts'

/** Stores a report: as a new issue, or with the issue that has its fingerprint. */
export function submitReport(tables: IssueTables, report: NewReport): SubmitOutcome {
  const project = tables.findProject(report.projectId)
  if (project === undefined) return { kind: 'no-project' }
  const { content } = report
  const { fingerprint } = content
  const existing =
    fingerprint === null
      ? undefined
      : tables.findByFingerprint(project, laneOf(content.category), fingerprint)
  if (existing === undefined) return create(tables, project, report)
  if (report.lanes.includes(laneOf(content.category))) return join(tables, project, report, existing)
  // The answer would tell of an issue that the reporter must not know of.
  return create(tables, project, report, { ...content, fingerprint: null })
}

function create(
  tables: IssueTables,
  project: ProjectCounters,
  report: NewReport,
  content = report.content,
): SubmitOutcome {
  if (tables.isIdTaken(project, report.issueId)) return { kind: 'id-taken' }
  const issue = toNewIssue({ ...report, content }, project.lastIssueNumber + 1)
  if (!isFirst(tables, project, report, issue)) return repeat(tables, project, report)
  project.lastIssueNumber++
  insertIssue(tables, project, issue, { at: report.receivedAt, actor: report.actor })
  return finish(tables, project, report, issue, 'stored')
}

function join(
  tables: IssueTables,
  project: ProjectCounters,
  report: NewReport,
  before: StoredIssue,
): SubmitOutcome {
  const { content, receivedAt, submission } = report
  const { issue, events } = joinReport(before, { ...content, receivedAt }, (appVersion) =>
    tables.isVersionKnown(project, laneOf(before.category), appVersion),
  )
  if (!isFirst(tables, project, report, issue)) return repeat(tables, project, report)
  const day = dayOf(receivedAt)
  updateIssue(tables, project, before, issue)
  const submissionId = submission?.id ?? null
  tables.insertReport(project, issue, {
    ...content,
    submissionId,
    reportNumber: issue.reportCount,
    receivedAt,
  })
  tables.addReportDay(project, issue, day)
  const lane = LANE_CODES[laneOf(issue.category)]
  tables.count({ projectSeq: project.seq, lane, dimension: 'reports_day', value: day }, 1)
  for (const event of events) {
    const actor = event.type === 'issue.reported' ? report.actor : null
    addEvent(tables, project, issue, event, { at: receivedAt, actor })
  }
  return finish(tables, project, report, issue, 'joined')
}

/** Notes the submission's id, unless it was used before. Nothing else is written by then. */
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
  const { receivedAt, content } = report
  countIntake(tables, project, outcome)
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

/** The issue that a report becomes if it joins none. */
function toNewIssue(report: NewReport, issueNumber: number): StoredIssue {
  const { content, receivedAt } = report
  return {
    ...content,
    id: report.issueId,
    projectId: report.projectId,
    issueNumber,
    status: 'open',
    submissionId: report.submission?.id ?? null,
    reportCount: 1,
    lastReportedAt: receivedAt,
    fixedIn: null,
    resolvedAt: null,
    unconfirmedVersion: null,
    firstLeftOpenAt: null,
    firstResolvedAt: null,
    createdAt: receivedAt,
    updatedAt: receivedAt,
    version: 1,
  }
}
