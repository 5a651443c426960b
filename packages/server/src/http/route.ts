import { Readable } from 'node:stream'
import { type Body, type Endpoint, endpoints, type Params, type Query, type Reply } from '@bugle/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ANONYMOUS, type Caller, requireUser } from '../domain/access.ts'
import type { Catalog } from '../domain/catalog.ts'
import { credentialsRequired, DomainError } from '../domain/domain-error.ts'
import type { Intake } from '../domain/intake.ts'
import { authenticate, authenticateByBody, type Credentials } from './authenticate.ts'
import { textOf } from './body-texts.ts'
import { allowCrossOrigin } from './cross-origin.ts'
import { announceDeprecation } from './deprecation.ts'
import { refuseOtherSites } from './forgery.ts'
import { refuseUnreadableBody } from './parse-body.ts'
import { codeOf } from './problem.ts'
import type { Arrival, RateLimit } from './rate-limit.ts'
import { readQuery } from './read-query.ts'
import { checkBody, checkQuery } from './validate.ts'

/** What a handler is given: everything read, checked and typed. */
export interface Call<E extends Endpoint> {
  readonly caller: Caller
  readonly params: Params<E>
  readonly query: Query<E>
  readonly body: Body<E>
  readonly request: FastifyRequest
}

export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Reply<E>>

/** Binds an endpoint of the contract to its handler: authenticate, read, call, answer. */
export type Bind = <E extends Endpoint>(endpoint: E, handle: Handler<E>) => void

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

/** A list is sent as so many headers of the name. */
type AnswerHeaders = Readonly<Record<string, string | string[]>>

/** An answer of a handler, with the types of its parts kept. */
export function answer<S extends number, const B>(status: S, body: B, headers: AnswerHeaders = {}) {
  return { status, body, headers }
}

interface Gates extends Credentials {
  readonly rateLimit: RateLimit
  readonly intake: Intake
}

export function createBind(app: FastifyInstance, gates: Gates): Bind {
  const { callers, catalog, rateLimit, intake } = gates
  app.decorateRequest('caller')

  /** Every submission with a valid key is in the ledger, whatever became of it. */
  async function noteRefusal({ caller }: FastifyRequest, error: unknown): Promise<void> {
    const projectId = caller.kind === 'key' ? caller.key.projectId : null
    const code = codeOf(error)
    if (projectId === null) return
    if (code === 'rate-limited') intake.limit(projectId)
    else intake.refuse(projectId, code)
  }

  async function admit(arrival: Arrival, identifying: Promise<Caller>): Promise<void> {
    arrival.request.caller = await rateLimit.count(arrival, identifying)
    callers.noteUse(arrival.request.caller)
  }

  return (endpoint, handle) => {
    const { access } = endpoint
    const read = readerOf(endpoint)
    app.route({
      method: endpoint.method,
      url: toFastifyPath(endpoint.path),
      ...announceDeprecation(endpoint),
      onRequest: async (request, reply) => {
        if (endpoint.crossOrigin) allowCrossOrigin(reply)
        request.caller = ANONYMOUS
        if (access === null) refuseOtherSites(request)
        else if (access !== 'operator' && !bringsKeyInBody(request, endpoint)) {
          await admit({ request, reply, endpoint }, identify(request, endpoint, gates))
        }
        if (endpoint.body) refuseUnreadableBody(request, endpoint.mediaTypes)
      },
      ...(endpoint.name === endpoints.submitIssue.name && {
        preHandler: (request, reply, done) => {
          if (!bringsKeyInBody(request, endpoint)) return done()
          admit({ request, reply, endpoint }, identifyByBody(request, catalog)).then(() => done(), done)
        },
        onError: async (request, _, error) => noteRefusal(request, error),
      }),
      handler: async (request, reply) => {
        return send(reply, await handle({ ...read(request), caller: request.caller, request }))
      },
    })
  }
}

async function identify(
  request: FastifyRequest,
  endpoint: Endpoint,
  credentials: Credentials,
): Promise<Caller> {
  const caller = await authenticate(request, endpoint, credentials)
  // Refused before the body is read.
  if (endpoint.access === 'signed-in') return requireUser(caller)
  if (caller.kind === 'anonymous' && !isOpenToAnyone(endpoint)) throw noCredentials(endpoint)
  return caller
}

function isOpenToAnyone({ access }: Endpoint): boolean {
  return typeof access === 'object' && access?.publicProject === true
}

function noCredentials({ crossOrigin }: Endpoint): DomainError {
  if (!crossOrigin) return credentialsRequired()
  return new DomainError('credentials-required', {
    detail: 'Send a key of the project as "Authorization: Bearer <key>".',
  })
}

/** A page that is closing can send no headers: on the route for submissions its key may be in the body. */
function bringsKeyInBody(request: FastifyRequest, { name }: Endpoint): boolean {
  return (
    name === endpoints.submitIssue.name && request.headers.authorization === undefined && isPlainText(request)
  )
}

async function identifyByBody(request: FastifyRequest, catalog: Catalog): Promise<Caller> {
  const caller = await authenticateByBody(request, catalog)
  const { publicKey: _, ...submission } = request.body as Record<string, unknown>
  request.body = submission
  return caller
}

function isPlainText(request: FastifyRequest): boolean {
  return request.headers['content-type']?.toLowerCase().startsWith('text/plain') === true
}

function readerOf<E extends Endpoint>(endpoint: E) {
  const checkTheBody = endpoint.body && checkBody<Body<E>>(endpoint.body)
  const checkTheQuery = endpoint.query && checkQuery<Query<E>>(endpoint.query)
  return (request: FastifyRequest) => ({
    params: request.params as Params<E>,
    query: (endpoint.query &&
      checkTheQuery?.(
        readQuery(endpoint.query, request.query as object as Record<string, unknown>),
      )) as Query<E>,
    body: checkTheBody?.(request.body) as Body<E>,
  })
}

interface SendableReply {
  readonly status: number
  readonly headers?: AnswerHeaders
  readonly body?: unknown
}

function send(reply: FastifyReply, { status, headers, body }: SendableReply): FastifyReply {
  reply.code(status)
  if (headers !== undefined) reply.headers(headers)
  if (body === undefined) return reply.send()
  if (isStream(body)) return reply.send(Readable.from(body))
  if (typeof body === 'string') return reply.send(body)
  return reply.header('content-type', 'application/json; charset=utf-8').send(textOf(body))
}

function isStream(body: unknown): body is AsyncIterable<string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

function toFastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
