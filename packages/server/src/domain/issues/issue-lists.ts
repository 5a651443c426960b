import { hash } from 'node:crypto'
import {
  DEFAULT_ISSUE_SORT,
  DEFAULT_PAGE_SIZE,
  endpoints,
  type IssueCountQuery,
  type IssueCounts,
  type IssuePage,
  type IssueQuery,
  MAX_PAGED_ROWS,
} from '@bugle/contract'
import {
  everyIssue,
  type IssueSelection,
  type ListPosition,
  type ListStart,
} from '../../model/issue-lists.ts'
import { parseSearch } from '../../model/search/search-query.ts'
import type { Caller } from '../access/access.ts'
import { decodeCursor, encodeCursor } from '../cursors.ts'
import { DomainError } from '../domain-error.ts'
import type { IssueDependencies, IssueFinder } from './issue-finder.ts'
import { showListItem } from './issue-views.ts'

const HASH_CHARS = 16

export interface IssueLists {
  list(caller: Caller, query: IssueQuery): Promise<TaggedList>
  /** The signal is aborted when the client has gone. */
  count(caller: Caller, query: IssueCountQuery, signal?: AbortSignal): Promise<IssueCounts>
}

export interface TaggedList {
  /** Changes whenever the page may; what the caller may not see never changes it. */
  readonly tag: string
  /** The signal is aborted when the client has gone. */
  readPage(signal?: AbortSignal): Promise<IssuePage>
}

export function createIssueLists({ storage }: IssueDependencies, finder: IssueFinder): IssueLists {
  return {
    async list(caller, query) {
      const { project, sight } = await finder.requireProject(
        caller,
        endpoints.listIssues.access,
        query.projectId,
      )
      const selection = selectionOf(query, everyIssue(project.id, sight.lanes))
      const sort = query.sort ?? DEFAULT_ISSUE_SORT
      const { lanes: _, ...filters } = selection
      const pageSize = query.pageSize ?? DEFAULT_PAGE_SIZE
      const page = query.cursor === undefined ? (query.page ?? 1) : null
      const list = [filters, sort]
      const start = startOf(query, page, pageSize, list)

      async function readPage(signal?: AbortSignal): Promise<IssuePage> {
        const { issues, next } = await storage.issues.list(
          { selection, sort, start, limit: pageSize },
          signal,
        )
        return {
          data: issues.map((issue) => showListItem(issue, sight)),
          pagination: {
            page,
            pageSize,
            hasMore: next !== null,
            nextCursor: next && cursorOf(list, next),
            totalCount: await storage.issues.count(selection, signal),
          },
        }
      }

      // Read before the page: what happens in between makes the tag too old for the page, never too new.
      const revision = await storage.issues.revision(project.id, sight.lanes)
      const place = 'after' in start ? `cursor=${cursorOf(list, start.after)}` : `page=${page}`
      return { tag: `${hashOf([revision, sight, list, pageSize])}.${place}`, readPage }
    },

    async count(caller, query, signal) {
      const { access } = endpoints.countIssues
      const { project, sight } = await finder.requireProject(caller, access, query.projectId)
      const selection = selectionOf(query, everyIssue(project.id, sight.lanes))
      const byStatus = await storage.issues.countByStatus(selection, signal)
      const counts = Object.values(byStatus)
      const total = counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0)
      return { total, byStatus }
    },
  }
}

function hashOf(content: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(content), 'base64url').slice(0, HASH_CHARS)
}

function cursorOf(list: readonly unknown[], { key, number }: ListPosition): string {
  return encodeCursor(list, [key, number])
}

function selectionOf(query: IssueQuery, all: IssueSelection): IssueSelection {
  const search = parseSearch(query.q ?? '')
  return {
    ...all,
    statuses: distinct(query.status),
    categories: distinct(query.category),
    priorities: distinct(query.priority),
    platforms: distinct(query.platform?.map((platform) => platform.toLowerCase())),
    appVersions: distinct(query.appVersion),
    branches: distinct(query.branch),
    createdAfter: timeOf(query.createdAfter),
    createdBefore: timeOf(query.createdBefore),
    // What holds no word at all asks for nothing.
    search: search.length === 0 ? null : search,
  }
}

/** The same values in another order are the same filter. */
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
      detail: 'page and cursor exclude each other.',
      faults: [
        { parameter: 'page', code: 'conflict', detail: 'page must be left out where cursor is given.' },
      ],
    })
  }
  if (query.cursor !== undefined) {
    const [key = 0, number = 0] = decodeCursor(list, query.cursor, 2)
    return { after: { key, number } }
  }
  const rowsReached = (page ?? 1) * pageSize
  if (rowsReached > MAX_PAGED_ROWS) {
    throw new DomainError('page-too-deep', {
      detail: `page ${page} of ${pageSize} rows goes beyond row ${MAX_PAGED_ROWS}. Follow pagination.nextCursor instead.`,
    })
  }
  return { offset: rowsReached - pageSize }
}
