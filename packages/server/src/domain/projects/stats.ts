import {
  CATEGORIES,
  DEFAULT_STATS_DAYS,
  endpoints,
  ISSUE_STATUSES,
  MAX_PERIOD_ISSUES,
  MAX_SHOWN_VALUES,
  MAX_STATS_DAYS,
  OTHER_VALUE,
  PRIORITIES,
  type ProjectStats,
} from '@bugle/contract'
import type { Clock } from '../../clock.ts'
import { dayOf } from '../../model/decisions/count-issue.ts'
import type { LabelRecord } from '../../model/labels.ts'
import type { StatsRecord } from '../../model/stats.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Caller, Sight } from '../access/access.ts'
import { SKIPPED } from '../access/intake.ts'
import { DomainError } from '../domain-error.ts'
import { isoTime } from '../iso-time.ts'
import type { IssueFinder } from '../issues/issue-finder.ts'
import type { Catalog } from './catalog.ts'

const DAY_MS = 86_400_000
/** Intake outcomes that are not error codes. */
const INTAKE_OUTCOMES = ['stored', 'joined', 'replayed', 'limited'] as const

export interface Stats {
  read(caller: Caller, idOrSlug: string, query: StatsQuery): Promise<ProjectStats>
}

interface StatsQuery {
  readonly days?: number | undefined
  readonly createdWithinDays?: number | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The period to count: issues created since `since` and before `until`. */
interface Period {
  readonly since: number
  readonly until: number | null
}

interface StatsDependencies {
  readonly storage: Storage
  readonly finder: IssueFinder
  readonly clock: Clock
  readonly catalog: Catalog
}

export function createStats({ storage, finder, clock, catalog }: StatsDependencies): Stats {
  return {
    async read(caller, idOrSlug, query) {
      const { access } = endpoints.getProjectStats
      const now = clock()
      const period = periodOf(query, now)
      const { project, sight } = await finder.requireProject(
        caller,
        // Anonymous readers get only the stored counters, so that they cause no further work.
        period === null ? access : { ...access, publicProject: false },
        idOrSlug,
      )
      const { lanes } = sight
      const labels = sight.seesPrivateMembers ? await catalog.findLabels(project.id) : []
      const record = sight.seesPrivateMembers
        ? await storage.stats.readWithAttachments({ projectId: project.id, lanes })
        : { ...(await storage.stats.read(project.id, lanes)), attachments: null }
      const all = {
        projectId: project.id,
        generatedAt: isoTime(now),
        ...showSeries(record.counts, query, now),
        ...showCounts(record, sight, labels),
        intake: intakeOf(record.counts.intake, sight),
        attachments: record.attachments,
        sampledIssues: null,
      }
      if (period === null) return all
      const limit = MAX_PERIOD_ISSUES
      const counted = await storage.stats.countPeriod({ projectId: project.id, lanes, ...period, limit })
      const issues = sumOf(counted.counts.status)
      return { ...all, ...showCounts(counted, sight, labels), sampledIssues: issues < limit ? null : issues }
    },
  }
}

function startOfDay(now: number): number {
  return Math.floor(now / DAY_MS) * DAY_MS
}

/** The requested period; `null` for all issues. */
function periodOf({ days, createdWithinDays, from, to }: StatsQuery, now: number): Period | null {
  if (from === undefined) {
    if (to !== undefined) throw invalidPeriod('to', 'required', 'to needs from.')
    if (createdWithinDays === undefined) return null
    return { since: startOfDay(now) - (createdWithinDays - 1) * DAY_MS, until: null }
  }
  if (days !== undefined || createdWithinDays !== undefined)
    throw invalidPeriod('from', 'conflict', 'from cannot be combined with days or createdWithinDays.')
  const period = { since: Date.parse(from), until: to === undefined ? null : Date.parse(to) }
  if (period.since >= (period.until ?? now + 1))
    throw invalidPeriod('from', 'conflict', 'from must be before to.')
  if (countDays(period.since, lastMomentOf(period, now)) > MAX_STATS_DAYS)
    throw invalidPeriod('from', 'too-many', `from and to must be at most ${MAX_STATS_DAYS} days apart.`)
  return period
}

function invalidPeriod(parameter: 'from' | 'to', code: string, detail: string): DomainError {
  return new DomainError('invalid-parameter', { detail, faults: [{ parameter, code, detail }] })
}

function lastMomentOf({ until }: Period, now: number): number {
  return until === null ? now : until - 1
}

/** The number of calendar days, in UTC, between two times. */
function countDays(first: number, last: number): number {
  return (startOfDay(last) - startOfDay(first)) / DAY_MS + 1
}

/** The requested days. */
function showSeries(counts: StatsRecord['counts'], query: StatsQuery, now: number) {
  const { days = DEFAULT_STATS_DAYS, from, to } = query
  if (from === undefined) return { days, from: null, to: null, series: seriesOf(counts, days, now) }
  const last = to === undefined ? now : Date.parse(to) - 1
  const since = Date.parse(from)
  return {
    days: countDays(since, last),
    from: isoTime(since),
    to: to === undefined ? null : isoTime(Date.parse(to)),
    series: seriesOf(counts, countDays(since, last), last),
  }
}

/** The counts that are also available for a period. */
function showCounts(
  { counts, full }: StatsRecord,
  { seesPrivateMembers }: Sight,
  labels: readonly LabelRecord[],
) {
  const mostFrequent = (dimension: 'app_version' | 'os_version' | 'device_model' | 'branch' | 'assignee') =>
    ranked(counts[dimension], full.has(dimension)).slice(0, MAX_SHOWN_VALUES)
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
    byAppVersion: mostFrequent('app_version'),
    byOsVersion: seesPrivateMembers ? mostFrequent('os_version') : null,
    byDeviceModel: seesPrivateMembers ? mostFrequent('device_model') : null,
    byBranch: seesPrivateMembers ? mostFrequent('branch') : null,
    byLabel: seesPrivateMembers
      ? ranked(byName(counts.label, labels), false).slice(0, MAX_SHOWN_VALUES)
      : null,
    byAssignee: seesPrivateMembers ? mostFrequent('assignee') : null,
    timeToAcknowledge: durationOf(counts.time_to_acknowledge),
    timeToResolve: durationOf(counts.time_to_resolve),
  }
}

