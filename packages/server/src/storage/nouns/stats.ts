import { DEFAULT_PRIORITY, PRIORITIES } from '@bugle/contract/vocabulary'
import type { ProjectId } from '../../model/ids.ts'
import type { Lane } from '../../model/lanes.ts'
import {
  COUNTED_DIMENSIONS,
  type CountedDimension,
  type CountedIssue,
  type PeriodSelection,
  type StatsRecord,
} from '../../model/stats.ts'
import { forBoth } from '../dialects.ts'
import { isFull } from '../issues/counters.ts'
import { addIntake } from '../issues/group-writes.ts'
import { highestLane, LANE_CODES } from '../issues/lane-codes.ts'
import { all, type Operation, type Operations, storedId } from '../operations.ts'
import type { StatsStorage } from '../storage.ts'

export function statsStorage({ readLong, writeInGroup }: Operations): StatsStorage {
  return {
    async read(projectId, lanes) {
      const dimensions = await readLong(projectId, readCounters, projectId)
      return toStats(dimensions.flatMap(toRows), lanes)
    },
    async listPeriod(selection) {
      const rows = await readLong(selection.projectId, listPeriod, selection)
      return rows.map(toCountedIssue)
    },
    addIntake: (projectId, entries) => writeInGroup(projectId, addIntake, projectId, entries),
  }
}

/** The counters of a dimension, as JSON: that is faster to create, and to pass to another thread, than a row for each. */
interface DimensionRow {
  readonly lane: number
  readonly dimension: CountedDimension
  readonly counts: string
}

// Around those of SDKs, of which each day has its own: the statistics do not show them. ";" is the character after ":".
const RANGES = ["dimension < 'sdk:'", "dimension >= 'sdk;'"]
const SELECT_COUNTERS = forBoth(({ jsonOf }) =>
  RANGES.map(
    (range) =>
      `SELECT lane, dimension, ${jsonOf('value', 'count')} AS counts FROM counters
       WHERE project = (SELECT seq FROM projects WHERE id = $1) AND lane IN (${Object.values(LANE_CODES).join(', ')})
         AND ${range} GROUP BY lane, dimension`,
  ).join(' UNION ALL '),
)

/** Reads the counters of a project: some thousand at most, however many issues there are. */
export function* readCounters(projectId: ProjectId): Operation<readonly DimensionRow[]> {
  return yield* all<DimensionRow>(SELECT_COUNTERS, storedId(projectId))
}

function toRows({ lane, dimension, counts }: DimensionRow): readonly CounterRow[] {
  const values = Object.entries(JSON.parse(counts) as Record<string, number>)
  return values.map(([value, count]) => ({ lane, dimension, value, count }))
}

interface CounterRow {
  readonly lane: number
  readonly dimension: CountedDimension
  readonly value: string
  readonly count: number
}

/** Adds up the counters of those lanes. */
function toStats(rows: readonly CounterRow[], lanes: readonly Lane[]): StatsRecord {
  const counts = Object.fromEntries(
    COUNTED_DIMENSIONS.map((dimension) => [dimension, new Map<string, number>()]),
  )
  const visible = new Set(lanes.map((lane) => LANE_CODES[lane]))
  const full = new Set<CountedDimension>()
  const sizes = new Map<string, number>()
  for (const { lane, dimension, value, count } of rows) {
    // The intake ledger has no lanes: its totals are one of the two traces that are accepted.
    if (!visible.has(lane) && dimension !== 'intake') continue
    const size = (sizes.get(`${lane} ${dimension}`) ?? 0) + 1
    sizes.set(`${lane} ${dimension}`, size)
    if (isFull(size)) full.add(dimension)
    // A value that is gone keeps its place.
    if (count === 0) continue
    const values = counts[dimension]
    values?.set(value, (values.get(value) ?? 0) + count)
  }
  return { counts: counts as object as StatsRecord['counts'], full }
}

/** What {@link toCountedIssue} needs of a row. */
const PERIOD_COLUMNS =
  'status, category, priority, platform, app_version, report_count, created_at, first_left_open_at, first_resolved_at'

interface PeriodRow {
  readonly status: CountedIssue['status']
  readonly category: CountedIssue['category']
  readonly priority: number
  readonly platform: string | null
  readonly app_version: string | null
  readonly report_count: number
  readonly created_at: number
  readonly first_left_open_at: number | null
  readonly first_resolved_at: number | null
}

function toCountedIssue(row: PeriodRow): CountedIssue {
  return {
    status: row.status,
    category: row.category,
    priority: PRIORITIES[row.priority] ?? DEFAULT_PRIORITY,
    platform: row.platform,
    appVersion: row.app_version,
    reportCount: row.report_count,
    createdAt: row.created_at,
    firstLeftOpenAt: row.first_left_open_at,
    firstResolvedAt: row.first_resolved_at,
  }
}

const SELECT_PERIOD = forBoth(
  ({ isAfter, orderOf }) =>
    `SELECT * FROM (
       SELECT ${PERIOD_COLUMNS} FROM issues i
       WHERE ${isAfter('i.number', '(SELECT seq FROM projects WHERE id = $1)', '0')} AND i.lane <= $2
       ORDER BY ${orderOf('i.number')} DESC LIMIT $3) newest
     WHERE created_at >= $4`,
)

export function* listPeriod({
  projectId,
  lanes,
  since,
  limit,
}: PeriodSelection): Operation<readonly PeriodRow[]> {
  return yield* all<PeriodRow>(SELECT_PERIOD, storedId(projectId), highestLane(lanes), limit, since)
}
