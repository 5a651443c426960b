import type { SeenDimension } from '../../../model/seen-values.ts'
import type { ProjectCounters } from '../../issues/issue-tables.ts'
import { createKnownValues } from '../../issues/seen/known-values.ts'
import { foldSources } from '../../issues/seen/report-sources.ts'
import type { SeenChange, SeenChanges } from '../../issues/seen/seen-changes.ts'
import { foldSeen, reduceSeen } from '../../issues/seen/seen-writes.ts'
import { prepared, type Transaction } from '../driver/connection.ts'
import { runInTransaction } from '../driver/operations.ts'
import type { Changes } from './changes.ts'

/** Adds the rows that a query selects, of which each value is one. */
function addSeenText(query: string): string {
  return `INSERT INTO seen_values
      (project, lane, dimension, value, reports, new_issues, fixed_issues, regressions, first_at, last_at, includes_rest)
    ${query}
    ON CONFLICT (project, lane, dimension, value) DO UPDATE SET reports = seen_values.reports + excluded.reports,
      new_issues = seen_values.new_issues + excluded.new_issues,
      fixed_issues = seen_values.fixed_issues + excluded.fixed_issues,
      regressions = seen_values.regressions + excluded.regressions,
      first_at = least(seen_values.first_at, excluded.first_at), last_at = greatest(seen_values.last_at, excluded.last_at)`
}

const ADD = prepared(
  'add_to_seen_values',
  addSeenText(`SELECT $1::integer, lane, dimension, value, reports, coalesce(new_issues, 0), coalesce(fixed_issues, 0),
      coalesce(regressions, 0), first_at, last_at, 0 FROM json_populate_recordset(NULL::seen_values, $2)`),
)

/** Adds what new issues name: the same as {@link seenInIssue}, without sending it a second time. */
export function addSeenInIssuesText(issues: string): string {
  const build = `'[' || to_json(i.app_version) || ',' || to_json(i.build_number) || ']'`
  return addSeenText(`SELECT i.project, i.lane, s.dimension, s.value, count(*), count(*), 0, 0, min(i.created_at), max(i.created_at), 0
    FROM ${issues} i CROSS JOIN LATERAL (VALUES ('version', i.app_version), ('branch', i.branch),
      ('build', CASE WHEN i.app_version <> '' AND i.build_number <> '' THEN ${build} END)) AS s (dimension, value)
    WHERE s.value <> '' GROUP BY i.project, i.lane, s.dimension, s.value`)
}

export interface SeenWrites {
  /** Whether all of these values exist, and are only added to. */
  areKnown(changes: SeenChanges): boolean
  write(tx: Transaction, project: ProjectCounters, changes: Changes): Promise<void>
}

/** A row to add, without the project. */
interface AddedSeen {
  readonly lane: number
  readonly dimension: SeenDimension
  readonly value: string
  readonly reports: number
  /** Absent: zero. What is not sent need not be parsed. */
  readonly new_issues: number | undefined
  readonly fixed_issues: number | undefined
  readonly regressions: number | undefined
  readonly first_at: number
  readonly last_at: number
}

/** Adds to versions, builds and branches. */
export function createSeenWrites(): SeenWrites {
  const known = createKnownValues()

  return {
    areKnown(changes) {
      for (const change of changes) if (change.isReduced || !known.has(change)) return false
      return true
    },
    async write(tx, { seq: project }, { seen, checkedSources }) {
      const changes = [...seen]
      const added = changes.filter(({ isReduced }) => !isReduced)
      const reduced = changes.filter(({ isReduced }) => isReduced)
      if (added.length > 0) tx.send(ADD(project, JSON.stringify(added.map(toRow))))
      if (reduced.length > 0) await runInTransaction(tx, reduceSeen(project, reduced))
      const unknown = changes.filter((change) => change.isReduced || !known.has(change))
      const grown = new Map(
        unknown.map(({ lane, dimension }) => [`${lane} ${dimension}`, { project, lane, dimension }]),
      )
      for (const change of unknown) known.add(change)
      for (const place of grown.values()) {
        const folded = await runInTransaction(tx, foldSeen(place))
        for (const value of folded) known.delete({ ...place, projectSeq: project, value })
      }
      for (const issueNumber of checkedSources)
        await runInTransaction(tx, foldSources({ project, issueNumber }))
    },
  }
}

function toRow(change: SeenChange): AddedSeen {
  const { lane, dimension, value, reports, newIssues, fixedIssues, regressions, firstAt, lastAt } = change
  return {
    lane,
    dimension,
    value,
    reports,
    new_issues: newIssues || undefined,
    fixed_issues: fixedIssues || undefined,
    regressions: regressions || undefined,
    first_at: firstAt,
    last_at: lastAt,
  }
}
