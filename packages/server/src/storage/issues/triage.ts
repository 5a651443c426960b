import { MAX_KNOWN_ISSUES } from '@bugle/contract/vocabulary'
import { changeIssue as decideChange } from '../../model/decisions/change-issue.ts'
import { markSpam as decideMark } from '../../model/decisions/mark-spam.ts'
import type { NewEvent } from '../../model/events.ts'
import type {
  ChangeOutcome,
  DeleteOutcome,
  IssueChangeCommand,
  IssueDeleteCommand,
  SpamCommand,
  SpamOutcome,
  StoredIssue,
  UnassignCommand,
} from '../../model/issues.ts'
import type { UnlabelCommand } from '../../model/labels.ts'
import { laneOf } from '../../model/lanes.ts'
import { findVisible } from './find-visible.ts'
import type { IssueTables, ProjectCounters, Stamp } from './issue-tables.ts'
import { addEvent, removeIssue, updateIssue, updateSpam } from './issue-writes.ts'
import { codeOf } from './lane-codes.ts'
import { recountTarget, releaseDuplicates } from './merging/duplicates.ts'
import { keepFirstText } from './reports/report-texts.ts'

/** Applies the requested changes, if the caller can see the issue. */
export function changeIssue(tables: IssueTables, command: IssueChangeCommand): ChangeOutcome {
  const { projectId, lanes, patch, laneAssignee = null, labelNames = {}, ifVersions, actor, at } = command
  const project = tables.findProject(projectId)
  const issue = findVisible(tables, project, command)
  if (project === undefined || issue === undefined) return { kind: 'missing' }
  if (ifVersions !== null && !ifVersions.includes(issue.version)) return { kind: 'stale' }

  const decision = decideChange(issue, patch, {
    at,
    isFingerprintTaken: isFingerprintTaken(tables, project, issue),
    laneAssignee,
    labelNames,
    seesSecurity: lanes.includes('security'),
    canPublish: !patch.known || tables.countKnown(project) < MAX_KNOWN_ISSUES,
  })
  if (decision.kind === 'unchanged') return { kind: 'unchanged', issue }
  if (decision.kind !== 'changed') return decision
  const changed = keepingText(tables, project, issue, decision.issue)
  updateIssue(tables, project, issue, changed)
  addEvent(tables, project, changed, decision.event, { at, actor })
  if (changed.duplicateOf !== issue.duplicateOf) recountTarget(tables, project, issue)
  if (changed.duplicateCount < issue.duplicateCount) releaseDuplicates(tables, project, issue, at)
  return { kind: 'changed', issue: changed }
}

/** The text of the first report is kept when people edit the issue. */
function keepingText(
  tables: IssueTables,
  project: ProjectCounters,
  before: StoredIssue,
  after: StoredIssue,
): StoredIssue {
  if (before.editedAt !== null || after.editedAt === null) return after
  return { ...after, reportWords: after.reportWords + keepFirstText(tables, project, before) }
}

/** Unassigns an issue from a person who lost access to it; false if it is no longer assigned to them. */
export function unassignIssue(tables: IssueTables, command: UnassignCommand): boolean {
  const { projectId, issueId, userId, at } = command
  const project = tables.findProject(projectId)
  const issue = project && tables.findIssue(project, issueId)
  if (project === undefined || issue?.assigneeId !== userId) return false
  const after = { ...issue, assigneeId: null, updatedAt: at, version: issue.version + 1 }
  updateIssue(tables, project, issue, after)
  const changes = [{ member: 'assigneeId', from: userId, to: null }]
  addEvent(tables, project, after, { ...LOST_ACCESS, changes }, { at, actor: null })
  return true
}

/** Takes a deleted label from an issue, which does not change for anyone: the label is no longer shown. */
export function unlabelIssue(tables: IssueTables, { projectId, issueId, label }: UnlabelCommand): boolean {
  const project = tables.findProject(projectId)
  const issue = project && tables.findIssue(project, issueId)
  if (project === undefined || issue?.labels.includes(label) !== true) return false
  const labels = issue.labels.filter((number) => number !== label)
  updateIssue(tables, project, issue, { ...issue, labels })
  return true
}

const LOST_ACCESS = {
  type: 'issue.updated',
  note: null,
  reason: 'The assignee no longer has access to this issue.',
} as const

export function deleteIssue(tables: IssueTables, command: IssueDeleteCommand): DeleteOutcome {
  const { projectId, ifVersions = null, actor, at } = command
  const project = tables.findProject(projectId)
  const issue = findVisible(tables, project, command)
  if (project === undefined || issue === undefined) return 'missing'
  if (ifVersions !== null && !ifVersions.includes(issue.version)) return 'stale'
  removeIssue(tables, project, issue)
  // No one hears of spam, so its deletion is no news either.
  if (issue.spamAt === null) addEvent(tables, project, issue, DELETED, { at, actor })
  recountTarget(tables, project, issue)
  releaseDuplicates(tables, project, issue, at)
  return 'deleted'
}

/** Whether the other lane already has an issue with the same fingerprint. */
function isFingerprintTaken(tables: IssueTables, project: ProjectCounters, issue: StoredIssue): boolean {
  if (issue.fingerprint === null) return false
  return tables.findByFingerprint(project, otherLane(issue), issue.fingerprint) !== undefined
}

function otherLane(issue: StoredIssue): number {
  return codeOf({ ...issue, category: laneOf(issue.category) === 'open' ? 'security' : 'bug' })
}

/** Marks an issue as spam, or removes the mark, if the caller can see it. */
export function markSpam(tables: IssueTables, command: SpamCommand): SpamOutcome {
  const { projectId, isSpam, ifVersions } = command
  const project = tables.findProject(projectId)
  const issue = findVisible(tables, project, command)
  if (project === undefined || issue === undefined) return { kind: 'missing' }
  if (ifVersions !== null && !ifVersions.includes(issue.version)) return { kind: 'stale' }
  const marked = writeSpamMark(tables, project, issue, isSpam, command)
  return marked === undefined ? { kind: 'unchanged', issue } : { kind: 'changed', issue: marked }
}

/** Marks an issue as spam or not spam. Returns the changed issue; `undefined` if nothing changes. */
export function writeSpamMark(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  isSpam: boolean,
  by: Stamp,
): StoredIssue | undefined {
  const isFingerprintTaken = hasTwin(tables, project, { ...issue, spamAt: isSpam ? by.at : null })
  const marked = decideMark(issue, { isSpam, at: by.at, isFingerprintTaken })
  if (marked === undefined) return undefined
  updateSpam(tables, project, issue, marked.issue)
  addEvent(tables, project, marked.issue, marked.event, by)
  recountTarget(tables, project, issue)
  releaseDuplicates(tables, project, issue, by.at)
  return marked.issue
}

function hasTwin(tables: IssueTables, project: ProjectCounters, moved: StoredIssue): boolean {
  if (moved.fingerprint === null) return false
  const twin = tables.findByFingerprint(project, codeOf(moved), moved.fingerprint)
  return twin !== undefined && twin.issueNumber !== moved.issueNumber
}

export const DELETED: NewEvent = { type: 'issue.deleted', changes: [], note: null, reason: null }
