import type { DatabaseSync } from 'node:sqlite'
import { changeIssue } from '../../domain/decisions/change-issue.ts'
import { type ChangeOutcome, type IssueChangeOrder, type IssueRecord, laneOf } from '../records.ts'
import type { Batch, ProjectCounters } from './batch.ts'
import type { IssueWrites } from './issue-writes.ts'
import { rowKey } from './row-keys.ts'
import { prepareCommand } from './statements.ts'

/** What people do with issues, as it runs in the writer. */
export function prepareTriageWrites(db: DatabaseSync, batch: Batch, issues: IssueWrites) {
  const removeSubmissions = prepareCommand(
    db,
    `DELETE FROM submissions WHERE project_seq = ?1 AND id IN
       (SELECT submission_id FROM reports WHERE issue_row = ?2 UNION ALL SELECT submission_id FROM issues WHERE row = ?2)`,
  )
  const ofItsEvents = `webhook_row IN (SELECT row FROM webhooks WHERE row >> 32 = ?1 >> 32) AND position IN
    (SELECT row & 0xffffffff FROM events WHERE issue_row = ?1 AND type <> 'issue.created'
     UNION ALL SELECT created_position FROM issues WHERE row = ?1)`
  const removals = [
    // What receivers answered may repeat what they were told.
    `DELETE FROM attempts WHERE ${ofItsEvents}`,
    `DELETE FROM deliveries WHERE ${ofItsEvents}`,
    'DELETE FROM reports WHERE issue_row = ?',
    'DELETE FROM report_days WHERE issue_row = ?',
    "DELETE FROM events WHERE issue_row = ? AND type <> 'issue.created'",
    'DELETE FROM events WHERE row = ((SELECT created_position FROM issues WHERE row = ?1) + (?1 >> 32 << 32))',
    'DELETE FROM issues WHERE row = ?',
  ].map((sql) => prepareCommand(db, sql))

  /** Whether the other lane has an issue with the same fingerprint already. */
  function isFingerprintTaken(project: ProjectCounters, issue: IssueRecord): boolean {
    if (issue.fingerprint === null) return false
    const otherLane = laneOf(issue.category) === 'open' ? 'security' : 'open'
    return issues.findByFingerprint(issue.projectId, project, otherLane, issue.fingerprint) !== undefined
  }

  return {
    changeIssue({
      projectId,
      issueId,
      lanes,
      patch,
      ifVersions,
      actor,
      at,
    }: IssueChangeOrder): ChangeOutcome {
      const project = batch.project(projectId)
      const issue = project && issues.findById(projectId, project, issueId, lanes)
      if (project === undefined || issue === undefined) return { kind: 'missing' }
      if (ifVersions !== null && !ifVersions.includes(issue.version)) return { kind: 'stale' }

      const decision = changeIssue(issue, patch, {
        at,
        isFingerprintTaken: isFingerprintTaken(project, issue),
      })
      if (decision.kind === 'unchanged') return { kind: 'unchanged', issue }
      if (decision.kind === 'invalid-transition') return decision
      issues.update(project, issue, decision.issue)
      issues.addEvent(project, decision.issue, decision.event, { at, actor })
      return { kind: 'changed', issue: decision.issue }
    },

    deleteIssue(order: Omit<IssueChangeOrder, 'patch' | 'ifVersions'>): 'deleted' | 'missing' {
      const { projectId, issueId, lanes, actor, at } = order
      const project = batch.project(projectId)
      const issue = project && issues.findById(projectId, project, issueId, lanes)
      if (project === undefined || issue === undefined) return 'missing'
      issues.countIssue(project, issue, -1)
      issues.countReportDays(project, issue, -1)
      issues.unindex(project, issue)
      const row = rowKey(project.seq, issue.issueNumber)
      removeSubmissions.run(project.seq, row)
      for (const removal of removals) removal.run(row)
      issues.addEvent(
        project,
        issue,
        { type: 'issue.deleted', changes: [], note: null, reason: null },
        { at, actor },
      )
      return 'deleted'
    },
  }
}
