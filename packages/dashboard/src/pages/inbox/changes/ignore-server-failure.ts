import { ApiProblem, ApiUnreachable } from '@bugle/client'

/** For background requests: if the server is unavailable, the next event retries. Any other error is a bug and is rethrown. */
export function ignoreServerFailure(error: unknown): void {
  const isOfServer = error instanceof ApiProblem || error instanceof ApiUnreachable
  const isEnded = error instanceof DOMException && error.name === 'AbortError'
  if (!isOfServer && !isEnded) throw error
}
