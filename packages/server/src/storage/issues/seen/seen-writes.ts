import { MAX_COUNTED_VALUES, OTHER_VALUE } from '@bugle/contract/vocabulary'
import { NO_REPORTS, type ReportSpan, type SeenKey } from '../../../model/seen-values.ts'
import { forBoth } from '../../dialects.ts'
import { all, List, type Operation, one, send } from '../../operations.ts'
import type { SeenChange, SeenPlace } from './seen-changes.ts'
import { findSeenTimes } from './seen-times.ts'

/** The number of most recently reported values that are never folded: a new release needs time to collect reports. */
export const KEPT_AS_RECENT = 100

/** How many more are folded than necessary: otherwise every further new value would cause one to be folded. */
const FOLDED_AHEAD = MAX_COUNTED_VALUES / 20

const IS_PLACE = 'project = $1 AND lane = $2 AND dimension = $3'
const COUNTS = ['reports', 'new_issues', 'fixed_issues', 'regressions'] as const
const COLUMNS = `value, build_number, ${COUNTS.join(', ')}, first_at, last_at, includes_rest`

type RowCounts = Readonly<Record<(typeof COUNTS)[number], number>>

interface SeenRow extends RowCounts {
  readonly value: string
  readonly build_number: string
  readonly first_at: number
  readonly last_at: number
  readonly includes_rest: number
}

const COUNT_NAMED = `SELECT count(CASE WHEN value <> $4 THEN 1 END) AS named, CAST(coalesce(sum(builds), 0) AS bigint) AS builds FROM (
    SELECT value, count(CASE WHEN build_number <> '' THEN 1 END) AS builds FROM seen_values
    WHERE ${IS_PLACE} GROUP BY value) v`
const SELECT_LEAST_BUILDS = `SELECT ${COLUMNS} FROM (
    SELECT ${COLUMNS}, row_number() OVER (ORDER BY last_at DESC, value, build_number) AS recency FROM seen_values
    WHERE ${IS_PLACE} AND build_number <> '') ranked
  WHERE recency > ${KEPT_AS_RECENT} ORDER BY reports, last_at, value, build_number LIMIT $4`
// Values with a fix come last: they were entered by the team, not taken from untrusted reports.
const SELECT_LEAST = forBoth(
  ({ isAmong }) =>
    `SELECT ${COLUMNS} FROM seen_values WHERE ${IS_PLACE} AND ${isAmong(
      'value',
      `SELECT value FROM (
       SELECT value, sum(reports) AS reports, sum(fixed_issues) AS fixed_issues, max(last_at) AS last_at,
         row_number() OVER (ORDER BY max(last_at) DESC, value) AS recency
       FROM seen_values WHERE ${IS_PLACE} AND value <> $4 GROUP BY value) ranked
     WHERE recency > ${KEPT_AS_RECENT}
     ORDER BY CASE WHEN fixed_issues > 0 THEN 1 ELSE 0 END, reports, last_at, value LIMIT $5`,
    )}`,
)
const INSERT = `INSERT INTO seen_values (project, lane, dimension, ${COLUMNS})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  ON CONFLICT (project, lane, dimension, value, build_number) DO UPDATE SET`
const ADD_AS_REST = `${INSERT} ${COUNTS.map((column) => `${column} = seen_values.${column} + excluded.${column}`).join(', ')},
  first_at = CASE WHEN excluded.first_at < seen_values.first_at THEN excluded.first_at ELSE seen_values.first_at END,
  last_at = CASE WHEN excluded.last_at > seen_values.last_at THEN excluded.last_at ELSE seen_values.last_at END, includes_rest = 1`
const WRITE_ROW = `${INSERT} ${[...COUNTS, 'first_at', 'last_at'].map((column) => `${column} = excluded.${column}`).join(', ')}`
const DELETE_ROW = `DELETE FROM seen_values WHERE ${IS_PLACE} AND value = $4 AND build_number = $5`

/**
 * If a place has more values than are kept by name, adds the least reported ones to `other`, until a twentieth of the limit is free;
 * among equals, the oldest. Builds above the limit are added to the entry of their version for reports without a build.
 * Returns the keys that are no longer kept by name.
 */
export function* foldSeen(place: SeenPlace): Operation<readonly SeenKey[]> {
  const { project, lane, dimension } = place
  const key = [project, lane, dimension] as const
  const counted = yield* one<{ named: number; builds: number }>(COUNT_NAMED, ...key, OTHER_VALUE)
  const { named = 0, builds = 0 } = counted ?? {}
  const folded: SeenRow[] = []
  if (builds > MAX_COUNTED_VALUES) {
    const rows = yield* all<SeenRow>(SELECT_LEAST_BUILDS, ...key, builds - MAX_COUNTED_VALUES + FOLDED_AHEAD)
    yield* foldRows(place, rows, ({ value }) => value)
    folded.push(...rows)
  }
  if (named > MAX_COUNTED_VALUES) {
    const excess = named - MAX_COUNTED_VALUES + FOLDED_AHEAD
    const rows = yield* all<SeenRow>(SELECT_LEAST, ...key, OTHER_VALUE, excess)
    yield* foldRows(place, rows, () => OTHER_VALUE)
    folded.push(...rows)
  }
  return folded.map(({ value, build_number: buildNumber }) => ({ value, buildNumber }))
}

