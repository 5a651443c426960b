import { MAX_DUPLICATES } from '@bugle/contract/vocabulary'
import { withDuplicates } from '../../../model/decisions/duplicates.ts'
import {
  mergeIssue as decideMerge,
  unmergeIssue as decideUnmerge,
} from '../../../model/decisions/merge-issue.ts'
import type { IssueId } from '../../../model/ids.ts'
import type { MergeCommand, MergeOutcome, StoredIssue } from '../../../model/issues.ts'
import { findVisible } from '../find-visible.ts'
import type { IssueTables, ProjectCounters } from '../issue-tables.ts'
import { addEvent, updateIssue, updateTriage } from '../issue-writes.ts'
import { codeOf } from '../lane-codes.ts'

/** Makes an issue a duplicate of another one of its lane; without `into`, no longer a duplicate. */
export function mergeIssue(tables: IssueTables, command: MergeCommand): MergeOutcome {
  const { into, ifVersions } = command
  const project = tables.findProject(command.projectId)
  const issue = findVisible(tables, project, command)
  if (project === undefined || issue === undefined) return { kind: 'missing' }
  if (ifVersions !== null && !ifVersions.includes(issue.version)) return { kind: 'stale' }
  return into === undefined
    ? unmerge(tables, project, issue, command)
    : merge(tables, project, issue, { ...command, into })
}

function merge(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  by: MergeCommand & { readonly into: IssueId },
): MergeOutcome {
  const target = findTarget(tables, project, issue, by.into)
  if (target === undefined) return { kind: 'no-target' }
  if (target.id === issue.id) return { kind: 'own-duplicate' }
  if (target.id === issue.duplicateOf) return { kind: 'unchanged', issue }
  const followers = tables.duplicatesOf(project, issue)
  if (target.duplicateCount + 1 + followers.length > MAX_DUPLICATES) return { kind: 'too-many-duplicates' }

  const { issue: merged, event } = decideMerge(issue, target.id, by.at)
  updateIssue(tables, project, issue, merged)
  addEvent(tables, project, merged, event, by)
  for (const follower of followers) {
    const decision = decideMerge(follower, target.id, by.at)
    updateTriage(tables, project, follower, decision.issue)
    addEvent(tables, project, decision.issue, decision.event, by)
  }
  recountTarget(tables, project, issue)
  recountDuplicates(tables, project, target.id)
  return { kind: 'changed', issue: merged }
}

function unmerge(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  by: MergeCommand,
): MergeOutcome {
  if (issue.duplicateOf === null) return { kind: 'unchanged', issue }
  const { issue: separated, event } = decideUnmerge(issue, by.at)
  updateIssue(tables, project, issue, separated)
  addEvent(tables, project, separated, event, by)
  recountTarget(tables, project, issue)
  return { kind: 'changed', issue: separated }
}

/** The issue to merge into; if it is a duplicate, its target. In another lane, it is missing for every caller. Spam is merged with nothing. */
function findTarget(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  into: IssueId,
): StoredIssue | undefined {
  const found = into === issue.id ? undefined : tables.findIssue(project, into)
  if (found === undefined || codeOf(found) !== codeOf(issue) || issue.spamAt !== null) return undefined
  return found.duplicateOf === null ? found : tables.findIssue(project, found.duplicateOf)
}

/** Makes the duplicates of an issue issues of their own again, because it was deleted or has left their lane. */
export function releaseDuplicates(
  tables: IssueTables,
  project: ProjectCounters,
  issue: StoredIssue,
  at: number,
): void {
  if (issue.duplicateCount === 0) return
  for (const duplicate of tables.duplicatesOf(project, issue)) {
    const { issue: separated, event } = decideUnmerge(duplicate, at, TARGET_GONE)
    updateTriage(tables, project, duplicate, separated)
    addEvent(tables, project, separated, event, { at, actor: null })
  }
}

// The same in both cases: readers of the open lane must not learn that an issue has become hidden.
const TARGET_GONE = 'The issue that it was a duplicate of is no longer available.'

/** Counts the duplicates of the target again after a change of one that is, or was, its duplicate. */
export function recountTarget(tables: IssueTables, project: ProjectCounters, duplicate: StoredIssue): void {
  if (duplicate.duplicateOf !== null) recountDuplicates(tables, project, duplicate.duplicateOf)
}

export function recountDuplicates(tables: IssueTables, project: ProjectCounters, id: IssueId): void {
  const issue = tables.findIssue(project, id)
  if (issue === undefined) return
  tables.updateCounts(project, withDuplicates(issue, tables.duplicatesOf(project, issue)))
}
