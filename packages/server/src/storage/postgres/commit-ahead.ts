import type { ProjectId } from '../../ids.ts'
import type { ProjectCounters } from '../sql/issue-tables.ts'
import { type Changes, createBatchTables } from './batch-tables.ts'
import { type Database, prepared } from './connection.ts'
import type { AddedCount, CounterWrites } from './counters.ts'
import {
  COUNTERS,
  EVENTS,
  ISSUES,
  insertText,
  SEARCH,
  SUBMISSIONS,
  toNewIssueRow,
  toSearchRow,
  toSubmissionRow,
} from './insertions.ts'
import { NOTHING_LOADED } from './load-rows.ts'
import type { ProjectHeads } from './project-heads.ts'
import { uuidOf } from './uuids.ts'
import { runCalls, type WriteCall } from './write-operations.ts'

/** Commits calls without looking at the project first; nothing is stored, and `undefined` the answer, if that can not be done. */
export type CommitAhead = (
  projectId: ProjectId,
  calls: readonly WriteCall[],
) => Promise<readonly unknown[] | undefined>

/**
 * New issues need nothing of what is stored but the last numbers, and those this node knows if it was the last to write.
 * So all of a batch goes in one statement, one way there and back, and the project is locked only while it runs. The
 * statement does nothing if somebody else was faster, or if a submission is stored already.
 */
export function createCommitAhead(
  database: Database,
  heads: ProjectHeads,
  counters: CounterWrites,
): CommitAhead {
  return async (projectId, calls) => {
    const head = heads.find(projectId)
    if (!head?.isUndisturbed || !calls.every(isOfNewIssue)) return undefined
    const project: ProjectCounters = { ...head }
    const tables = createBatchTables(project, NOTHING_LOADED)
    const values = runCalls(tables, calls)
    const { changes } = tables
    const counts = counters.knownRows(changes.counts)
    if (counts === undefined) return undefined
    const stored = await database.write(STORE(...parametersOf(project, head, changes, counts)))
    heads.keep(stored.length > 0 ? { ...head, ...project } : { ...head, isUndisturbed: false })
    return stored.length > 0 ? values : undefined
  }
}

function isOfNewIssue(call: WriteCall): boolean {
  return call[0] === 'submitReport' && call[1].content.fingerprint === null
}

const TABLES = [ISSUES, SEARCH, EVENTS, SUBMISSIONS, COUNTERS]
const FIRST_ROWS = 8

const STORE = prepared(
  'store_new_issues',
  `WITH head AS (
     UPDATE projects SET last_issue_number = $3, last_event_position = $4
     WHERE id = $1 AND seq = $2 AND slug IS NOT NULL AND last_issue_number = $5 AND last_event_position = $6
       AND NOT EXISTS (SELECT 1 FROM submissions WHERE project = $2 AND id = ANY ($7))
     RETURNING seq
   ), ${TABLES.map(
     (rows, index) =>
       `new_${rows.table} AS (${insertText(rows, {
         project: 'head.seq',
         rows: `$${FIRST_ROWS + index}`,
         from: 'head CROSS JOIN LATERAL',
       })})`,
   ).join(', ')}
   SELECT seq FROM head`,
)

function parametersOf(
  project: ProjectCounters,
  head: ProjectCounters,
  { inserted, events, submissions }: Changes,
  counts: readonly AddedCount[],
): readonly unknown[] {
  return [
    uuidOf(project.id),
    project.seq,
    project.lastIssueNumber,
    project.lastEventPosition,
    head.lastIssueNumber,
    head.lastEventPosition,
    submissions.map(([, { id }]) => id),
    ...[
      inserted.map(toNewIssueRow),
      inserted.map(([issue]) => toSearchRow(project.seq, issue)),
      events,
      submissions.map(toSubmissionRow),
      counts,
    ].map((rows) => JSON.stringify(rows)),
  ]
}
