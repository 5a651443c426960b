import type { DatabaseSync } from 'node:sqlite'
import type { ProjectId } from '../../../model/ids.ts'
import type {
  IssueListing,
  IssueSelection,
  JointListing,
  ListBounds,
  StatusCounts,
} from '../../../model/issue-lists.ts'
import type { Sql } from '../../issues/lists/issue-filters.ts'
import {
  countByStatus,
  countIssues,
  type ListDatabase,
  type ListedRows,
  listIssues,
} from '../../issues/lists/issue-lists.ts'
import { type JointRows, listJointly } from '../../issues/lists/joint-lists.ts'
import type { KeyRange, ListDialect } from '../../issues/lists/list-dialect.ts'
import type { PlacedRow } from '../../issues/lists/list-plans.ts'
import { keyRange, numberOf, rowKey } from '../driver/row-keys.ts'
import { operationRunner } from '../driver/run-operations.ts'
import { type IssueRow, prepareListReads } from './issue-rows.ts'
import { prepareSearch } from './search-query.ts'

/** Part of a list, as it is passed between threads. */
export interface IssueRows extends Omit<ListedRows<PlacedRow>, 'rows'> {
  readonly rows: readonly IssueRow[]
}

/** The same for several projects. `projectIds` are those of the rows. */
export interface JointIssueRows extends Omit<JointRows<PlacedRow>, 'rows'> {
  readonly rows: readonly IssueRow[]
  readonly projectIds: readonly ProjectId[]
}

/** Lists and counts the issues of one project, or lists those of several. */
export function prepareIssueLists(db: DatabaseSync, bounds: ListBounds, checkpoint: () => void) {
  const search = prepareSearch(db, bounds, checkpoint)
  const dialect = dialectOf(bounds)
  const database: ListDatabase = {
    bounds,
    dialectOf: () => dialect,
    // biome-ignore lint/correctness/useYield: an operation without statements.
    *findMatches(plan) {
      return search.find(plan)
    },
  }
  const run = operationRunner(db)
  const selectRows = prepareListReads(db, 'WHERE i.row IN (SELECT value FROM json_each(?))')

  /** The rows are found with an index alone and read afterwards, so that only small rows are sorted and skipped. */
  function readAll(found: readonly PlacedRow[]): readonly IssueRow[] {
    const rows = new Map(
      selectRows.all(JSON.stringify(found.map(({ n }) => n))).map((row) => [row[0], row] as const),
    )
    return found.map(({ n }) => rows.get(n)).filter((row) => row !== undefined)
  }

  return {
    listIssues(listing: IssueListing): IssueRows {
      const { rows, ...rest } = run(listIssues<PlacedRow>(database, listing))
      return { rows: readAll(rows), ...rest }
    },
    listJointly(listing: JointListing): JointIssueRows {
      const part = run(listJointly<PlacedRow>(database, listing))
      return {
        ...part,
        rows: readAll(part.rows.map(({ row }) => row)),
        projectIds: part.rows.map(({ projectId }) => projectId),
      }
    },
    countIssues: (selection: IssueSelection): number | null => run(countIssues(database, selection)),
    countByStatus: (selection: IssueSelection): StatusCounts => run(countByStatus(database, selection)),
  }
}

function dialectOf(bounds: ListBounds): ListDialect {
  return {
    bounds,
    key: 'row',
    columns: () => [],
    // `+`: uses the keys, because the index on lanes has another order.
    lane: '+lane',
    keyOf: rowKey,
    numberOf,
    keyRange,
    isBetween,
    statusKey: 'row',
    isStatusBetween: isBetween,
    isOfProject: (seq) => ({ text: 'row >> 32 = ?', values: [seq] }),
    // `CROSS` makes SQLite join from the candidates to their rows; otherwise it might scan all issues.
    issueKey: 'issue_row',
    isText: (column, value) => ({ text: `${column} = ?`, values: [value] }),
    textOrder: () => '',
    isOfIssues: (seq) => ({ text: 'issue_row >> 32 = ?', values: [seq] }),
    isOfIssue: () => ({ text: 'x.issue_row = i.row', values: [] }),
    isAmong: (_, { text, values }) => ({ text: `row IN (${text})`, values }),
    joinRows: (_, candidates, rows) => ({
      text: `CROSS JOIN issues ${rows} ON ${rows}.row = ${candidates}.n`,
      values: [],
    }),
    listKeys: (keys) => ({ text: 'SELECT value AS n FROM json_each(?)', values: [JSON.stringify(keys)] }),
    rowsWith: (_, keys) => ({
      text: 'json_each(?) f CROSS JOIN issues i ON i.row = f.value',
      values: [JSON.stringify(keys)],
    }),
  }
}

function isBetween(_: number, { low, high }: KeyRange): Sql {
  return { text: 'row > ? AND row < ?', values: [low, high] }
}
