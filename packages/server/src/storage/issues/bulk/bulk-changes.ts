import { type BulkAction, MAX_BULK_ISSUES, MAX_ISSUE_LABELS } from '@bugle/contract/vocabulary'
import type { BulkCommand, BulkOutcome, BulkRecord } from '../../../model/bulk-changes.ts'
import { changeIssue as decideChange, type IssueDecision } from '../../../model/decisions/change-issue.ts'
import type { IssueId } from '../../../model/ids.ts'
import type { IssuePatch, StoredIssue } from '../../../model/issues.ts'
import { laneOf } from '../../../model/lanes.ts'
import type { IssueTables, ProjectCounters } from '../issue-tables.ts'
import { addEvent, removeIssues, updateTriage } from '../issue-writes.ts'
import { recountDuplicates, releaseDuplicates } from '../merging/duplicates.ts'
import { DELETED, writeSpamMark } from '../triage.ts'

/** Changes or deletes several issues, once per id: all of them, or none if one of them has changed or does not allow it. */
export function changeIssues(tables: IssueTables, command: BulkCommand): BulkOutcome {
  const project = tables.findProject(command.projectId)
  if (project === undefined) return { kind: 'missing' }
  const known = tables.findBulkChange(project, command.bulkId)
  if (known !== undefined) return replay(known, command)
  const issues = command.issues.flatMap(({ issueId, version }) => {
    const issue = tables.findShortIssue(project, issueId)
    const isVisible = issue !== undefined && command.lanes.includes(laneOf(issue.category))
    return isVisible && issue.version === version ? [issue] : []
  })
  const changedSince = command.issues.length - issues.length
  if (changedSince > 0) return { kind: 'selection-changed', count: changedSince }
  const outcome = ACTIONS[command.action](tables, project, issues, command)
  if (typeof outcome !== 'number') return outcome
  const record = { contentHash: command.contentHash, matched: issues.length, changed: outcome }
  tables.insertBulkChange(project, { ...record, id: command.bulkId, at: command.at })
  return { kind: 'done', record }
}

/** Each returns how many issues have changed. */
const ACTIONS: Readonly<Record<BulkAction, typeof changeAll>> = {
  change: changeAll,
  delete: deleteAll,
  mark_spam: markAll,
  unmark_spam: markAll,
}

/** The outcome of a change whose id is known. */
export function replay(known: BulkRecord, { contentHash }: Pick<BulkCommand, 'contentHash'>): BulkOutcome {
  return known.contentHash === contentHash ? { kind: 'replayed', record: known } : { kind: 'conflict' }
}

/** Whether the duplicates of these issues can be changed in one transaction. */
export function areFewDuplicates(issues: readonly StoredIssue[]): boolean {
  return issues.reduce((sum, { duplicateCount }) => sum + duplicateCount, 0) <= MAX_BULK_ISSUES
}

function deleteAll(
  tables: IssueTables,
  project: ProjectCounters,
  issues: readonly StoredIssue[],
  by: BulkCommand,
): number | BulkOutcome {
  const targetIds = new Set(issues.flatMap(({ duplicateOf }) => duplicateOf ?? []))
  if (!canSeparate(tables, project, issues, targetIds)) return { kind: 'too-many-duplicates' }
  removeIssues(tables, project, issues)
  for (const issue of issues) if (issue.spamAt === null) addEvent(tables, project, issue, DELETED, by)
  for (const id of targetIds) recountDuplicates(tables, project, id)
  for (const issue of issues) releaseDuplicates(tables, project, issue, by.at)
  return issues.length
}

function markAll(
  tables: IssueTables,
  project: ProjectCounters,
  issues: readonly StoredIssue[],
  command: BulkCommand,
): number | BulkOutcome {
  const targetIds = new Set(issues.flatMap(({ duplicateOf }) => duplicateOf ?? []))
  if (!canSeparate(tables, project, issues, targetIds)) return { kind: 'too-many-duplicates' }
  const isSpam = command.action === 'mark_spam'
  return issues.filter(({ id }) => {
    // Read again: it may have been a duplicate of one of the others.
    const issue = tables.findShortIssue(project, id)
    return issue !== undefined && writeSpamMark(tables, project, issue, isSpam, command) !== undefined
  }).length
}

/** Whether the duplicates of issues, and of the targets of issues, can be changed in one transaction. */
function canSeparate(
  tables: IssueTables,
  project: ProjectCounters,
  issues: readonly StoredIssue[],
  targetIds: ReadonlySet<IssueId>,
): boolean {
  const targets = [...targetIds].flatMap((id) => tables.findShortIssue(project, id) ?? [])
  return areFewDuplicates([...issues, ...targets])
}

/** Decides about all issues before it writes the first. Returns how many have changed. */
function changeAll(
  tables: IssueTables,
  project: ProjectCounters,
  issues: readonly StoredIssue[],
  command: BulkCommand,
): number | BulkOutcome {
  const changes: (readonly [before: StoredIssue, decision: Changed])[] = []
  for (const issue of issues) {
    const patch = patchOf(issue, command)
    if (patch === 'too-many-labels') return { kind: patch }
    const decision = decideChange(issue, patch, {
      at: command.at,
      isFingerprintTaken: false,
      laneAssignee: command.laneAssignee,
      labelNames: command.labelNames,
      seesSecurity: command.lanes.includes('security'),
      canPublish: false,
    })
    if (isRefusal(decision)) return decision
    if (decision.kind === 'changed') changes.push([issue, decision])
  }
  for (const [before, { issue, event }] of changes) {
    updateTriage(tables, project, before, issue)
    addEvent(tables, project, issue, event, command)
  }
  return changes.length
}

type Refusal = Extract<BulkOutcome, IssueDecision>

function isRefusal(decision: IssueDecision): decision is Refusal {
  return decision.kind !== 'changed' && decision.kind !== 'unchanged' && decision.kind !== 'incomplete-fix'
}

type Changed = Extract<IssueDecision, { readonly kind: 'changed' }>

/** The change of one issue. Labels that were deleted are no longer shown, and do not count. */
function patchOf(issue: StoredIssue, { patch, labelNames }: BulkCommand): IssuePatch | 'too-many-labels' {
  const { addedLabels = [], removedLabels = [], ...others } = patch
  if (addedLabels.length === 0 && removedLabels.length === 0) return others
  const labels = [...new Set([...issue.labels, ...addedLabels])]
    .filter((number) => !removedLabels.includes(number))
    .sort((one, other) => one - other)
  const isTooLong = labels.filter((number) => number in labelNames).length > MAX_ISSUE_LABELS
  return isTooLong && addedLabels.length > 0 ? 'too-many-labels' : { ...others, labels }
}
