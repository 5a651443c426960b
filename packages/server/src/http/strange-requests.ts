import type { FastifyInstance } from 'fastify'
import { DomainError } from '../domain/domain-error.ts'

/** Node answers these by itself, and not as we do: here they are requests like all others. */
export const STRANGE_REQUESTS_PASS = { requireHostHeader: false } as const

/** Refuses what is no proper request though it can be read. Needs {@link STRANGE_REQUESTS_PASS}. */
export function refuseStrangeRequests(app: FastifyInstance): void {
  // An expectation that nobody knows may be ignored (RFC 9110, section 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', ({ raw }, _, done) => {
    const isStrange = raw.headers.host === undefined && raw.httpVersion === '1.1'
    done(
      isStrange ? new DomainError('bad-request', { detail: 'The request has no Host header.' }) : undefined,
    )
  })
}
