import type { ProjectId } from '../../model/ids.ts'
import { type IntakeEntry, refusedKeyValue } from '../../model/stats.ts'
import { changeIssues } from './bulk/bulk-changes.ts'
import type { IssueTables } from './issue-tables.ts'
import { mergeIssue } from './merging/duplicates.ts'
import { deleteReport, redactReport } from './reports/reports.ts'
import { submitReport } from './submissions.ts'
import { changeIssue, deleteIssue, markSpam, unassignIssue, unlabelIssue } from './triage.ts'

/** A write that is committed together with others of its project. */
export type GroupWrite<A extends readonly unknown[], T> = (tables: IssueTables, ...args: A) => T

/** Every such write, by the name of its calls in the queue and in messages to the writer thread. */
export const GROUP_WRITES = {
  addIntake,
  changeIssue,
  changeIssues,
  deleteIssue,
  deleteReport,
  mergeIssue,
  markSpam,
  redactReport,
  submitReport,
  unassignIssue,
  unlabelIssue,
} as const satisfies Readonly<Record<string, GroupWrite<never[], unknown>>>

export type GroupWriteName = keyof typeof GROUP_WRITES

/** A call that waits for its commit. */
export type GroupCall = {
  [N in GroupWriteName]: (typeof GROUP_WRITES)[N] extends GroupWrite<infer A, unknown>
    ? readonly [name: N, ...args: A]
    : never
}[GroupWriteName]

const NAMES = new Map<unknown, string>(Object.entries(GROUP_WRITES).map(([name, write]) => [write, name]))

export function nameOfGroupWrite(write: { readonly name: string }): GroupWriteName {
  const name = NAMES.get(write)
  if (name === undefined) throw new TypeError(`${write.name} is missing in group-writes.ts`)
  return name as GroupWriteName
}

/** Runs a call on the tables that a transaction sees. */
export function runGroupCall(
  tables: IssueTables,
  [name, ...args]: readonly [GroupWriteName, ...unknown[]],
): unknown {
  const write = GROUP_WRITES[name] as GroupWrite<readonly unknown[], unknown>
  return write(tables, ...args)
}

/** Updates counters that are not derived from issues. */
export function addIntake(
  tables: Pick<IssueTables, 'findProject' | 'count'>,
  projectId: ProjectId,
  entries: readonly IntakeEntry[],
): void {
  const project = tables.findProject(projectId)
  if (project === undefined) return
  for (const [outcome, count, keyId] of entries) {
    const place = { projectSeq: project.seq, lane: 0 }
    tables.count({ ...place, dimension: 'intake', value: outcome }, count)
    if (keyId === undefined) continue
    tables.count({ ...place, dimension: 'refused_key', value: refusedKeyValue(keyId, outcome) }, count)
  }
}
