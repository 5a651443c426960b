import { useCallback, useState, useSyncExternalStore } from 'react'
import type { Filters } from './filters.ts'
import { nameOfFilters } from './filters.ts'
import type { ListState } from './issue-list.ts'
import { endWalk, type IssueWalk, openWalk } from './issue-walks.ts'

interface OpenWalk {
  readonly walk: IssueWalk
  readonly state: ListState
  /** Reads the list anew, from its beginning. */
  readonly refresh: () => void
}

/** The list for these filters, drawn again whenever something in it changes. */
export function useIssueWalk(projectId: string, filters: Filters): OpenWalk {
  const [opened, setOpened] = useState(() => openWalk(projectId, filters))
  let walk = opened
  if (walk.name !== `${projectId}?${nameOfFilters(filters)}`) {
    walk = openWalk(projectId, filters)
    setOpened(walk)
  }
  const state = useSyncExternalStore(walk.list.subscribe, walk.list.state)
  const refresh = useCallback(() => {
    endWalk(walk)
    setOpened(openWalk(projectId, filters))
  }, [walk, projectId, filters])
  return { walk, state, refresh }
}