/** The counts of labels by name. Deleted ones are left out. */
function byName(counts: Counts, labels: readonly LabelRecord[]): Counts {
  return new Map(
    labels.flatMap(({ number, name }) => {
      const count = counts.get(String(number)) ?? 0
      return count === 0 ? [] : [[name, count] as const]
    }),
  )
}

type Counts = ReadonlyMap<string, number>

function sumOf(counts: Counts): number {
  return counts.values().reduce((sum, count) => sum + count, 0)
}

function fill<T extends string>(values: readonly T[], counts: Counts): Record<T, number> {
  return Object.fromEntries(values.map((value) => [value, counts.get(value) ?? 0])) as Record<T, number>
}

/** Most frequent first; ties in alphabetical order, so that the response is stable. */
function ranked(counts: Counts, isFull: boolean) {
  return [...counts]
    .map(([value, count]) => ({ value, count, includesRest: isFull && value === OTHER_VALUE }))
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

/** The median of values with their counts. */
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

function intakeOf(counts: Counts, { seesPrivateMembers }: Sight) {
  const isSkipped = ([outcome]: readonly [string, number]) => outcome.startsWith(SKIPPED)
  const submissions = new Map([...counts].filter((entry) => !isSkipped(entry)))
  const refused = [...submissions].filter(([outcome]) => !INTAKE_OUTCOMES.some((known) => known === outcome))
  const skipped = [...counts]
    .filter(isSkipped)
    .map(([name, count]) => [name.slice(SKIPPED.length), count] as const)
  return {
    received: sumOf(submissions),
    ...fill(INTAKE_OUTCOMES, submissions),
    refused: Object.fromEntries(refused.sort()),
    skipped: seesPrivateMembers ? Object.fromEntries(skipped.sort()) : null,
  }
}
