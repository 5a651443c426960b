import type { DatabaseSync } from 'node:sqlite'
import { ISSUE_STATUSES, type IssueStatus } from '@bugle/contract/vocabulary'
import { idToBytes, type ProjectId } from '../../../model/ids.ts'
import type {
  IssueListing,
  IssueSelection,
  ListBounds,
  ListPosition,
  StatusCounts,
} from '../../../model/issue-lists.ts'
import { LANE_CODES } from '../../issues/lane-codes.ts'
import type { Sql } from '../../issues/lists/issue-filters.ts'
import type { ListDialect } from '../../issues/lists/list-dialect.ts'
import {
  type CounterValues,
  countableStatuses,
  countedBy,
  isCounted,
  type MatchCount,
  needsStatusCount,
  type PlacedRow,
  partsOf,
  planCount,
  planList,
  planMatchCounts,
  statusCounters,
  statusCountsOf,
  sumParts,
  toStatusCounts,
} from '../../issues/lists/list-plans.ts'
import { keyRange, numberOf, rowKey } from '../driver/row-keys.ts'
import { prepareOnce } from '../driver/statements.ts'
import { type IssueRow, prepareListReads } from './issue-rows.ts'
import { prepareSearch } from './search-query.ts'

/** Part of a list, as it is handed from one thread to another. */
export interface IssueRows {
  readonly rows: readonly IssueRow[]
  readonly next: ListPosition | null
}

const FROM_LIST = 'SELECT value AS n FROM json_each(?)'

/** Lists and counts the issues of one project. */
export function prepareIssueLists(db: DatabaseSync, bounds: ListBounds, checkpoint: () => void) {
  const search = prepareSearch(db, bounds, checkpoint)
  const dialect = dialectOf(search, bounds)
  const prepare = prepareOnce(db)
  const selectRows = prepareListReads(db, 'WHERE i.row IN (SELECT value FROM json_each(?))')
  const selectProject = db.prepare(
    'SELECT seq, last_issue_number FROM projects WHERE id = ? AND slug IS NOT NULL',
  )
  const selectNewest = db.prepare(
    'SELECT max(row) AS row FROM issues WHERE lane = ? AND status = ? AND row > ? AND row < ?',
  )
  function findProject(projectId: ProjectId): ProjectRow | undefined {
    return selectProject.get(idToBytes(projectId)) as ProjectRow | undefined
  }

  /** The number of the newest visible issue, for searches. Hidden ones above it are not looked at: there may be any number. */
  function newestNumber({ seq, last_issue_number }: ProjectRow, { lanes, search }: IssueSelection): number {
    if (search === null) return last_issue_number
    const { low, high } = keyRange(seq)
    const newest = lanes.flatMap((lane) =>
      ISSUE_STATUSES.map((status) => {
        const found = selectNewest.get(LANE_CODES[lane], status, low, high) as { row: number | null }
        return found.row === null ? 0 : numberOf(found.row)
      }),
    )
    return Math.max(...newest)
  }

  /** What the counters say about lanes and one dimension. */
  function counted(seq: number, { lanes }: IssueSelection, { dimension, values }: CounterValues): number {
    const codes = lanes.map((lane) => LANE_CODES[lane]).join(', ')
    const marks = values.map(() => '?').join(', ')
    const select = prepare(
      `SELECT coalesce(sum(count), 0) AS count FROM counters
       WHERE project = ? AND lane IN (${codes}) AND dimension = ? AND value IN (${marks})`,
    )
    return (select.get(seq, dimension, ...values) as { count: number }).count
  }

  /** Found by an index alone, and only then read: what is sorted and left out on the way is small. */
  function readAll(found: readonly PlacedRow[]): readonly IssueRow[] {
    const rows = new Map(
      selectRows.all(JSON.stringify(found.map(({ n }) => n))).map((row) => [row[0], row] as const),
    )
    return found.map(({ n }) => rows.get(n)).filter((row) => row !== undefined)
  }

  function readOne(query: Sql | null): PlacedRow | undefined {
    return query === null ? undefined : (prepare(query.text).get(...query.values) as PlacedRow | undefined)
  }

  function countIssues(selection: IssueSelection): number | null {
    const project = findProject(selection.projectId)
    if (project === undefined) return 0
    const { seq } = project
    const known = countedBy(selection)
    if (known !== undefined) return counted(seq, selection, known)
    const newest = newestNumber(project, selection)
    const isTooMany =
      selection.search === null && counted(seq, selection, statusCounters(selection)) > bounds.examinedRows
    if (isTooMany) return null
    const plan = planCount(dialect, seq, selection, newest)
    if (plan === null) return null
    const { examined, count } = prepare(plan.text).get(...plan.values) as unknown as CountRow
    return examined > bounds.examinedRows ? null : count
  }

  return {
    listIssues(listing: IssueListing): IssueRows {
      const { selection, limit } = listing
      const project = findProject(selection.projectId)
      if (project === undefined) return { rows: [], next: null }
      const { seq } = project
      const statusCount = needsStatusCount(listing) ? counted(seq, selection, statusCounters(selection)) : 0
      const newest = newestNumber(project, selection)
      const plan = planList(dialect, seq, listing, { statusCount, newest })
      const found = prepare(plan.query.text).all(...plan.query.values) as unknown as PlacedRow[]
      const last = found.length > limit ? found[limit - 1] : readOne(plan.lastExamined)
      return { rows: readAll(found.slice(0, limit)), next: last ? plan.positionOf(last) : plan.stoppedAt }
    },

    countIssues,

    countByStatus(given: IssueSelection): StatusCounts {
      const all = { ...given, statuses: null }
      const project = findProject(all.projectId)
      if (project === undefined) return statusCountsOf(() => 0)
      const { seq } = project
      const issuesOf = (status: IssueStatus) => counted(seq, all, { dimension: 'status', values: [status] })
      if (isCounted(all)) return statusCountsOf(issuesOf)
      if (all.search === null) {
        const parts = countableStatuses(issuesOf, bounds).flatMap((status) => partsOf(all, status))
        return sumParts(parts.map((part) => ({ status: part.statuses[0], count: countIssues(part) })))
      }
      const newest = newestNumber(project, all)
      const plan = planMatchCounts(dialect, seq, all, newest)
      if (plan === null) return statusCountsOf(() => null)
      return toStatusCounts(prepare(plan.text).all(...plan.values) as unknown as MatchCount[], bounds)
    },
  }
}

interface ProjectRow {
  readonly seq: number
  readonly last_issue_number: number
}

interface CountRow {
  readonly examined: number
  readonly count: number
}

function dialectOf(search: ReturnType<typeof prepareSearch>, bounds: ListBounds): ListDialect {
  return {
    bounds,
    key: 'row',
    columns: [],
    // `+`: by the keys themselves. The index on lanes has another order.
    lane: '+lane',
    keyOf: rowKey,
    numberOf,
    keyRange,
    isBetween: (_, { low, high }) => ({ text: 'row > ? AND row < ?', values: [low, high] }),
    isOfProject: (seq) => ({ text: 'row >> 32 = ?', values: [seq] }),
    // `CROSS`: from the candidates to their rows. SQLite may think it quicker to go through all issues there are.
    joinRows: (_, candidates, rows) => ({
      text: `CROSS JOIN issues ${rows} ON ${rows}.row = ${candidates}.n`,
      values: [],
    }),
    findMatches(plan) {
      const { rows, stoppedAt } = search.find(plan)
      return { rows: { text: FROM_LIST, values: [JSON.stringify(rows)] }, stoppedAt }
    },
  }
}
