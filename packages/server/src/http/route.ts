import { Readable } from 'node:stream'
import { type Body, type Endpoint, endpoints, type Params, type Query, type Reply } from '@bugle/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import { ANONYMOUS, type Caller, requireRecentSignIn, requireUser } from '../domain/access/access.ts'
import type { Intake } from '../domain/access/intake.ts'
import { requireAdmin } from '../domain/administration/admins.ts'
import { credentialsRequired, DomainError } from '../domain/domain-error.ts'
import type { Turns } from '../domain/events/turns.ts'
import { ReadCancelled } from '../storage/storage.ts'
import { announceDeprecation } from './answers/deprecation.ts'
import type { DeviceCookie } from './answers/device-cookie.ts'
import { codeOf } from './answers/problem.ts'
import { toFastifyPath } from './fastify-path.ts'
import {
  authenticate,
  authenticateByBody,
  authenticatePublicKey,
  authenticateSentryKey,
  type Credentials,
  findPublicKey,
  knownCaller,
  publicKeyIn,
} from './gates/authenticate.ts'
import type { Connections } from './gates/connections.ts'
import { allowCrossOrigin } from './gates/cross-origin.ts'
import { refuseOtherSites } from './gates/forgery.ts'
import type { Arrival, RateLimit } from './gates/rate-limit.ts'
import { sentryKeyOf } from './gates/sentry-key.ts'
import { expectBody, parseJson } from './input/parse-body.ts'
import { readQuery } from './input/read-query.ts'
import { checkBody, checkQuery } from './input/validate.ts'

/** The input of a handler: parsed, validated and typed. */
export interface Call<E extends Endpoint> {
  readonly caller: Caller
  readonly params: Params<E>
  readonly query: Query<E>
  readonly body: Body<E>
  readonly request: FastifyRequest
  /** Admits the caller with this public key, which the request has in its raw body, and counts the request. */
  readonly admitKey: (token: string | undefined) => Promise<Caller>
  /** Creates a signal that aborts once the response is complete or its client has closed its side of the connection. */
  readonly watchClient: () => AbortSignal
}

export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Reply<E>>

/** Binds an endpoint of the contract to its handler: authenticate, read, call, respond. */
export type Bind = <E extends Endpoint>(endpoint: E, handle: Handler<E>) => void

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

/** A list is sent as several headers with the same name. */
type AnswerHeaders = Readonly<Record<string, string | string[]>>

/** A response of a handler, with exact types. */
export function answer<S extends number, const B>(status: S, body: B, headers: AnswerHeaders = {}) {
  return { status, body, headers }
}

interface Gates extends Credentials {
  readonly connections: Pick<Connections, 'expectBody'>
  readonly deviceCookie: DeviceCookie
  readonly rateLimit: RateLimit
  readonly intake: Intake
  readonly turns: Turns
  readonly clock: Clock
}

