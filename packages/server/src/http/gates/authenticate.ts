import type { Endpoint } from '@bugle/contract'
import type { FastifyRequest } from 'fastify'
import { ANONYMOUS, type Caller } from '../../domain/access/access.ts'
import type { Callers } from '../../domain/access/callers.ts'
import { DomainError } from '../../domain/domain-error.ts'
import type { Catalog } from '../../domain/projects/catalog.ts'
import { isAccessToken, judgeOrigin, kindOfToken } from '../../domain/projects/keys.ts'
import type { SessionCookie } from '../answers/session-cookie.ts'
import { refuseForgery } from './forgery.ts'

const BEARER = /^Bearer +(\S+) *$/i

export interface Credentials {
  readonly catalog: Catalog
  readonly callers: Callers
  readonly cookie: SessionCookie
}

/** The caller of the request, from its `Authorization` header or its session cookie; anonymous if it has neither. */
export async function authenticate(
  request: FastifyRequest,
  endpoint: Endpoint,
  credentials: Credentials,
): Promise<Caller> {
  const { crossOrigin } = endpoint
  const header = request.headers.authorization
  // Endpoints that pages of other origins may call ignore cookies.
  if (header === undefined) return crossOrigin ? ANONYMOUS : identifyByCookie(request, credentials)
  const token = tokenIn(header)
  if (token === undefined) throw invalidCredentials('Send the key as "Authorization: Bearer <key>".')
  if (isAccessToken(token)) return identifyByAccessToken(request, token, credentials.callers)
  return identifyByToken(request, token, credentials.catalog, ownOrigin(request, endpoint))
}

/** The caller, if the key is cached and valid for this endpoint. Most keys are, so that nothing has to be awaited. */
export function knownCaller(
  request: FastifyRequest,
  endpoint: Endpoint,
  { catalog }: Credentials,
): Caller | undefined {
  const { headers } = request
  if (endpoint.access === 'signed-in' || endpoint.access === 'admin') return undefined
  const token = tokenIn(headers.authorization)
  const key = token === undefined ? undefined : catalog.knownKey(token)
  const verdict = key && judgeOrigin(key, headers.origin, ownOrigin(request, endpoint))
  return key && verdict === 'allowed' ? { kind: 'key', key } : undefined
}

/**
 * The origin of the request if it comes from our own page for reporters. Keys list the origins of apps, and a link to the
 * page works with any of them.
 */
function ownOrigin(
  { headers: { origin }, host }: FastifyRequest,
  { isForReporters }: Endpoint,
): string | undefined {
  if (!isForReporters || origin === undefined || !URL.canParse(origin)) return undefined
  return new URL(origin).host === host ? origin : undefined
}

/** An expired or unknown cookie counts as no cookie. */
async function identifyByCookie(request: FastifyRequest, { callers, cookie }: Credentials): Promise<Caller> {
  const token = cookie.read(request.headers.cookie)
  const user = token === undefined ? undefined : await callers.findUser(token)
  if (user === undefined) return ANONYMOUS
  refuseForgery(request)
  return user
}

/** The caller of a `text/plain` submission, from its field `publicKey`, because such a request cannot have headers. */
export async function authenticateByBody(request: FastifyRequest, catalog: Catalog): Promise<Caller> {
  return authenticatePublicKey(request, publicKeyIn(request.body), catalog)
}

export function publicKeyIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'publicKey' in body ? body.publicKey : undefined
}

const KEY_MEMBER = Buffer.from('"publicKey"')
const KEY_VALUE = /^"publicKey"\s*:\s*"(\w+)"/
const LONGEST_MEMBER_BYTES = 200
/** How many occurrences of the field are examined; a report has one. */
const MAX_PLACES = 5

/**
 * The public key that an unparsed submission seems to contain, or the value found instead of one. Parsing is far more
 * expensive, and should not be done for clients that have no key or exceed the limit. The result must be compared with
 * the parsed body.
 */
export function findPublicKey(bytes: Buffer): string | undefined {
  let found: string | undefined
  let place = bytes.indexOf(KEY_MEMBER)
  for (let tries = 0; place !== -1 && tries < MAX_PLACES; tries++) {
    const value = KEY_VALUE.exec(bytes.toString('latin1', place, place + LONGEST_MEMBER_BYTES))?.[1]
    if (value !== undefined && kindOfToken(value) === 'public') return value
    found ??= value
    place = bytes.indexOf(KEY_MEMBER, place + KEY_MEMBER.length)
  }
  return found
}

/** The caller with this public key. */
export async function authenticatePublicKey(
  request: FastifyRequest,
  token: unknown,
  catalog: Catalog,
): Promise<Caller> {
  if (typeof token !== 'string') {
    throw new DomainError('credentials-required', {
      detail: 'A text/plain body needs the public key in the field publicKey.',
    })
  }
  if (kindOfToken(token) !== 'public') throw invalidCredentials('publicKey must be a public key, bgl_pub_….')
  return identifyByToken(request, token, catalog)
}

/** Like a secret key, a personal access token must never be in a page. */
async function identifyByAccessToken(
  { headers }: FastifyRequest,
  token: string,
  callers: Callers,
): Promise<Caller> {
  const owner = await callers.findTokenOwner(token)
  if (owner === undefined) throw invalidCredentials('The token is mistyped, unknown, expired or revoked.')
  if (headers.origin === undefined) return owner
  throw new DomainError('secret-key-in-browser', {
    detail: 'A personal access token came from a web page. Revoke it, and use a public key there.',
  })
}

/** The caller with the public key that one of Sentry's SDKs has sent. */
export async function authenticateSentryKey(
  request: FastifyRequest,
  token: string | undefined,
  catalog: Catalog,
): Promise<Caller> {
  if (token === undefined) {
    throw new DomainError('credentials-required', {
      detail:
        'Send the public key in X-Sentry-Auth, as sentry_key in the query, or in the dsn of the envelope.',
    })
  }
  if (kindOfToken(token) !== 'public')
    throw invalidCredentials('The key of a DSN must be a public key, bgl_pub_….')
  return identifyByToken(request, token, catalog)
}

async function identifyByToken(
  request: FastifyRequest,
  token: string,
  catalog: Catalog,
  own?: string,
): Promise<Caller> {
  const key = await catalog.findKey(token)
  if (key === undefined) throw invalidCredentials('The key is mistyped, unknown or revoked.')
  // Set even if the origin is then refused, because refused submissions are counted.
  request.caller = { kind: 'key', key }
  const verdict = judgeOrigin(key, request.headers.origin, own)
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

function tokenIn(header = ''): string | undefined {
  return BEARER.exec(header)?.[1]
}

function invalidCredentials(detail: string): DomainError {
  return new DomainError('invalid-credentials', { detail })
}
