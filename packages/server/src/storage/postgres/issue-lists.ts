import { MAX_EXAMINED_ROWS } from '@bugle/contract/vocabulary'
import type { ProjectId } from '../../ids.ts'
import type { IssueListing, IssueListPart, IssueSelection } from '../records/issue-lists.ts'
import type { Sql } from '../sql/issue-filters.ts'
import { LANE_CODES } from '../sql/issue-rows.ts'
import {
  type CounterValues,
  countedBy,
  type ListDialect,
  needsStatusCount,
  type PlacedRow,
  planCount,
  planList,
  statusCounters,
} from '../sql/list-plans.ts'
import { numbered, prepared, type Session } from './connection.ts'
import { type IssueRow, toIssue } from './issue-rows.ts'
import { findMatches } from './search-query.ts'
import { uuidOf } from './uuids.ts'

/** The largest number that the column holds. */
const MAX_NUMBER = 2 ** 31 - 1

const DIALECT: ListDialect = {
  key: 'number',
  lane: 'lane',
  keyOf: (_, number) => Math.max(0, Math.min(MAX_NUMBER, number)),
  numberOf: (key) => key,
  keyRange: () => ({ low: 0, high: MAX_NUMBER }),
  isBetween: (seq, { low, high }) => ({
    text: 'project = ? AND number > ? AND number < ?',
    values: [seq, low, high],
  }),
  isOfProject: (seq) => ({ text: 'project = ?', values: [seq] }),
  // `LIMIT`: row by row. PostgreSQL may think it quicker to go through all issues there are.
  joinRows: (seq, candidates, rows) => ({
    text: `CROSS JOIN LATERAL
      (SELECT * FROM issues WHERE project = ? AND number = ${candidates}.n LIMIT 1) ${rows}`,
    values: [seq],
  }),
  findMatches,
}

const SELECT_SEQ = prepared('seq_of_project', 'SELECT seq FROM projects WHERE id = $1 AND slug IS NOT NULL')
const SELECT_COUNT = prepared(
  'count_issues',
  `SELECT coalesce(sum(count), 0)::bigint AS count FROM counters
   WHERE project = $1 AND lane = ANY ($2) AND dimension = $3 AND value = ANY ($4)`,
)

export async function listIssues(session: Session, listing: IssueListing): Promise<IssueListPart> {
  const { selection, limit } = listing
  const seq = await findSeq(session, selection.projectId)
  if (seq === undefined) return { issues: [], next: null }
  const statusCount = needsStatusCount(listing)
    ? await counted(session, seq, selection, statusCounters(selection))
    : 0
  const plan = planList(DIALECT, seq, listing, statusCount)
  const rows = await select<IssueRow & PlacedRow>(session, plan.query)
  const issues = rows.slice(0, limit).map((row) => toIssue(row, selection.projectId))
  const [last] =
    rows.length > limit ? rows.slice(limit - 1) : await select<PlacedRow>(session, plan.lastExamined)
  return { issues, next: last === undefined ? null : plan.positionOf(last) }
}

export async function countIssues(session: Session, selection: IssueSelection): Promise<number | null> {
  const seq = await findSeq(session, selection.projectId)
  if (seq === undefined) return 0
  const known = countedBy(selection)
  if (known !== undefined) return counted(session, seq, selection, known)
  const isTooMany =
    selection.search === null &&
    (await counted(session, seq, selection, statusCounters(selection))) > MAX_EXAMINED_ROWS
  if (isTooMany) return null
  const [row] = await select<{ examined: number; count: number }>(session, planCount(DIALECT, seq, selection))
  return row === undefined || row.examined > MAX_EXAMINED_ROWS ? null : row.count
}

async function findSeq(session: Session, projectId: ProjectId): Promise<number | undefined> {
  const [row] = await session.run<{ seq: number }>(SELECT_SEQ(uuidOf(projectId)))
  return row?.seq
}

/** What the counters say about lanes and one dimension. */
async function counted(
  session: Session,
  seq: number,
  { lanes }: IssueSelection,
  { dimension, values }: CounterValues,
): Promise<number> {
  const codes = lanes.map((lane) => LANE_CODES[lane])
  const [row] = await session.run<{ count: number }>(SELECT_COUNT(seq, codes, dimension, values))
  return row?.count ?? 0
}

async function select<R extends object>(session: Session, query: Sql | null): Promise<R[]> {
  return query === null ? [] : session.run<R>(numbered(query.text, query.values))
}
