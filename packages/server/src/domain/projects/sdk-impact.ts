import { compareVersions } from '../../model/decisions/compare-versions.ts'
import type { ProjectId } from '../../model/ids.ts'
import type { SdkSettings } from '../../model/projects.ts'
import type { Storage } from '../../storage/storage.ts'
import { measureReach, type Reach } from './feature-limits.ts'
import { countCutOff } from './sdk-config.ts'

/** Issues and reports from this many days are counted to estimate who is affected. */
export const IMPACT_DAYS = 30
const DAY_MS = 86_400_000

export interface SdkImpact {
  readonly days: number
  readonly reports: number
  readonly cutOff: number
}

interface Raise {
  readonly storage: Storage
  readonly projectId: ProjectId
  readonly before: SdkSettings
  readonly after: SdkSettings
  readonly now: number
}

/** How many reports a higher minimum of the SDK version excludes; `null` if it is not higher. */
export async function measureImpact({
  storage,
  projectId,
  before,
  after: { minSdkVersion },
  now,
}: Raise): Promise<SdkImpact | null> {
  if (minSdkVersion === null) return null
  if (before.minSdkVersion !== null && compareVersions(minSdkVersion, before.minSdkVersion) <= 0) return null
  const firstDay = new Date(now - (IMPACT_DAYS - 1) * DAY_MS).toISOString().slice(0, 10)
  const reports = await storage.projects.countSdkReports(projectId, firstDay)
  return { days: IMPACT_DAYS, ...countCutOff(reports, minSdkVersion) }
}

interface Limited {
  readonly storage: Storage
  readonly projectId: ProjectId
  readonly settings: SdkSettings
  readonly now: number
}

/** Who gets the limited features, according to the apps of recent issues. */
export async function measureReaches({
  storage,
  projectId,
  settings: { features, featureLimits },
  now,
}: Limited): Promise<Readonly<Record<string, Reach>>> {
  const limits = Object.entries(featureLimits).filter(([name]) => Object.hasOwn(features, name))
  if (limits.length === 0) return {}
  const issues = await storage.projects.countAppIssues(projectId, now - IMPACT_DAYS * DAY_MS)
  return Object.fromEntries(limits.map(([name, limit]) => [name, measureReach(limit, issues)]))
}
