import { hash } from 'node:crypto'
import {
  type Access,
  DEFAULT_ISSUE_SORT,
  DEFAULT_PAGE_SIZE,
  endpoints,
  type IssueCountQuery,
  type IssueCounts,
  type IssuePage,
  type IssueQuery,
  MAX_PAGED_ROWS,
} from '@bugle/contract'
import type { ListPosition, ListStart } from '../../model/issue-lists.ts'
import { type Caller, homeOf } from '../access/access.ts'
import { decodeCursor, encodeCursor } from '../cursors.ts'
import { DomainError } from '../domain-error.ts'
import { selectionOf } from './issue-filters.ts'
import type { IssueDependencies, IssueFinder } from './issue-finder.ts'
import { showListItem } from './issue-views.ts'
import { createJointLists } from './joint-lists.ts'

const HASH_CHARS = 16

export interface IssueLists {
  list(caller: Caller, query: IssueQuery): Promise<RequestedList>
  /** The signal is aborted when the client disconnects. */
  count(caller: Caller, query: IssueCountQuery, signal?: AbortSignal): Promise<IssueCounts>
}

export interface RequestedList {
  /** The tag alone, for a client that may already have the page. In a list of one project, the page is not read. */
  readTag(): Promise<string>
  /** The signal is aborted when the client disconnects. */
  readPage(signal?: AbortSignal): Promise<TaggedPage>
}

export interface TaggedPage {
  readonly page: IssuePage
  /** Changes whenever the page may have changed; hidden issues never change it. */
  readonly tag: string
}

export function createIssueLists(dependencies: IssueDependencies, finder: IssueFinder): IssueLists {
  const { storage } = dependencies
  const listJointly = createJointLists(dependencies)

  return {
    async list(caller, query) {
      if (query.projectId === undefined && homeOf(caller) === null) return listJointly(caller, query)
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

      const place = 'after' in start ? `cursor=${cursorOf(list, start.after)}` : `page=${page}`
      const tagOf = (revision: string) => `${hashOf([revision, sight, list, pageSize])}.${place}`

      return {
        readTag: async () => tagOf(await storage.issues.revision(project.id, sight.lanes)),
        async readPage(signal) {
          const part = await storage.issues.list({ selection, sort, start, limit: pageSize }, signal)
          const { issues, next, total, revision } = part
          const data = issues.map((issue) => showListItem(issue, sight))
          const pagination = {
            page,
            pageSize,
            hasMore: next !== null,
            nextCursor: next && cursorOf(list, next),
            totalCount: total === undefined ? await storage.issues.count(selection, signal) : total,
          }
          return { page: { data, pagination }, tag: tagOf(revision) }
        },
      }
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
  'conversation',
  'onDefaultBranch',
  'spam',
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