function* foldRows(
  place: SeenPlace,
  rows: readonly SeenRow[],
  valueFor: (row: SeenRow) => string,
): Operation<void> {
  for (const [value, group] of Map.groupBy(rows, valueFor)) {
    const rest = group.reduce<SeenRow>(
      (sum, row) => ({
        ...addCounts(sum, row),
        first_at: Math.min(sum.first_at, row.first_at),
        last_at: Math.max(sum.last_at, row.last_at),
      }),
      { ...EMPTY, value, includes_rest: 1 },
    )
    yield* send(ADD_AS_REST, ...valuesOf(place, value === OTHER_VALUE ? { ...rest, ...WITHOUT_TIMES } : rest))
  }
  for (const row of rows) yield* send(DELETE_ROW, ...keyOf(place, row))
}

/** Counts reports whose values are not kept by name. */
export function* addToOther(place: SeenPlace, counts: Partial<RowCounts>): Operation<void> {
  yield* send(ADD_AS_REST, ...valuesOf(place, { ...EMPTY, ...counts, value: OTHER_VALUE, includes_rest: 1 }))
}

const SELECT_VALUES = forBoth(
  ({ isIn }) => `SELECT ${COLUMNS} FROM seen_values WHERE ${IS_PLACE} AND ${isIn('value', '$4')}`,
)

/**
 * Applies changes that reduce counts. If an entry does not have enough left, it was folded in the meantime, and the remainder is
 * subtracted from where it was added: for a build, the entry of its version for reports without a build; for a version, `other`.
 * So the sum is always right, and no entry has a count that is too high.
 */
export function* reduceSeen(project: number, changes: readonly SeenChange[]): Operation<void> {
  const places = Map.groupBy(changes, ({ lane, dimension }) => `${lane} ${dimension}`)
  for (const group of places.values()) {
    const [first] = group
    if (first !== undefined) yield* reducePlace({ ...first, project }, group)
  }
}

function* reducePlace(place: SeenPlace, changes: readonly SeenChange[]): Operation<void> {
  const { project, lane, dimension } = place
  const values = new Set([...changes.map(({ value }) => value), OTHER_VALUE])
  const stored = yield* all<SeenRow>(SELECT_VALUES, project, lane, dimension, new List([...values]))
  const before = new Map(stored.map((row) => [nameOf(row), row]))
  const reductions = new Map(changes.map(toReduction).map((reduction) => [nameOf(reduction.key), reduction]))
  const reduced: Reduced[] = []
  // Builds first, then versions, then `other`: each passes on what it cannot subtract.
  for (const isAt of [isBuild, isValue, isOther]) {
    for (const reduction of [...reductions.values()].filter(({ key }) => isAt(key))) {
      const { key } = reduction
      const { row, missing } = reduce(before.get(nameOf(key)) ?? { ...EMPTY, ...key }, reduction)
      reduced.push({ row, reduction })
      if (isOther(key) || COUNTS.every((column) => missing[column] === 0)) continue
      const next = { value: isBuild(key) ? key.value : OTHER_VALUE, build_number: '' }
      const own = reductions.get(nameOf(next)) ?? { key: next, by: EMPTY, ...NO_REPORTS, ...NO_REMOVALS }
      reductions.set(nameOf(next), addMissing(own, reduction, missing))
    }
  }
  const named = new Set([...before.keys(), ...reductions.keys()])
  for (const row of yield* withTimes(place, reduced, (key) => named.has(nameOf(key)))) {
    if (COUNTS.some((column) => row[column] > 0)) yield* send(WRITE_ROW, ...valuesOf(place, row))
    else if (before.has(nameOf(row))) yield* send(DELETE_ROW, ...keyOf(place, row))
  }
}

type RowKey = Pick<SeenRow, 'value' | 'build_number'>

const isBuild = ({ build_number: build }: RowKey) => build !== ''
const isOther = (key: RowKey) => key.value === OTHER_VALUE && !isBuild(key)
const isValue = (key: RowKey) => !isBuild(key) && !isOther(key)

/** Identifies an entry of a place: a value and a build may contain any character. */
function nameOf({ value, build_number: build }: RowKey): string {
  return JSON.stringify([value, build])
}

