import { MAX_COUNTED_VALUES, OTHER_VALUE } from '@bugle/contract/vocabulary'
import { NO_REPORTS } from '../../../model/seen-values.ts'
import { forBoth } from '../../dialects.ts'
import { all, List, type Operation, one, send } from '../../operations.ts'
import type { SeenChange, SeenPlace } from './seen-changes.ts'
import { findSeenTimes } from './seen-times.ts'

/** The number of most recently reported values that are never folded: a new release needs time to collect reports. */
export const KEPT_AS_RECENT = 100

/** How many more are folded than necessary: otherwise every further new value would cause one to be folded. */
const FOLDED_AHEAD = MAX_COUNTED_VALUES / 20

const IS_VALUE = 'project = $1 AND lane = $2 AND dimension = $3 AND value = $4'
const COLUMNS = 'value, reports, new_issues, fixed_issues, regressions, first_at, last_at, includes_rest'

interface SeenRow {
  readonly value: string
  readonly reports: number
  readonly new_issues: number
  readonly fixed_issues: number
  readonly regressions: number
  readonly first_at: number
  readonly last_at: number
  readonly includes_rest: number
}

const COUNT_VALUES =
  'SELECT count(*) AS count FROM seen_values WHERE project = $1 AND lane = $2 AND dimension = $3 AND value <> $4'
// Values with a fix come last: they were entered by the team, not taken from untrusted reports.
const SELECT_LEAST = `SELECT ${COLUMNS} FROM (
    SELECT ${COLUMNS}, row_number() OVER (ORDER BY last_at DESC, value) AS recency FROM seen_values
    WHERE project = $1 AND lane = $2 AND dimension = $3 AND value <> $4) ranked
  WHERE recency > ${KEPT_AS_RECENT}
  ORDER BY CASE WHEN fixed_issues > 0 THEN 1 ELSE 0 END, reports, last_at, value LIMIT $5`
export const ADD_TO_OTHER = `INSERT INTO seen_values
    (project, lane, dimension, value, reports, new_issues, fixed_issues, regressions, first_at, last_at, includes_rest)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, ${NO_REPORTS.firstAt}, ${NO_REPORTS.lastAt}, 1)
  ON CONFLICT (project, lane, dimension, value) DO UPDATE SET reports = seen_values.reports + excluded.reports,
    new_issues = seen_values.new_issues + excluded.new_issues, fixed_issues = seen_values.fixed_issues + excluded.fixed_issues,
    regressions = seen_values.regressions + excluded.regressions, includes_rest = 1`
const DELETE_VALUES = forBoth(
  ({ isIn }) =>
    `DELETE FROM seen_values WHERE project = $1 AND lane = $2 AND dimension = $3 AND ${isIn('value', '$4')}`,
)

/**
 * If a place has more values than are kept by name, adds the least reported ones to `other`, until a twentieth of the limit is free;
 * among equals, the oldest.
 * Returns the values that are no longer kept by name.
 */
export function* foldSeen({ project, lane, dimension }: SeenPlace): Operation<readonly string[]> {
  const place = [project, lane, dimension] as const
  const counted = yield* one<{ count: number }>(COUNT_VALUES, ...place, OTHER_VALUE)
  const excess = (counted?.count ?? 0) - MAX_COUNTED_VALUES
  if (excess <= 0) return []
  const rows = yield* all<SeenRow>(SELECT_LEAST, ...place, OTHER_VALUE, excess + FOLDED_AHEAD)
  const values = rows.map(({ value }) => value)
  yield* addToOther({ project, lane, dimension }, rows)
  yield* send(DELETE_VALUES, ...place, new List(values))
  return values
}

function* addToOther({ project, lane, dimension }: SeenPlace, rows: readonly SeenRow[]): Operation<void> {
  const sumOf = (column: 'reports' | 'new_issues' | 'fixed_issues' | 'regressions') =>
    rows.reduce((sum, row) => sum + row[column], 0)
  const sums = [sumOf('reports'), sumOf('new_issues'), sumOf('fixed_issues'), sumOf('regressions')]
  yield* send(ADD_TO_OTHER, project, lane, dimension, OTHER_VALUE, ...sums)
}

const SELECT_VALUES = forBoth(
  ({ isIn }) =>
    `SELECT ${COLUMNS} FROM seen_values WHERE project = $1 AND lane = $2 AND dimension = $3 AND ${isIn('value', '$4')}`,
)
const WRITE_VALUE = `INSERT INTO seen_values
    (project, lane, dimension, value, reports, new_issues, fixed_issues, regressions, first_at, last_at, includes_rest)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  ON CONFLICT (project, lane, dimension, value) DO UPDATE SET reports = excluded.reports, new_issues = excluded.new_issues,
    fixed_issues = excluded.fixed_issues, regressions = excluded.regressions, first_at = excluded.first_at,
    last_at = excluded.last_at`
const DELETE_VALUE = `DELETE FROM seen_values WHERE ${IS_VALUE}`

/**
 * Applies changes that reduce counts. If a value does not have enough left, the remainder was counted as `other` and
 * is subtracted there. The sum is therefore always right, and no value has a count that is too high.
 */
export function* reduceSeen(project: number, changes: readonly SeenChange[]): Operation<void> {
  const places = Map.groupBy(changes, ({ lane, dimension }) => `${lane} ${dimension}`)
  for (const group of places.values()) {
    const [first] = group
    if (first !== undefined) yield* reducePlace({ ...first, project }, group)
  }
}

