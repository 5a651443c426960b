import {
  DEFAULT_STATS_DAYS,
  endpoints,
  MAX_CHARTED_VERSIONS,
  MAX_PERIOD_ISSUES,
  type VersionDay,
  type VersionStats,
  type VersionStatsQuery,
} from '@bugle/contract'
import type { Clock } from '../../clock.ts'
import { newestFirst } from '../../model/decisions/compare-versions.ts'
import { dayOf } from '../../model/decisions/count-issue.ts'
import type { SeenRecord } from '../../model/seen-values.ts'
import type { StatsRecord, VersionCount } from '../../model/stats.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Caller } from '../access/access.ts'
import type { IssueFinder } from '../issues/issue-finder.ts'
import { sumByValue } from './versions.ts'

const DAY_MS = 86_400_000
/** How many sources of a version's further reports are examined. A day of an issue has one for each build and branch. */
const MAX_SOURCES = 2_000

/** Reports and new issues by version and day. */
export interface VersionStatistics {
  read(caller: Caller, idOrSlug: string, query: VersionStatsQuery): Promise<VersionStats>
}

interface VersionStatsDependencies {
  readonly storage: Storage
  readonly finder: IssueFinder
  readonly clock: Clock
}

export function createVersionStats({ storage, finder, clock }: VersionStatsDependencies): VersionStatistics {
  return {
    async read(caller, idOrSlug, { days = DEFAULT_STATS_DAYS }) {
      const { access } = endpoints.getVersionStats
      const { project, sight } = await finder.requireProject(caller, access, idOrSlug)
      const { lanes } = sight
      const dates = lastDays(days, clock())
      const since = Date.parse(dates[0] ?? '')
      const [seen, totals] = await Promise.all([
        storage.seenValues.list(project.id, lanes, ['version']),
        storage.stats.read(project.id, lanes),
      ])
      const appVersions = mostReported(seen, since)
      const bounds = { maxIssues: MAX_PERIOD_ISSUES, maxSources: MAX_SOURCES }
      const { counts, completeFrom } = await storage.stats.countVersions({
        projectId: project.id,
        lanes,
        appVersions,
        since,
        ...bounds,
      })
      const byVersion = Map.groupBy(counts, ({ appVersion }) => appVersion)
      return {
        projectId: project.id,
        days,
        versions: appVersions.map((appVersion) => ({
          appVersion,
          series: seriesOf(dates, byVersion.get(appVersion) ?? []),
        })),
        others: remainderOf(totals, seriesOf(dates, counts)),
        completeFrom,
      }
    },
  }
}

function lastDays(days: number, now: number): readonly string[] {
  return Array.from({ length: days }, (_, index) => dayOf(now - (days - 1 - index) * DAY_MS))
}

/** The most reported versions since then, newest first. Not simply the newest ones, because anyone can invent a version that sorts as the newest. */
function mostReported(records: readonly SeenRecord[], since: number): readonly string[] {
  const found = sumByValue(records)
    .filter(({ includesRest, reports, lastAt }) => !includesRest && reports > 0 && lastAt >= since)
    .sort((a, b) => b.reports - a.reports || b.lastAt - a.lastAt || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_CHARTED_VERSIONS)
  return newestFirst(found, ({ value }) => value).map(({ value }) => value)
}

function seriesOf(dates: readonly string[], counts: readonly VersionCount[]): VersionDay[] {
  const byDay = Map.groupBy(counts, ({ day }) => day)
  return dates.map((date) => {
    const ofDay = byDay.get(date) ?? []
    return {
      date,
      reports: ofDay.reduce((sum, { reports }) => sum + reports, 0),
      newIssues: ofDay.reduce((sum, { newIssues }) => sum + newIssues, 0),
    }
  })
}

/** The rest of the days. Something may have been stored between the two reads, so no value is below zero. */
function remainderOf({ counts }: StatsRecord, named: readonly VersionDay[]): VersionDay[] {
  return named.map(({ date, reports, newIssues }) => ({
    date,
    reports: Math.max(0, (counts.reports_day.get(date) ?? 0) - reports),
    newIssues: Math.max(0, (counts.created_day.get(date) ?? 0) - newIssues),
  }))
}
