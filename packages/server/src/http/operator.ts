import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { DomainError } from '../domain/domain-error.ts'

const BEARER = /^Bearer +/i

/** How whoever runs the server is known. */
export interface OperatorRules {
  /** `null`: by the machine instead. */
  readonly token: string | null
  readonly publicUrl: string | null
  readonly trustProxy: false | string
}

/**
 * Lets pass whoever runs the server: by the token of the configuration; if there is none, by coming directly from the
 * same machine.
 */
export function requireOperator(request: FastifyRequest, { token, ...place }: OperatorRules): void {
  if (token === null) requireNeighbour(request, place)
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

function requireNeighbour({ raw, headers }: FastifyRequest, place: Omit<OperatorRules, 'token'>): void {
  if (!mayHaveProxy(place) && isNeighbour(raw.socket.remoteAddress, headers)) return
  throw new DomainError('credentials-required', {
    detail:
      'Without a token this is told only on the machine of the server, by its own address (127.0.0.1 or localhost), and not where a proxy is set up. Set BUGLE_METRICS_TOKEN to read it otherwise.',
  })
}

/** A proxy on the same machine need not add a header: then everybody seems to be a neighbour. */
function mayHaveProxy({ publicUrl, trustProxy }: Omit<OperatorRules, 'token'>): boolean {
  return trustProxy !== false || (publicUrl !== null && !isLocalHost(new URL(publicUrl).host))
}

/** What proxies add to a request that they pass on. */
const FORWARDING_HEADERS = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-.*)$/

/** Whether a request from this address, with these headers, was sent by a process on this machine for itself. */
export function isNeighbour(address = '', headers: IncomingHttpHeaders): boolean {
  if (Object.keys(headers).some((name) => FORWARDING_HEADERS.test(name))) return false
  // A page elsewhere can have its own name resolved to this machine (DNS rebinding), but not be called by ours.
  return isLoopback(address) && isLocalHost(headers.host ?? '')
}

const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d+)?$/i

/** Whether a host, with or without a port, is a name or an address that only this machine itself has. */
export function isLocalHost(host: string): boolean {
  const name = HOST.exec(host)?.[1]?.toLowerCase() ?? ''
  return name === 'localhost' || isLoopback(name.replace(/^\[|\]$/g, ''))
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}
