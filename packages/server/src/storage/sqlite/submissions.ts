import type { DatabaseSync } from 'node:sqlite'
import type { IssueStatus } from '@bugle/contract/vocabulary'
import { dayOf } from '../../domain/decisions/count-issue.ts'
import { joinReport } from '../../domain/decisions/join-report.ts'
import { encodeId } from '../../ids.ts'
import { type IssueRecord, laneOf, type NewReport, type Receipt, type SubmitOutcome } from '../records.ts'
import type { Batch, ProjectCounters } from './batch.ts'
import { LANE_CODES, toNewIssue } from './issue-rows.ts'
import type { IssueWrites } from './issue-writes.ts'
import { numberOf, rowKey } from './row-keys.ts'
import { prepareCommand } from './statements.ts'

/** The submission of a report, as it runs in the writer. */
export function prepareSubmissionWrites(db: DatabaseSync, batch: Batch, issues: IssueWrites) {
  const selectSubmission = db.prepare(
    `SELECT s.content_hash, s.status, s.report_count, i.row, i.id, i.created_at
     FROM submissions s JOIN issues i ON i.row = s.issue_row WHERE s.project_seq = ? AND s.id = ?`,
  )
  const insertSubmission = prepareCommand(
    db,
    'INSERT INTO submissions (project_seq, id, content_hash, issue_row, status, report_count) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const insertReport = prepareCommand(
    db,
    `INSERT INTO reports (issue_row, number, received_at, occurred_at, app_version, build_number, os_version,
       device_model, platform, branch, submission_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const addReportDay = prepareCommand(
    db,
    `INSERT INTO report_days (issue_row, day, count) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1`,
  )

  function create(project: ProjectCounters, report: NewReport): SubmitOutcome {
    if (issues.isIdTaken(report.issueId)) return { kind: 'id-taken' }
    const issue = toNewIssue(report, ++project.lastIssueNumber)
    issues.insert(project, issue, { at: report.receivedAt, actor: report.actor })
    return finish(project, report, issue, 'stored')
  }

  function join(project: ProjectCounters, report: NewReport, before: IssueRecord): SubmitOutcome {
    const { content, receivedAt } = report
    const { issue, events } = joinReport(before, { ...content, receivedAt })
    const row = rowKey(project.seq, issue.issueNumber)
    const day = dayOf(receivedAt)
    issues.update(project, before, issue)
    insertReport.run(
      row,
      issue.reportCount,
      receivedAt,
      content.occurredAt,
      content.appVersion,
      content.buildNumber,
      content.osVersion,
      content.deviceModel,
      content.platform,
      content.branch,
      report.submission?.id ?? null,
    )
    addReportDay.run(row, day)
    const lane = LANE_CODES[laneOf(issue.category)]
    batch.count({ projectSeq: project.seq, lane, dimension: 'reports_day', value: day }, 1)
    for (const event of events) {
      const actor = event.type === 'issue.reported' ? report.actor : null
      issues.addEvent(project, issue, event, { at: receivedAt, actor })
    }
    return finish(project, report, issue, 'joined')
  }

  function finish(
    project: ProjectCounters,
    report: NewReport,
    issue: IssueRecord,
    outcome: 'stored' | 'joined',
  ): SubmitOutcome {
    const { submission, receivedAt, content } = report
    if (submission !== null) {
      const row = rowKey(project.seq, issue.issueNumber)
      insertSubmission.run(
        project.seq,
        submission.id,
        submission.contentHash,
        row,
        issue.status,
        issue.reportCount,
      )
    }
    countIntake(project, outcome)
    if (content.sdk !== null) {
      const dimension = `sdk:${dayOf(receivedAt)}`
      batch.count({ projectSeq: project.seq, lane: 0, dimension, value: content.sdk.version }, 1)
    }
    const { id: issueId, issueNumber, status, createdAt, reportCount } = issue
    return { kind: outcome, receipt: { issueId, issueNumber, status, createdAt, reportCount } }
  }

  function countIntake(project: ProjectCounters, outcome: string): void {
    batch.count({ projectSeq: project.seq, lane: 0, dimension: 'intake', value: outcome }, 1)
  }

  return {
    submitReport(report: NewReport): SubmitOutcome {
      const project = batch.project(report.projectId)
      if (project === undefined) return { kind: 'no-project' }
      const { submission, content } = report
      const earlier =
        submission && (selectSubmission.get(project.seq, submission.id) as SubmissionRow | undefined)
      if (submission && earlier) {
        const isSame = Buffer.compare(earlier.content_hash, submission.contentHash) === 0
        if (!isSame) return { kind: 'conflict' }
        countIntake(project, 'replayed')
        return { kind: 'replayed', receipt: toReceipt(earlier) }
      }
      const { fingerprint } = content
      const existing =
        fingerprint === null
          ? undefined
          : issues.findByFingerprint(report.projectId, project, laneOf(content.category), fingerprint)
      if (existing === undefined) return create(project, report)
      if (report.lanes.includes(laneOf(content.category))) return join(project, report, existing)
      // The answer would tell of an issue that the reporter must not know of.
      return create(project, { ...report, content: { ...content, fingerprint: null } })
    },
  }
}

interface SubmissionRow {
  readonly content_hash: Uint8Array
  readonly status: IssueStatus
  readonly report_count: number
  readonly row: number
  readonly id: Uint8Array
  readonly created_at: number
}

function toReceipt(earlier: SubmissionRow): Receipt {
  return {
    issueId: encodeId('iss', earlier.id),
    issueNumber: numberOf(earlier.row),
    status: earlier.status,
    createdAt: earlier.created_at,
    reportCount: earlier.report_count,
  }
}
