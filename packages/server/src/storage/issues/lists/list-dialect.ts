import type { IssueSelection, ListBounds } from '../../../model/issue-lists.ts'
import type { Sql } from './issue-filters.ts'

/** What differs between the databases: how the keys of a project's issues are stored. Pieces of SQL mark values with `?`. */
export interface ListDialect {
  readonly bounds: ListBounds
  /** The column by which the issues of a project are ordered. */
  readonly key: string
  /** The columns that a list reads from the rows `i`, in addition to their positions. */
  columns(seq: number): readonly string[]
  /** The lane of an issue, written so that no index is used for it, because those have other orders. */
  readonly lane: string
  keyOf(seq: number, number: number): number
  numberOf(key: number): number
  /** The keys of a project are between these two, both excluded. */
  keyRange(seq: number): KeyRange
  isBetween(seq: number, range: KeyRange): Sql
  /** The key as the index on statuses has it. */
  readonly statusKey: string
  isStatusBetween(seq: number, range: KeyRange): Sql
  /** For an index that starts with the project. */
  isOfProject(seq: number): Sql
  /** The column of `issue_labels` and `issue_reporters` that names the issue, in the order of {@link key}. */
  readonly issueKey: string
  /** The labels, or reporters, of a project's issues. */
  isOfIssues(seq: number): Sql
  /** Whether a text column has this value; with {@link textOrder}, an index on it is used whatever the database knows about the table. */
  isText(column: string, value: string): Sql
  /** The beginning of the order of an index on a text column. */
  textOrder(column: string, direction: 'ASC' | 'DESC'): string
  /** Whether a row `x` that names an issue belongs to the issue `i`. */
  isOfIssue(seq: number): Sql
  /** That an issue is one of those whose keys a query finds, as `n`. */
  isAmong(seq: number, keys: Sql): Sql
  /** Joins candidates, by their column `n`, to their rows in `issues`, always in this direction. */
  joinRows(seq: number, candidates: string, rows: string): Sql
  /** Keys as rows with one column, `n`. */
  listKeys(keys: readonly number[]): Sql
  /** After `FROM`: the rows `i` of `issues` that have these keys. */
  rowsWith(seq: number, keys: readonly number[]): Sql
}

export interface KeyRange {
  readonly low: number
  readonly high: number
}

/** A query for the full-text index. */
export interface MatchPlan {
  readonly seq: number
  readonly selection: IssueSelection
  readonly range: KeyRange
  readonly direction: 'ASC' | 'DESC'
  /** The number of matches to find. */
  readonly examined: number
  /** Matches are counted up to this number, which is at least `examined`. */
  readonly counted: number
}

/** The issues that match a search. */
export interface Matches {
  /** The keys of the first `examined`, in the requested order. There may be more keys after them, but not all. */
  readonly rows: readonly number[]
  /** How many there are in the range; `null` if there are too many to count, or the search stopped before its end. */
  readonly total: number | null
  /** The last key that was examined, if the search stopped before the end of the range. */
  readonly stoppedAt: number | null
}
