import {
  CATEGORIES,
  DEFAULT_STATS_DAYS,
  endpoints,
  ISSUE_STATUSES,
  MAX_PERIOD_ISSUES,
  MAX_SHOWN_APP_VERSIONS,
  PRIORITIES,
  type ProjectStats,
  REST_VALUE,
} from '@bugle/contract'
import type { Clock } from '../../clock.ts'
import { contributionsOf, dayOf } from '../../model/decisions/count-issue.ts'
import {
  COUNTED_DIMENSIONS,
  type CountedDimension,
  type CountedIssue,
  type StatsRecord,
} from '../../model/stats.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Caller } from '../access/access.ts'
import { isoTime } from '../iso-time.ts'
import type { IssueFinder } from '../issues/issue-finder.ts'

const DAY_MS = 86_400_000
/** Outcomes of the intake ledger that are no error codes. */
const INTAKE_OUTCOMES = ['stored', 'joined', 'replayed', 'limited'] as const

export interface Stats {
  read(caller: Caller, idOrSlug: string, query: StatsQuery): Promise<ProjectStats>
}

interface StatsQuery {
  readonly days?: number | undefined
  readonly createdWithinDays?: number | undefined
}

interface StatsDependencies {
  readonly storage: Storage
  readonly finder: IssueFinder
  readonly clock: Clock
}

export function createStats({ storage, finder, clock }: StatsDependencies): Stats {
  return {
    async read(caller, idOrSlug, { days = DEFAULT_STATS_DAYS, createdWithinDays }) {
      const { access } = endpoints.getProjectStats
      const { project, sight } = await finder.requireProject(
        caller,
        // Strangers see the figures that counters give, and cause no further work.
        createdWithinDays === undefined ? access : { ...access, publicProject: false },
        idOrSlug,
      )
      const now = clock()
      const record = await storage.stats.read(project.id, sight.lanes)
      const all = { projectId: project.id, ...showStats(record, days, now), sampledIssues: null }
      if (createdWithinDays === undefined) return all
      const since = startOfDay(now) - (createdWithinDays - 1) * DAY_MS
      const limit = MAX_PERIOD_ISSUES
      const issues = await storage.stats.listPeriod({
        projectId: project.id,
        lanes: sight.lanes,
        since,
        limit,
      })
      return {
        ...all,
        ...showCounts({ counts: countAll(issues), full: new Set() }),
        sampledIssues: issues.length < limit ? null : issues.length,
      }
    },
  }
}

function startOfDay(now: number): number {
  return Math.floor(now / DAY_MS) * DAY_MS
}

/** What counters would say if there were only these issues. */
function countAll(issues: readonly CountedIssue[]): StatsRecord['counts'] {
  const counts = Object.fromEntries(
    COUNTED_DIMENSIONS.map((dimension) => [dimension, new Map<string, number>()]),
  ) as Record<CountedDimension, Map<string, number>>
  for (const { dimension, value, count } of issues.flatMap(contributionsOf))
    counts[dimension].set(value, (counts[dimension].get(value) ?? 0) + count)
  return counts
}

/** The statistics that counters amount to. */
function showStats(record: StatsRecord, days: number, now: number) {
  return {
    generatedAt: isoTime(now),
    days,
    ...showCounts(record),
    series: seriesOf(record.counts, days, now),
    intake: intakeOf(record.counts.intake),
  }
}

/** Those that can be counted for a period as well. */
function showCounts({ counts, full }: StatsRecord) {
  return {
    totals: {
      issues: sumOf(counts.status),
      reports: sumOf(counts.reports),
      open: counts.status.get('open') ?? 0,
    },
    byStatus: fill(ISSUE_STATUSES, counts.status),
    byCategory: fill(CATEGORIES, counts.category),
    byPriority: fill(PRIORITIES, counts.priority),
    byPlatform: ranked(counts.platform, full.has('platform')),
    byAppVersion: ranked(counts.app_version, full.has('app_version')).slice(0, MAX_SHOWN_APP_VERSIONS),
    timeToAcknowledge: durationOf(counts.time_to_acknowledge),
    timeToResolve: durationOf(counts.time_to_resolve),
  }
}

type Counts = ReadonlyMap<string, number>

function sumOf(counts: Counts): number {
  return counts.values().reduce((sum, count) => sum + count, 0)
}

function fill<T extends string>(values: readonly T[], counts: Counts): Record<T, number> {
  return Object.fromEntries(values.map((value) => [value, counts.get(value) ?? 0])) as Record<T, number>
}

/** Most frequent first; among equals in the order of the alphabet, so that the answer does not flicker. */
function ranked(counts: Counts, isFull: boolean) {
  return [...counts]
    .map(([value, count]) => ({ value, count, includesRest: isFull && value === REST_VALUE }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
}

function seriesOf(record: StatsRecord['counts'], days: number, now: number) {
  return Array.from({ length: days }, (_, index) => {
    const date = dayOf(now - (days - 1 - index) * DAY_MS)
    return {
      date,
      created: record.created_day.get(date) ?? 0,
      resolved: record.resolved_day.get(date) ?? 0,
      reports: record.reports_day.get(date) ?? 0,
    }
  })
}

/** The median of values that are counted: the one in the middle when all stand in a row. */
function durationOf(counts: Counts) {
  const count = sumOf(counts)
  const inOrder = [...counts]
    .map(([value, times]) => [Number(value), times] as const)
    .sort(([a], [b]) => a - b)
  let passed = 0
  for (const [medianSeconds, times] of inOrder) {
    passed += times
    if (passed * 2 >= count) return { medianSeconds, count }
  }
  return { medianSeconds: null, count }
}

function intakeOf(counts: Counts) {
  const refused = [...counts].filter(([outcome]) => !INTAKE_OUTCOMES.some((known) => known === outcome))
  return {
    received: sumOf(counts),
    ...fill(INTAKE_OUTCOMES, counts),
    refused: Object.fromEntries(refused.sort()),
  }
}