function* reducePlace(
  { project, lane, dimension }: SeenPlace,
  changes: readonly SeenChange[],
): Operation<void> {
  const place = { project, lane, dimension }
  const names = changes.map(({ value }) => value)
  const rows = yield* all<SeenRow>(SELECT_VALUES, project, lane, dimension, new List([...names, OTHER_VALUE]))
  const known = new Map(rows.map((row) => [row.value, row]))
  let other = known.get(OTHER_VALUE) ?? { ...EMPTY, value: OTHER_VALUE }
  const reduced: Reduced[] = []
  for (const change of changes.filter(({ value }) => value !== OTHER_VALUE)) {
    const before = known.get(change.value) ?? { ...EMPTY, value: change.value }
    const { taken, missing } = applyChange(before, change)
    other = applyCounts(other, missing)
    reduced.push({ row: taken, change })
  }
  for (const row of yield* withTimes(place, reduced)) yield* writeValue(place, row, known.has(row.value))
  const change = changes.find(({ value }) => value === OTHER_VALUE)
  if (change !== undefined) {
    const { taken } = applyChange(other, change)
    const [timed = taken] =
      taken.includes_rest === 1 ? [taken] : yield* withTimes(place, [{ row: taken, change }])
    other = timed
  }
  if (known.has(OTHER_VALUE) || change !== undefined) yield* writeValue(place, other, true)
}

function applyChange(before: SeenRow, change: SeenChange) {
  const after = applyCounts(before, {
    reports: change.reports,
    new_issues: change.newIssues,
    fixed_issues: change.fixedIssues,
    regressions: change.regressions,
  })
  const missing = {
    reports: Math.min(0, after.reports),
    new_issues: Math.min(0, after.new_issues),
    fixed_issues: Math.min(0, after.fixed_issues),
    regressions: Math.min(0, after.regressions),
  }
  const taken: SeenRow = {
    ...after,
    reports: Math.max(0, after.reports),
    new_issues: Math.max(0, after.new_issues),
    fixed_issues: Math.max(0, after.fixed_issues),
    regressions: Math.max(0, after.regressions),
    first_at: Math.min(before.first_at, change.firstAt),
    last_at: Math.max(before.last_at, change.lastAt),
  }
  return { taken, missing }
}

const EMPTY = {
  reports: 0,
  new_issues: 0,
  fixed_issues: 0,
  regressions: 0,
  first_at: NO_REPORTS.firstAt,
  last_at: NO_REPORTS.lastAt,
  includes_rest: 0,
}

type RowCounts = Pick<SeenRow, 'reports' | 'new_issues' | 'fixed_issues' | 'regressions'>

function applyCounts(row: SeenRow, by: RowCounts): SeenRow {
  return {
    ...row,
    reports: row.reports + by.reports,
    new_issues: row.new_issues + by.new_issues,
    fixed_issues: row.fixed_issues + by.fixed_issues,
    regressions: row.regressions + by.regressions,
  }
}

function* writeValue(
  { project, lane, dimension }: SeenPlace,
  row: SeenRow,
  isStored: boolean,
): Operation<void> {
  const { value, reports, new_issues, fixed_issues, regressions } = row
  const key = [project, lane, dimension, value] as const
  if (reports + new_issues + fixed_issues + regressions > 0) {
    const counts = [reports, new_issues, fixed_issues, regressions]
    yield* send(WRITE_VALUE, ...key, ...counts, row.first_at, row.last_at, row.includes_rest)
  } else if (isStored) yield* send(DELETE_VALUE, ...key)
}

/** The number of values, the most reported ones, whose times one change updates. */
const MAX_SOUGHT = 100

/** The rows with updated times of their first and last reports, if one of those reports was removed. */
function* withTimes(place: SeenPlace, reduced: readonly Reduced[]): Operation<readonly SeenRow[]> {
  const isFirstGone = ({ row, change }: Reduced) => change.removedFirstAt <= row.first_at
  const isLastGone = ({ row, change }: Reduced) => change.removedLastAt >= row.last_at
  const sought = reduced
    .filter((one) => one.row.reports > 0 && (isFirstGone(one) || isLastGone(one)))
    .sort((one, other) => other.row.reports - one.row.reports)
    .slice(0, MAX_SOUGHT)
  const names = sought.map(({ row }) => row.value)
  const removed = {
    firstAt: Math.min(...sought.filter(isFirstGone).map(({ change }) => change.removedFirstAt)),
    lastAt: Math.max(...sought.filter(isLastGone).map(({ change }) => change.removedLastAt)),
  }
  const found = names.length === 0 ? undefined : yield* findSeenTimes(place, names, removed)
  return reduced.map((one) => {
    const { row } = one
    if (row.reports === 0) return { ...row, first_at: NO_REPORTS.firstAt, last_at: NO_REPORTS.lastAt }
    const times = found?.get(row.value)
    return {
      ...row,
      first_at: isFirstGone(one) ? (times?.firstAt ?? row.first_at) : row.first_at,
      last_at: isLastGone(one) ? (times?.lastAt ?? row.last_at) : row.last_at,
    }
  })
}

/** A row after a change, and the change. */
interface Reduced {
  readonly row: SeenRow
  readonly change: SeenChange
}
