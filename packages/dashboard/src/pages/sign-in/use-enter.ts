import type { Session } from '@bugle/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { sessionQuery } from '../../api/people/session.ts'

/** Continues to the requested address after signing in: only an address of this app, never of another site. */
export function useEnter(): (session: Session, to: string) => void {
  const queries = useQueryClient()
  const router = useRouter()
  return (session, to) => {
    queries.clear()
    queries.setQueryData(sessionQuery.queryKey, session)
    const { origin, pathname, search } = new URL(to, location.origin)
    const isOurs = origin === location.origin && pathname !== '/sign-in'
    router.history.replace(isOurs ? pathname + search : '/')
  }
}
