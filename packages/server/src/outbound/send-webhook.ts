import type { IncomingMessage } from 'node:http'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { finished } from 'node:stream'
import { TLSSocket } from 'node:tls'
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
  /** For everything together: name, connection, answer. */
  readonly timeoutMs?: number
  /** Ends it early; what comes of it then is no fault of the receiver. */
  readonly signal?: AbortSignal
}

/** What came of it; `error` is `null` only if the receiver took it, with a status of 2xx. */
export interface WebhookAttempt {
  readonly status: number | null
  readonly error: AttemptError | null
  readonly durationMs: number
  /** The beginning of the answer. */
  readonly response: string | null
  readonly retryAfterSeconds: number | null
}

/** Sends a webhook once. Whatever goes wrong out there is in the answer, never thrown. */
export async function sendWebhook(
  { timeoutMs = WEBHOOK_TIMEOUT_MS, signal, ...request }: WebhookRequest,
  guard: Guard,
  clock: Clock = systemClock,
): Promise<WebhookAttempt> {
  const began = performance.now()
  // Not AbortSignal.any: what that makes lives as long as the signal of the caller, and so for every attempt.
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

// A connection for each attempt: one that is kept would lead to an address that was judged long ago. And no proxy,
// whatever the environment says: it would look up the name again, out of our sight.
const DIRECT = { keepAlive: false, proxyEnv: {} } as const
// Not by `import`: that reads all they offer, and so loads a client for WebSockets at every start.
const http = process.getBuiltinModule('node:http')
const https = process.getBuiltinModule('node:https')
const HTTP = { send: http.request, agent: new http.Agent(DIRECT) }
const HTTPS = { send: https.request, agent: new https.Agent({ ...DIRECT, rejectUnauthorized: true }) }

function post(
  { headers, body }: WebhookRequest,
  { url, addresses }: { readonly url: URL; readonly addresses: readonly string[] },
  signal: AbortSignal,
): Promise<IncomingMessage | AttemptError> {
  const { send, agent } = url.protocol === 'https:' ? HTTPS : HTTP
  const request = send(url, {
    method: 'POST',
    agent,
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
    // An answer that switches to another protocol is neither a response nor an error to Node: it just closes.
    request.on('close', () => resolve('invalid-answer'))
    request.end(body)
  })
}

/** A lookup that has only one answer: the name stays what it is for TLS and the `Host` header. */
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
  // Certificates fail in dozens of ways, each with a code of its own.
  return socket instanceof TLSSocket && !socket.authorized ? 'tls' : 'failed'
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
    // Complete, cut off or out of time: the status has come, and it is what counts.
    finished(answer, () => resolve(wellFormed(bytes)))
  })
}

/** Text that every database stores: no half characters, no NUL. */
function wellFormed(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\ufffd')
}
