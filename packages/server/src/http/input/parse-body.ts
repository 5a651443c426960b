import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { Endpoint } from '@bugle/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain/domain-error.ts'
import type { Turns } from '../../domain/events/turns.ts'
import { findExcess, type JsonBounds } from './json-bounds.ts'

/** Far more than any valid body has. Parsing tens of thousands of levels takes ten times as long as a flat body. */
const BOUNDS: JsonBounds = { maxDepth: 32, maxValues: 100_000 }
/**
 * A larger body is parsed, validated and handled in its own turn of the event loop: 256 KiB of JSON can take 20 ms.
 * A smaller one cannot be nested deeply enough to be expensive.
 */
const LARGE_BODY_BYTES = 16 * 1024

/** Ends requests without a body immediately: reading an empty stream to its end can cost as much as the response. */
export const EMPTY_REQUESTS_END = { optimizeEmptyRequests: true } as const

declare module 'fastify' {
  interface FastifyRequest {
    /** The body limit; 0 if the body is ignored. */
    maxBodyBytes: number
  }
}

/**
 * Reads bodies as JSON in UTF-8. A `text/plain` body is passed on as a `Buffer`, because its caller has to be
 * known before it is parsed. Bodies that no endpoint accepts are never read. Supports {@link EMPTY_REQUESTS_END}.
 */
export function parseBodies(app: FastifyInstance, turns: Turns): void {
  app.decorateRequest('maxBodyBytes', 0)
  app.removeAllContentTypeParsers()
  // A callback, because a promise would cost more than reading most bodies. The framework caches the parsers of types that are named;
  // if only "*" matches, it parses the type of each request again.
  app.addContentTypeParser(
    ['application/json', 'text/plain', '*'],
    (request: FastifyRequest, payload: Readable, done) => {
      const { headers, maxBodyBytes } = request
      if (maxBodyBytes === 0) return done(null, undefined)
      const type = mediaTypeOf(request)
      if (type === undefined) return done(unsupported('Send the body as "Content-Type: application/json".'))
      if (Number(headers['content-length']) > maxBodyBytes) return done(tooLarge(maxBodyBytes))
      readBody(payload, maxBodyBytes, (result) => {
        if (result instanceof DomainError) return done(result)
        if (result.length > LARGE_BODY_BYTES) turns.take(async () => passOn(result))
        else passOn(result)
      })

      function passOn(bytes: Buffer): void {
        try {
          done(null, type === 'text/plain' ? bytes : parseJson(bytes))
        } catch (fault) {
          done(fault as Error)
        }
      }
    },
  )
}

/** Prepares the body of a request to the endpoint, before any of it is read. */
export function expectBody(
  request: FastifyRequest,
  { body, hasRawBody, encodings, maxBodyBytes = 0, mediaTypes }: Endpoint,
): void {
  if (hasRawBody) refuseEncodings(request, encodings)
  if (body === undefined) {
    // Otherwise, the framework would refuse a malformed type even though the body is ignored.
    delete request.headers['content-type']
    return
  }
  refuseUnreadableBody(request, mediaTypes)
  request.maxBodyBytes = maxBodyBytes
}

const JSON_ONLY = ['application/json']

/** Refuses types that the endpoint does not accept, and compressed bodies, because their real size is unknown. */
function refuseUnreadableBody(request: FastifyRequest, mediaTypes: readonly string[] = JSON_ONLY): void {
  refuseEncodings(request)
  const type = mediaTypeOf(request)
  if (type === undefined || mediaTypes.includes(type)) return
  throw unsupported(`Send the body as ${mediaTypes.join(' or ')}.`)
}

function refuseEncodings({ headers }: FastifyRequest, allowed: readonly string[] = []): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && !allowed.includes(encoding.trim().toLowerCase())) {
    throw unsupported(
      allowed.length === 0
        ? 'Send the body uncompressed, without a Content-Encoding.'
        : `Send the body uncompressed, or with one Content-Encoding: ${allowed.join(', ')}.`,
    )
  }
  const transfer = headers['transfer-encoding']
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked') {
    throw unsupported('Send the body with a Content-Length or with "Transfer-Encoding: chunked" only.')
  }
}

function mediaTypeOf({ headers }: FastifyRequest): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
}

type OnBody = (result: Buffer | DomainError) => void

function readBody(payload: Readable, maxBytes: number, onBody: OnBody): void {
  if (payload.readableEnded) {
    // The stream has already emitted "end" and will not do so again.
    onBody(Buffer.alloc(0))
    return
  }
  const chunks: Buffer[] = []
  let length = 0
  payload.on('data', onData).on('end', onEnd).on('error', onError)

  function onData(chunk: Buffer): void {
    length += chunk.length
    if (length > maxBytes) finish(tooLarge(maxBytes))
    else chunks.push(chunk)
  }
  function onEnd(): void {
    // Copied, because the stream may reuse its buffers.
    finish(Buffer.concat(chunks, length))
  }
  function onError(): void {
    finish(
      new DomainError('bad-request', { detail: 'The connection was closed before the body was complete.' }),
    )
  }
  function finish(result: Buffer | DomainError): void {
    payload.off('data', onData).off('end', onEnd).off('error', onError)
    onBody(result)
  }
}

/** Parses a body; fails with `malformed-body`. */
export function parseJson(body: Buffer, bounds = BOUNDS): unknown {
  if (!isUtf8(body)) throw new DomainError('malformed-body', { detail: 'The body is not encoded as UTF-8.' })
  const excess = body.length > LARGE_BODY_BYTES ? findExcess(body, bounds) : undefined
  if (excess !== undefined)
    throw new DomainError('malformed-body', { detail: describeExcess(excess, bounds) })
  try {
    return JSON.parse(body.toString())
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new DomainError('malformed-body', { detail: `The body is not valid JSON: ${placeOfFault(error)}` })
  }
}

function describeExcess(excess: keyof JsonBounds, { maxDepth, maxValues }: JsonBounds): string {
  return excess === 'maxDepth'
    ? `The body is nested deeper than ${maxDepth} levels.`
    : `The body has more than ${maxValues.toLocaleString('en')} values.`
}

/** V8's message quotes the text around the error; only the position is returned. */
function placeOfFault({ message }: SyntaxError): string {
  const position = /at position \d+(?: \(line \d+ column \d+\))?/.exec(message)?.[0]
  return position === undefined ? 'it ends too early or has no value.' : `reading stopped ${position}.`
}

function unsupported(detail: string): DomainError {
  return new DomainError('unsupported-media-type', { detail })
}

function tooLarge(maxBytes: number): DomainError {
  return new DomainError('content-too-large', {
    detail: `The body has more than ${maxBytes.toLocaleString('en')} bytes.`,
  })
}
