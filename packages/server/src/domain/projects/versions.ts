import {
  type Branch,
  type BranchPage,
  DEFAULT_PAGE_SIZE,
  endpoints,
  MAX_SHOWN_BUILDS,
  OTHER_VALUE,
  type SeenQuery,
  type Version,
  type VersionPage,
} from '@bugle/contract'
import { newestFirst } from '../../model/decisions/compare-versions.ts'
import type { SeenContribution, SeenRecord } from '../../model/seen-values.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Caller } from '../access/access.ts'
import { decodeTextCursor, encodeTextCursor, invalidCursor } from '../cursors.ts'
import { isoTime } from '../iso-time.ts'
import type { IssueFinder } from '../issues/issue-finder.ts'

/** The app versions and branches of a project, taken from its reports. */
export interface Versions {
  listVersions(caller: Caller, idOrSlug: string, query: SeenQuery): Promise<VersionPage>
  listBranches(caller: Caller, idOrSlug: string, query: SeenQuery): Promise<BranchPage>
}

interface VersionDependencies {
  readonly storage: Storage
  readonly finder: IssueFinder
}

export function createVersions({ storage, finder }: VersionDependencies): Versions {
  return {
    async listVersions(caller, idOrSlug, query) {
      const { access } = endpoints.listVersions
      const { project, sight } = await finder.requireProject(caller, access, idOrSlug)
      const records = await storage.seenValues.list(project.id, sight.lanes, ['version'])
      const builds = buildsByVersion(records)
      const sorted = otherLast(newestFirst(sumByValue(records), ({ value }) => value))
      const page = pageOf(sorted, ['versions', project.id], query)
      return { ...page, data: page.data.map((seen) => showVersion(seen, builds.get(seen.value) ?? [])) }
    },

    async listBranches(caller, idOrSlug, query) {
      const { access } = endpoints.listBranches
      const { project, sight } = await finder.requireProject(caller, access, idOrSlug)
      const { defaultBranch } = project
      const branches = sumByValue(await storage.seenValues.list(project.id, sight.lanes, ['branch']))
      const sorted = otherLast(latestFirst(branches)).sort(
        (a, b) => Number(b.value === defaultBranch) - Number(a.value === defaultBranch),
      )
      const page = pageOf(sorted, ['branches', project.id], query)
      return { ...page, data: page.data.map((seen) => showBranch(seen, defaultBranch)) }
    },
  }
}

/** What the caller sees of a value, or of a build: the sum of several entries. */
type Seen = Omit<SeenRecord, 'lane'>

/** Sums the entries of each value: those of its builds, in each of the lanes. */
export function sumByValue(records: readonly SeenRecord[]): readonly Seen[] {
  const sums = sumBy(records, ({ value }) => value)
  // For a version, it means that some of its builds are no longer kept by name, which is not shown.
  return sums.map((sum) => ({ ...sum, includesRest: sum.includesRest && sum.value === OTHER_VALUE }))
}

function sumBy(records: readonly SeenRecord[], keyOf: (record: SeenRecord) => string): readonly Seen[] {
  const sums = new Map<string, Seen>()
  for (const record of records) {
    const key = keyOf(record)
    const known = sums.get(key)
    sums.set(key, known === undefined ? record : addUp(known, record))
  }
  return [...sums.values()]
}

function addUp(one: Seen, other: Seen): Seen {
  return {
    ...one,
    reports: one.reports + other.reports,
    newIssues: one.newIssues + other.newIssues,
    fixedIssues: one.fixedIssues + other.fixedIssues,
    regressions: one.regressions + other.regressions,
    firstAt: Math.min(one.firstAt, other.firstAt),
    lastAt: Math.max(one.lastAt, other.lastAt),
    includesRest: one.includesRest || other.includesRest,
  }
}

/** The builds of each version that are kept by name, over all lanes. */
function buildsByVersion(records: readonly SeenRecord[]): ReadonlyMap<string, readonly Seen[]> {
  const named = records.filter(({ buildNumber }) => buildNumber !== '')
  const versions = Map.groupBy(named, ({ value }) => value)
  return new Map(
    versions.entries().map(([value, builds]) => [value, sumBy(builds, ({ buildNumber }) => buildNumber)]),
  )
}

/** By the last report; alphabetically if there is none. */
function latestFirst(values: readonly Seen[]): readonly Seen[] {
  return values.toSorted((a, b) => b.lastAt - a.lastAt || (a.value < b.value ? -1 : 1))
}

/** The entry for values that are not kept by name comes last. */
function otherLast(values: readonly Seen[]): Seen[] {
  return [
    ...values.filter(({ includesRest }) => !includesRest),
    ...values.filter(({ includesRest }) => includesRest),
  ]
}

/** The part of a list that a query requests. A cursor names the last value before it. */
function pageOf(values: readonly Seen[], list: readonly string[], query: SeenQuery) {
  const { q = '', pageSize = DEFAULT_PAGE_SIZE, cursor } = query
  const wanted = q.toLowerCase()
  const found = values.filter(({ value }) => value.toLowerCase().includes(wanted))
  const place = [...list, wanted]
  const start = cursor === undefined ? 0 : indexAfter(found, decodeTextCursor(place, cursor))
  const data = found.slice(start, start + pageSize)
  const hasMore = start + data.length < found.length
  const last = data.at(-1)
  return {
    data,
    pagination: {
      page: null,
      pageSize,
      hasMore,
      nextCursor: hasMore && last !== undefined ? encodeTextCursor(place, last.value) : null,
      totalCount: found.length,
    },
  }
}

function indexAfter(values: readonly Seen[], last: string): number {
  const index = values.findIndex(({ value }) => value === last)
  if (index === -1) throw invalidCursor()
  return index + 1
}

function showVersion(seen: Seen, builds: readonly Seen[]): Version {
  return {
    appVersion: seen.value,
    ...showReports(seen),
    newIssues: seen.newIssues,
    regressions: seen.regressions,
    fixedIssues: seen.fixedIssues,
    builds: newestFirst(builds, ({ buildNumber }) => buildNumber)
      .slice(0, MAX_SHOWN_BUILDS)
      .map((build) => ({ buildNumber: build.buildNumber, ...showReports(build) })),
    includesRest: seen.includesRest,
  }
}

function showBranch(seen: Seen, defaultBranch: string): Branch {
  return {
    branch: seen.value,
    isDefault: seen.value === defaultBranch,
    ...showReports(seen),
    newIssues: seen.newIssues,
    regressions: seen.regressions,
    includesRest: seen.includesRest,
  }
}

/** No times are kept for `other`, because its values change. */
function showReports({
  reports,
  firstAt,
  lastAt,
  includesRest,
}: SeenContribution & Pick<Seen, 'includesRest'>) {
  const hasTimes = reports > 0 && !includesRest
  return {
    reportCount: reports,
    firstReportedAt: hasTimes ? isoTime(firstAt) : null,
    lastReportedAt: hasTimes ? isoTime(lastAt) : null,
  }
}
