import { hash } from 'node:crypto'
import {
  type Access,
  ASSIGNED_TO_ME,
  DEFAULT_ISSUE_SORT,
  DEFAULT_PAGE_SIZE,
  endpoints,
  type IssueCountQuery,
  type IssueCounts,
  type IssueFilter,
  type IssuePage,
  type IssueQuery,
  MAX_PAGED_ROWS,
  UNASSIGNED,
} from '@bugle/contract'
import type { UserId } from '../../model/ids.ts'
import {
  everyIssue,
  type IssueSelection,
  type ListPosition,
  type ListStart,
} from '../../model/issue-lists.ts'
import { findLabel, type LabelRecord } from '../../model/labels.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { reporterValues } from '../../model/reports/reporters.ts'
import { parseSearch } from '../../model/search/search-query.ts'
import { type Caller, personOf } from '../access/access.ts'
import { decodeCursor, encodeCursor } from '../cursors.ts'
import { DomainError } from '../domain-error.ts'
import type { IssueDependencies, IssueFinder } from './issue-finder.ts'
import { type IssueSight, showListItem } from './issue-views.ts'

const HASH_CHARS = 16

export interface IssueLists {
  list(caller: Caller, query: IssueQuery): Promise<TaggedList>
  /** The signal is aborted when the client disconnects. */
  count(caller: Caller, query: IssueCountQuery, signal?: AbortSignal): Promise<IssueCounts>
}

export interface TaggedList {
  /** Changes whenever the page may have changed; hidden issues never change it. */
  readonly tag: string
  /** The signal is aborted when the client disconnects. */
  readPage(signal?: AbortSignal): Promise<IssuePage>
}

export function createIssueLists({ storage }: IssueDependencies, finder: IssueFinder): IssueLists {
  return {
    async list(caller, query) {
      const { project, sight } = await finder.requireProject(
        caller,
        accessFor(endpoints.listIssues.access, query),
        query.projectId,
      )
      const selection = selectionOf({ caller, query, project, sight })
      const sort = query.sort ?? DEFAULT_ISSUE_SORT
      const { lanes: _, searchesReports: __, ...filters } = selection
      const pageSize = query.pageSize ?? DEFAULT_PAGE_SIZE
      const page = query.cursor === undefined ? (query.page ?? 1) : null
      const list = [filters, sort]
      const start = startOf(query, page, pageSize, list)

      async function readPage(signal?: AbortSignal): Promise<IssuePage> {
        const { issues, next, total } = await storage.issues.list(
          { selection, sort, start, limit: pageSize },
          signal,
        )
        const states = await finder.findAttachmentStates(project.id, sight, issues)
        return {
          data: issues.map((issue) => showListItem(issue, sight, states)),
          pagination: {
            page,
            pageSize,
            hasMore: next !== null,
            nextCursor: next && cursorOf(list, next),
            totalCount: total === undefined ? await storage.issues.count(selection, signal) : total,
          },
        }
      }

      // Read before the page, so that after a change in between the tag is older than the page, never newer.
      const revision = await storage.issues.revision(project.id, sight.lanes)
      const place = 'after' in start ? `cursor=${cursorOf(list, start.after)}` : `page=${page}`
      return { tag: `${hashOf([revision, sight, list, pageSize])}.${place}`, readPage }
    },

    async count(caller, query, signal) {
      const access = accessFor(endpoints.countIssues.access, query)
      const { project, sight } = await finder.requireProject(caller, access, query.projectId)
      const selection = selectionOf({ caller, query, project, sight })
      const byStatus = await storage.issues.countByStatus(selection, signal)
      const counts = Object.values(byStatus)
      const total = counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0)
      return { total, byStatus }
    },
  }
}

/** Filters for the team only: they would reveal fields that anonymous readers of a public project may not see. */
const TEAM_FILTERS = [
  'osVersion',
  'deviceModel',
  'buildNumber',
  'fingerprint',
  'assignee',
  'label',
  'reporter',
  'onDefaultBranch',
  'updatedAfter',
  'updatedBefore',
] as const satisfies readonly (keyof IssueCountQuery)[]

function accessFor(access: Access, query: IssueCountQuery): Access {
  return TEAM_FILTERS.some((name) => query[name] !== undefined) ? { ...access, publicProject: false } : access
}

