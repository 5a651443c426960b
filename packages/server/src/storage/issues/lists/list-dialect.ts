import type { IssueSelection, ListBounds } from '../../../model/issue-lists.ts'
import type { Sql } from './issue-filters.ts'

/** What differs between the databases: how a project's issues lie in their table. Pieces of SQL mark values with `?`. */
export interface ListDialect {
  readonly bounds: ListBounds
  /** The column in whose order the issues of a project lie. */
  readonly key: string
  /** What a list reads of the rows `i`, beside their places. */
  readonly columns: readonly string[]
  /** The lane of an issue, where it must not lead to an index: those have other orders. */
  readonly lane: string
  keyOf(seq: number, number: number): number
  numberOf(key: number): number
  /** The keys of a project lie between these two, both excluded. */
  keyRange(seq: number): KeyRange
  isBetween(seq: number, range: KeyRange): Sql
  /** Where an index begins with the project. */
  isOfProject(seq: number): Sql
  /** Leads from candidates, by their column `n`, to their rows in `issues`, and never the other way round. */
  joinRows(seq: number, candidates: string, rows: string): Sql
  findMatches(plan: MatchPlan): Matches
}

/** The issues that match a search. */
export interface Matches {
  /** Their keys, as `n`. */
  readonly rows: Sql
  /** The last key that was looked at, if looking stopped before the end of the range. */
  readonly stoppedAt: number | null
}

export interface KeyRange {
  readonly low: number
  readonly high: number
}

export interface MatchPlan {
  readonly seq: number
  readonly selection: IssueSelection
  readonly range: KeyRange
  readonly direction: 'ASC' | 'DESC'
  readonly examined: number
}
