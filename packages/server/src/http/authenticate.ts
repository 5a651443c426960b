import type { FastifyRequest } from 'fastify'
import { ANONYMOUS, type Caller } from '../domain/access.ts'
import type { Catalog } from '../domain/catalog.ts'
import { DomainError } from '../domain/domain-error.ts'
import { isWellFormedToken, judgeOrigin, kindOfToken } from '../domain/keys.ts'

const BEARER = /^Bearer +(\S+) *$/i

/** Who sends the request, by its `Authorization` header; anonymous without one. */
export async function authenticate(request: FastifyRequest, catalog: Catalog): Promise<Caller> {
  const header = request.headers.authorization
  if (header === undefined) return ANONYMOUS
  const token = BEARER.exec(header)?.[1]
  if (token === undefined) throw invalidCredentials('Send the key as "Authorization: Bearer <key>".')
  return identifyByToken(request, token, catalog)
}

/** Who sends a `text/plain` submission: its member `publicKey` says so, because such a request can not have headers. */
export async function authenticateByBody(request: FastifyRequest, catalog: Catalog): Promise<Caller> {
  const { body } = request
  const token = typeof body === 'object' && body !== null && 'publicKey' in body ? body.publicKey : undefined
  if (typeof token !== 'string') {
    throw new DomainError('credentials-required', {
      detail: 'A text/plain body needs the public key as its member publicKey.',
    })
  }
  if (kindOfToken(token) !== 'public') throw invalidCredentials('publicKey must be a public key, bgl_pub_….')
  return identifyByToken(request, token, catalog)
}

async function identifyByToken(request: FastifyRequest, token: string, catalog: Catalog): Promise<Caller> {
  const key = isWellFormedToken(token) ? await catalog.findKey(token) : undefined
  if (key === undefined) throw invalidCredentials('The key is mistyped, unknown or revoked.')
  // Known from here on, even if it is turned away for where it comes from: the ledger counts it.
  request.caller = { kind: 'key', key }
  const verdict = judgeOrigin(key, request.headers.origin)
  if (verdict === 'secret-key-in-browser') {
    throw new DomainError(verdict, {
      detail: 'A secret key came from a web page. Revoke it and use a public key there.',
    })
  }
  if (verdict === 'origin-not-allowed') {
    throw new DomainError(verdict, { detail: 'The public key does not list the origin of this page.' })
  }
  return request.caller
}

function invalidCredentials(detail: string): DomainError {
  return new DomainError('invalid-credentials', { detail })
}
