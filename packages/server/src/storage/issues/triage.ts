import { changeIssue as decideChange } from '../../model/decisions/change-issue.ts'
import type { NewEvent } from '../../model/events.ts'
import type {
  ChangeOutcome,
  DeleteOutcome,
  IssueChangeCommand,
  IssueDeleteCommand,
  StoredIssue,
} from '../../model/issues.ts'
import { type Lane, laneOf } from '../../model/lanes.ts'
import type { IssueTables, ProjectCounters } from './issue-tables.ts'
import { addEvent, removeIssue, updateIssue } from './issue-writes.ts'

/** Applies what people want changed, if they see the issue. */
export function changeIssue(tables: IssueTables, order: IssueChangeCommand): ChangeOutcome {
  const { projectId, patch, ifVersions, actor, at } = order
  const project = tables.findProject(projectId)
  const issue = findVisible(tables, project, order)
  if (project === undefined || issue === undefined) return { kind: 'missing' }
  if (ifVersions !== null && !ifVersions.includes(issue.version)) return { kind: 'stale' }

  const decision = decideChange(issue, patch, {
    at,
    isFingerprintTaken: isFingerprintTaken(tables, project, issue),
  })
  if (decision.kind === 'unchanged') return { kind: 'unchanged', issue }
  if (decision.kind !== 'changed') return decision
  updateIssue(tables, project, issue, decision.issue)
  addEvent(tables, project, decision.issue, decision.event, { at, actor })
  return { kind: 'changed', issue: decision.issue }
}

export function deleteIssue(tables: IssueTables, order: IssueDeleteCommand): DeleteOutcome {
  const { projectId, ifVersions = null, actor, at } = order
  const project = tables.findProject(projectId)
  const issue = findVisible(tables, project, order)
  if (project === undefined || issue === undefined) return 'missing'
  if (ifVersions !== null && !ifVersions.includes(issue.version)) return 'stale'
  removeIssue(tables, project, issue)
  addEvent(tables, project, issue, DELETED, { at, actor })
  return 'deleted'
}

/** The issue, if the caller sees its lane. */
function findVisible(
  tables: IssueTables,
  project: ProjectCounters | undefined,
  { issueId, lanes }: IssueDeleteCommand,
): StoredIssue | undefined {
  const issue = project && tables.findIssue(project, issueId)
  return issue && lanes.includes(laneOf(issue.category)) ? issue : undefined
}

/** Whether the other lane has an issue with the same fingerprint already. */
function isFingerprintTaken(tables: IssueTables, project: ProjectCounters, issue: StoredIssue): boolean {
  if (issue.fingerprint === null) return false
  return tables.findByFingerprint(project, otherLane(issue), issue.fingerprint) !== undefined
}

function otherLane(issue: StoredIssue): Lane {
  return laneOf(issue.category) === 'open' ? 'security' : 'open'
}

const DELETED: NewEvent = { type: 'issue.deleted', changes: [], note: null, reason: null }
