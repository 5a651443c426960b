import type { Issue, IssueListItem } from '@bugle/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { issueEventsQuery, issueQuery, issueReportsQuery } from '../../api/issues/issues.ts'
import type { IssueList } from '../inbox/list/issue-list.ts'
import { toListItem } from '../inbox/list/list-items.ts'
import { recallPlace, rememberPlace } from '../inbox/list/list-places.ts'
import { findSession } from '../inbox/list/list-sessions.ts'

/** Rows that are examined to find the next issue that still exists. */
const REACH_ROWS = 50

/** The position of an issue in the list it was opened from. */
export interface Neighbours {
  readonly previous: IssueListItem | undefined
  readonly next: IssueListItem | undefined
  /** From 1. */
  readonly place: number
  readonly total: number | null
  /** The filters of the list, as in the address of the inbox. */
  readonly search: Readonly<Record<string, string>>
}

/** The previous and next issue; nothing if the issue was not opened from a list. */
export function useNeighbours(issue: Issue): Neighbours | undefined {
  const { id } = issue
  const [session] = useState(() => findSession(id))
  const queries = useQueryClient()
  const state = useSyncExternalStore(session?.list.subscribe ?? subscribeToNothing, () =>
    session?.list.state(),
  )
  const index = session?.list.indexOf(id) ?? -1
  const next = session && neighbourOf(session.list, index, 1)
  const nextId = next?.id

  useEffect(() => {
    if (session === undefined || index < 0) return
    // Going back shows the list at this position.
    rememberPlace(session.name, { offset: 0, ...recallPlace(session.name), cursor: index })
    session.list.show(index, index + 1)
  }, [session, index])
  useEffect(() => session?.list.patch(issue.id, toListItem(issue)), [session, issue])
  useEffect(() => {
    if (nextId === undefined) return
    void queries.prefetchQuery(issueQuery(nextId))
    void queries.prefetchInfiniteQuery(issueEventsQuery(nextId))
    void queries.prefetchQuery(issueReportsQuery(nextId))
  }, [queries, nextId])

  if (session === undefined || state === undefined || index < 0) return undefined
  const [, filters = ''] = session.name.split(/\?(.*)/)
  return {
    previous: neighbourOf(session.list, index, -1),
    next,
    place: index + 1,
    total: state.total,
    search: Object.fromEntries(new URLSearchParams(filters)),
  }
}

function neighbourOf(list: IssueList, index: number, direction: 1 | -1): IssueListItem | undefined {
  for (let distance = 1; distance <= REACH_ROWS; distance++) {
    const row = list.row(index + direction * distance)
    if (row === undefined) return undefined
    if (row !== 'gone') return row
  }
  return undefined
}

function subscribeToNothing(): () => void {
  return () => undefined
}
