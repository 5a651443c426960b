import type { Report } from '@bugle/contract'
import { platformName } from '../../../ui/words.ts'

export interface Tally {
  readonly name: string
  readonly count: number
}

export interface ReportTallies {
  readonly versions: readonly Tally[]
  readonly platforms: readonly Tally[]
  readonly systems: readonly Tally[]
  readonly devices: readonly Tally[]
}

/** The number of reports by origin, most frequent first. */
export function countReports(reports: readonly Report[]): ReportTallies {
  return {
    versions: tally(reports, ({ appVersion }) => appVersion),
    platforms: tally(reports, ({ platform }) => platform && platformName(platform)),
    systems: tally(reports, ({ osVersion }) => osVersion),
    devices: tally(reports, ({ deviceModel }) => deviceModel),
  }
}

/** The first entries, and the rest combined into one. */
export function shorten(tallies: readonly Tally[], most: number): readonly Tally[] {
  if (tallies.length <= most) return tallies
  const rest = tallies.slice(most - 1)
  const count = rest.reduce((sum, tallied) => sum + tallied.count, 0)
  return [...tallies.slice(0, most - 1), { name: `${rest.length} others`, count }]
}

const UNKNOWN = 'Unknown'

function tally(reports: readonly Report[], nameOf: (report: Report) => string | null): readonly Tally[] {
  const counts = new Map<string, number>()
  for (const report of reports) {
    const name = nameOf(report) ?? UNKNOWN
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count)
}