export function createBind(app: FastifyInstance, gates: Gates): Bind {
  const { callers, catalog, clock, connections, deviceCookie, rateLimit, intake, turns } = gates
  app.decorateRequest('caller')

  /** Every submission with a valid key is counted, regardless of its outcome. */
  async function noteRefusal({ caller }: FastifyRequest, error: unknown): Promise<void> {
    if (caller.kind !== 'key' || caller.key.projectId === null) return
    const { id, projectId } = caller.key
    const code = codeOf(error)
    if (code === 'rate-limited') intake.limit(projectId, id)
    else intake.refuse(projectId, id, code)
  }

  function admit(arrival: Arrival, caller: Caller): void {
    // Set before the rate limit is applied, because rate-limited submissions are counted too.
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

  /** Reads a `text/plain` submission. If it contains a key, it counts towards it, and is parsed only if admitted. */
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
    const { access, effect } = endpoint
    const read = readerOf(endpoint)

    function respond(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const call = {
        caller: request.caller,
        request,
        watchClient: () => signalOfLeaving(reply),
        admitKey: async (token: string | undefined) => {
          await admitOnceKnown({ request, reply, endpoint }, authenticateSentryKey(request, token, catalog))
          return request.caller
        },
      }
      const input = read(request)
      if (effect !== undefined) requireRecentSignIn(call.caller, endpoint, { body: input.body, now: clock() })
      return handle({ ...input, ...call })
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
          // Only the body shows whether the request is valid. A request without a body costs no more than counting it.
          if (endpoint.body)
            rateLimit.countStranger(request, reply, deviceCookie.read(request.headers.cookie))
          return done()
        }
        if (access === 'operator' || bringsKeyInBody(request, endpoint)) return done()
        const arrival = { request, reply, endpoint }
        if (endpoint.keyIn === 'sentry' && request.headers.authorization === undefined) {
          const token = sentryKeyOf(request)
          // The handler finds the key in the body.
          if (token === undefined) return done()
          admitOnceKnown(arrival, authenticateSentryKey(request, token, catalog)).then(() => done(), done)
          return
        }
        const known = knownCaller(request, endpoint, gates)
        if (known === undefined) {
          admitOnceKnown(arrival, identify(request, endpoint, gates)).then(() => done(), done)
          return
        }
        admit(arrival, known)
        done()
      },
      // After authentication, so that unauthenticated clients do not learn what the endpoint accepts.
      preParsing: (request, _, payload, done) => {
        expectBody(request, endpoint)
        // How long a raw body may take depends on its declared size, which the handler knows.
        if (endpoint.maxBodyBytes && !endpoint.hasRawBody)
          connections.expectBody(request.raw.socket, endpoint.maxBodyBytes)
        done(null, payload)
      },
      ...(endpoint.name === endpoints.submitIssue.name && {
        preHandler: (request, reply, done) => {
          if (!Buffer.isBuffer(request.body)) return done()
          readPlainText({ request, reply, endpoint }, request.body).then(() => done(), done)
        },
      }),
      ...(endpoint.isSubmission && {
        onError: async (request, _, error) => noteRefusal(request, error),
      }),
      // Returns nothing: the framework would wait for a promise, but the response is already being sent.
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
  // Checked before the body is read.
  if (endpoint.access === 'admin') return requireAdmin(caller)
  if (endpoint.access === 'signed-in') return requireUser(caller)
  if (caller.kind === 'anonymous' && !isOpenToAnyone(endpoint)) throw noCredentials(endpoint)
  return caller
}

function isOpenToAnyone({ access }: Endpoint): boolean {
  return typeof access === 'object' && access?.publicProject === true
}

/** Whether the response may be long and therefore expensive: a page whose size the caller chooses, or all metrics. */
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

/** A page that is being closed cannot send headers, so a submission may have its key in the body. */
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

/** A client that closes its side of the connection has probably left. It gets a response, but no long read is run for it. */
function signalOfLeaving({ request, raw }: FastifyReply): AbortSignal {
  const { socket } = request.raw
  if (raw.closed || socket.readableEnded) return AbortSignal.abort(DISCONNECTED)
  const left = new AbortController()
  const leave = () => left.abort(DISCONNECTED)
  // Each pipelined request listens to the same connection.
  socket.setMaxListeners(0)
  socket.once('end', leave)
  raw.once('close', () => {
    socket.off('end', leave)
    leave()
  })
  return left.signal
}

/** With a reason of our own, aborting does not create an error with a stack trace. */
const DISCONNECTED = 'the client has disconnected'

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
  // The read was stopped because the client disconnected, which is not an error.
  if (error instanceof ReadCancelled) return
  if (reply.sent) request.log.error({ err: error, requestId: request.id }, 'failed after the response')
  else reply.send(error instanceof Error ? error : new Error(String(error)))
}

function isStream(body: unknown): body is AsyncIterable<string | Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}
