import { useState, useSyncExternalStore } from 'react'
import type { Filters } from '../filters/filters.ts'
import type { IssueWalk, WalkState } from './issue-walk.ts'
import { nameOfWalk, openWalk, walkAgain } from './issue-walks.ts'

export interface OpenWalk {
  readonly walk: IssueWalk
  readonly state: WalkState
  /** Reads the list anew, from its beginning. */
  readonly refresh: () => void
}

/** The list for these filters, drawn again whenever something in it changes. */
export function useIssueWalk(projectId: string, filters: Filters): OpenWalk {
  const [opened, setOpened] = useState(() => openWalk(projectId, filters))
  const isSame = opened.name === nameOfWalk(projectId, filters)
  const walk = isSame ? opened : openWalk(projectId, filters)
  if (!isSame) setOpened(walk)
  const state = useSyncExternalStore(walk.subscribe, walk.state)
  return { walk, state, refresh: () => setOpened(walkAgain(walk, projectId, filters)) }
}
