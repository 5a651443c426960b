import { isUtf8 } from 'node:buffer'
import { MAX_BODY_BYTES } from '@bugle/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../domain/domain-error.ts'

/** How bodies are read: JSON in UTF-8, not compressed. `text/plain` is let in for the one route that reads it. */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const options = { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES } as const
  app.addContentTypeParser(
    ['application/json', 'text/plain'],
    options,
    async (_: FastifyRequest, body: Buffer) => parseJson(body),
  )
  // Not before the route's own first hook, which lets pages of other origins read this refusal.
  app.addHook('preParsing', async (request) => {
    if (request.headers['content-encoding'] !== undefined) {
      throw new DomainError('unsupported-media-type', {
        detail: 'Send the body as it is, without a Content-Encoding.',
      })
    }
  })
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
