import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { DomainError } from '../domain/domain-error.ts'

const BEARER = /^Bearer +/i

/**
 * Lets pass whoever runs the server: by the token of the configuration; if there is none, by coming directly from the
 * same machine.
 */
export function requireOperator(request: FastifyRequest, token: string | null): void {
  if (token === null) requireNeighbour(request)
  else requireToken(request, token)
}

function requireToken({ headers }: FastifyRequest, token: string): void {
  if (headers.authorization === undefined) {
    throw new DomainError('credentials-required', {
      detail: 'Send the token of the setting BUGLE_METRICS_TOKEN as "Authorization: Bearer <token>".',
    })
  }
  if (!isSame(headers.authorization.replace(BEARER, ''), token)) {
    throw new DomainError('invalid-credentials', { detail: 'This is not the token of BUGLE_METRICS_TOKEN.' })
  }
}

/** Compares in a time that does not tell how much of it is right; hashed, because the lengths must be alike. */
function isSame(sent: string, token: string): boolean {
  return timingSafeEqual(hash('sha256', sent, 'buffer'), hash('sha256', token, 'buffer'))
}

function requireNeighbour({ raw, headers }: FastifyRequest): void {
  if (isNeighbour(raw.socket.remoteAddress, Object.keys(headers))) return
  throw new DomainError('credentials-required', {
    detail:
      'Without a token this is told only on the machine of the server, and not through a proxy. Set BUGLE_METRICS_TOKEN to read it from elsewhere.',
  })
}

/** What proxies add to a request that they pass on. */
const FORWARDING_HEADERS = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-.*)$/

/** Whether a request from this address, with headers of these names, was sent by a process on this machine for itself. */
export function isNeighbour(address = '', headerNames: readonly string[]): boolean {
  if (headerNames.some((name) => FORWARDING_HEADERS.test(name))) return false
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}
