import { useState, useSyncExternalStore } from 'react'
import type { Filters } from '../filters/filters.ts'
import type { ListSession, ListSessionState } from './list-session.ts'
import { nameOfList, openSession, reopenSession } from './list-sessions.ts'

export interface OpenSession {
  readonly session: ListSession
  readonly state: ListSessionState
  /** Reads the list anew, from its beginning. */
  readonly refresh: () => void
}

/** The list for these filters, drawn again whenever something in it changes. */
export function useListSession(projectId: string, filters: Filters): OpenSession {
  const [opened, setOpened] = useState(() => openSession(projectId, filters))
  const isSame = opened.name === nameOfList(projectId, filters)
  const session = isSame ? opened : openSession(projectId, filters)
  if (!isSame) setOpened(session)
  const state = useSyncExternalStore(session.subscribe, session.state)
  return { session, state, refresh: () => setOpened(reopenSession(session, projectId, filters)) }
}
