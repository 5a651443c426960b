import { PRIORITIES } from '@bugle/contract/vocabulary'
import type { ProjectId } from '../../../model/ids.ts'
import type { Lane } from '../../../model/lanes.ts'
import {
  COUNTED_DIMENSIONS,
  type CountedDimension,
  type PeriodSelection,
  type StatsRecord,
} from '../../../model/stats.ts'
import { forBoth } from '../../dialects.ts'
import { isFull } from '../../issues/counts/counters.ts'
import { addIntake } from '../../issues/group-writes.ts'
import { readLabels } from '../../issues/label-columns.ts'
import { highestLane, LANE_CODES } from '../../issues/lane-codes.ts'
import { lastNumberBefore } from '../../issues/last-number-before.ts'
import { all, type Operation, type Operations, one, storedId, storedSeq } from '../../operations.ts'
import type { StatsStorage } from '../../ports/statistics.ts'
import { countVersions } from './version-stats.ts'

export function statsStorage({ readLong, writeInGroup }: Operations): StatsStorage {
  return {
    async read(projectId, lanes) {
      const dimensions = await readLong(projectId, readCounters, projectId)
      return toStats(dimensions, lanes)
    },
    async countPeriod(selection) {
      const rows = await readLong(selection.projectId, countPeriod, selection)
      return toPeriodStats(rows)
    },
    countVersions: (selection) => readLong(selection.projectId, countVersions, selection),
    addIntake: (projectId, entries) => writeInGroup(projectId, addIntake, projectId, entries),
  }
}

/** The counters of a dimension, as JSON: that is faster to create, and to pass to another thread, than a row for each. */
interface DimensionRow {
  readonly lane: number
  readonly dimension: CountedDimension
  readonly counts: string
}

// Skips the counters of SDKs, which exist for each day and are not shown. ";" is the character after ":".
const RANGES = ["dimension < 'sdk:'", "dimension >= 'sdk;'"]
const SELECT_COUNTERS = forBoth(({ seq, jsonOf, summedTables }) => {
  const ofProject = `project = ${seq('$1')} AND lane IN (${Object.values(LANE_CODES).join(', ')})`
  const counters = summedTables('counters').flatMap((table) =>
    RANGES.map(
      (range) =>
        `SELECT lane, dimension, ${jsonOf('value', 'count')} AS counts FROM ${table}
         WHERE ${ofProject} AND ${range} GROUP BY lane, dimension`,
    ),
  )
  // Issues by version and branch are stored with the versions and branches.
  const seen = summedTables('seen_values').map(
    (table) =>
      `SELECT lane, CASE dimension WHEN 'version' THEN 'app_version' ELSE dimension END AS dimension,
         ${jsonOf('value', 'new_issues')} AS counts
       FROM (SELECT lane, dimension, value, sum(new_issues) AS new_issues FROM ${table}
         WHERE ${ofProject} GROUP BY lane, dimension, value) seen GROUP BY lane, dimension`,
  )
  return [...counters, ...seen].join(' UNION ALL ')
})

/** Reads the counters of a project: at most a few thousand, however many issues there are. */
export function* readCounters(projectId: ProjectId): Operation<readonly DimensionRow[]> {
  return yield* all<DimensionRow>(SELECT_COUNTERS, storedSeq(projectId))
}

function parseCounts(counts: string): readonly (readonly [value: string, count: number])[] {
  return Object.entries(JSON.parse(counts) as Record<string, number>)
}

/** Adds up the counters of those lanes. */
function toStats(rows: readonly DimensionRow[], lanes: readonly Lane[]): StatsRecord {
  const counts = countNothing()
  const visible = new Set(lanes.map((lane) => LANE_CODES[lane]))
  const full = new Set<CountedDimension>()
  const values = new Map<string, Set<string>>()
  for (const { lane, dimension, counts: counted } of rows) {
    // The intake ledger has no lanes: its totals are one of the two accepted side channels.
    if (!visible.has(lane) && dimension !== 'intake') continue
    const key = `${lane} ${dimension}`
    const stored = values.get(key) ?? new Set()
    values.set(key, stored)
    for (const [value, count] of parseCounts(counted)) {
      stored.add(value)
      addTo(counts[dimension], value, count)
    }
    if (isFull(stored.size)) full.add(dimension)
  }
  return { counts, full }
}

/** A value whose count is 0 stays in the table, and is not shown. */
function addTo(counts: Map<string, number>, value: string, count: number): void {
  const sum = (counts.get(value) ?? 0) + count
  if (sum === 0) counts.delete(value)
  else counts.set(value, sum)
}

