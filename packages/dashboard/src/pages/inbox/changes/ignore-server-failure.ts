import { ApiProblem, ApiUnreachable } from '@bugle/client'

/** For what is asked in passing: if the server cannot answer, the next event asks again. Anything else is a bug, and rises. */
export function ignoreServerFailure(error: unknown): void {
  const isOfServer = error instanceof ApiProblem || error instanceof ApiUnreachable
  const isEnded = error instanceof DOMException && error.name === 'AbortError'
  if (!isOfServer && !isEnded) throw error
}
