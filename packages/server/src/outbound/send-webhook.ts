import type { IncomingMessage } from 'node:http'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { finished } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { AttemptError } from '@bugle/contract'
import { type Clock, systemClock } from '../clock.ts'
import { VERSION } from '../version.ts'
import { type Guard, resolveDestination } from './guard-destination.ts'
import { readRetryAfter } from './read-retry-after.ts'

export const WEBHOOK_TIMEOUT_MS = 15_000
const MAX_KEPT_ANSWER_BYTES = 1_024

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body: string
  /** For DNS, connection and response together. */
  readonly timeoutMs?: number
  /** Aborts the attempt, which then does not count as a failure of the receiver. */
  readonly signal?: AbortSignal
}

/** The result; `error` is `null` only if the receiver accepted the message with a 2xx status. */
export interface WebhookAttempt {
  readonly status: number | null
  readonly error: AttemptError | null
  readonly durationMs: number
  /** The beginning of the response. */
  readonly response: string | null
  readonly retryAfterSeconds: number | null
}

/** Sends a webhook once. Failures are part of the result, never thrown. */
export async function sendWebhook(
  { timeoutMs = WEBHOOK_TIMEOUT_MS, signal, ...request }: WebhookRequest,
  guard: Guard,
  clock: Clock = systemClock,
): Promise<WebhookAttempt> {
  const began = performance.now()
  // Not AbortSignal.any: its signals live as long as the caller's signal, for every attempt.
  const ending = new AbortController()
  const end = () => ending.abort()
  const timer = setTimeout(end, timeoutMs)
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    const answer = await attempt(request, guard, ending.signal)
    const outcome = typeof answer === 'string' ? failure(answer) : await record(answer, clock())
    return { ...outcome, durationMs: Math.round(performance.now() - began) }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

type Outcome = Omit<WebhookAttempt, 'durationMs'>

function failure(error: AttemptError): Outcome {
  return { status: null, error, response: null, retryAfterSeconds: null }
}

async function attempt(
  request: WebhookRequest,
  guard: Guard,
  signal: AbortSignal,
): Promise<IncomingMessage | AttemptError> {
  const destination = await Promise.race([resolveDestination(request.url, guard), abortOf(signal)])
  if (destination === 'timeout') return 'timeout'
  if (destination.kind === 'refused') return 'refused-destination'
  if (destination.kind === 'unresolved') return 'dns'
  return post(request, destination, signal)
}

function abortOf(signal: AbortSignal): Promise<'timeout'> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('timeout'), { once: true }))
}

// Each attempt uses a new connection: a kept one would use an address that was checked long ago. And no
// proxy, whatever the environment sets: it would resolve the name again, unchecked. Certificates are always verified.
const DIRECT = { keepAlive: false, proxyEnv: {}, rejectUnauthorized: true } as const
const HTTP = clientOf('node:http')
/** Created with the first webhook that uses it: TLS takes memory. */
let https: Client | undefined

type Client = ReturnType<typeof clientOf>

function clientFor({ protocol }: URL): Client {
  if (protocol === 'http:') return HTTP
  https ??= clientOf('node:https')
  return https
}

/** Not loaded with `import`, which evaluates all exports and would load a WebSocket client. */
function clientOf(module: 'node:http' | 'node:https') {
  const { request, Agent } = process.getBuiltinModule(module)
  return { request, agent: new Agent(DIRECT) }
}

function post(
  { headers, body }: WebhookRequest,
  { url, addresses }: { readonly url: URL; readonly addresses: readonly string[] },
  signal: AbortSignal,
): Promise<IncomingMessage | AttemptError> {
  const client = clientFor(url)
  const request = client.request(url, {
    method: 'POST',
    agent: client.agent,
    lookup: alwaysTo(addresses),
    signal,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': `Bugle/${VERSION}`,
    },
  })
  return new Promise((resolve) => {
    request.on('response', resolve)
    request.on('error', (error) => resolve(signal.aborted ? 'timeout' : nameOf(error, request.socket)))
    // A protocol switch is neither a response nor an error to Node: the connection just closes.
    request.on('close', () => resolve('invalid-answer'))
    request.end(body)
  })
}

/** A lookup with a fixed result: TLS and the `Host` header still use the name. */
function alwaysTo(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, options, callback) => {
    if (options.all) callback(null, found)
    else callback(null, found[0]?.address ?? '', found[0]?.family)
  }
}

const ERROR_BY_CODE: Readonly<Record<string, AttemptError>> = {
  ECONNREFUSED: 'connection-refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
}

function nameOf({ code = '' }: NodeJS.ErrnoException, socket: Socket | null): AttemptError {
  const known = ERROR_BY_CODE[code]
  if (known !== undefined) return known
  if (code.startsWith('HPE_')) return 'invalid-answer'
  // There are dozens of certificate errors, each with its own code.
  return isUntrusted(socket) ? 'tls' : 'failed'
}

/** Whether the connection uses TLS and the certificate was not accepted. */
function isUntrusted(socket: Socket | TLSSocket | null): boolean {
  return socket !== null && 'authorized' in socket && !socket.authorized
}

async function record(answer: IncomingMessage, now: number): Promise<Outcome> {
  const status = answer.statusCode ?? 0
  return {
    status,
    error: errorOf(status),
    response: await beginningOf(answer),
    retryAfterSeconds: readRetryAfter(answer.headers['retry-after'], now),
  }
}

function errorOf(status: number): AttemptError | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : 'unsuccessful-status'
}

function beginningOf(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0)
    answer.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]).subarray(0, MAX_KEPT_ANSWER_BYTES)
      if (bytes.length === MAX_KEPT_ANSWER_BYTES) answer.destroy()
    })
    // The body may be complete, cut off or late: only the status, which has arrived, matters.
    finished(answer, () => resolve(wellFormed(bytes)))
  })
}

/** Text that both databases can store: no unpaired surrogates, no NUL. */
function wellFormed(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\ufffd')
}
