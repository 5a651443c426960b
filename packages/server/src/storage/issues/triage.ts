import { changeIssue } from '../../model/decisions/change-issue.ts'
import type { NewEvent } from '../../model/events.ts'
import type {
  ChangeOutcome,
  DeleteOutcome,
  IssueChangeOrder,
  IssueDeleteOrder,
  IssueRecord,
} from '../../model/issues.ts'
import { type Lane, laneOf } from '../../model/lanes.ts'
import type { IssueTables, ProjectCounters } from './issue-tables.ts'
import type { IssueWrites } from './issue-writes.ts'

/** What people do with issues, as it runs in a transaction. */
export function createTriageWrites(tables: IssueTables, writes: IssueWrites) {
  /** The issue, if the caller sees its lane. */
  function findVisible(
    project: ProjectCounters | undefined,
    { issueId, lanes }: IssueDeleteOrder,
  ): IssueRecord | undefined {
    const issue = project && tables.findIssue(project, issueId)
    return issue && lanes.includes(laneOf(issue.category)) ? issue : undefined
  }

  /** Whether the other lane has an issue with the same fingerprint already. */
  function isFingerprintTaken(project: ProjectCounters, issue: IssueRecord): boolean {
    if (issue.fingerprint === null) return false
    return tables.findByFingerprint(project, otherLane(issue), issue.fingerprint) !== undefined
  }

  return {
    changeIssue(order: IssueChangeOrder): ChangeOutcome {
      const { projectId, patch, ifVersions, actor, at } = order
      const project = tables.findProject(projectId)
      const issue = findVisible(project, order)
      if (project === undefined || issue === undefined) return { kind: 'missing' }
      if (ifVersions !== null && !ifVersions.includes(issue.version)) return { kind: 'stale' }

      const decision = changeIssue(issue, patch, {
        at,
        isFingerprintTaken: isFingerprintTaken(project, issue),
      })
      if (decision.kind === 'unchanged') return { kind: 'unchanged', issue }
      if (decision.kind !== 'changed') return decision
      writes.update(project, issue, decision.issue)
      writes.addEvent(project, decision.issue, decision.event, { at, actor })
      return { kind: 'changed', issue: decision.issue }
    },

    deleteIssue(order: IssueDeleteOrder): DeleteOutcome {
      const { projectId, ifVersions = null, actor, at } = order
      const project = tables.findProject(projectId)
      const issue = findVisible(project, order)
      if (project === undefined || issue === undefined) return 'missing'
      if (ifVersions !== null && !ifVersions.includes(issue.version)) return 'stale'
      writes.remove(project, issue)
      writes.addEvent(project, issue, DELETED, { at, actor })
      return 'deleted'
    },
  }
}

function otherLane(issue: IssueRecord): Lane {
  return laneOf(issue.category) === 'open' ? 'security' : 'open'
}

const DELETED: NewEvent = { type: 'issue.deleted', changes: [], note: null, reason: null }
