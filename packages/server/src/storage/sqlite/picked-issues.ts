import type { DatabaseSync } from 'node:sqlite'
import type { ProjectId } from '../../ids.ts'
import type { IssueRecord } from '../records/issues.ts'
import { PICKED_VALUES, type PickedIssues } from './issue-lists.ts'
import { type IssueRow, toIssue } from './issue-rows.ts'

/** Issues kept. When there are more it starts over: reading again is cheap. */
const MAX_KEPT = 2_000
/** Issues with longer texts are not kept, so that few strangers can not fill the memory. */
const MAX_KEPT_CHARS = 4_000

/** Reads the issues that were picked for a list. */
export type ReadPicked = (picked: PickedIssues, projectId: ProjectId) => readonly IssueRecord[]

/** Lists show the same issues again and again: as long as one stays the same, it is the same record. */
export function preparePickedIssues(db: DatabaseSync): ReadPicked {
  const select = db.prepare('SELECT * FROM issues WHERE row = ?')
  const kept = new Map<number, IssueRecord>()

  function keep(key: number, issue: IssueRecord, row: IssueRow): void {
    const chars = (row.description?.length ?? 0) + (row.metadata?.length ?? 0)
    if (chars > MAX_KEPT_CHARS) return
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(key, issue)
  }

  /** The issue, unless it is gone or was changed since it was picked: then it may no longer belong in the list. */
  function read(
    key: number,
    version: number,
    reportCount: number,
    projectId: ProjectId,
  ): IssueRecord | undefined {
    const known = kept.get(key)
    if (known?.version === version && known.reportCount === reportCount) return known
    const row = select.get(key) as IssueRow | undefined
    if (row === undefined || row.version !== version) return undefined
    const issue = toIssue(row, projectId)
    keep(key, issue, row)
    return issue
  }

  return ({ values }, projectId) => {
    const issues: IssueRecord[] = []
    for (let at = 0; at < values.length; at += PICKED_VALUES) {
      const [key = 0, version = 0, reportCount = 0] = values.slice(at, at + PICKED_VALUES)
      const issue = read(key, version, reportCount, projectId)
      if (issue !== undefined) issues.push(issue)
    }
    return issues
  }
}
