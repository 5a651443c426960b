import { type Filters, nameOfFilters } from '../filters/filters.ts'
import type { StatusCounts } from '../filters/status-counts.ts'
import { beginWalk, type IssueWalk } from './issue-walk.ts'

/** Lists that are kept, so that the way back from an issue leads to the same rows. */
const MAX_KEPT = 4

const kept = new Map<string, IssueWalk>()
/** The counts that were read last, and which search and filters they are of: all tabs share them. */
let latest: { readonly scope: string; readonly counts: StatusCounts } | undefined

/** The walk through this list that was begun before, or a new one. */
export function openWalk(projectId: string, filters: Filters): IssueWalk {
  const walk = kept.get(nameOfWalk(projectId, filters)) ?? begin(projectId, filters, false)
  if (latest?.scope === scopeOf(projectId, filters)) walk.adoptCounts(latest.counts)
  keep(walk)
  return walk
}

/** Walks the same list anew, from its beginning. */
export function walkAgain(before: IssueWalk, projectId: string, filters: Filters): IssueWalk {
  before.list.close()
  const walk = begin(projectId, filters, true)
  if (latest?.scope === scopeOf(projectId, filters)) walk.adoptCounts(latest.counts)
  keep(walk)
  return walk
}

export function nameOfWalk(projectId: string, filters: Filters): string {
  return `${projectId}?${nameOfFilters(filters)}`
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

function begin(projectId: string, filters: Filters, isAgain: boolean): IssueWalk {
  const scope = scopeOf(projectId, filters)
  return beginWalk({
    name: nameOfWalk(projectId, filters),
    projectId,
    filters,
    isAgain,
    onCounts: (counts) => {
      latest = { scope, counts }
    },
  })
}

function scopeOf(projectId: string, filters: Filters): string {
  return nameOfWalk(projectId, { ...filters, status: [], sort: 'newest' })
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
