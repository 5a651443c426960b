import { CSRF_HEADER } from '@bugle/contract'
import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../domain/domain-error.ts'

const HEADER = CSRF_HEADER.toLowerCase()
const HARMLESS: readonly string[] = ['GET', 'HEAD']

/** Browsers add the cookie to requests from any page, but only our own page can send the header. */
export function refuseForgery(request: FastifyRequest): void {
  if (HARMLESS.includes(request.method)) return
  refuseOtherSites(request)
  if (request.headers[HEADER] === '1') return
  throw new DomainError('csrf-header-required', {
    detail: `A change with a session cookie needs the header "${CSRF_HEADER}: 1".`,
  })
}

/** A page of another site must not sign anyone in, or change anything, through a visitor's browser. */
export function refuseOtherSites({ method, headers }: FastifyRequest): void {
  if (HARMLESS.includes(method) || headers['sec-fetch-site'] !== 'cross-site') return
  throw new DomainError('csrf-header-required', { detail: 'The request comes from a page of another site.' })
}
