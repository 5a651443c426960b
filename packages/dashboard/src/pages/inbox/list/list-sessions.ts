import { type Filters, nameOfFilters } from '../filters/filters.ts'
import type { StatusCounts } from '../filters/status-counts.ts'
import { createSession, type ListSession } from './list-session.ts'

/** How many lists are kept, so that going back from an issue shows the same rows. */
const MAX_KEPT = 4

/** A list of a project, and the person who is signed in. */
export interface ListPlace {
  readonly projectId: string
  readonly filters: Filters
  readonly me: string | undefined
}

const kept = new Map<string, ListSession>()
/** The counts that were read last, with their search and filters; all status tabs share them. */
let latest: { readonly scope: string; readonly counts: StatusCounts } | undefined

/** The session of this list that was opened before, or a new one. */
export function openSession({ projectId, filters, me }: ListPlace): ListSession {
  const session = kept.get(nameOfList(projectId, filters)) ?? begin({ projectId, filters, me }, false)
  if (latest?.scope === scopeOf(projectId, filters)) session.adoptCounts(latest.counts)
  keep(session)
  return session
}

/** Reads the same list again, from its beginning. */
export function reopenSession(before: ListSession, { projectId, filters, me }: ListPlace): ListSession {
  before.list.close()
  const session = begin({ projectId, filters, me }, true)
  if (latest?.scope === scopeOf(projectId, filters)) session.adoptCounts(latest.counts)
  keep(session)
  return session
}

export function nameOfList(projectId: string, filters: Filters): string {
  return `${projectId}?${nameOfFilters(filters)}`
}

/** The most recent list that contains this issue. */
export function findSession(issueId: string): ListSession | undefined {
  return [...kept.values()].findLast(({ list }) => list.indexOf(issueId) >= 0)
}

/** The id of the issue with this number, if one of the kept lists has it. */
export function findIssueId(projectId: string, issueNumber: number): string | undefined {
  for (const { name, list } of kept.values()) {
    if (!name.startsWith(`${projectId}?`)) continue
    for (const issue of list.items()) if (issue.issueNumber === issueNumber) return issue.id
  }
  return undefined
}

function begin({ projectId, filters, me }: ListPlace, isAgain: boolean): ListSession {
  const scope = scopeOf(projectId, filters)
  return createSession({
    name: nameOfList(projectId, filters),
    projectId,
    filters,
    isAgain,
    me,
    onCounts: (counts) => {
      latest = { scope, counts }
    },
  })
}

function scopeOf(projectId: string, filters: Filters): string {
  return nameOfList(projectId, { ...filters, status: [], sort: 'newest' })
}

function keep(session: ListSession): void {
  kept.delete(session.name)
  kept.set(session.name, session)
  for (const [oldName, old] of kept) {
    if (kept.size <= MAX_KEPT) break
    kept.delete(oldName)
    old.list.close()
  }
}
