import { ApiProblem, ApiUnreachable } from '@bugle/client'
import { Button } from '@mantine/core'
import { useRecovery } from './server-watch.ts'
import { StatePanel } from './state-panel.tsx'

/** Explains to people what went wrong and what to do. */
export function explain(error: unknown): string {
  if (error instanceof ApiUnreachable) return 'The server cannot be reached. This page retries automatically.'
  if (error instanceof ApiProblem && error.status === 429) {
    const wait = error.retryAfterSeconds
    return `Too many requests. Try again ${wait === null ? 'in a moment' : `in ${wait} s`}.`
  }
  if (error instanceof ApiProblem && error.status < 500) return error.message
  if (error instanceof ApiProblem)
    return `The server could not process the request (request ID ${String(error.problem['requestId'])}). Try again in a moment.`
  return 'Something went wrong on this page. Reload it to continue.'
}

interface FailureProps {
  readonly error: unknown
  readonly onRetry: () => void
  /** Whether there is nothing else on the page. */
  readonly isPage?: boolean
}

/** Shown when something could not be loaded. */
export function Failure({ error, onRetry, isPage = false }: FailureProps) {
  const isGone = error instanceof ApiProblem && error.status === 404
  useRecovery(error, onRetry)
  return (
    <div role="alert">
      <StatePanel
        icon={error instanceof ApiUnreachable ? 'offline' : 'warning'}
        isPage={isPage}
        title={isGone ? 'Not found' : 'This could not be loaded'}
        action={
          isGone ? undefined : (
            <Button variant="default" onClick={onRetry}>
              Try again
            </Button>
          )
        }
      >
        {isGone ? 'It does not exist, or it is not visible to you.' : explain(error)}
      </StatePanel>
    </div>
  )
}
