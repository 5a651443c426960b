import {
  type Category,
  type IssueSort,
  type IssueStatus,
  MAX_EXAMINED_ROWS,
  type Priority,
} from '@bugle/contract/vocabulary'
import type { ProjectId } from './ids.ts'
import type { StoredIssue } from './issues.ts'
import type { Lane } from './lanes.ts'

/** Which issues to list. Lists run within one project and one set of lanes; a filter that is `null` lets all pass. */
export interface IssueSelection {
  readonly projectId: ProjectId
  readonly lanes: readonly Lane[]
  readonly statuses: readonly IssueStatus[] | null
  readonly categories: readonly Category[] | null
  readonly priorities: readonly Priority[] | null
  readonly platforms: readonly string[] | null
  readonly appVersions: readonly string[] | null
  readonly branches: readonly string[] | null
  readonly createdAfter: number | null
  readonly createdBefore: number | null
  /** All of these must occur in the title or the description. */
  readonly search: readonly SearchTerm[] | null
}

/** Tokens that must follow each other. Of the last one the beginning is enough when `isPrefix`. */
export interface SearchTerm {
  readonly tokens: readonly string[]
  readonly isPrefix: boolean
}

/** A place in a sorted list: the value it is sorted by, and the issue number that breaks ties. */
export interface ListPosition {
  readonly key: number
  readonly number: number
}

/** Where to start: after a place already seen, or a number of rows in. */
export type ListStart = { readonly after: ListPosition } | { readonly offset: number }

/** All issues of a project that these lanes hold. */
export function everyIssue(projectId: ProjectId, lanes: readonly Lane[]): IssueSelection {
  return {
    projectId,
    lanes,
    statuses: null,
    categories: null,
    priorities: null,
    platforms: null,
    appVersions: null,
    branches: null,
    createdAfter: null,
    createdBefore: null,
    search: null,
  }
}

/** How many issues there are in each status; `null` where too many would have to be looked at. */
export type StatusCounts = Readonly<Record<IssueStatus, number | null>>

export interface IssueListing {
  readonly selection: IssueSelection
  readonly sort: IssueSort
  readonly start: ListStart
  readonly limit: number
}

/** What lists do not show, and so do not read. */
type UnlistedMember =
  | 'description'
  | 'metadata'
  | 'sdk'
  | 'submissionId'
  | 'resolvedAt'
  | 'firstLeftOpenAt'
  | 'firstResolvedAt'
  | 'unconfirmedVersion'

/** An issue as a list has it. Of what may be long, only the beginning of the description is read. */
export interface ListedIssue extends Omit<StoredIssue, UnlistedMember> {
  /** The first {@link EXCERPT_CHARS} characters of the description. */
  readonly excerpt: string | null
}

/** How much one request looks at. Tests choose smaller bounds, to get beyond them with few issues. */
export interface ListBounds {
  /** Rows that a filter without an index goes through, and matches of a search that are sorted or counted. */
  readonly examinedRows: number
  /** Visible rows that a search reads where no index helps. */
  readonly lookedRows: number
}

export const LIST_BOUNDS: ListBounds = { examinedRows: MAX_EXAMINED_ROWS, lookedRows: 2_000 }

/** Part of a list. With `next`, there may be more: it can be short because only so many rows are looked at in one go. */
export interface IssueListPart {
  readonly issues: readonly ListedIssue[]
  readonly next: ListPosition | null
}
