import type { ProjectId } from '../../../model/ids.ts'
import type {
  IssueListing,
  IssueListPart,
  JointListing,
  JointListPart,
  ListBounds,
} from '../../../model/issue-lists.ts'
import type { IssueAttachmentState } from '../../../model/reports/attachments.ts'
import { POSTGRES } from '../../dialects.ts'
import { LISTED_COLUMNS } from '../../issues/issue-rows.ts'
import { type ListDatabase, listIssues as listRows } from '../../issues/lists/issue-lists.ts'
import { listJointly as listJointRows } from '../../issues/lists/joint-lists.ts'
import type { ListDialect } from '../../issues/lists/list-dialect.ts'
import type { PlacedRow } from '../../issues/lists/list-plans.ts'
import { filesColumn, findStates } from '../../issues/reports/attachment-state.ts'
import type { Operation } from '../../operations.ts'
import { type IssueRow, toListedIssue } from './issue-rows.ts'
import { findMatches } from './search-query.ts'

export function listDatabase(bounds: ListBounds, isCluster: boolean): ListDatabase {
  return {
    bounds,
    isCluster,
    dialectOf: (lastNumber) => dialectOf(lastNumber, bounds),
    findMatches: (plan) => findMatches(plan, bounds),
  }
}

export function* listIssues(database: ListDatabase, listing: IssueListing): Operation<IssueListPart> {
  const { rows, ...rest } = yield* listRows<ListedRow>(database, listing)
  const { projectId } = listing.selection
  const states = yield* findStatesOf(projectId, rows)
  return { issues: rows.map((row) => toListedIssue(row, projectId, states.get(row.number) ?? null)), ...rest }
}

export function* listJointly(database: ListDatabase, listing: JointListing): Operation<JointListPart> {
  const { rows, ...rest } = yield* listJointRows<ListedRow>(database, listing)
  const states = new Map<ProjectId, ReadonlyMap<number, IssueAttachmentState>>()
  for (const [projectId, owned] of Map.groupBy(rows, (row) => row.projectId)) {
    const found = yield* findStatesOf(
      projectId,
      owned.map(({ row }) => row),
    )
    states.set(projectId, found)
  }
  const issues = rows.map(({ row, projectId }) =>
    toListedIssue(row, projectId, states.get(projectId)?.get(row.number) ?? null),
  )
  return { issues, ...rest }
}

type ListedRow = IssueRow & PlacedRow & { readonly has_files: boolean }

function findStatesOf(projectId: ProjectId, rows: readonly ListedRow[]) {
  const numbers = rows.filter((row) => row.has_files).map(({ number }) => number)
  return findStates(projectId, numbers)
}

const STATUS_KEY = 'number + 0'

/** The keys of a project's issues, the last of which has the given number. */
const dialectOf = (lastNumber: number, bounds: ListBounds): ListDialect => ({
  bounds,
  key: 'number',
  columns: (seq) => ['i.number', 'i.id', filesColumn(POSTGRES, String(seq)), ...LISTED_COLUMNS],
  lane: 'lane',
  keyOf: (_, number) => Math.max(0, Math.min(lastNumber + 1, number)),
  numberOf: (key) => key,
  keyRange: () => ({ low: 0, high: lastNumber + 1 }),
  isBetween: isBetween('number'),
  // Not the order of the primary key, which might otherwise be read as a whole.
  statusKey: STATUS_KEY,
  isStatusBetween: isBetween(STATUS_KEY),
  isOfProject: (seq) => ({ text: 'project = ?', values: [seq] }),
  // `LIMIT` makes PostgreSQL join row by row; otherwise it might scan all issues.
  issueKey: 'issue_number',
  // Sorted by a column that is not constant: otherwise the primary key has the same order, and may be read as a whole.
  isText: (column, value) => ({ text: `${column} BETWEEN ? AND ?`, values: [value, value] }),
  textOrder: (column, direction) => `${column} ${direction}, `,
  isOfIssues: (seq) => ({ text: 'project = ?', values: [seq] }),
  isOfIssue: (seq) => ({ text: 'x.project = ? AND x.issue_number = i.number', values: [seq] }),
  isAmong: (seq, { text, values }) => ({
    text: `project = ? AND number = ANY (ARRAY(${text}))`,
    values: [seq, ...values],
  }),
  joinRows: (seq, candidates, rows) => ({
    text: `CROSS JOIN LATERAL
      (SELECT * FROM issues WHERE project = ? AND number = ${candidates}.n LIMIT 1) ${rows}`,
    values: [seq],
  }),
  listKeys: (keys) => ({ text: 'SELECT n FROM unnest(CAST(? AS integer[])) k (n)', values: [`{${keys}}`] }),
  // `ARRAY`: PostgreSQL then does not evaluate the keys during planning, and looks them up in one index scan.
  rowsWith: (seq, keys) => ({
    text: `(SELECT * FROM issues WHERE project = ?
        AND number = ANY (ARRAY(SELECT unnest(CAST(? AS integer[]))))) i`,
    values: [seq, `{${keys}}`],
  }),
})

function isBetween(key: string): ListDialect['isBetween'] {
  return (seq, { low, high }) => ({
    text: `project = ? AND ${key} > ? AND ${key} < ?`,
    values: [seq, low, high],
  })
}
