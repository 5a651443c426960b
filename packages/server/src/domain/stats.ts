import {
  CATEGORIES,
  DEFAULT_STATS_DAYS,
  endpoints,
  ISSUE_STATUSES,
  MAX_SHOWN_APP_VERSIONS,
  PRIORITIES,
  type ProjectStats,
  REST_VALUE,
} from '@bugle/contract'
import type { Clock } from '../clock.ts'
import { dayOf } from '../model/decisions/count-issue.ts'
import type { StatsRecord } from '../model/stats.ts'
import type { Storage } from '../storage/storage.ts'
import type { Caller } from './access.ts'
import { isoTime } from './iso-time.ts'
import type { IssueFinder } from './issue-finder.ts'

const DAY_MS = 86_400_000
/** Outcomes of the intake ledger that are no error codes. */
const INTAKE_OUTCOMES = ['stored', 'joined', 'replayed', 'limited'] as const

export interface Stats {
  read(caller: Caller, idOrSlug: string, days: number | undefined): Promise<ProjectStats>
}

interface StatsParts {
  readonly storage: Storage
  readonly finder: IssueFinder
  readonly clock: Clock
}

export function createStats({ storage, finder, clock }: StatsParts): Stats {
  return {
    async read(caller, idOrSlug, days = DEFAULT_STATS_DAYS) {
      const { project, sight } = await finder.requireProject(
        caller,
        endpoints.getProjectStats.access,
        idOrSlug,
      )
      const record = await storage.stats.read(project.id, sight.lanes)
      return { projectId: project.id, ...showStats(record, days, clock()) }
    },
  }
}

/** The statistics that counters amount to. */
function showStats(
  { counts: record, full }: StatsRecord,
  days: number,
  now: number,
): Omit<ProjectStats, 'projectId'> {
  return {
    generatedAt: isoTime(now),
    days,
    totals: {
      issues: sumOf(record.status),
      reports: sumOf(record.reports),
      open: record.status.get('open') ?? 0,
    },
    byStatus: fill(ISSUE_STATUSES, record.status),
    byCategory: fill(CATEGORIES, record.category),
    byPriority: fill(PRIORITIES, record.priority),
    byPlatform: ranked(record.platform, full.has('platform')),
    byAppVersion: ranked(record.app_version, full.has('app_version')).slice(0, MAX_SHOWN_APP_VERSIONS),
    series: seriesOf(record, days, now),
    timeToAcknowledge: durationOf(record.time_to_acknowledge),
    timeToResolve: durationOf(record.time_to_resolve),
    intake: intakeOf(record.intake),
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