function hashOf(content: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(content), 'base64url').slice(0, HASH_CHARS)
}

function cursorOf(list: readonly unknown[], { key, number }: ListPosition): string {
  return encodeCursor(list, [key, number])
}

interface Filtering {
  readonly caller: Caller
  readonly query: IssueFilter
  readonly project: ProjectRecord
  readonly sight: IssueSight
}

/** Which issues match the filters, of those that the caller sees. */
export function selectionOf({ caller, query, project, sight }: Filtering): IssueSelection {
  const search = parseSearch(query.q ?? '')
  return {
    ...everyIssue(project.id, sight.lanes),
    searchesReports: sight.seesPrivateMembers,
    statuses: distinct(query.status),
    categories: distinct(query.category),
    priorities: distinct(query.priority),
    platforms: distinct(query.platform?.map((platform) => platform.toLowerCase())),
    appVersions: distinct(query.appVersion),
    branches: distinct(query.branch),
    osVersions: distinct(query.osVersion),
    deviceModels: distinct(query.deviceModel),
    buildNumbers: distinct(query.buildNumber),
    fingerprints: distinct(query.fingerprint),
    assignees: query.assignee === undefined ? null : assigneesIn(caller, query.assignee),
    labels: query.label === undefined ? null : labelsIn(sight.labels, query.label),
    reporters: query.reporter === undefined ? null : reporterValues(query.reporter),
    onDefaultBranch: query.onDefaultBranch ?? null,
    createdAfter: timeOf(query.createdAfter),
    createdBefore: timeOf(query.createdBefore),
    updatedAfter: timeOf(query.updatedAfter),
    updatedBefore: timeOf(query.updatedBefore),
    // A query without words is treated as no search.
    search: search.length === 0 ? null : search,
  }
}

/** The people that a filter names. An unknown id is not an error: it matches no issue. */
function assigneesIn(caller: Caller, words: readonly string[]): readonly (UserId | null)[] {
  const ids = words.flatMap((word) => {
    if (word === UNASSIGNED) return [null]
    if (word === ASSIGNED_TO_ME) return [requireMe(caller)]
    return [word as UserId]
  })
  return [...new Set(ids)].sort()
}

/** The labels that a filter names. A name that no label has is no error: it matches no issue. */
function labelsIn(labels: readonly LabelRecord[], names: readonly string[]): readonly number[] {
  const numbers = names.map((name) => findLabel(labels, name)?.number ?? NO_LABEL)
  return [...new Set(numbers)].sort((one, other) => one - other)
}

/** Labels are numbered from 1. */
const NO_LABEL = 0

function requireMe(caller: Caller): UserId {
  const person = personOf(caller)
  if (person !== undefined) return person.id
  throw new DomainError('invalid-parameter', {
    detail: `assignee=${ASSIGNED_TO_ME} is for people who are signed in. Pass the id of a person.`,
    faults: [
      {
        parameter: 'assignee',
        code: 'not-allowed',
        detail: `assignee can be "${ASSIGNED_TO_ME}" only for a person who is signed in.`,
      },
    ],
  })
}

/** Sorted and without duplicates: the same values in another order are the same filter. */
function distinct<T extends string>(values: readonly T[] | undefined): readonly T[] | null {
  return values === undefined ? null : [...new Set(values)].sort()
}

function timeOf(text: string | undefined): number | null {
  return text === undefined ? null : Date.parse(text)
}

function startOf(
  query: IssueQuery,
  page: number | null,
  pageSize: number,
  list: readonly unknown[],
): ListStart {
  if (query.cursor !== undefined && query.page !== undefined) {
    throw new DomainError('invalid-parameter', {
      detail: 'page and cursor cannot be combined.',
      faults: [{ parameter: 'page', code: 'conflict', detail: 'page cannot be combined with cursor.' }],
    })
  }
  if (query.cursor !== undefined) {
    const [key = 0, number = 0] = decodeCursor(list, query.cursor, 2)
    return { after: { key, number } }
  }
  const rowsReached = (page ?? 1) * pageSize
  if (rowsReached > MAX_PAGED_ROWS) {
    throw new DomainError('page-too-deep', {
      detail: `page ${page} of ${pageSize} rows is beyond row ${MAX_PAGED_ROWS}. Follow pagination.nextCursor instead.`,
    })
  }
  return { offset: rowsReached - pageSize }
}
