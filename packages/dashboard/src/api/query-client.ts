import { ApiProblem } from '@bugle/client'
import { QueryClient } from '@tanstack/react-query'

const STALE_AFTER_MS = 30_000
const MAX_RETRIES = 2

/** The cache of server data. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: STALE_AFTER_MS, retry: (count, error) => count < MAX_RETRIES && mayPass(error) },
    },
  })
}

/** Whether the same request may succeed later: not if the server has refused it. */
function mayPass(error: Error): boolean {
  return !(error instanceof ApiProblem) || error.status >= 500
}
