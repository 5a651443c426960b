import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../domain/domain-error.ts'

const BEARER = /^Bearer +(\S+) *$/i
const HOW_TO_SEND = 'send it as "Authorization: Bearer <token>"'

/**
 * Accepts only the operator's token, from `BUGLE_METRICS_TOKEN`. If it is not set, nothing is accepted: the address of a request
 * proves nothing, because a proxy on the same machine need not add a header (a bare `proxy_pass` of nginx does not).
 */
export function requireOperator({ headers }: FastifyRequest, token: string | null): void {
  if (token === null) {
    throw new DomainError('credentials-required', {
      detail: `Metrics are disabled, because no token is set. Set BUGLE_METRICS_TOKEN to a random text of at least 16 characters, restart the server, and ${HOW_TO_SEND}.`,
    })
  }
  if (headers.authorization === undefined) {
    throw new DomainError('credentials-required', {
      detail: `Take the token from the setting BUGLE_METRICS_TOKEN, and ${HOW_TO_SEND}.`,
    })
  }
  if (!isSame(BEARER.exec(headers.authorization)?.[1] ?? '', token)) {
    throw new DomainError('invalid-credentials', { detail: 'This is not the token in BUGLE_METRICS_TOKEN.' })
  }
}

/** Takes the same time for every wrong token. Hashes are compared, because both sides must have the same length. */
function isSame(sent: string, token: string): boolean {
  return timingSafeEqual(hash('sha256', sent, 'buffer'), hash('sha256', token, 'buffer'))
}
