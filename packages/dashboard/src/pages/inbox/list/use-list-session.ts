import { useState, useSyncExternalStore } from 'react'
import type { ListSession, ListSessionState } from './list-session.ts'
import { type ListPlace, nameOfList, openSession, reopenSession } from './list-sessions.ts'

export interface OpenSession {
  readonly session: ListSession
  readonly state: ListSessionState
  /** Reads the list again from its beginning. */
  readonly refresh: () => void
}

/** The list for these filters; renders again whenever it changes. */
export function useListSession(place: ListPlace): OpenSession {
  const { projectId, filters } = place
  const [opened, setOpened] = useState(() => openSession(place))
  const isSame = opened.name === nameOfList(projectId, filters)
  const session = isSame ? opened : openSession(place)
  if (!isSame) setOpened(session)
  const state = useSyncExternalStore(session.subscribe, session.state)
  return { session, state, refresh: () => setOpened(reopenSession(session, place)) }
}
