import { ERROR_CODES, type ErrorCode, type Problem } from '@bugle/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain/domain-error.ts'
import type { FaultLog } from '../../domain/fault-log.ts'
import { StorageUnavailable } from '../../storage/storage.ts'
import { redact } from '../redact.ts'

export const PROBLEM_TYPE = 'application/problem+json'

/** Seconds after which clients may retry if the server is overloaded or stopping. */
const RETRY_AFTER_SECONDS = 2

export type AnswerProblem = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** The only place where an error becomes a response. Under load or on a full disk, there may be thousands of refusals a second. */
export function createProblemAnswers(faults: Pick<FaultLog, 'note'>): AnswerProblem {
  return (error, request, reply) => {
    const known = recognise(error)
    if (known.code === 'internal-error')
      request.log.error({ err: error, requestId: request.id }, 'request failed')
    if (known.code === 'unavailable') faults.note('requests are refused', error)
    return sendProblem(known, request, reply)
  }
}

function sendProblem(known: DomainError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(known, request.url, request.id)
  return reply
    .code(problem.status)
    .headers(headersFor(known))
    .header('content-type', PROBLEM_TYPE)
    .header('cache-control', 'no-store')
    .send(JSON.stringify(problem))
}

/** The problem code of an error. */
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

function headersFor({ code, retryAfterSeconds, headers }: DomainError): Record<string, string> {
  const { status } = ERROR_CODES[code]
  if (headers !== undefined) return headers
  if (retryAfterSeconds !== undefined) return { 'retry-after': String(retryAfterSeconds) }
  if (status === 401) {
    const reason = code === 'invalid-credentials' ? ', error="invalid_token"' : ''
    return { 'www-authenticate': `Bearer realm="bugle"${reason}` }
  }
  return status === 503 ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {}
}

/** The error as shown to the caller. Internal causes stay in the log. */
function recognise(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  if (error instanceof StorageUnavailable) {
    return new DomainError('unavailable', {
      detail: 'The server cannot handle this request right now. Try again shortly.',
    })
  }
  return (
    (error instanceof Error ? recogniseRefusal(error) : undefined) ??
    new DomainError('internal-error', {
      detail: 'The server encountered an error. Its log has details under this requestId.',
    })
  )
}

/** The framework's own errors as problems, by code or by status. */
function recogniseRefusal({ code = '', statusCode = 500 }: Partial<FastifyError>): DomainError | undefined {
  if (!code.startsWith('FST_ERR_') || statusCode < 400 || statusCode >= 500) return undefined
  const detail = REFUSALS[code]
  if (detail !== undefined) return new DomainError(detail.code, { detail: detail.words })
  const known = CODES_BY_STATUS[statusCode] ?? 'bad-request'
  return new DomainError(known, { detail: `${ERROR_CODES[known].title}.` })
}

const REFUSALS: Readonly<Record<string, { readonly code: ErrorCode; readonly words: string }>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported-media-type',
    words: 'Send the body as "Content-Type: application/json".',
  },
  FST_ERR_BAD_URL: { code: 'bad-request', words: 'The address is not correctly percent-encoded.' },
}

const CODES_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'request-timeout',
  413: 'content-too-large',
  415: 'unsupported-media-type',
  431: 'headers-too-large',
}
