import type { Attempt, AttemptError } from '@bugle/contract'

const ERRORS: Readonly<Record<AttemptError, string>> = {
  'refused-destination': 'this address is not allowed for webhooks',
  dns: 'the host name could not be resolved',
  'connection-refused': 'connection refused',
  unreachable: 'the host is unreachable',
  tls: 'the TLS certificate is not valid',
  reset: 'the connection was reset',
  timeout: 'timed out',
  'invalid-answer': 'the response was not HTTP',
  redirect: 'the response was a redirect, which is not followed',
  'unsuccessful-status': 'the status was not 2xx',
  failed: 'failed',
}

/** The result of a request to a webhook: `delivered, 204 (31 ms)`. */
export function attemptWords({ httpStatus, error, durationMs }: Attempt): string {
  const took = `(${durationMs} ms)`
  if (error === null) return `delivered, ${httpStatus} ${took}`
  const reason = ERRORS[error] ?? error
  return httpStatus === null ? `${reason} ${took}` : `${httpStatus} ${took}: ${reason}`
}
