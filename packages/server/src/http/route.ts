import type { Body, Endpoint, Params, Query, Reply } from '@bugle/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ANONYMOUS, type Caller } from '../domain/access.ts'
import type { Catalog } from '../domain/catalog.ts'
import { DomainError } from '../domain/domain-error.ts'
import { authenticate, authenticateByBody } from './authenticate.ts'
import { allowCrossOrigin } from './cross-origin.ts'
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

/** An answer of a handler, with the types of its parts kept. */
export function answer<S extends number, const B>(
  status: S,
  body: B,
  headers: Readonly<Record<string, string>> = {},
) {
  return { status, body, headers }
}

export function createBind(app: FastifyInstance, catalog: Catalog): Bind {
  app.decorateRequest('caller')
  return (endpoint, handle) => {
    const read = readerOf(endpoint)
    app.route({
      method: endpoint.method,
      url: toFastifyPath(endpoint.path),
      onRequest: async (request, reply) => {
        if (endpoint.crossOrigin) allowCrossOrigin(reply)
        request.caller = await identify(request, endpoint, catalog)
      },
      preHandler: async (request) => {
        if (isPlainText(request)) request.caller = await identifyByBody(request, endpoint, catalog)
      },
      handler: async (request, reply) => {
        return send(reply, await handle({ ...read(request), caller: request.caller, request }))
      },
    })
  }
}

async function identify(request: FastifyRequest, endpoint: Endpoint, catalog: Catalog): Promise<Caller> {
  if (endpoint.access === null) return ANONYMOUS
  const caller = await authenticate(request, catalog)
  // Refused before the body is read, unless the body may bring the key.
  if (caller.kind === 'anonymous' && !endpoint.access.publicProject && !isPlainText(request)) {
    throw new DomainError('credentials-required', {
      detail: 'Send a key of the project as "Authorization: Bearer <key>".',
    })
  }
  return caller
}

/** A page that is closing can send no headers: on the route for submissions its key may be in the body. */
async function identifyByBody(
  request: FastifyRequest,
  endpoint: Endpoint,
  catalog: Catalog,
): Promise<Caller> {
  if (endpoint.name !== 'submitIssue') {
    throw new DomainError('unsupported-media-type', {
      detail: 'Send the body as "Content-Type: application/json".',
    })
  }
  if (request.caller.kind === 'key') return request.caller
  const caller = await authenticateByBody(request, catalog)
  const { publicKey: _, ...submission } = request.body as Record<string, unknown>
  request.body = submission
  return caller
}

function isPlainText(request: FastifyRequest): boolean {
  return request.headers['content-type']?.startsWith('text/plain') === true
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
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

function send(reply: FastifyReply, { status, headers, body }: SendableReply): FastifyReply {
  reply.code(status)
  if (headers !== undefined) reply.headers(headers)
  if (body === undefined) return reply.send()
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
}

function toFastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
