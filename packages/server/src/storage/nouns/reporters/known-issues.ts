import type { ProjectId } from '../../../model/ids.ts'
import type { KnownIssueRecord } from '../../../model/reports/known-issues.ts'
import { rankTitles } from '../../../model/search/rank-titles.ts'
import { type Dialect, forBoth, type Texts } from '../../dialects.ts'
import { LANE_CODES } from '../../issues/lane-codes.ts'
import { all, List, type Operation, type Operations, readId } from '../../operations.ts'
import type { KnownIssueStorage } from '../../ports/known-issues.ts'
import { findSeq } from '../projects.ts'
import { SHOWN_STATUS, type StatusRow, shownStatus, TARGET } from './shown-status.ts'

export function knownIssueStorage({ read, readLong }: Operations): KnownIssueStorage {
  return {
    list: (projectId, before, limit) => read(listKnownIssues, projectId, before, limit),
    find: (projectId, issueNumbers) => read(findPublished, projectId, issueNumbers),
    search: (projectId, text, limit) => readLong(projectId, searchKnownIssues, projectId, text, limit),
  }
}

/** Titles that are read and split into words at a time: on PostgreSQL, the event loop serves others in between. */
const TITLES_AT_ONCE = 400

const SELECT_TITLES: Texts = {
  postgres: `SELECT i.number, i.known_title AS title FROM issues i
    WHERE i.project = $1 AND i.known_title IS NOT NULL AND i.number + 0 > $2 ORDER BY i.number + 0 LIMIT $3`,
  sqlite: `SELECT i.row & 4294967295 AS number, i.known_title AS title FROM issues i INDEXED BY issues_known
    WHERE i.row >> 32 = $1 AND i.known_title IS NOT NULL AND i.row > ($1 << 32) + $2 ORDER BY i.row LIMIT $3`,
}
/** Read from the same index, from its end. */
const SELECT_NEWEST: Texts = {
  postgres: `SELECT i.number FROM issues i
    WHERE i.project = $1 AND i.known_title IS NOT NULL AND i.number + 0 < $2 ORDER BY i.number + 0 DESC LIMIT $3`,
  sqlite: `SELECT i.row & 4294967295 AS number FROM issues i INDEXED BY issues_known
    WHERE i.row >> 32 = $1 AND i.known_title IS NOT NULL AND i.row < ($1 << 32) + $2 ORDER BY i.row DESC LIMIT $3`,
}
/** By their keys alone, because SQLite would use another index for a further condition. */
const issuesWith = (target: string, { numberIn, isKeyIn }: Dialect) =>
  `SELECT i.id, ${numberIn('i.number')} AS number, i.lane, i.known_title, i.known_text, ${SHOWN_STATUS}
   FROM issues i ${target} WHERE ${isKeyIn('i.number', '$1', '$2')}`
const SELECT_BY_NUMBER: Texts = {
  postgres: forBoth((dialect) => issuesWith(TARGET.postgres, dialect)).postgres,
  sqlite: forBoth((dialect) => issuesWith(TARGET.sqlite, dialect)).sqlite,
}

interface TitleRow {
  readonly number: number
  readonly title: string
}

interface IssueRow extends StatusRow {
  readonly id: unknown
  readonly number: number
  readonly lane: number
  readonly known_title: string | null
  readonly known_text: string | null
}

export function* listKnownIssues(
  projectId: ProjectId,
  before: number,
  limit: number,
): Operation<readonly KnownIssueRecord[]> {
  const seq = yield* findSeq(projectId)
  if (seq === undefined) return []
  const newest = yield* all<{ number: number }>(SELECT_NEWEST, seq, before, limit)
  return yield* findKnownIssues(
    seq,
    newest.map(({ number }) => number),
  )
}

export function* findPublished(
  projectId: ProjectId,
  issueNumbers: readonly number[],
): Operation<readonly KnownIssueRecord[]> {
  const seq = yield* findSeq(projectId)
  return seq === undefined ? [] : yield* findKnownIssues(seq, issueNumbers)
}

/** The text never becomes part of a statement: a database may log its statements. */
export function* searchKnownIssues(
  projectId: ProjectId,
  text: string,
  limit: number,
): Operation<readonly KnownIssueRecord[]> {
  const seq = yield* findSeq(projectId)
  if (seq === undefined) return []
  const ranking = rankTitles(text)
  let last = 0
  for (;;) {
    const rows = yield* all<TitleRow>(SELECT_TITLES, seq, last, TITLES_AT_ONCE)
    for (const { number, title } of rows) ranking.add(number, title)
    last = rows.at(-1)?.number ?? last
    if (rows.length < TITLES_AT_ONCE) break
  }
  return yield* findKnownIssues(seq, ranking.best(limit))
}

/** In the order of their numbers in the list. */
function* findKnownIssues(seq: number, numbers: readonly number[]): Operation<readonly KnownIssueRecord[]> {
  if (numbers.length === 0) return []
  const rows = yield* all<IssueRow>(SELECT_BY_NUMBER, seq, new List(numbers))
  return rows
    .toSorted((one, other) => numbers.indexOf(one.number) - numbers.indexOf(other.number))
    .flatMap(toKnownIssue)
}

/** Nothing, if it is no longer published: it may have changed since its title was read. */
function toKnownIssue({ id, lane, known_title: title, known_text, ...row }: IssueRow): KnownIssueRecord[] {
  if (title === null || lane !== LANE_CODES.open) return []
  const issue = { id: readId('iss', id), issueNumber: row.number }
  return [{ ...issue, title, text: known_text ?? '', ...shownStatus(row) }]
}
