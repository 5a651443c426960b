import { ApiProblem, ApiUnreachable } from '@bugle/client'
import { Button } from '@mantine/core'
import { StatePanel } from './state-panel.tsx'

/** In words for people what went wrong, and what to do. */
export function explain(error: unknown): string {
  if (error instanceof ApiUnreachable)
    return 'The server can not be reached. Check the connection and try again.'
  if (error instanceof ApiProblem && error.status === 429) {
    const wait = error.retryAfterSeconds
    return `Too many requests. Try again ${wait === null ? 'in a moment' : `in ${wait} s`}.`
  }
  if (error instanceof ApiProblem && error.status < 500) return error.message
  if (error instanceof ApiProblem)
    return `The server could not answer (request ${String(error.problem['requestId'])}). Try again in a moment.`
  return 'Something went wrong on this page. Reload it to go on.'
}

interface FailureProps {
  readonly error: unknown
  readonly onRetry: () => void
  /** Whether there is nothing else on the page. */
  readonly isPage?: boolean
}

/** Something that could not be had. */
export function Failure({ error, onRetry, isPage = false }: FailureProps) {
  const isGone = error instanceof ApiProblem && error.status === 404
  return (
    <div role="alert">
      <StatePanel
        icon={error instanceof ApiUnreachable ? 'offline' : 'warning'}
        isPage={isPage}
        title={isGone ? 'There is nothing here' : 'This could not be loaded'}
        action={
          isGone ? undefined : (
            <Button variant="default" onClick={onRetry}>
              Try again
            </Button>
          )
        }
      >
        {isGone ? 'It does not exist, or you may not see it.' : explain(error)}
      </StatePanel>
    </div>
  )
}
