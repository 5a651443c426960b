import type { IssueId } from '../../../model/ids.ts'
import type { StoredIssue } from '../../../model/issues.ts'
import { areFewDuplicates } from '../../issues/bulk/bulk-changes.ts'
import type { GroupCall } from '../../issues/group-writes.ts'
import { shortColumns } from '../../issues/issue-rows.ts'
import { hexOfId } from '../../issues/merging/hex-ids.ts'
import { prepared, type Transaction } from '../driver/connection.ts'
import { uuidOf } from '../driver/uuids.ts'
import { type IssueRow, SELECT_BY_ID, SELECT_SHORT_BY_ID, toIssue } from './issue-rows.ts'

/** A range and an order leave the planner only one index, even while the table is empty. */
const SELECT_DUPLICATES = prepared(
  'load_duplicates',
  `SELECT i.number, i.id, ${shortColumns('i').join(', ')} FROM unnest($2::text[]) AS k (target)
   CROSS JOIN LATERAL (SELECT * FROM issues WHERE project = $1 AND duplicate_of BETWEEN k.target AND k.target
     ORDER BY duplicate_of) i`,
)

/**
 * The targets of issues that were read for a batch, and the duplicates that its calls may change. Those without long fields
 * come first: an issue that is read twice must have all of its fields.
 */
export async function loadDuplicates(
  tx: Transaction,
  project: { readonly id: StoredIssue['projectId']; readonly seq: number },
  found: readonly StoredIssue[],
  calls: readonly GroupCall[],
): Promise<readonly StoredIssue[]> {
  const known = new Map(found.map((issue) => [issue.id, issue]))
  const targetIds = new Set(found.flatMap(({ duplicateOf }) => duplicateOf ?? []))
  const missing = [...targetIds].filter((id) => !known.has(id)).map(uuidOf)
  const isBulk = calls.some(([name]) => name === 'changeIssues')
  const select = isBulk ? SELECT_SHORT_BY_ID : SELECT_BY_ID
  const rows = missing.length === 0 ? [] : await tx.run<IssueRow>(select(project.seq, missing))
  const targets = rows.map((row) => toIssue(row, project.id))
  for (const target of targets) known.set(target.id, target)

  const regrouped = calls.flatMap(regroupedBy).flatMap((id) => [id, known.get(id)?.duplicateOf ?? []].flat())
  const parents = [...new Set(regrouped)].flatMap((id) => known.get(id) ?? [])
  const merged = parents.filter(({ duplicateCount }) => duplicateCount > 0)
  if (merged.length === 0 || (isBulk && !areFewDuplicates(merged))) return [...targets, ...found]
  const hexIds = merged.map(({ id }) => hexOfId(id))
  const duplicates = await tx.run<IssueRow>(SELECT_DUPLICATES(project.seq, hexIds))
  return [...duplicates.map((row) => toIssue(row, project.id)), ...targets, ...found]
}

/** The issues that a call may merge, separate or count anew. */
function regroupedBy(call: GroupCall): readonly IssueId[] {
  if (call[0] === 'mergeIssue') return [call[1].issueId, call[1].into ?? []].flat()
  if (call[0] === 'deleteIssue' || call[0] === 'deleteReport' || call[0] === 'markSpam')
    return [call[1].issueId]
  if (call[0] === 'changeIssue') return call[1].patch.category === undefined ? [] : [call[1].issueId]
  if (call[0] !== 'changeIssues' || call[1].action === 'change') return []
  return call[1].issues.map(({ issueId }) => issueId)
}
