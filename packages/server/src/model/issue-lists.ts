import {
  type Category,
  type ConversationState,
  type IssueSort,
  type IssueStatus,
  type JointSort,
  MAX_EXAMINED_ROWS,
  type Priority,
} from '@bugle/contract/vocabulary'
import type { ProjectId, UserId } from './ids.ts'
import type { StoredIssue } from './issues.ts'
import type { Lane } from './lanes.ts'
import type { IssueAttachmentState } from './reports/attachments.ts'

/** Which issues to list. Lists run within one project and one set of lanes; a filter that is `null` matches everything. */
export interface IssueSelection {
  readonly projectId: ProjectId
  readonly lanes: readonly Lane[]
  /** Whether to list spam, and nothing else; otherwise there is none in the list. */
  readonly isSpam: boolean
  readonly statuses: readonly IssueStatus[] | null
  readonly categories: readonly Category[] | null
  readonly priorities: readonly Priority[] | null
  readonly platforms: readonly string[] | null
  readonly appVersions: readonly string[] | null
  readonly branches: readonly string[] | null
  readonly osVersions: readonly string[] | null
  readonly deviceModels: readonly string[] | null
  readonly buildNumbers: readonly string[] | null
  readonly fingerprints: readonly string[] | null
  /** `null` among them stands for issues without an assignee. */
  readonly assignees: readonly (UserId | null)[] | null
  /** Numbers of labels. */
  readonly labels: readonly number[] | null
  /** Ids and email addresses of reporters. */
  readonly reporters: readonly string[] | null
  readonly conversations: readonly ConversationState[] | null
  readonly onDefaultBranch: boolean | null
  readonly createdAfter: number | null
  readonly createdBefore: number | null
  readonly updatedAfter: number | null
  readonly updatedBefore: number | null
  /** All of these must match in the title, the description or, if `searchesReports`, the texts of the reports. */
  readonly search: readonly SearchTerm[] | null
  /** Not for anonymous readers: a search must not reveal the texts of reports, which they cannot read. */
  readonly searchesReports: boolean
}

/** Tokens that must follow each other. With `isPrefix`, the last one is a prefix. */
export interface SearchTerm {
  readonly tokens: readonly string[]
  readonly isPrefix: boolean
}

/** A position in a sorted list: the value it is sorted by, and the issue number that breaks ties. */
export interface ListPosition {
  readonly key: number
  readonly number: number
}

/** Where to start: after a position, or after a number of rows. */
export type ListStart = { readonly after: ListPosition } | { readonly offset: number }

/** All issues of a project in these lanes. */
export function everyIssue(projectId: ProjectId, lanes: readonly Lane[]): IssueSelection {
  return {
    projectId,
    lanes,
    isSpam: false,
    statuses: null,
    categories: null,
    priorities: null,
    platforms: null,
    appVersions: null,
    branches: null,
    osVersions: null,
    deviceModels: null,
    buildNumbers: null,
    fingerprints: null,
    assignees: null,
    labels: null,
    reporters: null,
    conversations: null,
    onDefaultBranch: null,
    createdAfter: null,
    createdBefore: null,
    updatedAfter: null,
    updatedBefore: null,
    search: null,
    searchesReports: true,
  }
}

/** How many issues there are in each status; `null` if too many would have to be examined. */
export type StatusCounts = Readonly<Record<IssueStatus, number | null>>

export interface IssueListing {
  readonly selection: IssueSelection
  readonly sort: IssueSort
  readonly start: ListStart
  readonly limit: number
  /** The total is not needed. A search then stops at the end of this part, if it can. */
  readonly omitsTotal?: boolean
}

/** A list of the issues of several projects. */
export interface JointListing {
  /** `null`: all projects. */
  readonly projectIds: readonly ProjectId[] | null
  readonly filters: Omit<IssueSelection, 'projectId'>
  readonly sort: JointSort
  readonly after: JointPosition | null
  readonly limit: number
}

/** A position in such a list. Issues with the same key are ordered by project, then by number. */
export interface JointPosition extends ListPosition {
  /** See `projectNumberOf`. */
  readonly projectNumber: number
}

/** Like {@link IssueListPart}, of several projects. */
export interface JointListPart {
  readonly issues: readonly ListedIssue[]
  readonly next: JointPosition | null
  /** `null` if the counters do not have it. */
  readonly total: number | null
  /** Changes whenever a list of these projects may have changed, and never because of other lanes. */
  readonly revision: string
}

/** The fields that lists do not show and therefore do not read. */
type UnlistedMember =
  | 'description'
  | 'metadata'
  | 'context'
  | 'reporter'
  | 'reporterKeyHash'
  | 'messageCount'
  | 'known'
  | 'sdk'
  | 'submissionId'
  | 'sender'
  | 'resolvedAt'
  | 'firstLeftOpenAt'
  | 'firstResolvedAt'
  | 'unconfirmedVersion'
  | 'deletedReports'
  | 'editedAt'
  | 'reportWords'
  | 'statusBeforeMerge'
  | 'duplicateReports'
  | 'ownReportedAt'

/** An issue in a list. Of the long fields, only the beginning of the description is read. */
export interface ListedIssue extends Omit<StoredIssue, UnlistedMember> {
  /** The first {@link EXCERPT_CHARS} characters of the description. */
  readonly excerpt: string | null
  readonly attachmentState: IssueAttachmentState
}

/** How much one request examines. Tests use smaller bounds, to exceed them with few issues. */
export interface ListBounds {
  /** Rows that a filter without an index examines, and matches of a search that are sorted or counted. */
  readonly examinedRows: number
  /** Visible rows that a search examines without an index. */
  readonly scannedRows: number
  /** Projects that a list of several projects reads. */
  readonly readProjects: number
  /** The cost limit of searching for phrases on PostgreSQL, in tenths of a microsecond. */
  readonly phraseWork: number
}

export const LIST_BOUNDS: ListBounds = {
  examinedRows: MAX_EXAMINED_ROWS,
  scannedRows: 2_000,
  readProjects: 20,
  phraseWork: 250_000,
}

/** Part of a list. With `next`, there may be more: it can be short because the number of examined rows is limited. */
export interface IssueListPart {
  readonly issues: readonly ListedIssue[]
  readonly next: ListPosition | null
  /** The total number of issues, if known from reading this part; `null` if there are too many to count. */
  readonly total: number | null | undefined
  /** The revision of the project, read before the rows. */
  readonly revision: string
}