/** What is added to and subtracted from an entry, and the times of the reports that were added and removed. */
interface Reduction extends Pick<SeenChange, 'firstAt' | 'lastAt' | 'removedFirstAt' | 'removedLastAt'> {
  readonly key: RowKey
  readonly by: RowCounts
}

function toReduction(change: SeenChange): Reduction {
  const { value, buildNumber, firstAt, lastAt, removedFirstAt, removedLastAt } = change
  const { reports, newIssues, fixedIssues, regressions } = change
  return {
    key: { value, build_number: buildNumber },
    by: { reports, new_issues: newIssues, fixed_issues: fixedIssues, regressions },
    ...{ firstAt, lastAt, removedFirstAt, removedLastAt },
  }
}

function reduce(before: SeenRow, { by, firstAt, lastAt }: Reduction) {
  const after = addCounts(before, by)
  const row: SeenRow = {
    ...mapCounts((column) => Math.max(0, after[column])),
    ...{ value: before.value, build_number: before.build_number, includes_rest: before.includes_rest },
    first_at: Math.min(before.first_at, firstAt),
    last_at: Math.max(before.last_at, lastAt),
  }
  return { row, missing: mapCounts((column) => Math.min(0, after[column])) }
}

/** Also subtracts what another entry did not have. */
function addMissing(
  own: Reduction,
  { removedFirstAt, removedLastAt }: Reduction,
  missing: RowCounts,
): Reduction {
  return {
    ...own,
    by: addCounts(own.by, missing),
    removedFirstAt: Math.min(own.removedFirstAt, removedFirstAt),
    removedLastAt: Math.max(own.removedLastAt, removedLastAt),
  }
}

function mapCounts(countOf: (column: (typeof COUNTS)[number]) => number): RowCounts {
  return {
    reports: countOf('reports'),
    new_issues: countOf('new_issues'),
    fixed_issues: countOf('fixed_issues'),
    regressions: countOf('regressions'),
  }
}

function addCounts<R extends RowCounts>(row: R, by: RowCounts): R {
  return { ...row, ...mapCounts((column) => row[column] + by[column]) }
}

const WITHOUT_TIMES = { first_at: NO_REPORTS.firstAt, last_at: NO_REPORTS.lastAt }
const EMPTY = {
  ...{ build_number: '', reports: 0, new_issues: 0, fixed_issues: 0, regressions: 0, includes_rest: 0 },
  ...WITHOUT_TIMES,
}
const NO_REMOVALS = { removedFirstAt: NO_REPORTS.firstAt, removedLastAt: NO_REPORTS.lastAt }

function keyOf({ project, lane, dimension }: SeenPlace, { value, build_number: build }: RowKey) {
  return [project, lane, dimension, value, build] as const
}

function valuesOf(place: SeenPlace, row: SeenRow) {
  const counts = COUNTS.map((column) => row[column])
  return [...keyOf(place, row), ...counts, row.first_at, row.last_at, row.includes_rest]
}

/** The number of entries, the most reported ones, whose times one change updates. */
const MAX_SOUGHT = 100

/** The rows with updated times of their first and last reports, if one of those reports was removed. */
function* withTimes(
  place: SeenPlace,
  reduced: readonly Reduced[],
  isNamed: (key: RowKey) => boolean,
): Operation<readonly SeenRow[]> {
  const isFirstGone = ({ row, reduction }: Reduced) => reduction.removedFirstAt <= row.first_at
  const isLastGone = ({ row, reduction }: Reduced) => reduction.removedLastAt >= row.last_at
  const hasTimes = ({ row }: Reduced) => !(isOther(row) && row.includes_rest === 1)
  const sought = reduced
    .filter((one) => one.row.reports > 0 && hasTimes(one) && (isFirstGone(one) || isLastGone(one)))
    .sort((one, other) => other.row.reports - one.row.reports)
    .slice(0, MAX_SOUGHT)
  const values = new Set(sought.map(({ row }) => row.value))
  const removed = {
    firstAt: Math.min(...sought.filter(isFirstGone).map(({ reduction }) => reduction.removedFirstAt)),
    lastAt: Math.max(...sought.filter(isLastGone).map(({ reduction }) => reduction.removedLastAt)),
  }
  const found = new Map<string, ReportSpan>()
  for (const times of values.size === 0 ? [] : yield* findSeenTimes(place, [...values], removed)) {
    const name = nameOf(isNamed(times) ? times : { value: times.value, build_number: '' })
    const { firstAt, lastAt } = found.get(name) ?? NO_REPORTS
    found.set(name, {
      firstAt: Math.min(firstAt, times.first_at),
      lastAt: Math.max(lastAt, times.last_at),
    })
  }
  return reduced.map((one) => {
    const { row } = one
    if (row.reports === 0) return { ...row, ...WITHOUT_TIMES }
    const times = hasTimes(one) ? found.get(nameOf(row)) : undefined
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
  readonly reduction: Reduction
}
