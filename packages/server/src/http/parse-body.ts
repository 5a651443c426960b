import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { MAX_BODY_BYTES } from '@bugle/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../domain/domain-error.ts'

/** A request without a body is no stream that somebody has to read to its end, which costs as much as many an answer. */
export const EMPTY_REQUESTS_END = { optimizeEmptyRequests: true } as const

/** How bodies are read: JSON in UTF-8. `text/plain` is let in for the one route that reads it. Knows {@link EMPTY_REQUESTS_END}. */
export function parseBodies(app: FastifyInstance): void {
  app.addHook('preParsing', ({ headers }, _, payload, done) => {
    // The framework reads whatever names a type, and would wait for ever for the end of what has ended.
    const isOver = headers['content-type'] !== undefined && (payload as Readable).readableEnded
    done(null, isOver ? Readable.from([]) : payload)
  })
  app.removeAllContentTypeParsers()
  const options = { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES } as const
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json', 'text/plain'],
    options,
    // Called back, not awaited: a promise costs more than most bodies do.
    (_: FastifyRequest, body: Buffer, done) => {
      try {
        done(null, parseJson(body))
      } catch (error) {
        done(error as Error)
      }
    },
  )
}

const JSON_ONLY = ['application/json']

/** Refuses, before it is read, a body of another type than the endpoint takes, and any that is compressed, in whole or on its way: how much it would unpack to is not known before. */
export function refuseUnreadableBody(
  { headers }: FastifyRequest,
  mediaTypes: readonly string[] = JSON_ONLY,
): void {
  if (headers['content-encoding'] !== undefined) {
    throw new DomainError('unsupported-media-type', {
      detail: 'Send the body as it is, without a Content-Encoding.',
    })
  }
  const transfer = headers['transfer-encoding']
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked') {
    throw new DomainError('unsupported-media-type', {
      detail: 'Send the body as it is, in chunks or with its length, and in no other Transfer-Encoding.',
    })
  }
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type === undefined || mediaTypes.includes(type)) return
  throw new DomainError('unsupported-media-type', { detail: `Send the body as ${mediaTypes.join(' or ')}.` })
}

function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new DomainError('malformed-body', { detail: 'The body is not encoded as UTF-8.' })
  try {
    return JSON.parse(body.toString())
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new DomainError('malformed-body', { detail: `The body is not valid JSON: ${placeOfFault(error)}` })
  }
}

/** V8 quotes the text around the fault; only the position is passed on. */
function placeOfFault({ message }: SyntaxError): string {
  const position = /at position \d+(?: \(line \d+ column \d+\))?/.exec(message)?.[0]
  return position === undefined ? 'it ends too early or has no value.' : `reading stopped ${position}.`
}
