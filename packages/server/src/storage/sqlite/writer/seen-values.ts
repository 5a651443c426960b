import type { DatabaseSync } from 'node:sqlite'
import type { IssueTables } from '../../issues/issue-tables.ts'
import { foldSources, type SourcesOfIssue } from '../../issues/seen/report-sources.ts'
import {
  createSeenChanges,
  type SeenChange,
  type SeenChanges,
  type SeenPlace,
} from '../../issues/seen/seen-changes.ts'
import { foldSeen, reduceSeen } from '../../issues/seen/seen-writes.ts'
import { operationRunner } from '../driver/run-operations.ts'
import { prepareSilent } from '../driver/statements.ts'

/** The changes of a transaction to versions, builds and branches: kept in memory, and written before the commit. */
export interface SeenWrites {
  readonly changes: SeenChanges
  checkSources: IssueTables['checkSources']
  /** Discards the changes of an earlier transaction. */
  begin(): void
  finish(): void
}

export function prepareSeenWrites(db: DatabaseSync): SeenWrites {
  const addToValue = prepareSilent(
    db,
    `INSERT INTO seen_values
       (reports, new_issues, fixed_issues, regressions, first_at, last_at, project, lane, dimension, value, build_number,
         includes_rest)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
     ON CONFLICT DO UPDATE SET reports = reports + excluded.reports, new_issues = new_issues + excluded.new_issues,
       fixed_issues = fixed_issues + excluded.fixed_issues, regressions = regressions + excluded.regressions,
       first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)`,
  )
  const run = operationRunner(db)
  const changes = createSeenChanges()
  let checked: SourcesOfIssue[] = []

  function add(change: SeenChange): void {
    const { reports, newIssues, fixedIssues, regressions, firstAt, lastAt } = change
    const { projectSeq, lane, dimension, value, buildNumber } = change
    addToValue(
      reports,
      newIssues,
      fixedIssues,
      regressions,
      firstAt,
      lastAt,
      projectSeq,
      lane,
      dimension,
      value,
      buildNumber,
    )
  }

  function writeChanges(): void {
    const reduced: SeenChange[] = []
    const grown = new Map<string, SeenPlace>()
    for (const change of changes) {
      if (change.isReduced) reduced.push(change)
      else add(change)
      if (!change.isReduced && change.isKnown) continue
      change.isKnown = true
      const { projectSeq: project, lane, dimension } = change
      grown.set(`${project} ${lane} ${dimension}`, { project, lane, dimension })
    }
    for (const [project, group] of Map.groupBy(reduced, ({ projectSeq }) => projectSeq))
      run(reduceSeen(project, group))
    for (const place of grown.values()) for (const key of run(foldSeen(place))) changes.forget(place, key)
  }

  return {
    changes,
    checkSources: ({ seq: project }, { issueNumber }) => void checked.push({ project, issueNumber }),
    begin() {
      changes.clear()
      checked = []
    },
    finish() {
      writeChanges()
      for (const issue of checked) run(foldSources(issue))
    },
  }
}
