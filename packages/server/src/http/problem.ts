import { ERROR_CODES, type ErrorCode, type Problem } from '@bugle/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../domain/domain-error.ts'
import { StorageUnavailable } from '../storage/storage.ts'
import { redact } from './redact.ts'

export const PROBLEM_TYPE = 'application/problem+json'

/** Seconds after which an overloaded or stopping server may be asked again. */
const RETRY_AFTER_SECONDS = 2

/** The only place where an error becomes an answer. */
export function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = recognise(error)
  if (known.code === 'internal-error')
    request.log.error({ err: error, requestId: request.id }, 'request failed')
  if (known.code === 'unavailable')
    request.log.warn({ err: error, requestId: request.id }, 'request turned away')
  const problem = problemOf(known, request.url, request.id)
  return reply
    .code(problem.status)
    .headers(headersFor(known))
    .header('content-type', PROBLEM_TYPE)
    .header('cache-control', 'no-store')
    .send(JSON.stringify(problem))
}

/** The code an error is answered with. */
export function codeOf(error: unknown): ErrorCode {
  return recognise(error).code
}

/** The body of a problem. */
export function problemOf(error: DomainError, url: string, requestId: string): Problem {
  const { status, title } = ERROR_CODES[error.code]
  return {
    type: `/problems/${error.code}`,
    title,
    status,
    detail: error.message,
    instance: redact(url.split('?', 1)[0] ?? url),
    code: error.code,
    requestId,
    ...(error.faults && { errors: [...error.faults] }),
    ...error.members,
  }
}

function headersFor({ code, retryAfterSeconds }: DomainError): Record<string, string> {
  const { status } = ERROR_CODES[code]
  if (retryAfterSeconds !== undefined) return { 'retry-after': String(retryAfterSeconds) }
  if (status === 401) {
    const reason = code === 'invalid-credentials' ? ', error="invalid_token"' : ''
    return { 'www-authenticate': `Bearer realm="bugle"${reason}` }
  }
  return status === 503 ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {}
}

/** What an error means to the caller. A cause that is not for callers stays in the log. */
function recognise(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  if (error instanceof StorageUnavailable) {
    return new DomainError('unavailable', {
      detail: 'The report or request can not be handled right now. Try again shortly.',
    })
  }
  const { code, statusCode } = error instanceof Error ? (error as Partial<FastifyError>) : {}
  if (code === 'ECONNRESET' && statusCode === 400) {
    return new DomainError('bad-request', {
      detail: 'The connection was closed before the body was complete.',
    })
  }
  return (
    FRAMEWORK_ERRORS[code ?? '']?.() ??
    new DomainError('internal-error', { detail: 'The server failed. Its log has more under this requestId.' })
  )
}

/** Fastify's own refusals, in our words. */
const FRAMEWORK_ERRORS: Readonly<Record<string, () => DomainError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new DomainError('content-too-large', { detail: 'The body has more than 262,144 bytes.' }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new DomainError('unsupported-media-type', {
      detail: 'Send the body as "Content-Type: application/json".',
    }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new DomainError('bad-request', { detail: 'The body has another length than its Content-Length says.' }),
  FST_ERR_BAD_URL: () =>
    new DomainError('bad-request', { detail: 'The address is not correctly percent-encoded.' }),
  FST_ERR_ASYNC_CONSTRAINT: () => new DomainError('bad-request', { detail: 'The address can not be read.' }),
}
