import { ISSUE_STATUSES } from '@bugle/contract/vocabulary'
import type { ReportSpan, SeenDimension } from '../../../model/seen-values.ts'
import { forBoth } from '../../dialects.ts'
import { all, type Operation, one } from '../../operations.ts'
import { lastNumberBefore } from '../last-number-before.ts'
import type { SeenPlace } from './seen-changes.ts'

/**
 * How many issues of each status, in either direction, and how many sources of each value are examined. All
 * of them are in the requested lane: the result does not depend on issues of another lane.
 */
const MAX_EXAMINED_ISSUES = 250
const MAX_EXAMINED_SOURCES = 1_000

/** When the first and the last report of a build, or of a branch, arrived. */
export interface SeenTimes {
  readonly value: string
  readonly build_number: string
  readonly first_at: number
  readonly last_at: number
}

type TimesRow = { readonly [F in keyof SeenTimes]: SeenTimes[F] | null }

/**
 * When the first and the last stored reports of values arrived, as far as they were found: a build may occur several times, and other
 * values, too. `removed` are the times of the removed first and last reports: the search for the next ones starts there.
 */
export function* findSeenTimes(
  { project, lane, dimension }: SeenPlace,
  values: readonly string[],
  removed: ReportSpan,
): Operation<readonly SeenTimes[]> {
  const { after, before, ofReports } = TIMES[dimension]
  const last = yield* one<{ number: number }>(SELECT_LAST_NUMBER, project)
  const numberBefore = (moment: number) => lastNumberBefore(project, last?.number ?? 0, moment)
  const rows = [
    ...(yield* all<TimesRow>(after, project, lane, yield* numberBefore(removed.firstAt))),
    ...(yield* all<TimesRow>(before, project, lane, yield* numberBefore(removed.lastAt + 1))),
  ]
  for (const value of values) rows.push(...(yield* all<TimesRow>(ofReports, project, lane, value)))
  return rows.flatMap(({ value, build_number, first_at, last_at }) =>
    value === null || first_at === null || last_at === null
      ? []
      : [{ value, build_number: build_number ?? '', first_at, last_at }],
  )
}

const SELECT_LAST_NUMBER = forBoth(
  ({ current }) => `SELECT last_issue_number AS number FROM ${current('projects')} WHERE seq = $1`,
)

const TIMES = {
  version: timesOf('app_version', 'build_number'),
  branch: timesOf('branch', "''"),
} satisfies Record<SeenDimension, unknown>

/** The project is `$1`, the lane `$2`. */
function timesOf(column: 'app_version' | 'branch', build: string) {
  const inIssues = (direction: 'ASC' | 'DESC') =>
    forBoth(({ isAfter, isUpTo, orderOf, byIndex }) => {
      const isBeyond =
        direction === 'ASC'
          ? isAfter('i.number + 0', '$1', '$3')
          : `${isAfter('i.number + 0', '$1', '0')} AND ${isUpTo('i.number + 0', '$1', '$3')}`
      const runs = ISSUE_STATUSES.map(
        (status, index) =>
          `SELECT * FROM (SELECT i.created_at, i.app_version, i.build_number, i.branch FROM issues i ${byIndex('issues_by_status')}
             WHERE i.lane = $2 AND i.status = '${status}' AND ${isBeyond}
             ORDER BY ${orderOf('i.number + 0')} ${direction} LIMIT ${MAX_EXAMINED_ISSUES}) run_${index}`,
      )
      return `SELECT ${column} AS value, ${build} AS build_number, min(created_at) AS first_at, max(created_at) AS last_at
        FROM (${runs.join(' UNION ALL ')}) examined GROUP BY 1, 2`
    })
  const ofReports = (isOfProject: string) => {
    const examined = (direction: 'ASC' | 'DESC') =>
      `SELECT * FROM (SELECT r.${column} AS value, r.build_number, r.first_at, r.last_at FROM report_sources r
         WHERE ${isOfProject} AND r.lane = $2 AND r.${column} = $3
         ORDER BY r.day ${direction} LIMIT ${MAX_EXAMINED_SOURCES}) ${direction === 'ASC' ? 'oldest' : 'newest'}`
    return `SELECT value, ${build} AS build_number, min(first_at) AS first_at, max(last_at) AS last_at
      FROM (${examined('ASC')} UNION ALL ${examined('DESC')}) examined GROUP BY 1, 2`
  }
  return {
    after: inIssues('ASC'),
    before: inIssues('DESC'),
    ofReports: { sqlite: ofReports('r.issue_row >> 32 = $1'), postgres: ofReports('r.project = $1') },
  }
}
