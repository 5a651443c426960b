import { Readable } from 'node:stream'
import { type Body, type Endpoint, endpoints, type Params, type Query, type Reply } from '@bugle/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ANONYMOUS, type Caller, requireUser } from '../domain/access/access.ts'
import type { Intake } from '../domain/access/intake.ts'
import { credentialsRequired, DomainError } from '../domain/domain-error.ts'
import type { Turns } from '../domain/events/turns.ts'
import { ReadCancelled } from '../storage/storage.ts'
import { announceDeprecation } from './answers/deprecation.ts'
import type { DeviceCookie } from './answers/device-cookie.ts'
import { codeOf } from './answers/problem.ts'
import {
  authenticate,
  authenticateByBody,
  authenticatePublicKey,
  type Credentials,
  findPublicKey,
  knownCaller,
  publicKeyIn,
} from './gates/authenticate.ts'
import type { Connections } from './gates/connections.ts'
import { allowCrossOrigin } from './gates/cross-origin.ts'
import { refuseOtherSites } from './gates/forgery.ts'
import type { Arrival, RateLimit } from './gates/rate-limit.ts'
import { expectBody, parseJson } from './input/parse-body.ts'
import { readQuery } from './input/read-query.ts'
import { checkBody, checkQuery } from './input/validate.ts'

/** What a handler is given: everything read, checked and typed. */
export interface Call<E extends Endpoint> {
  readonly caller: Caller
  readonly params: Params<E>
  readonly query: Query<E>
  readonly body: Body<E>
  readonly request: FastifyRequest
  /** Creates a signal that aborts once the response is complete or its client has disconnected. */
  readonly watchClient: () => AbortSignal
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
  readonly connections: Pick<Connections, 'expectBody'>
  readonly deviceCookie: DeviceCookie
  readonly rateLimit: RateLimit
  readonly intake: Intake
  readonly turns: Turns
}

export function createBind(app: FastifyInstance, gates: Gates): Bind {
  const { callers, catalog, connections, deviceCookie, rateLimit, intake, turns } = gates
  app.decorateRequest('caller')

  /** Every submission with a valid key is in the ledger, whatever became of it. */
  async function noteRefusal({ caller }: FastifyRequest, error: unknown): Promise<void> {
    const projectId = caller.kind === 'key' ? caller.key.projectId : null
    const code = codeOf(error)
    if (projectId === null) return
    if (code === 'rate-limited') intake.limit(projectId)
    else intake.refuse(projectId, code)
  }

  function admit(arrival: Arrival, caller: Caller): void {
    // Known before it is counted: the ledger has also what comes too soon.
    arrival.request.caller = caller
    rateLimit.count(arrival, caller)
    callers.noteUse(caller)
  }

  async function admitOnceKnown(arrival: Arrival, identifying: Promise<Caller>): Promise<void> {
    const caller = await identifying.catch((refusal: unknown) => {
      rateLimit.countRefused(arrival, refusal)
      throw refusal
    })
    admit(arrival, caller)
  }

  /** Reads a `text/plain` submission. If it brings its key, it is counted by it, and parsed only if it is let in. */
  async function readPlainText(arrival: Arrival, bytes: Buffer): Promise<void> {
    const { request, endpoint } = arrival
    if (!bringsKeyInBody(request, endpoint)) {
      request.body = parseJson(bytes)
      return
    }
    const token = findPublicKey(bytes)
    await admitOnceKnown(arrival, authenticatePublicKey(request, token, catalog))
    request.body = parseJson(bytes)
    if (publicKeyIn(request.body) !== token) {
      await admitOnceKnown(arrival, authenticateByBody(request, catalog))
    }
    const { publicKey: _, ...submission } = request.body as Record<string, unknown>
    request.body = submission
  }

  return (endpoint, handle) => {
    const { access } = endpoint
    const read = readerOf(endpoint)

    function respond(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const call = { caller: request.caller, request, watchClient: () => signalOfClose(reply) }
      return handle({ ...read(request), ...call })
        .then((answer) => send(reply, answer))
        .catch((error: unknown) => fail(request, reply, error))
    }

    app.route({
      method: endpoint.method,
      url: toFastifyPath(endpoint.path),
      ...announceDeprecation(endpoint),
      onRequest: (request, reply, done) => {
        if (endpoint.crossOrigin) allowCrossOrigin(reply)
        request.caller = ANONYMOUS
        if (access === null) {
          refuseOtherSites(request)
          // Whether it is good, only the body shows. What has none is as cheap as counting it.
          if (endpoint.body)
            rateLimit.countStranger(request, reply, deviceCookie.read(request.headers.cookie))
          return done()
        }
        if (access === 'operator' || bringsKeyInBody(request, endpoint)) return done()
        const arrival = { request, reply, endpoint }
        const known = knownCaller(request, endpoint, gates)
        if (known === undefined) {
          admitOnceKnown(arrival, identify(request, endpoint, gates)).then(() => done(), done)
          return
        }
        admit(arrival, known)
        done()
      },
      // After it is clear who asks: nobody else is told what the endpoint takes.
      preParsing: (request, _, payload, done) => {
        expectBody(request, endpoint)
        if (endpoint.maxBodyBytes) connections.expectBody(request.raw.socket, endpoint.maxBodyBytes)
        done(null, payload)
      },
      ...(endpoint.name === endpoints.submitIssue.name && {
        preHandler: (request, reply, done) => {
          if (!Buffer.isBuffer(request.body)) return done()
          readPlainText({ request, reply, endpoint }, request.body).then(() => done(), done)
        },
        onError: async (request, _, error) => noteRefusal(request, error),
      }),
      // Nothing is returned: the framework would wait for it, and the answer is on its way already.
      handler: takesTurns(endpoint)
        ? (request, reply) => {
            turns.take(async () => respond(request, reply)).catch((error) => fail(request, reply, error))
          }
        : (request, reply) => {
            respond(request, reply)
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

/** Whether the answer may be long, and so costly: a page, whose length its caller chooses, or all metrics. */
function takesTurns({ access, query }: Endpoint): boolean {
  const { properties = {} } = (query ?? {}) as { properties?: object }
  return access === 'operator' || 'pageSize' in properties || 'limit' in properties
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

/** Listens to the response, not to the socket: a connection that is kept alive would collect a listener per request. */
function signalOfClose({ raw }: FastifyReply): AbortSignal {
  if (raw.closed) return AbortSignal.abort()
  const closed = new AbortController()
  raw.once('close', () => closed.abort())
  return closed.signal
}

interface SendableReply {
  readonly status: number
  readonly headers?: AnswerHeaders
  readonly body?: unknown
}

function send(reply: FastifyReply, { status, headers, body }: SendableReply): void {
  reply.code(status)
  if (headers !== undefined) reply.headers(headers)
  if (body === undefined) reply.send()
  else if (isStream(body)) reply.send(Readable.from(body))
  else if (typeof body === 'string') reply.send(body)
  else reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
}

function fail(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
  // Stopped because the client has gone: there is nobody to tell, and nothing is wrong.
  if (error instanceof ReadCancelled) return
  if (reply.sent) request.log.error({ err: error, requestId: request.id }, 'failed after the answer')
  else reply.send(error instanceof Error ? error : new Error(String(error)))
}

function isStream(body: unknown): body is AsyncIterable<string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

function toFastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
