import type { Attempt, AttemptError } from '@bugle/contract'

const ERRORS: Readonly<Record<AttemptError, string>> = {
  'refused-destination': 'the address leads where webhooks may not go',
  dns: 'the name of the host is not known',
  'connection-refused': 'nobody listens at the address',
  unreachable: 'the host can not be reached',
  tls: 'the certificate is not good',
  reset: 'the connection was cut',
  timeout: 'there was no answer in time',
  'invalid-answer': 'the answer was no HTTP',
  redirect: 'it answered with a redirect, which is not followed',
  'unsuccessful-status': 'it did not answer with 2xx',
  failed: 'it failed',
}

/** What came of a request to a webhook: `204 after 31 ms`. */
export function attemptWords({ httpStatus, error, durationMs }: Attempt): string {
  const took = `after ${durationMs} ms`
  if (error === null) return `taken, ${httpStatus} ${took}`
  const reason = ERRORS[error] ?? error
  return httpStatus === null ? `${reason}, ${took}` : `${httpStatus} ${took}: ${reason}`
}