function countNothing(): Record<CountedDimension, Map<string, number>> {
  return Object.fromEntries(
    COUNTED_DIMENSIONS.map((dimension) => [dimension, new Map<string, number>()]),
  ) as Record<CountedDimension, Map<string, number>>
}

/** The contributions of an issue to the statistics of a period, as SQL; equivalent to `contributionsOf`. */
const PERIOD_VALUES = {
  status: 'status',
  category: 'category',
  priority: `CASE priority ${PRIORITIES.map((name, code) => `WHEN ${code} THEN '${name}'`).join(' ')} END`,
  platform: 'platform',
  app_version: "nullif(app_version, '')",
  os_version: 'os_version',
  device_model: 'device_model',
  branch: "nullif(branch, '')",
  assignee: 'assignee_id',
  // All labels of an issue together; they are told apart when they are read.
  label: 'labels',
  time_to_acknowledge: durationUntil('first_left_open_at'),
  time_to_resolve: durationUntil('first_resolved_at'),
} as const satisfies Partial<Record<CountedDimension, string>>

/** Whole seconds since the creation, rounded to two digits. */
function durationUntil(end: string): string {
  const seconds = `((${end} - created_at + 500) / 1000)`
  // Powers of ten, up to the longest duration between the years 1970 and 9999.
  const units = Array.from({ length: 11 }, (_, index) => 10 ** (index + 1))
  const rounded = units.map(
    (unit) => `WHEN ${seconds} < ${unit * 100} THEN (${seconds} + ${unit / 2}) / ${unit} * ${unit}`,
  )
  return `CASE WHEN ${end} IS NULL THEN NULL WHEN ${end} < created_at THEN 0
    WHEN ${seconds} < 100 THEN ${seconds} ${rounded.join(' ')} END`
}

// Counted in the database: handling thousands of rows in one turn of the event loop would delay all other clients.
const COUNT_PERIOD = forBoth(({ isAfter, isUpTo, orderOf, jsonOf }) => {
  const values = Object.entries(PERIOD_VALUES).map(([dimension, value]) => `${value} AS ${dimension}`)
  const counts = Object.keys(PERIOD_VALUES).map(
    (dimension) =>
      `SELECT '${dimension}' AS dimension, ${jsonOf('value', 'count')} AS counts FROM (
         SELECT ${dimension} AS value, count(*) AS count FROM period
         WHERE ${dimension} IS NOT NULL GROUP BY ${dimension}) ${dimension}_counts`,
  )
  const reports = `SELECT 'reports' AS dimension, ${jsonOf("''", 'count')} AS counts
    FROM (SELECT sum(own_reports) AS count FROM period HAVING count(*) > 0) report_counts`
  return `WITH period AS MATERIALIZED (
      SELECT report_count - coalesce(duplicate_reports, 0) AS own_reports, ${values.join(', ')} FROM (
        SELECT * FROM issues i
        WHERE ${isAfter('i.number', '$1', '0')} AND i.lane <= $2 AND ${isUpTo('i.number', '$1', '$5')}
        ORDER BY ${orderOf('i.number')} DESC LIMIT $3) newest
      WHERE created_at >= $4 AND created_at < $6
    ) ${[...counts, reports].join(' UNION ALL ')}`
})

export function* countPeriod({
  projectId,
  lanes,
  since,
  until,
  limit,
}: PeriodSelection): Operation<readonly PeriodRow[]> {
  const project = yield* one<{ seq: number; last: number }>(SELECT_PROJECT, storedId(projectId))
  if (project === undefined) return []
  const last = until === null ? MAX_ISSUE_NUMBER : yield* lastNumberBefore(project.seq, project.last, until)
  const bounds = [limit, since, last, until ?? Number.MAX_SAFE_INTEGER] as const
  return yield* all<PeriodRow>(COUNT_PERIOD, project.seq, highestLane(lanes), ...bounds)
}

const MAX_ISSUE_NUMBER = 2 ** 31 - 1
const SELECT_PROJECT = forBoth(
  ({ current }) => `SELECT seq, last_issue_number AS last FROM ${current('projects')} WHERE id = $1`,
)

interface PeriodRow {
  readonly dimension: keyof typeof PERIOD_VALUES | 'reports'
  /** As JSON; PostgreSQL returns `null` if there is nothing to count. */
  readonly counts: string | null
}

function toPeriodStats(rows: readonly PeriodRow[]): StatsRecord {
  const counts = countNothing()
  for (const { dimension, counts: counted } of rows)
    for (const [value, count] of parseCounts(counted ?? '{}'))
      for (const one of dimension === 'label' ? readLabels(value).map(String) : [value])
        counts[dimension].set(one, (counts[dimension].get(one) ?? 0) + count)
  return { counts, full: new Set() }
}
