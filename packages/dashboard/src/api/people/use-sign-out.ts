import { endpoints } from '@bugle/contract'
import { useQueryClient } from '@tanstack/react-query'
import { client } from '../client.ts'
import { forgetDrafts } from '../issues/drafts.ts'
import { sessionQuery } from './session.ts'

/** Signs out here. */
export function useSignOut(): () => Promise<void> {
  return useLeave(() => client.call(endpoints.signOut))
}

/** Signs out in every browser, including this one. */
export function useSignOutEverywhere(): () => Promise<void> {
  return useLeave(() => client.call(endpoints.endAllSignIns))
}

function useLeave(leave: () => Promise<unknown>): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await leave()
    forgetDrafts()
    queries.setQueryData(sessionQuery.queryKey, null)
    // Loads the page again, so that no data is left for the next person at this browser.
    location.assign('/sign-in')
  }
}
