import { PRIORITIES } from '@bugle/contract/vocabulary'
import type { ProjectId } from '../../../model/ids.ts'
import type { Lane } from '../../../model/lanes.ts'
import type { AttachmentTally, TallyPlace } from '../../../model/reports/attachments.ts'
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
import { tallyAttachments } from './attachment-tally.ts'
import { countVersions } from './version-stats.ts'

export function statsStorage({ readLong, writeInGroup }: Operations): StatsStorage {
  return {
    async read(projectId, lanes) {
      const dimensions = await readLong(projectId, readCounters, projectId)
      return toStats(dimensions, lanes)
    },
    async readWithAttachments(place) {
      const { dimensions, attachments } = await readLong(place.projectId, readStatistics, place)
      return { ...toStats(dimensions, place.lanes), attachments }
    },
    async countPeriod(selection) {
      const rows = await readLong(selection.projectId, countPeriod, selection)
      return toPeriodStats(rows)
    },
    countVersions: (selection) => readLong(selection.projectId, countVersions, selection),
    addIntake: (projectId, entries) => writeInGroup(projectId, addIntake, projectId, entries),
  }
}

/** Values of a dimension and their counts. Lists are faster to create, and to pass to another thread, than a row for each value. */
interface DimensionRow {
  readonly lane: number
  readonly dimension: CountedDimension | 'version'
  /** As JSON. A value can occur more than once. */
  readonly names: string | null
  readonly counts: string | null
}

// Skips the counters of SDKs, which exist for each day and are not shown. ";" is the character after ":".
const RANGES = ["dimension < 'sdk:'", "dimension >= 'sdk;'"]
const SELECT_COUNTERS = forBoth(({ seq, listOf, summedTables }) => {
  const select = (table: string, count: string, range: string) =>
    `SELECT lane, dimension, ${listOf('value')} AS names, ${listOf(count)} AS counts FROM ${table}
     WHERE project = ${seq('$1')} AND lane IN (${Object.values(LANE_CODES).join(', ')}) AND ${range} GROUP BY lane, dimension`
  return [
    ...summedTables('counters').flatMap((table) => RANGES.map((range) => select(table, 'count', range))),
    // Issues by version and branch are stored with the versions and branches, in an entry for each build.
    ...summedTables('seen_values').map((table) => select(table, 'new_issues', 'TRUE')),
  ].join(' UNION ALL ')
})

/** Reads the counters of a project: at most a few thousand, however many issues there are. */
export function* readCounters(projectId: ProjectId): Operation<readonly DimensionRow[]> {
  return yield* all<DimensionRow>(SELECT_COUNTERS, storedSeq(projectId))
}

/** Read with one message: waking a reader thread takes longer than either read. */
export function* readStatistics(place: TallyPlace): Operation<Statistics> {
  return { dimensions: yield* readCounters(place.projectId), attachments: yield* tallyAttachments(place) }
}

interface Statistics {
  readonly dimensions: readonly DimensionRow[]
  readonly attachments: AttachmentTally
}

function parseList<T>(json: string | null): readonly T[] {
  return json === null ? [] : (JSON.parse(json) as readonly T[])
}

/** Adds up the counters of those lanes. */
function toStats(rows: readonly DimensionRow[], lanes: readonly Lane[]): StatsRecord {
  const counts = countNothing()
  const visible = new Set(lanes.map((lane) => LANE_CODES[lane]))
  const stored = new Map<string, (readonly string[])[]>()
  for (const row of rows) {
    const { lane } = row
    const dimension = row.dimension === 'version' ? 'app_version' : row.dimension
    // The intake ledger has no lanes: its totals are one of the two accepted side channels.
    if (!visible.has(lane) && dimension !== 'intake') continue
    const names = parseList<string>(row.names)
    for (const [index, count] of parseList<number>(row.counts).entries())
      addTo(counts[dimension], names[index] ?? '', count)
    const key = `${dimension} ${lane}`
    stored.set(key, [...(stored.get(key) ?? []), names])
  }
  const full = new Set<CountedDimension>()
  for (const [key, lists] of stored) if (areFull(lists)) full.add(key.split(' ')[0] as CountedDimension)
  return { counts, full }
}

/** Whether they have as many different values as are counted by name. */
function areFull(lists: readonly (readonly string[])[]): boolean {
  const length = lists.reduce((sum, list) => sum + list.length, 0)
  return isFull(length) && isFull(new Set(lists.flat()).size)
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
const COUNT_PERIOD = forBoth(({ isAfter, isUpTo, orderOf, listOf }) => {
  const values = Object.entries(PERIOD_VALUES).map(([dimension, value]) => `${value} AS ${dimension}`)
  const counts = Object.keys(PERIOD_VALUES).map(
    (dimension) =>
      `SELECT '${dimension}' AS dimension, ${listOf('value')} AS names, ${listOf('count')} AS counts FROM (
         SELECT ${dimension} AS value, count(*) AS count FROM period
         WHERE ${dimension} IS NOT NULL GROUP BY ${dimension}) ${dimension}_counts`,
  )
  const reports = `SELECT 'reports' AS dimension, ${listOf("CAST('' AS text)")} AS names, ${listOf('count')} AS counts
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

type PeriodRow = Pick<DimensionRow, 'names' | 'counts'> & {
  readonly dimension: keyof typeof PERIOD_VALUES | 'reports'
}

function toPeriodStats(rows: readonly PeriodRow[]): StatsRecord {
  const counts = countNothing()
  for (const { dimension, names, counts: counted } of rows) {
    const values = parseList<string | number>(names)
    for (const [index, count] of parseList<number>(counted).entries()) {
      // Durations are numbers.
      const value = String(values[index] ?? '')
      for (const one of dimension === 'label' ? readLabels(value).map(String) : [value])
        addTo(counts[dimension], one, count)
    }
  }
  return { counts, full: new Set() }
}
