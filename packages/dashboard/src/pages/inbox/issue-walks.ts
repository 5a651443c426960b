import { DEFAULT_ISSUE_SORT, endpoints, type IssueListItem, MAX_PAGE_SIZE } from '@bugle/contract'
import { client } from '../../api/client.ts'
import { type Filters, nameOfFilters, toQuery } from './filters.ts'
import { createIssueList, type IssueList } from './issue-list.ts'

/** Lists that are kept, so that the way back from an issue leads to the same rows. */
const MAX_KEPT = 4

/** A list as it was when it was opened, and how to tell what has come since. */
export interface IssueWalk {
  /** Which list it goes through. */
  readonly name: string
  /** Which walk it is: each one has another. */
  readonly serial: number
  /** Whether the same list was walked before, and is read anew. */
  readonly isAgain: boolean
  readonly list: IssueList
  /** Issues that match and have come since; at most a page of them. */
  readNews(signal: AbortSignal): Promise<readonly IssueListItem[]>
}

const kept = new Map<string, IssueWalk>()
let lastSerial = 0

/** The walk through this list that was begun before, or a new one. */
export function openWalk(projectId: string, filters: Filters): IssueWalk {
  const walk = kept.get(nameOfWalk(projectId, filters)) ?? beginWalk({ projectId, filters, isAgain: false })
  keep(walk)
  return walk
}

/** Walks the same list anew, from its beginning. */
export function walkAgain(before: IssueWalk, projectId: string, filters: Filters): IssueWalk {
  before.list.close()
  const walk = beginWalk({ projectId, filters, isAgain: true })
  keep(walk)
  return walk
}

export function nameOfWalk(projectId: string, filters: Filters): string {
  return `${projectId}?${nameOfFilters(filters)}`
}

function keep(walk: IssueWalk): void {
  kept.delete(walk.name)
  kept.set(walk.name, walk)
  for (const [oldName, old] of kept) {
    if (kept.size <= MAX_KEPT) break
    kept.delete(oldName)
    old.list.close()
  }
}

/** The list that was looked at last and has this issue. */
export function findWalk(issueId: string): IssueWalk | undefined {
  return [...kept.values()].findLast(({ list }) => list.indexOf(issueId) >= 0)
}

/** The id of an issue of which the lists that are kept know the number. */
export function findIssueId(projectId: string, issueNumber: number): string | undefined {
  for (const { name, list } of kept.values()) {
    if (!name.startsWith(`${projectId}?`)) continue
    for (const issue of list.items()) if (issue.issueNumber === issueNumber) return issue.id
  }
  return undefined
}

interface Beginning {
  readonly projectId: string
  readonly filters: Filters
  readonly isAgain: boolean
}

function beginWalk({ projectId, filters, isAgain }: Beginning): IssueWalk {
  const query = { ...toQuery(filters), projectId, pageSize: MAX_PAGE_SIZE }
  /** The number of the newest issue in the list; those that come have greater ones. */
  let newest: number | undefined

  async function readNewest(pageSize: number, signal: AbortSignal) {
    const input = { query: { ...query, sort: DEFAULT_ISSUE_SORT, pageSize }, signal }
    return (await client.call(endpoints.listIssues, input)).body.data
  }

  const list = createIssueList(async (cursor, signal) => {
    const isFirst = cursor === undefined && newest === undefined
    // Before the rows and not after: what arrives in between is then in the list, which can be seen, and not lost.
    if (isFirst && filters.sort !== DEFAULT_ISSUE_SORT)
      newest = (await readNewest(1, signal))[0]?.issueNumber ?? 0
    const { body } = await client.call(endpoints.listIssues, { query: { ...query, cursor }, signal })
    if (isFirst && filters.sort === DEFAULT_ISSUE_SORT) newest = body.data[0]?.issueNumber ?? 0
    return body
  })

  return {
    name: nameOfWalk(projectId, filters),
    serial: ++lastSerial,
    isAgain,
    list,
    async readNews(signal) {
      const candidates = await readNewest(MAX_PAGE_SIZE, signal)
      return candidates.filter(({ id, issueNumber }) => issueNumber > (newest ?? 0) && list.indexOf(id) < 0)
    },
  }
}
