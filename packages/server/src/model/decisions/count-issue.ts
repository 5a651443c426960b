import type { CountedDimension, CountedIssue } from '../stats.ts'
import { ownReportCount } from './duplicates.ts'

/** One contribution of an issue to the statistics of its project. */
export interface Contribution {
  readonly dimension: CountedDimension
  readonly value: string
  readonly count: number
}

/** The contributions of an issue. Statistics are the sum over all issues: a change subtracts the old and adds the new. */
export function contributionsOf(issue: CountedIssue): readonly Contribution[] {
  const one = (dimension: CountedDimension, value: string): Contribution => ({ dimension, value, count: 1 })
  const contributions = [
    one('status', issue.status),
    one('category', issue.category),
    one('priority', issue.priority),
    one('created_day', dayOf(issue.createdAt)),
    // Of the report that created it; the days of further reports are stored separately.
    one('reports_day', dayOf(issue.createdAt)),
    { dimension: 'reports', value: '', count: ownReportCount(issue) } as const,
  ]
  if (issue.platform !== null) contributions.push(one('platform', issue.platform))
  if (issue.osVersion !== null) contributions.push(one('os_version', issue.osVersion))
  if (issue.deviceModel !== null) contributions.push(one('device_model', issue.deviceModel))
  if (issue.assigneeId !== null) contributions.push(one('assignee', issue.assigneeId))
  for (const label of issue.labels) contributions.push(one('label', String(label)))
  if (issue.firstLeftOpenAt !== null) {
    contributions.push(one('time_to_acknowledge', durationBetween(issue.createdAt, issue.firstLeftOpenAt)))
  }
  if (issue.firstResolvedAt !== null) {
    contributions.push(
      one('resolved_day', dayOf(issue.firstResolvedAt)),
      one('time_to_resolve', durationBetween(issue.createdAt, issue.firstResolvedAt)),
    )
  }
  return contributions
}

export function dayOf(time: number): string {
  const day = Math.floor(time / DAY_MS)
  const known = days.get(day)
  if (known !== undefined) return known
  if (days.size === MAX_KNOWN_DAYS) days.clear()
  const text = new Date(time).toISOString().slice(0, 10)
  days.set(day, text)
  return text
}

const DAY_MS = 86_400_000
const MAX_KNOWN_DAYS = 1_000
/** Formatting the days of a month took a tenth of the time of statistics. */
const days = new Map<number, string>()

/** Whole seconds to two digits: few enough values to count each, exact enough for a median. */
function durationBetween(from: number, to: number): string {
  const seconds = Math.max(0, Math.round((to - from) / 1_000))
  return String(Number(seconds.toPrecision(2)))
}
