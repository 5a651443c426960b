import { dayOf } from '../../../model/decisions/count-issue.ts'
import type { VersionCount, VersionCounts, VersionSelection } from '../../../model/stats.ts'
import { forBoth, type Texts } from '../../dialects.ts'
import { highestLane, LANE_CODES } from '../../issues/lane-codes.ts'
import { all, List, type Operation, one, storedId } from '../../operations.ts'

const DAY_MS = 86_400_000
const SELECT_PROJECT = 'SELECT seq FROM projects WHERE id = $1'

// The last row is about all that were examined.
const COUNT_ISSUES = forBoth(
  ({ isAfter, orderOf, isIn }) => `WITH newest AS MATERIALIZED (
      SELECT i.app_version, i.created_at FROM issues i
      WHERE ${isAfter('i.number', '$1', '0')} AND i.lane <= $2 ORDER BY ${orderOf('i.number')} DESC LIMIT $3)
    SELECT app_version AS version, created_at / ${DAY_MS} AS day, count(*) AS count FROM newest
    WHERE created_at >= $4 AND ${isIn('app_version', '$5')} GROUP BY app_version, created_at / ${DAY_MS}
    UNION ALL SELECT NULL, min(created_at) / ${DAY_MS}, count(*) FROM newest`,
)
const COUNT_REPORTS: Texts = {
  sqlite: countReports('r.issue_row >> 32 = $1'),
  postgres: countReports('r.project = $1'),
}

function countReports(isOfProject: string): string {
  return `SELECT day, sum(count) AS reports, count(*) AS sources FROM (
      SELECT r.day, r.count FROM report_sources r
      WHERE ${isOfProject} AND r.lane = $2 AND r.app_version = $3 AND r.day >= $4 ORDER BY r.day DESC LIMIT $5) newest
    GROUP BY day`
}

/**
 * Counts when the statistics are read, not with each write: a counter for each version and day would be one more row to write for every version
 * in a commit. An issue's first report is counted by the issue, the others by their sources, of which an issue has few on a day.
 */
export function* countVersions(selection: VersionSelection): Operation<VersionCounts> {
  const { projectId, lanes, appVersions, since, maxIssues } = selection
  const project = yield* one<{ seq: number }>(SELECT_PROJECT, storedId(projectId))
  if (project === undefined) return { counts: [], completeFrom: null }
  const codes = lanes.map((lane) => LANE_CODES[lane])
  const ofIssues = [highestLane(lanes), maxIssues, since, new List(appVersions)] as const
  const rows = yield* all<IssuesRow>(COUNT_ISSUES, project.seq, ...ofIssues)
  const counts: VersionCount[] = []
  /** Days that may not have been examined completely. */
  const cutDays: string[] = []
  for (const { version, day, count } of rows) {
    if (version !== null)
      counts.push({ appVersion: version, day: nameOf(day ?? 0), reports: count, newIssues: count })
    else if (count >= maxIssues) cutDays.push(nameOf(day ?? 0))
  }
  for (const appVersion of appVersions) {
    for (const code of codes) {
      const joined = yield* countJoined(project.seq, code, appVersion, selection)
      counts.push(...joined.counts)
      if (joined.cutDay !== null) cutDays.push(joined.cutDay)
    }
  }
  const lastCut = cutDays.sort().at(-1)
  const isCut = lastCut !== undefined && lastCut >= dayOf(since)
  return { counts, completeFrom: isCut ? dayOf(Date.parse(lastCut) + DAY_MS) : null }
}

function* countJoined(
  project: number,
  lane: number,
  appVersion: string,
  { since, maxSources }: VersionSelection,
): Operation<{ readonly counts: readonly VersionCount[]; readonly cutDay: string | null }> {
  const rows = yield* all<ReportsRow>(COUNT_REPORTS, project, lane, appVersion, dayOf(since), maxSources)
  const counts = rows.map(({ day, reports }) => ({ appVersion, day, reports, newIssues: 0 }))
  const examined = rows.reduce((sum, { sources }) => sum + sources, 0)
  const [oldest = null] = rows.map(({ day }) => day).sort()
  return { counts, cutDay: examined >= maxSources ? oldest : null }
}

function nameOf(dayNumber: number): string {
  return dayOf(dayNumber * DAY_MS)
}

interface IssuesRow {
  readonly version: string | null
  /** Days since 1970; `null` if there are no issues. */
  readonly day: number | null
  readonly count: number
}

interface ReportsRow {
  readonly day: string
  readonly reports: number
  readonly sources: number
}
