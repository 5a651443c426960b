import { DEFAULT_PRIORITY, PRIORITIES } from '@bugle/contract/vocabulary'
import type { ProjectId } from '../../model/ids.ts'
import type { Lane } from '../../model/lanes.ts'
import {
  COUNTED_DIMENSIONS,
  type CountedDimension,
  type CountedIssue,
  type IntakeEntry,
  type StatsRecord,
} from '../../model/stats.ts'
import { isFull } from './counters.ts'
import { type IssueColumns, LANE_CODES } from './issue-rows.ts'
import type { IssueTables } from './issue-tables.ts'

export interface CounterRow {
  readonly lane: number
  readonly dimension: CountedDimension
  readonly value: string
  readonly count: number
}

/** Adds up the counters of those lanes. */
export function toStats(rows: readonly CounterRow[], lanes: readonly Lane[]): StatsRecord {
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

/** What is counted beside the issues, as it runs in a transaction. */
export function createStatsWrites(tables: Pick<IssueTables, 'findProject' | 'count'>) {
  return {
    addIntake(projectId: ProjectId, entries: readonly IntakeEntry[]): void {
      const project = tables.findProject(projectId)
      if (project === undefined) return
      for (const [value, count] of entries) {
        tables.count({ projectSeq: project.seq, lane: 0, dimension: 'intake', value }, count)
      }
    },
  }
}

/** What {@link toCountedIssue} needs of a row. */
export const PERIOD_COLUMNS =
  'status, category, priority, platform, app_version, report_count, created_at, first_left_open_at, first_resolved_at'

export type PeriodRow = Pick<
  IssueColumns,
  | 'status'
  | 'category'
  | 'priority'
  | 'platform'
  | 'app_version'
  | 'report_count'
  | 'created_at'
  | 'first_left_open_at'
  | 'first_resolved_at'
>

export function toCountedIssue(row: PeriodRow): CountedIssue {
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
